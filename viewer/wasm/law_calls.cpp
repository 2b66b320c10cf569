// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The collision laws for the page: one problem in, one answer out, judged as `carom impact` judges
// it; the path inside the impact; rays of constant sliding; the contact of two bodies.

#include <cmath>
#include <limits>
#include <string>

#include "carom/impact/law.h"
#include "carom/impact/permissible.h"
#include "carom/impact/sliding_rays.h"
#include "carom/record/row_vectors.h"
#include "exports.h"
#include "law_problem.h"

namespace carom::page {
namespace {

using record::put;

using impact::ParameterId;

// An answer, or why there is none (message).
struct AnswerRow {
    const char* message;
    std::uint32_t modes;  // of the path
    double p[3], u_after[3];
    double dissipated;
    double restitution[3];  // kinematic, kinetic, energetic; not a number where it has no meaning
    double margins[4];      // energy, separation, cone, normal
    double allowed[4];      // the same, 0 or 1
    double mu;              // that the cone was judged by; 1e300: no limit
    double mode[impact::Path::k_capacity];
    std::uint32_t samples, transitions;  // of the trace
};

struct SampleRow {
    double p[3], u[3];
    double normal_work, normal_energy, tangential_energy, mode;
};

struct Call {
    AnswerRow answer;
    std::string message;
    impact::Trace trace;
    std::vector<SampleRow> samples;
    std::vector<double> transitions;  // kind, sample, kind, sample ...
};

// The last call's answer: the page reads it before it calls again.
Call& last_call() {
    static Call call;
    return call;
}

void judge(AnswerRow& row, const Problem& problem, const impact::LawInfo& law,
           const impact::Solution& solution) {
    constexpr double k_none = std::numeric_limits<double>::quiet_NaN();
    const impact::Contact& contact = problem.contact;
    row.mu = judging_mu(problem, law);
    put(row.p, solution.p);
    put(row.u_after, contact.u + contact.K * solution.p);
    row.dissipated = -impact::energy_change(contact, solution.p);
    const impact::Restitution shown = impact::shown_restitution(contact, solution);
    row.restitution[0] = shown.kinematic.value_or(k_none);
    row.restitution[1] = shown.kinetic.value_or(k_none);
    row.restitution[2] = shown.energetic.value_or(k_none);
    const impact::Permissible region = impact::check_permissible(contact, row.mu, solution.p);
    row.margins[0] = region.energy_margin;
    row.margins[1] = region.separation_margin;
    row.margins[2] = region.cone_margin;
    row.margins[3] = region.normal_margin;
    row.allowed[0] = region.energy() ? 1.0 : 0.0;
    row.allowed[1] = region.separation() ? 1.0 : 0.0;
    row.allowed[2] = region.cone() ? 1.0 : 0.0;
    row.allowed[3] = region.normal() ? 1.0 : 0.0;
    row.modes = static_cast<std::uint32_t>(solution.path.size());
    for (std::size_t i = 0; i < solution.path.size(); ++i)
        row.mode[i] = static_cast<double>(solution.path[i]);
}

void tell_trace(Call& call) {
    for (const impact::TraceSample& sample : call.trace.samples) {
        SampleRow row{};
        put(row.p, sample.p);
        put(row.u, sample.u);
        row.normal_work = sample.normal_work;
        row.normal_energy = sample.normal_energy;
        row.tangential_energy = sample.tangential_energy;
        row.mode = static_cast<double>(sample.mode);
        call.samples.push_back(row);
    }
    for (const impact::Transition& change : call.trace.transitions) {
        call.transitions.push_back(static_cast<double>(change.kind));
        call.transitions.push_back(static_cast<double>(change.sample));
    }
    call.answer.samples = static_cast<std::uint32_t>(call.samples.size());
    call.answer.transitions = static_cast<std::uint32_t>(call.trace.transitions.size());
}

// Empty when solved.
std::string solve(Call& call, const ProblemRow& row, bool traced) {
    const Problem problem = read_problem(row);
    std::string wrong = impact::check_contact(problem.contact);
    if (!wrong.empty()) return wrong;
    const impact::LawInfo& law = problem.law;
    wrong = impact::check_parameters(law, problem.parameters);
    if (!wrong.empty()) return wrong;
    const bool with_path = traced && law.incremental;
    const impact::Outcome outcome = impact::resolve(law, problem.contact, problem.parameters,
                                                    with_path ? &call.trace : nullptr);
    if (outcome.refusal != nullptr) return outcome.refusal;
    judge(call.answer, problem, law, outcome.solution);
    if (with_path) tell_trace(call);
    return {};
}

}  // namespace
}  // namespace carom::page

using namespace carom;

CAROM_EXPORT(laws_solve)
(const page::ProblemRow* problem, int traced)->const page::AnswerRow* {
    page::Call& call = page::last_call();
    call = page::Call{};
    call.message = page::solve(call, *problem, traced != 0);
    call.answer.message = call.message.empty() ? nullptr : call.message.c_str();
    return &call.answer;
}

CAROM_EXPORT(laws_samples)()->const page::SampleRow* {
    return page::last_call().samples.data();
}

CAROM_EXPORT(laws_transitions)()->const double* {
    return page::last_call().transitions.data();
}

// out: angle, growth, 1 where attracting, for each of at most four rays. Gives their number.
CAROM_EXPORT(laws_rays)(const double* K, double mu, double* out)->int {
    const impact::SlidingRays rays = impact::sliding_rays(page::matrix(K), mu);
    for (int i = 0; i < rays.count; ++i) {
        const impact::SlidingRay& ray = rays.ray[static_cast<std::size_t>(i)];
        *out++ = ray.angle;
        *out++ = ray.growth;
        *out++ = ray.attracting ? 1.0 : 0.0;
    }
    return rays.count;
}

// The contact of two bodies: out is K (9, row by row), u (3), R_CW (9), the rotation that took the
// world to the contact frame.
CAROM_EXPORT(laws_contact)
(const double* normal, const page::BodyRow* A, const page::BodyRow* B, double* out)->void {
    const impact::FramedContact framed = impact::make_contact(
        {Vec3(normal[0], normal[1], normal[2]), page::body_state(*A), page::body_state(*B)});
    for (int i = 0; i < 3; ++i) {
        out[9 + i] = framed.contact.u[i];
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = framed.contact.K(i, j);
            out[12 + 3 * i + j] = framed.R_CW(i, j);
        }
    }
}
