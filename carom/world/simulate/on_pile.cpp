// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Piles: who is in one, their steps, how they end. A pile is every awake free body that hangs
// together with it by near pairs, while it is large, rattles, or touches a sleeper of a pile. A
// body that comes near joins with the next step, before it can touch; what comes to touch
// nevertheless, since it is left to its law or since impulses have made it faster than expected, is
// resolved by its law at its time, and the rest of the step of its pile begins there.

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/island/island_tolerances.h"
#include "carom/world/pile/pile_tolerances.h"
#include "carom/world/simulate/infeasible.h"
#include "carom/world/simulate/simulator.h"
#include "carom/world/touch/overlap_depth.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

// Whether a huge or fast body passes another one farther away than it can come near in a step of a
// pile of the two.
bool passes_far(const Graph& graph, const ContactPair& pair, double t) {
    constexpr double k_huge = 8.0;  // times as large; of others swept boxes hold little more
    if (pair.contact.active) return false;
    const BodyTrack& a = graph.track(pair.a);
    const BodyTrack& b = graph.track(pair.b);
    const motion::State state_a = a.at(t), state_b = b.at(t);
    const double scale = graph.acceleration_scale(std::array{pair.a, pair.b});
    const double h = k_pile_tolerances.longest * std::sqrt(pair.size / scale);
    const double speed = speed_bound_of(*a.body, state_a) + speed_bound_of(*b.body, state_b);
    const double reach = 2.0 * h * (speed + scale * h);
    const bool huge = std::max(a.body->radius, b.body->radius) > k_huge * pair.size;
    if (!huge && !(reach > pair.size)) return false;
    return -overlap_depth(a.moving, state_a, b.moving, state_b, {}) > reach;
}

// Whether a body rolls on a rim faster than what hardly moves: steps of piles lead it on straight
// ways, on which its rim sinks into what it rolls on.
bool rolls_on_rim(const Graph& graph, const std::vector<BodyId>& bodies) {
    constexpr double k_faster = 4.0;  // than what hardly moves
    const double scale = graph.acceleration_scale(bodies);
    return std::any_of(bodies.begin(), bodies.end(), [&](BodyId id) {
        const BodyTrack& track = graph.track(id);
        const double radius = track.body->radius;
        return can_roll_on_rim(*track.body) &&
               radius * track.segment.state.angular_velocity.norm() >
                   k_faster * k_island_tolerances.slow * std::sqrt(scale * radius);
    });
}

// Two bodies go on as a pile while their exact steps would cover too little time to pay, more until
// they part or sleep, or sink into each other as they roll: steps of a pile leave gaps and speeds
// with which exact ones would rattle anew.
bool stays_pile(const Graph& graph, const std::vector<BodyId>& bodies, double overlap) {
    constexpr std::size_t k_many = 3;
    // Overlap, in L. Larger: rims that roll sink in as deep.
    constexpr double k_deep = 3e-4;
    if (bodies.size() > ConstrainedStepper::k_most_bodies) return true;
    const bool sinks = overlap > k_deep && rolls_on_rim(graph, bodies);
    if (bodies.size() >= k_many && !sinks) return true;
    return std::any_of(bodies.begin(), bodies.end(), [&](BodyId id) {
        const bool rattles = bodies.size() == 2 && !sinks && graph.track(id).spent_steps > 0.0;
        return rattles || graph.touches_sleeper(id);
    });
}

// Time that a pile has taken in its steps: exact steps are tried again when it has made up for
// those that covered too little.
void pay_back(Graph& graph, const Pile& pile, double h) {
    double length = k_forever;
    for (const BodyId id : pile.bodies)
        length = std::min(length, graph.track(id).body->radius);
    const double unit = std::sqrt(length / graph.acceleration_scale(pile.bodies));
    const double steps = h / (k_constrained_tolerances.several_pays * unit);
    for (const BodyId id : pile.bodies) {
        double& spent = graph.track(id).spent_steps;
        spent = std::max(0.0, spent - steps);
    }
}

// What a body that leaves a pile takes with it of its debt, for each kilogram.
double debt_by_mass(const Graph& graph, const Pile& pile) {
    double mass = 0.0;
    for (const BodyId id : pile.bodies)
        mass += graph.track(id).body->mass;
    return mass > 0.0 ? pile.debt / mass : 0.0;
}

// The coming step: by law what is left of one that an impact has cut, unless that is next to
// nothing; else a new one.
PileSpan span_of(const Graph& graph, const PileStepper& piles, const Pile& pile, double t) {
    constexpr double k_least = 0.02;  // of a step
    PileSpan span{.t = t, .by_law = resolves_by_law(graph.settings(), pile)};
    const double left = pile.until - t, whole = pile.until - pile.began;
    if (span.by_law && left > k_least * whole) {
        span.h = left;
        span.whole = whole;
        span.is_rest = true;
    } else {
        span.h = span.whole = piles.length_of(pile.bodies, pile.length);
    }
    return span;
}

}  // namespace

