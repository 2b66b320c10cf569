// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The next motion of bodies in lasting contact: a step of their component, the closed form of a
// sphere on a plane, rest, or a step of a pile.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/island/island_tolerances.h"
#include "carom/world/simulate/infeasible.h"
#include "carom/world/simulate/simulator.h"

namespace carom::world {
namespace {

double patience_of(const Component& component) {
    return component.bodies.size() > 1 ? k_constrained_tolerances.several_patience
                                       : k_constrained_tolerances.patience;
}

// Whether the exact steps of these bodies have long covered too little time to pay.
bool crawls(const Graph& graph, const Component& component) {
    const double patience = patience_of(component);
    return std::any_of(component.bodies.begin(), component.bodies.end(),
                       [&](BodyId id) { return graph.track(id).spent_steps > patience; });
}

// Steps of piles are solved by sweeps, of which a heavy body on a light one needs as many as it is
// heavier.
bool suits_sweeps(const Graph& graph, const Component& component) {
    constexpr double k_heavier = 1e5;
    double least = k_forever, most = 0.0;
    for (const BodyId id : component.bodies) {
        const double mass = graph.track(id).body->mass;
        least = std::min(least, mass);
        most = std::max(most, mass);
    }
    return most <= k_heavier * least;
}

// A component becomes a pile that has more bodies than steps of islands are for, or more than exact
// steps are for of which one is not slow: hits then follow each other.
bool is_pile(const Graph& graph, const Component& component) {
    const std::size_t count = component.bodies.size();
    if (count > IslandStepper::k_exact_bodies) return true;
    return count > ConstrainedStepper::k_most_bodies &&
           !IslandStepper::is_slow(graph, component.bodies);
}

// Notes the energy that a step of an island would put into its bodies, beyond what moving supports
// do. True where they are slow and have been fed so much that it keeps them from coming to rest:
// they go on as a pile, which needs gravity to know what is slow.
bool note_fed_energy(Graph& graph, const Component& component, const IslandOutcome& outcome) {
    // In all, of m g r of the bodies. Larger: stacks rattle as much longer.
    constexpr double k_fed = 1e-3;
    // The same of one step, however fast they are. Larger: as much more in a wedge whose conditions
    // have no answer.
    constexpr double k_at_once = 1e-4;
    if (component.bodies.size() < 2 || !(graph.gravity() > 0.0)) return false;
    const Vec3& gravity = graph.settings().gravity;
    double added = 0.0, scale = 0.0, fed = 0.0;
    for (const IslandBodyOutcome& step : outcome.bodies) {
        const BodyTrack& track = graph.track(step.id);
        const Segment& segment = step.segment;
        const motion::State end =
            motion::at(make_motion(*track.body, segment, gravity), outcome.t + outcome.h);
        added += energy(*track.body, end, gravity) - energy(*track.body, segment.state, gravity) -
                 segment.lasting.power * outcome.h;
        scale += track.body->mass * graph.gravity() * track.body->radius;
        fed = std::max(fed, track.fed);
    }
    if (!(added > 0.0)) return false;
    for (const BodyId id : component.bodies)
        graph.track(id).fed = fed + added / scale;
    if (!suits_sweeps(graph, component)) return false;
    if (added > k_at_once * scale) return true;
    return fed + added / scale > k_fed && IslandStepper::is_slow(graph, component.bodies);
}

// Notes a step of so many seconds; count: how many exact steps it was.
void note_steps(Graph& graph, const Component& component, double count, double h) {
    double length = k_forever, spent = 0.0;
    for (const BodyId id : component.bodies) {
        length = std::min(length, graph.track(id).body->radius);
        spent = std::max(spent, graph.track(id).spent_steps);
    }
    const double unit = std::sqrt(length / graph.acceleration_scale(component.bodies));
    const double pays = component.bodies.size() > 1 ? k_constrained_tolerances.several_pays
                                                    : k_constrained_tolerances.pays;
    const double patience = patience_of(component);
    const bool was_patient = !(spent > patience);
    spent += count - h / (pays * unit);
    // other steps go on until this is paid back
    if (was_patient && spent > patience) spent *= 2.0;
    for (const BodyId id : component.bodies)
        graph.track(id).spent_steps = std::max(0.0, spent);
}

// Whether landings at this instant have not come to an end.
bool is_wedged(const Graph& graph, const Component& component, double t) {
    constexpr std::uint64_t k_landings = 8;
    return std::any_of(component.bodies.begin(), component.bodies.end(), [&](BodyId id) {
        const BodyTrack& track = graph.track(id);
        return track.guard_t == t && track.guard_count > k_landings;
    });
}

// What closes in on bodies from several sides leaves them no velocity: where step after step the
// conditions at a body that moves as it is told cannot be met, the run ends with who they are.
void check_step_feasible(Graph& graph, const Component& component, const IslandOutcome& outcome,
                         double t) {
    constexpr int k_steps = 20;
    const auto is_driven = [&](BodyId id) {
        const Body& body = *graph.track(id).body;
        return body.fixed && !body.still;
    };
    int& count = graph.track(component.bodies[0]).infeasible_steps;
    const double driving = graph.gravity() > 0.0 ? 0.0 : driving_speed(graph, component.pairs, t);
    for (const std::uint32_t i : component.pairs) {
        const ContactPair& pair = graph.pair(i);
        if (!is_driven(pair.a) && !is_driven(pair.b)) continue;
        if (!(outcome.left > infeasible_speed(graph, pair, driving, t))) continue;
        if (++count > k_steps)
            throw std::runtime_error(infeasible_text(graph, pair, outcome.left, t));
        return;
    }
    count = 0;
}

}  // namespace

void Simulator::step(BodyId first, double t) {
    graph_.find_component(first, component_);
    if (component_.sleeper != k_no_body) {
        // it takes part from the start
        work_.wake(component_.sleeper, first);
        if (!graph_.track(first).pending) {
            commit_.end_motion(first, t, graph_.track(first).at(t));
        } else {
            work_.step(first);
        }
        return;
    }
    if (component_.touches_pile || is_pile(graph_, component_)) {
        begin_pile(t);
        return;
    }
    for (const std::uint32_t i : component_.pairs)
        commit_.report_force(i, t);
    for (const BodyId id : component_.bodies) {
        BodyTrack& track = graph_.track(id);
        track.quiet.note(t, track.at(t), track.body->radius, in_.settings.gravity);
    }
    if (follow_plane(t) || step_exactly(t)) return;
    const bool quiet =
        std::all_of(component_.bodies.begin(), component_.bodies.end(), [&](BodyId id) {
            const BodyTrack& track = graph_.track(id);
            return track.quiet.long_enough(t, track.body->radius, graph_.gravity());
        });
    if (quiet && may_sleep(t)) {
        sleep_island(t);
    } else {
        step_island(t);
    }
}

// The exact motion, for components that it is for.
bool Simulator::step_exactly(double t) {
    if (component_.pairs.empty() || component_.bodies.size() > ConstrainedStepper::k_most_bodies)
        return false;
    if (crawls(graph_, component_)) return false;
    switch (constrained_.step(component_, t, may_sleep(t), is_wedged(graph_, component_, t))) {
        case ConstrainedResult::refused:
            if (component_.bodies.size() > 1) note_steps(graph_, component_, 1.0, 0.0);
            return false;
        case ConstrainedResult::lands: {
            // an impact by its law, or a plastic landing
            note_steps(graph_, component_, 1.0, 0.0);
            const std::uint32_t i = constrained_.landing_pair();
            const ContactPoint at = constrained_.landing();
            graph_.pair(i).normal = constrained_.landing_normal();
            if (at.approach_speed > graph_.pair(i).restitution_threshold()) {
                hit(i, at, t);
            } else {
                land_slowly(i, at, t);
            }
            // what the impact left as it was has its step still before it
            for (const BodyId id : component_.bodies)
                if (graph_.track(id).pending) work_.step(id);
            return true;
        }
        case ConstrainedResult::rests:
            commit_.island_forces(constrained_.outcome());
            sleep_island(t);
            return true;
        case ConstrainedResult::moves:
            break;
    }
    for (const BodyId id : component_.bodies)
        graph_.track(id).last_step = constrained_.outcome().next_step;
    note_steps(graph_, component_, 1.0, constrained_.outcome().h);
    commit_.island(constrained_.outcome());
    return true;
}

void Simulator::step_island(double t) {
    if (component_.pairs.empty()) {
        const BodyId id = component_.bodies[0];
        const BodyTrack& track = graph_.track(id);
        commit_.begin_segment(id, track.free_kind(), t, track.at(t));
        schedule_.bodies_changed(component_.bodies, t);
        return;
    }
    for (const std::uint32_t i : component_.pairs) {
        ContactPair& pair = graph_.pair(i);
        // islands do not keep gaps to rounding
        if (component_.bodies.size() > 1) pair.contact.loose = true;
        const bool of_this_step = pair.contact.t1 == t || pair.contact.points_at == t;
        if (of_this_step && !pair.contact.exact) continue;
        islands_.start_points(pair, t, points_);
        pair.contact.forces = points_;
        pair.contact.points_at = t;
    }
    const IslandOutcome& outcome = islands_.step(component_, t, may_sleep(t));
    if (note_fed_energy(graph_, component_, outcome)) {
        begin_pile(t);
        return;
    }
    check_step_feasible(graph_, component_, outcome, t);
    note_steps(graph_, component_, 0.0, outcome.h);
    const double scale = graph_.acceleration_scale(component_.bodies);
    for (const BodyId id : component_.bodies) {
        constexpr double k_least = 0.1;  // of the first step
        BodyTrack& track = graph_.track(id);
        const double unit = std::sqrt(track.body->radius / scale);
        track.last_step =
            std::max(outcome.next_step, k_least * k_island_tolerances.first_step * unit);
    }
    if (outcome.in_balance) {
        commit_.island_forces(outcome);
        sleep_island(t);
    } else {
        commit_.island(outcome);
    }
}

bool Simulator::follow_plane(double t) {
    const std::optional<PlaneCourse> course = find_plane_course(graph_, component_, t);
    if (!course) return false;
    const std::uint32_t pair = component_.pairs[0];
    commit_.plane_contact(pair, *course);
    const bool rests = course->rests && in_.settings.sleep;
    if (rests && may_sleep(t)) {
        sleep_island(t);
        return true;
    }
    double until = course->segment.lasting.t1;
    if (!(until > t)) return false;
    const double radius = graph_.track(course->segment.body).body->radius;
    if (rests) until = t + k_island_tolerances.first_step * std::sqrt(radius / graph_.gravity());
    commit_.plane_course(pair, *course, until);
    return true;
}

// Not on anything that moves, and not at the instant of being touched or woken.
bool Simulator::may_sleep(double t) const {
    if (!in_.settings.sleep || !(graph_.gravity() > 0.0)) return false;
    for (const std::uint32_t i : component_.pairs) {
        for (const BodyId id : {graph_.pair(i).a, graph_.pair(i).b}) {
            const Body& body = *graph_.track(id).body;
            if (body.fixed && !body.still) return false;
        }
    }
    return std::all_of(component_.bodies.begin(), component_.bodies.end(),
                       [&](BodyId id) { return graph_.track(id).quiet.t < t; });
}

void Simulator::sleep_island(double t) {
    const std::vector<BodyId>& bodies = component_.bodies;
    if (bodies.size() == 1 && component_.pairs.size() == 1) {
        // what lies on one thing alone presses it with its weight
        ContactPair& pair = graph_.pair(component_.pairs[0]);
        const Vec3 weight = graph_.track(bodies[0]).body->mass * in_.settings.gravity;
        pair.contact.force = pair.a == bodies[0] ? Vec3(-weight) : weight;
    }
    for (const BodyId id : bodies) {
        commit_.fall_asleep(id, t);
        graph_.track(id).slept_with = bodies;
    }
    schedule_.bodies_changed(bodies, t);
}

}  // namespace carom::world
