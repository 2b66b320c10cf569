// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/multi_contact_answer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "carom/cli/json_out.h"
#include "carom/cli/table.h"
#include "carom/impact/tolerances.h"

namespace carom::cli {
namespace {

using impact::ContactKind;
using impact::MultiContactBody;
using impact::MultiContactPoint;
using impact::MultiContactSolution;
using impact::MultipleId;
using impact::SimultaneousRestitution;

// What the impulses do, and whether that is allowed.
struct Effect {
    std::vector<MultiContactBody> after;
    double energy_lost;
    double work = 0.0;  // the size of what energy_lost is a difference of
    bool energy = true, separation = true, cone = true, normal = true;
};

// The friction coefficient the answer is judged by: none given means no limit.
double judging_mu(const MultiContactPoint& contact) {
    if (contact.law->id == impact::LawId::frictionless) return 0.0;
    return contact.parameters.mu.value_or(1e300);
}

Effect effect_of(const MultiContactLine& line, const MultiContactSolution& solution) {
    const impact::MultiContactProblem& problem = line.problem;
    constexpr double k_slack = impact::k_tolerances.permissible;
    Effect out{impact::apply_impulses(problem, solution.impulses_W),
               impact::energy_lost(problem, solution.impulses_W)};
    double fastest = 0.0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const MultiContactPoint& contact = problem.contacts[i];
        const Vec3& p = solution.impulses_W[i];
        const Vec3 u = impact::contact_velocity(problem.bodies, contact);
        fastest = std::max(fastest, u.norm());
        out.work += std::abs(u.dot(p));
        if (contact.kind == ContactKind::ball_joint) continue;
        const double along = p.dot(contact.normal);
        const double across = (p - along * contact.normal).norm();
        out.normal = out.normal && along >= -k_slack * p.norm();
        out.cone = out.cone && across <= judging_mu(contact) * along + k_slack * p.norm();
    }
    // what overflows says nothing
    out.energy = !(out.energy_lost < -k_slack * out.work);
    out.separation = solution.approach_left <= k_slack * fastest;
    return out;
}

void put_solution(JsonOut& json, const MultiContactLine& line,
                  const MultiContactSolution& solution) {
    const impact::MultiContactProblem& problem = line.problem;
    const Effect effect = effect_of(line, solution);
    json.begin_list("bodies");
    for (const MultiContactBody& body : effect.after) {
        json.begin();
        json.vector("v", body.v);
        json.vector("w", body.w);
        json.end();
    }
    json.end_list();
    json.begin_list("contacts");
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const MultiContactPoint& contact = problem.contacts[i];
        json.begin();
        json.vector("impulse", solution.impulses_W[i]);
        json.vector("u", impact::contact_velocity(problem.bodies, contact));
        json.vector("u_after", impact::contact_velocity(effect.after, contact));
        json.end();
    }
    json.end_list();
    json.number("energy_lost", effect.energy_lost);
    json.count("rounds", static_cast<std::uint64_t>(solution.rounds));
    json.number("approach_left", solution.approach_left);
    json.begin("permissible");
    json.flag("energy", effect.energy);
    json.flag("separation", effect.separation);
    json.flag("cone", effect.cone);
    json.flag("normal", effect.normal);
    json.end();
}

// One of the ways to resolve a problem.
struct Way {
    MultipleId multiple;
    SimultaneousRestitution restitution = SimultaneousRestitution::newton;

    // As in the table of answers.
    std::string label() const {
        const std::string name(impact::multiple_info(multiple).name);
        return multiple == MultipleId::simultaneous ? name + "/" + restitution_name() : name;
    }
    const char* restitution_name() const {
        return restitution == SimultaneousRestitution::newton ? "newton" : "poisson";
    }
};

std::vector<Way> every_way() {
    std::vector<Way> ways;
    for (const impact::MultipleInfo& info : impact::multiples()) {
        ways.push_back({info.id});
        if (info.id == MultipleId::simultaneous) {
            ways.push_back({info.id, SimultaneousRestitution::poisson});
        }
    }
    return ways;
}

// Hands the solution, or the reason why there is none, to one of the two.
template <class Solved, class Refused>
void try_way(const MultiContactLine& line, const Way& way, Solved&& solved, Refused&& refused) {
    impact::MultipleSettings settings = line.settings;
    settings.simultaneous.restitution = way.restitution;
    MultiContactSolution solution;
    try {
        solution = impact::resolve_multiple(way.multiple, line.problem, settings);
    } catch (const std::invalid_argument& error) {
        refused(error.what());
        return;
    }
    solved(solution);
}