// The component at hand becomes a pile, with those that it touches.
void Simulator::begin_pile(double t) {
    const PileId name = graph_.free_pile_name();
    Pile& pile = graph_.piles()[name];
    pile.until = t;
    for (const BodyId id : component_.bodies) {
        BodyTrack& track = graph_.track(id);
        // it brings its own with it
        if (track.in_pile()) {
            const double length = graph_.piles().at(track.pile).length;
            if (length > 0.0 && (pile.length == 0.0 || length < pile.length)) pile.length = length;
        }
        track.pile = name;
        pile.bodies.push_back(id);
    }
    step_pile(name, t);
}

// A step from t on, of all bodies of a pile; the last one may end here early.
void Simulator::step_pile(PileId name, double t) {
    const std::vector<Pile::Disturbed> disturbed = std::move(graph_.piles().at(name).disturbed);
    graph_.piles().at(name).disturbed.clear();
    for (const auto& [id, by] : disturbed)
        if (graph_.track(id).asleep()) wake_into_pile(id, by, name, t);
    for (const PileId part : form_piles(name, t)) {
        Pile& pile = graph_.piles().at(part);
        if (pile.until > t) {
            for (const BodyId id : pile.bodies)
                commit_.report_forces_of(id, t);
        } else {
            rest_pile(pile, t);
        }
        if (graph_.piles().at(part).bodies.empty()) {
            graph_.piles().erase(part);
            continue;
        }
        take_pile_step(graph_.piles().at(part), t);
    }
}

// The parts that hang together by near pairs, each a pile of its own from now on; small ones are
// released.
std::vector<PileId> Simulator::form_piles(PileId name, double t) {
    Pile old = std::move(graph_.piles().at(name));
    const bool cut = t < old.until;
    std::erase_if(old.bodies, [&](BodyId id) { return graph_.track(id).pile != name; });
    std::sort(old.bodies.begin(), old.bodies.end());
    graph_.piles().erase(name);
    const double debt = debt_by_mass(graph_, old);
    std::vector<PileId> formed;
    std::vector<BodyId> part, leaving;
    BodyIndex placed(graph_.body_count());
    const auto is_far = [&](const ContactPair& pair) { return passes_far(graph_, pair, t); };
    for (const BodyId first : old.bodies) {
        if (placed.has(first)) continue;
        graph_.find_near_component(first, part, is_far);
        const bool stays = stays_pile(graph_, part, old.overlap);
        double length = old.length;
        bool merged = false;
        double mass = 0.0;  // of those that bring their share of the debt
        for (const BodyId id : part) {
            placed.set(id, 0);
            const PileId from = graph_.track(id).pile;
            const auto other = graph_.piles().find(from);
            if (from == name) mass += graph_.track(id).body->mass;
            if (from == name || other == graph_.piles().end()) continue;
            merged = true;
            const double its = other->second.length;
            if (its > 0.0 && (length == 0.0 || its < length)) length = its;
        }
        if (!stays) {
            std::copy_if(part.begin(), part.end(), std::back_inserter(leaving),
                         [&](BodyId id) { return graph_.track(id).in_pile(); });
            continue;
        }
        const PileId key = graph_.free_pile_name();
        Pile& pile = graph_.piles()[key];
        pile.bodies = part;
        pile.length = length;
        pile.debt = mass * debt;
        pile.until = t;
        if (cut && !merged) {
            // what is left of the step
            pile.until = old.until;
            pile.began = old.began;
            pile.cuts = old.cuts + 1;
        }
        for (const BodyId id : part)
            graph_.track(id).pile = key;
        formed.push_back(key);
    }
    std::sort(leaving.begin(), leaving.end());
    release(leaving, t);
    return formed;
}

// Bodies that go on by themselves, in their islands or in flight.
void Simulator::release(const std::vector<BodyId>& bodies, double t) {
    for (const BodyId id : bodies) {
        BodyTrack& track = graph_.track(id);
        track.pile = k_no_pile;
        track.last_step = 0.0;
        for (const std::uint32_t i : track.pairs) {
            graph_.pair(i).covered_until = ContactPair::k_long_ago;
            graph_.pair(i).rebound = 0.0;
        }
    }
    for (const BodyId id : bodies) {
        const BodyTrack& track = graph_.track(id);
        if (graph_.has_active_contact(id)) {
            commit_.end_motion(id, t, track.at(t));
        } else {
            commit_.begin_segment(id, track.free_kind(), t, track.at(t));
            work_.changed(id);
        }
    }
}

