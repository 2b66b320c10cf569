// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/impact_answer.h"

#include <fmt/compile.h>
#include <simdjson.h>

#include <cmath>
#include <iterator>

#include "carom/cli/every_law.h"
#include "carom/impact/permissible.h"
#include "carom/impact/region_curves.h"

namespace carom::cli {
namespace {

using Buffer = fmt::memory_buffer;

void put(Buffer& out, std::string_view text) {
    out.append(text.data(), text.data() + text.size());
}

// JSON has no infinity: what overflows is null. Adding zero turns -0 into 0.
void put(Buffer& out, double value) {
    if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value + 0.0);
    } else {
        put(out, "null");
    }
}

void put(Buffer& out, const std::optional<double>& value) {
    if (value) {
        put(out, *value);
    } else {
        put(out, "null");
    }
}

void put_bool(Buffer& out, bool value) {
    put(out, value ? "true" : "false");
}

void put(Buffer& out, const Vec3& v) {
    out.push_back('[');
    put(out, v.x());
    out.push_back(',');
    put(out, v.y());
    out.push_back(',');
    put(out, v.z());
    out.push_back(']');
}

// A vector of the contact frame as the problem was given: world frame, 3D contact frame or plane.
void put_vector(Buffer& out, const ImpactProblem& problem, const Vec3& v) {
    if (problem.plane) {
        out.push_back('[');
        put(out, v.x());
        out.push_back(',');
        put(out, v.z());
        out.push_back(']');
    } else if (problem.bodies) {
        put(out, Vec3(problem.R_CW.transpose() * v));
    } else {
        put(out, v);
    }
}

template <class Points>
void put_points(Buffer& out, const ImpactProblem& problem, const Points& points) {
    out.push_back('[');
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0) out.push_back(',');
        put_vector(out, problem, points[i]);
    }
    out.push_back(']');
}

// The friction coefficient the answer is judged by: none given means no limit.
double judging_mu(const ImpactProblem& problem, const impact::LawInfo& law) {
    if (problem.parameters.mu) return *problem.parameters.mu;
    return law.id == impact::LawId::frictionless ? 0.0 : 1e300;
}

void put_path(Buffer& out, const impact::Path& path) {
    out.push_back('[');
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i > 0) out.push_back(',');
        out.push_back('"');
        put(out, impact::mode_name(path[i]));
        out.push_back('"');
    }
    out.push_back(']');
}

void put_bodies(Buffer& out, const ImpactProblem& problem, const Vec3& p) {
    const impact::BodyPair after =
        impact::apply_impulse(*problem.bodies, problem.R_CW.transpose() * p);
    put(out, ",\"A\":{\"v\":");
    put(out, after.A.v);
    put(out, ",\"w\":");
    put(out, after.A.w);
    put(out, "},\"B\":{\"v\":");
    put(out, after.B.v);
    put(out, ",\"w\":");
    put(out, after.B.w);
    put(out, "}");
}

void put_trace(Buffer& out, const ImpactProblem& problem, const impact::Trace& trace) {
    const auto& samples = trace.samples;
    const auto list = [&](std::string_view name, auto&& put_one) {
        put(out, name);
        out.push_back('[');
        for (std::size_t i = 0; i < samples.size(); ++i) {
            if (i > 0) out.push_back(',');
            put_one(samples[i]);
        }
        out.push_back(']');
    };
    using Sample = impact::TraceSample;
    put(out, ",\"trace\":{");
    list("\"impulse\":", [&](const Sample& s) { put_vector(out, problem, s.p); });
    list(",\"u\":", [&](const Sample& s) { put_vector(out, problem, s.u); });
    list(",\"work\":", [&](const Sample& s) { put(out, s.normal_work); });
    list(",\"energy_normal\":", [&](const Sample& s) { put(out, s.normal_energy); });
    list(",\"energy_tangential\":", [&](const Sample& s) { put(out, s.tangential_energy); });
    list(",\"mode\":", [&](const Sample& s) { write_string(out, impact::mode_name(s.mode)); });
    put(out, ",\"transitions\":[");
    for (std::size_t i = 0; i < trace.transitions.size(); ++i) {
        const impact::Transition& t = trace.transitions[i];
        if (i > 0) out.push_back(',');
        put(out, "{\"kind\":");
        write_string(out, impact::transition_name(t.kind));
        fmt::format_to(std::back_inserter(out), ",\"sample\":{},\"impulse\":", t.sample);
        put_vector(out, problem, samples[t.sample].p);
        put(out, "}");
    }
    put(out, "]}");
}

void put_curves(Buffer& out, const ImpactProblem& problem, double mu) {
    const impact::RegionCurves curves = impact::region_curves(problem.contact, mu);
    const auto many = [&](std::string_view name, const auto& lists) {
        put(out, name);
        out.push_back('[');
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (i > 0) out.push_back(',');
            put_points(out, problem, lists[i]);
        }
        out.push_back(']');
    };
    many(",\"ellipsoid\":", curves.ellipsoid);
    many(",\"cone_lines\":", curves.cone_lines);
    put(out, ",\"cone_rim\":");
    put_points(out, problem, curves.cone_rim);
    put(out, ",\"cone_on_ellipsoid\":");
    put_points(out, problem, curves.cone_on_ellipsoid);
    put(out, ",\"maximum_compression\":");
    put_points(out, problem, curves.maximum_compression);
    put(out, ",\"sticking\":");
    put_points(out, problem, curves.sticking);
}