// A velocity or an impulse; rounding is not worth a person's attention.
std::string shown(const Vec3& v, double size) {
    const double speck = 1e-13 * size;
    const auto number = [&](double x) { return short_number(std::abs(x) < speck ? 0.0 : x); };
    return fmt::format("{}, {}, {}", number(v.x()), number(v.y()), number(v.z()));
}

std::string contact_name(const MultiContactPoint& contact) {
    return fmt::format("{}-{} {}", contact.a, contact.b,
                       contact.kind == ContactKind::ball_joint ? "hinge" : contact.law->name);
}

std::string tables(const MultiContactLine& line, const MultiContactSolution& solution) {
    const Effect effect = effect_of(line, solution);
    const impact::MultiContactProblem& problem = line.problem;
    double fastest = 0.0;
    double turning = 0.0;
    for (const MultiContactBody& body : problem.bodies) {
        fastest = std::max(fastest, body.v.norm());
        turning = std::max(turning, body.w.norm());
    }
    Table contacts({"contact", "impulse (N s)", "u (m/s)", "u after (m/s)"});
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const MultiContactPoint& contact = problem.contacts[i];
        const Vec3& p = solution.impulses_W[i];
        const Vec3 u = impact::contact_velocity(problem.bodies, contact);
        fastest = std::max(fastest, u.norm());
        contacts.add({contact_name(contact), shown(p, p.norm()), shown(u, u.norm()),
                      shown(impact::contact_velocity(effect.after, contact), fastest)});
    }
    Table bodies({"body", "v after (m/s)", "w after (rad/s)"});
    for (std::size_t b = 0; b < effect.after.size(); ++b) {
        const MultiContactBody& body = effect.after[b];
        bodies.add({std::to_string(b), shown(body.v, fastest),
                    shown(body.w, std::max(turning, body.w.norm()))});
    }
    const bool lost = std::abs(effect.energy_lost) > 1e-12 * effect.work;
    return fmt::format("energy lost {} J, rounds {}, approach left {} m/s\n{}\n{}",
                       short_number(lost ? effect.energy_lost : 0.0), solution.rounds,
                       short_number(solution.approach_left), bodies.text(), contacts.text());
}

}  // namespace

void write_multi_contact_answer(fmt::memory_buffer& out, const MultiContactLine& line,
                                const MultiContactSolution& solution) {
    JsonOut json(out);
    json.begin();
    json.json("id", line.id);
    json.text("multiple", impact::multiple_info(line.multiple).name);
    put_solution(json, line, solution);
    if (!line.ignored.empty()) {
        json.begin_list("ignored");
        for (const std::string& name : line.ignored)
            json.element(name);
        json.end_list();
    }
    json.end();
    json.end_line();
}

void write_all_multi_contact_answers(fmt::memory_buffer& out, const MultiContactLine& line) {
    JsonOut json(out);
    json.begin();
    json.json("id", line.id);
    json.begin_list("answers");
    for (const Way& way : every_way()) {
        json.begin();
        json.text("multiple", impact::multiple_info(way.multiple).name);
        if (way.multiple == MultipleId::simultaneous) {
            json.begin("settings");
            json.text("restitution", way.restitution_name());
            json.end();
        }
        try_way(
            line, way,
            [&](const MultiContactSolution& solution) { put_solution(json, line, solution); },
            [&](const char* reason) { json.text("not_applicable", reason); });
        json.end();
    }
    json.end_list();
    json.end();
    json.end_line();
}

std::string joint_table(const MultiContactLine& line, const MultiContactSolution& solution) {
    return fmt::format("problem {}, {}: {}\n", line.id, impact::multiple_info(line.multiple).name,
                       tables(line, solution));
}

std::string all_joint_tables(const MultiContactLine& line) {
    std::string text;
    for (const Way& way : every_way()) {
        text += fmt::format("problem {}, {}: ", line.id, way.label());
        try_way(
            line, way,
            [&](const MultiContactSolution& solution) { text += tables(line, solution); },
            [&](const char* reason) { text += fmt::format("no answer: {}\n", reason); });
        text += "\n";
    }
    return text;
}

}  // namespace carom::cli