void Simulator::rest_pile(Pile& pile, double t) {
    for (const BodyId id : pile.bodies) {
        BodyTrack& track = graph_.track(id);
        motion::State state = track.at(t);
        // a ball that spins stays where it is
        if (is_ball(*track.body)) state.orientation = track.quiet.orientation;
        track.quiet.note(t, state, track.body->radius, in_.settings.gravity,
                         k_pile_tolerances.drift);
        commit_.report_forces_of(id, t);
    }
    if (!in_.settings.sleep) return;
    const std::vector<BodyId> sleepers = pile_rest_.find_sleepers(pile.bodies, t);
    const double debt = debt_by_mass(graph_, pile);
    for (const BodyId id : sleepers) {
        BodyTrack& track = graph_.track(id);
        track.pile = k_no_pile;
        pile.debt -= track.body->mass * debt;
        commit_.fall_asleep(id, t);
        track.slept_in_pile = true;
        track.slept_with.clear();
        for (const std::uint32_t i : track.pairs) {
            PersistentContact& contact = graph_.pair(i).contact;
            contact.at_rest = contact.force;
        }
    }
    std::erase_if(pile.bodies, [&](BodyId id) { return !graph_.track(id).in_pile(); });
    for (const BodyId id : sleepers)
        schedule_.body_changed(id, t);
}

// Finds the impulses of a step, of half the length where they would leave a deep overlap.
void Simulator::take_pile_step(Pile& pile, double t) {
    constexpr int k_halvings = 3;
    constexpr double k_deep = 0.75;  // of what a step may add to an overlap
    constexpr int k_hits = 20;       // rounds of impacts at one instant by law, then plastic ones
    const PileId name = graph_.track(pile.bodies.front()).pile;
    const auto wake_all = [&](const std::vector<WakeRequest>& requests) {
        const std::vector<WakeRequest> wakes = requests;
        for (const auto& [id, by] : wakes)
            if (graph_.track(id).asleep()) wake_into_pile(id, by, name, t);
        return !wakes.empty();
    };
    PileSpan span = span_of(graph_, piles_, pile, t);
    for (int halved = 0, hits = 0;;) {
        while (wake_all(piles_.look(pile.bodies, span))) {
        }
        if (!piles_.hits().empty()) {
            // what hits each other at this very instant does so before the step
            ++hits;
            if (hits > 2 * k_hits) {
                span.by_law = false;
            } else {
                hit_in_pile(piles_.hits(), t, hits > k_hits);
            }
            continue;
        }
        double left = piles_.solve();
        if (piles_.adds_energy(pile.debt)) {
            piles_.look(pile.bodies, span);
            left = piles_.solve_without_gain(pile.debt);
            // few bodies then sink into each other, above all where rims roll: less with shorter
            // steps
            if (left > k_deep * k_pile_tolerances.gap && halved < k_halvings &&
                pile.bodies.size() <= k_pile_tolerances.few) {
                ++halved;
                span.h *= 0.5;
                if (!span.is_rest) span.whole = span.h;
                continue;
            }
        }
        if (left < PileStepper::k_most_left * k_pile_tolerances.gap) break;
        if (wake_all(piles_.sleepers_in_the_way())) continue;
        if (++halved > k_halvings) break;
        span.h *= 0.5;
        if (!span.is_rest) span.whole = span.h;
    }
    check_pile_feasible(graph_, pile, piles_.approach_left(), t);
    pay_back(graph_, pile, piles_.outcome().h);
    commit_.pile(pile, piles_.outcome(), pile_rest_);
}

// Impacts of pairs that touch as a step begins, all together: by their laws, or plastic.
void Simulator::hit_in_pile(const std::vector<std::uint32_t>& pairs, double t, bool plastic) {
    const ContactPair& first = graph_.pair(pairs.front());
    guard_against_endless(first, t);
    cluster_.begin(t);
    for (const std::uint32_t i : pairs)
        cluster_.add_manifold(i, k_touch_tolerances.closed_gap * graph_.pair(i).size);
    if (plastic) {
        cluster_.expand();
        cluster_.resolve_plastic();
    } else {
        resolve_hit(cluster_, graph_, first, t);
    }
    commit_.cluster(cluster_.outcome(), t, EventKind::impact);
}

// A sleeper joins a pile: alone if it slept in one, else with all that sleep in touch with it.
void Simulator::wake_into_pile(BodyId first, BodyId by, PileId name, double t) {
    std::vector<BodyId> woken{first};
    if (!graph_.track(first).slept_in_pile) woken = graph_.sleepers_with(first);
    std::sort(woken.begin(), woken.end());
    for (const BodyId id : woken) {
        commit_.report_forces_of(id, t);
        commit_.wake(id, by, t);
        commit_.begin_segment(id, SegmentKind::flight, t, graph_.track(id).at(t));
        schedule_.box_renewed(id, t);
    }
    Pile& pile = graph_.piles().at(name);
    for (const BodyId id : woken)
        graph_.track(id).pile = name;
    pile.bodies.insert(pile.bodies.end(), woken.begin(), woken.end());
    std::sort(pile.bodies.begin(), pile.bodies.end());
}

}  // namespace carom::world