void put_region(Buffer& out, const ImpactProblem& problem, const impact::Permissible& margins,
                double mu) {
    put(out, ",\"margins\":{\"energy\":");
    put(out, margins.energy_margin);
    put(out, ",\"separation\":");
    put(out, margins.separation_margin);
    put(out, ",\"cone\":");
    put(out, margins.cone_margin);
    put(out, ",\"normal\":");
    put(out, margins.normal_margin);
    put(out, "}");
    if (problem.contact.u.z() >= 0.0 || mu >= 1e300) return;
    const impact::RegionLandmarks marks = impact::region_landmarks(problem.contact, mu);
    put(out, ",\"region\":{\"P_I\":");
    put_vector(out, problem, marks.P_I);
    put(out, ",\"P_II\":");
    put_vector(out, problem, marks.P_II);
    put(out, ",\"contact_energy\":");
    put(out, marks.contact_energy);
    put(out, ",\"largest_kinematic_e\":");
    put(out, marks.largest_kinematic_e);
    put(out, ",\"P_largest_e\":");
    put_vector(out, problem, marks.P_largest_e);
    put_curves(out, problem, mu);
    put(out, "}");
}

// Everything about one solution but its id: starts with "impulse".
void put_solution(Buffer& out, const ImpactProblem& problem, const impact::LawInfo& law,
                  const impact::Solution& solution, bool region) {
    const impact::Contact& contact = problem.contact;
    const double mu = judging_mu(problem, law);
    const Vec3 u_after = contact.u + contact.K * solution.p;
    const impact::Restitution shown = impact::shown_restitution(contact, solution);
    const impact::Permissible allowed = impact::check_permissible(contact, mu, solution.p);
    put(out, "\"impulse\":");
    put_vector(out, problem, solution.p);
    put(out, ",\"u\":");
    put_vector(out, problem, contact.u);
    put(out, ",\"u_after\":");
    put_vector(out, problem, u_after);
    put(out, ",\"energy_lost\":");
    put(out, -impact::energy_change(contact, solution.p));
    put(out, ",\"restitution\":{\"kinematic\":");
    put(out, shown.kinematic);
    put(out, ",\"kinetic\":");
    put(out, shown.kinetic);
    put(out, ",\"energetic\":");
    put(out, shown.energetic);
    put(out, "},\"permissible\":{\"energy\":");
    put_bool(out, allowed.energy());
    put(out, ",\"separation\":");
    put_bool(out, allowed.separation());
    put(out, ",\"cone\":");
    put_bool(out, allowed.cone());
    put(out, ",\"normal\":");
    put_bool(out, allowed.normal());
    put(out, "},\"path\":");
    put_path(out, solution.path);
    if (problem.bodies) put_bodies(out, problem, solution.p);
    if (region) put_region(out, problem, allowed, mu);
}

}  // namespace

void write_string(fmt::memory_buffer& out, std::string_view text) {
    // messages may quote input that is not text at all
    const bool valid = simdjson::validate_utf8(text.data(), text.size());
    out.push_back('"');
    for (const char original : text) {
        const char c = !valid && static_cast<unsigned char>(original) >= 0x80 ? '?' : original;
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out.push_back('\\');
            out.push_back(c);
        } else if (byte < 0x20) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
        } else {
            out.push_back(c);
        }
    }
    out.push_back('"');
}

void write_answer(fmt::memory_buffer& out, const ImpactProblem& problem,
                  const impact::Solution& solution, const impact::Trace* trace, bool region) {
    put(out, "{\"id\":");
    put(out, problem.id);
    out.push_back(',');
    put_solution(out, problem, *problem.law, solution, region);
    if (!problem.ignored.empty()) {
        put(out, ",\"ignored\":[");
        for (std::size_t i = 0; i < problem.ignored.size(); ++i) {
            if (i > 0) out.push_back(',');
            write_string(out, problem.ignored[i]);
        }
        out.push_back(']');
    }
    if (trace != nullptr && !trace->samples.empty()) put_trace(out, problem, *trace);
    put(out, "}\n");
}

void write_error(fmt::memory_buffer& out, const ProblemError& error, std::size_t line) {
    put(out, "{\"id\":");
    put(out, error.id);
    if (!error.file.empty()) {
        put(out, ",\"file\":");
        write_string(out, error.file);
    }
    fmt::format_to(std::back_inserter(out), ",\"line\":{},\"error\":", line);
    write_string(out, error.message);
    put(out, "}\n");
}

void write_all_answers(fmt::memory_buffer& out, const ImpactProblem& problem) {
    put(out, "{\"id\":");
    put(out, problem.id);
    put(out, ",\"answers\":[");
    bool first = true;
    for (const LawAnswer& answer : answer_with_every_law(problem)) {
        if (!first) out.push_back(',');
        first = false;
        put(out, "{\"law\":");
        write_string(out, answer.law->name);
        if (answer.law->id == impact::LawId::routh) {
            put(out, ",\"termination\":");
            write_string(out, impact::termination_name(answer.termination));
        }
        out.push_back(',');
        if (answer.solved) {
            put_solution(out, problem, *answer.law, answer.solution, false);
        } else {
            put(out, "\"not_applicable\":");
            write_string(out, answer.reason);
        }
        out.push_back('}');
    }
    put(out, "]}\n");
}

}  // namespace carom::cli
