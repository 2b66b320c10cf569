// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "carom/impact/problem.h"
#include "carom/impact/routh.h"
#include "carom/impact/solution.h"
#include "carom/impact/trace.h"

namespace carom::impact {

// The registry of collision laws: one table (law_table.cpp) drives the command line, scene files
// and bindings. Adding a law is one line there beside its own pair of files.

enum class LawId : std::uint8_t {
    frictionless,
    particle,
    routh,
    planar,
    whittaker,
    smith,
    pfeiffer_glocker,
    anitescu_potra,
    bilinear,
    brach,
    region_spherical,
    region_projected,
    chatterjee_ruina,
    composite,
    compliant,
    micro
};

enum class ParameterId : std::uint8_t {
    e,
    mu,
    et,
    nu,
    eta2,
    sigma,
    mu2,
    mu3,
    psi1,
    psi2,
    rho,
    P,
    threshold,
    termination,
    reversal,
    fallback
};
inline constexpr std::size_t k_parameter_count = 16;

enum class ParameterKind : std::uint8_t { number, vector, termination, boolean, law };

// What a parameter is, for every law that takes it.
struct ParameterInfo {
    ParameterId id;
    std::string_view name;
    ParameterKind kind;
    double least, most;  // of a number, both allowed unless open
    bool least_open, most_open;
    std::string_view range;  // for people
    std::string_view meaning;
};

// The parameters of any law. A set bit in given says that the caller gave that one.
struct LawParameters {
    double e = 0.0, mu = 0.0, et = 0.0, nu = 0.0, eta2 = 0.0, sigma = 0.0, mu2 = 0.0, mu3 = 0.0;
    double psi1 = 0.0, psi2 = 0.0, rho = 0.0;
    double threshold = std::numeric_limits<double>::infinity();
    Vec3 P = Vec3::Zero();
    Termination termination = Termination::stronge;
    bool reversal = false;
    LawId fallback = LawId::routh;
    std::uint32_t given = 0;

    bool has(ParameterId id) const { return (given >> static_cast<unsigned>(id) & 1U) != 0; }
    void mark(ParameterId id) { given |= 1U << static_cast<unsigned>(id); }
    // The number of that name; P, termination, reversal and fallback are not numbers.
    double& number(ParameterId id);
    double number(ParameterId id) const;
};

// A parameter as one law takes it.
struct LawParameter {
    ParameterId id;
    bool required;
    std::string_view fallback;  // the default, for people; empty when required
};

// A law's answer, or why it does not apply to this contact (never null and a solution at once).
struct Outcome {
    Solution solution;
    const char* refusal = nullptr;
};

struct LawInfo {
    LawId id;
    std::string_view name;
    std::string_view summary;
    std::span<const LawParameter> parameters;
    bool plane_only;   // takes plane problems only
    bool in_plane;     // has a meaning for plane problems
    bool incremental;  // has a path inside the impact and can trace it
    bool may_gain_energy;
    std::string_view source;
    Outcome (*resolve)(const Contact&, const LawParameters&, Trace*);
};

std::span<const LawInfo> laws();
std::span<const ParameterInfo> parameters();
const LawInfo& law_info(LawId id);
const ParameterInfo& parameter_info(ParameterId id);
const LawInfo* find_law(std::string_view name);
const ParameterInfo* find_parameter(std::string_view name);
std::optional<Termination> find_termination(std::string_view name);

// The known name nearest to a misspelt one; empty when none is near.
std::string_view nearest_law(std::string_view name);
std::string_view nearest_parameter(std::string_view name);

// Whether the law (or, for micro, its fallback) makes use of the parameter.
bool takes(const LawInfo& law, ParameterId id, LawId fallback = LawId::routh);

// Whether the law (for micro: its fallback too) has a meaning for plane problems.
bool answers_in_plane(const LawInfo& law, const LawParameters& parameters);

// Empty when the parameters can be used with the law; else what is missing or out of range.
std::string check_parameters(const LawInfo& law, const LawParameters& parameters);
// Empty when the number is in the parameter's range; else what would be right.
std::string check_number(const ParameterInfo& parameter, double value);

// Solves one impact. Pre: check_contact and check_parameters found nothing wrong. Allocates nothing
// without a trace. Velocities and masses of extreme size are scaled by powers of two first.
Outcome resolve(const LawInfo& law, const Contact& contact, const LawParameters& parameters,
                Trace* trace = nullptr);

}  // namespace carom::impact
