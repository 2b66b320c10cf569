// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
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
//
// Threads: everything in this room is a function without memory, of its arguments only. Any number
// of threads may call at once, on shared arguments too, and each gets the bits that it would get
// alone; a Trace is written by one of them. Objects that keep work between calls (ConeSolver) serve
// one thread at a time.

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

// The parameters of any law, each given or not: the form for readers of files, which know the law
// only when they run. What a law takes when an optional one is not given is in its table entry.
// Programs that know their law take law_choice.h, where a forgotten parameter does not compile.
struct LawParameters {
    std::optional<double> e{}, mu{}, et{}, nu{}, eta2{}, sigma{}, mu2{}, mu3{};
    std::optional<double> psi1{}, psi2{}, rho{}, threshold{};
    std::optional<Vec3> P{};
    std::optional<Termination> termination{};
    std::optional<bool> reversal{};
    std::optional<LawId> fallback{};

    // Whether the parameter is given.
    bool has(ParameterId id) const;
    // As if it had not been given.
    void reset(ParameterId id);
    // The number of that name. Pre: the parameter's kind is number.
    std::optional<double>& number(ParameterId id);
    const std::optional<double>& number(ParameterId id) const;
    // The law that micro falls back to.
    LawId fallback_law() const { return fallback.value_or(LawId::routh); }
};

// A law together with its parameters.
struct LawChoice {
    LawId law = LawId::routh;
    LawParameters parameters;
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

// Solves one impact. Pre: check_contact and check_parameters found nothing wrong; a parameter that
// is missing nevertheless is a refusal. Allocates nothing without a trace. Velocities and masses of
// extreme size are scaled by powers of two first.
Outcome resolve(const LawInfo& law, const Contact& contact, const LawParameters& parameters,
                Trace* trace = nullptr);
inline Outcome resolve(const LawChoice& choice, const Contact& contact, Trace* trace = nullptr) {
    return resolve(law_info(choice.law), contact, choice.parameters, trace);
}

}  // namespace carom::impact
