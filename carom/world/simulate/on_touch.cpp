// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What happens when a pair touches, or when a point of an active contact comes down.

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "carom/world/island/island_tolerances.h"
#include "carom/world/micro/micro_tolerances.h"
#include "carom/world/simulate/infeasible.h"
#include "carom/world/simulate/simulator.h"
#include "carom/world/touch/landing_search.h"
#include "carom/world/touch/level_face.h"
#include "carom/world/touch/touch_tolerances.h"
#include "carom/world/touch/touching.h"

namespace carom::world {
namespace {

// The points of an active contact, and the one that is known to approach where none of them does so
// as fast: the places of a rim that a manifold has are few.
void add_points(Cluster& cluster, const ContactPair& pair, std::uint32_t i,
                const ContactPoint& at) {
    constexpr double k_faster = 1.0 + 1e-6;
    cluster.add_manifold(i, closed_gap(pair));
    if (at.approach_speed > k_faster * cluster.approach_speed())
        cluster.add(i, at.point, pair.normal);
}

}  // namespace

void Simulator::on_touch(std::uint32_t i, double t) {
    const BodyId a = graph_.pair(i).a;
    const BodyId b = graph_.pair(i).b;
    const bool from_pile = graph_.track(a).slept_in_pile || graph_.track(b).slept_in_pile;
    if (graph_.track(a).asleep()) work_.wake(a, b);
    if (graph_.track(b).asleep()) work_.wake(b, a);
    schedule_.cancel(i);
    wake_all(t);
    // waking may have renewed boxes and with them pairs
    const std::uint32_t pair = graph_.broad_phase().find(a, b);
    if (pair >= graph_.pair_count()) return;
    if (graph_.track(a).in_pile() || graph_.track(b).in_pile()) {
        const bool cuts = touch_in_pile(pair, t);
        // what has just been woken is held by nothing yet, and no step has reckoned with the rest
        if (cuts || from_pile) commit_.cut_step(graph_.track(a).in_pile() ? a : b);
        return;
    }
    if (!graph_.pair(pair).contact.active) resolve_touch(pair, t);
}

void Simulator::resolve_touch(std::uint32_t i, double t) {
    ContactPair& pair = graph_.pair(i);
    Touch touch = touch_of(graph_, pair, t);
    ContactPoint at = find_contact_point(touch);
    const double graze = k_micro_tolerances.parting * pair.micro_bounce();
    if (at.approach_speed > graze && graph_.can_last(pair)) {
        std::optional<LevelFace> face =
            find_level_face(touch, k_touch_tolerances.placed * pair.size);
        if (face && !lies_on_level_face(graph_, pair, face->normal)) face.reset();
        if (face && face->approach_speed <= graze) {
            // they pass each other along it: what they do is seen when they have
            schedule_.query_at(i, t + k_touch_tolerances.passing * pair.size / at.approach_speed);
            return;
        }
        if (face && face->approach_speed < at.approach_speed) {
            pair.normal = touch.normal = face->normal;
            at = find_contact_point(touch);
        }
    }
    const bool micro = pair.is_slow_touch(at.approach_speed, t) && at.approach_speed > -graze;
    if (!micro && !(at.approach_speed > 0.0)) {
        const DeepestApproach inside = find_approach_inside(graph_, pair, t, manifold_);
        pair.normal = inside.normal;
        if (inside.fastest.approach_speed > pair.restitution_threshold()) {
            hit(i, inside.fastest, t);
            return;
        }
        if (inside.fastest.approach_speed > graze && graph_.can_last(pair)) {
            begin_lasting(i, inside.fastest, t);
            return;
        }
        schedule_.query_at(i, t + time_to_part(touch, t, -at.approach_speed));
        return;
    }
    if (!micro) {
        hit(i, at, t);
        return;
    }
    if (!graph_.can_last(pair) && !(graph_.gravity() > 0.0)) {
        hit(i, at, t);
        return;
    }
    if (!graph_.can_last(pair)) {
        resolve_micro_touch(i, touch, at, t);
        return;
    }
    // bodies that have just parted are looked at again when it could be otherwise
    // (of a first step; exact motions part to rounding, and another point may come down soon)
    const bool one_free = graph_.track(pair.a).body->fixed != graph_.track(pair.b).body->fixed;
    const double part = pair.contact.loose && !one_free ? 0.1
                        : graph_.gravity() > 0.0        ? 0.01
                                                        : 1e-4;
    const double wait =
        part * k_island_tolerances.first_step *
        std::sqrt(pair.size / graph_.acceleration_scale(std::array{pair.a, pair.b}));
    const double then = pair.contact.ended + wait;
    if (at.approach_speed <= graze && t < then) {
        const DeepestApproach inside = find_approach_inside(graph_, pair, t, manifold_);
        if (inside.fastest.approach_speed > pair.restitution_threshold()) {
            pair.normal = inside.normal;
            hit(i, inside.fastest, t);
            return;
        }
        const double next = std::nextafter(t, k_forever);
        schedule_.query_at(i, std::max(next, std::min(then, t + inside.soon)));
        return;
    }
    begin_lasting(i, at, t);
}

// The micro-collision of a contact that lasts, in the papers' own way.
void Simulator::resolve_micro_touch(std::uint32_t i, const Touch& touch, const ContactPoint& at,
                                    double t) {
    ContactPair& pair = graph_.pair(i);
    const BodyId a = pair.a, b = pair.b;
    guard_against_endless(pair, t);
    pair.last_impact = t;
    for (const BodyId body : {a, b})
        if (!graph_.track(body).body->fixed) work_.changed(body);
    if (fall_asleep_alone(pair, touch, t)) return;
    const std::optional<MicroOutcome> turned =
        turn_round_on_face(pair, touch, in_.settings.gravity, t);
    commit_.micro(i, turned ? *turned : resolve_micro_contact(pair, touch, at, t), t);
    if (!in_.settings.sleep) return;
    for (const BodyId body : {a, b})
        fall_asleep_together(body, t);
}

// An impact by the law of the pair, and what follows from it at the same instant.
void Simulator::hit(std::uint32_t i, const ContactPoint& at, double t) {
    const ContactPair& pair = graph_.pair(i);
    guard_against_endless(pair, t);
    cluster_.begin(t);
    if (pair.contact.active && at.approach_speed > 0.0) {
        cluster_.add(i, at.point, pair.normal);
    } else if (pair.contact.active) {
        add_points(cluster_, pair, i, at);
    } else {
        cluster_.add(i, at.point, pair.normal);
    }
    resolve_hit(cluster_, graph_, pair, t);
    const ClusterOutcome& outcome = cluster_.outcome();
    find_contacts_that_last(graph_, outcome, begins_);
    wake_hit(outcome, t);
    commit_.cluster(outcome, t, EventKind::impact, begins_);
    for (const ClusterBody& body : outcome.bodies)
        if (!graph_.track(body.id).body->fixed) graph_.track(body.id).quiet.end();
}

// Sleepers that the cluster sets in motion wake, by a body that gave them an impulse.
void Simulator::wake_hit(const ClusterOutcome& outcome, double t) {
    for (const ClusterBody& body : outcome.bodies) {
        if (!graph_.track(body.id).asleep() || !body.changed()) continue;
        BodyId by = k_no_body;
        for (const ClusterContact& contact : outcome.contacts) {
            const ContactPair& pair = graph_.pair(contact.pair);
            const bool its = pair.a == body.id || pair.b == body.id;
            if (its && !contact.impulse.isZero(0.0)) by = pair.other(body.id);
        }
        wake(body.id, by, t);
    }
}

void Simulator::begin_lasting(std::uint32_t i, const ContactPoint& at, double t) {
    const ContactPair& pair = graph_.pair(i);
    guard_against_endless(pair, t);
    commit_.begin_contact(i, at.point, t);
    cluster_.begin(t);
    add_points(cluster_, pair, i, at);
    if (cluster_.empty()) cluster_.add(i, at.point, pair.normal);
    cluster_.expand_all();
    if (cluster_.approach_speed() > 0.0) cluster_.resolve_plastic();
    wake_hit(cluster_.outcome(), t);
    for (const BodyId id : {pair.a, pair.b}) {
        BodyTrack& track = graph_.track(id);
        if (!track.body->fixed && !track.in_contact()) track.last_step = 0.0;
    }
    commit_.cluster(cluster_.outcome(), t, EventKind::lasting_begin);
    // the two are in one component from now on, which steps at once
    if (graph_.track(pair.a).pending || graph_.track(pair.b).pending) return;
    for (const BodyId id : {pair.a, pair.b}) {
        BodyTrack& track = graph_.track(id);
        if (track.body->fixed || track.asleep()) continue;
        track.last_step = 0.0;
        commit_.end_motion(id, t, track.at(t));
        return;
    }
}

// A point is down that was slow: its approach is taken up without restitution, and it is in the
// next step from the start.
void Simulator::land_slowly(std::uint32_t i, const ContactPoint& at, double t) {
    const ContactPair& pair = graph_.pair(i);
    const BodyId id = graph_.track(pair.a).body->fixed ? pair.b : pair.a;
    guard_against_endless(pair, t);
    cluster_.begin(t);
    add_points(cluster_, pair, i, at);
    cluster_.expand_all();
    if (cluster_.approach_speed() > 0.0) cluster_.resolve_plastic();
    wake_hit(cluster_.outcome(), t);
    commit_.cluster(cluster_.outcome(), t, EventKind::micro);
    const BodyTrack& track = graph_.track(id);
    if (track.asleep() || track.pending) return;
    commit_.end_motion(id, t, track.at(t));
}

// A point of an active contact comes down: looked at until it is there.
void Simulator::on_landing(std::uint32_t i, double t) {
    ContactPair& pair = graph_.pair(i);
    schedule_.cancel(i);
    const Descent descent = look_at_descent(graph_, pair, t, manifold_);
    if (descent.fastest > pair.restitution_threshold()) {
        islands_.start_points(pair, t, points_);
        pair.contact.forces = points_;
        pair.contact.points_at = t;
        hit(i, {Vec3::Zero(), 0.0}, t);
        return;
    }
    const BodyId id = graph_.track(pair.a).body->fixed ? pair.b : pair.a;
    if (descent.fastest > 0.0 && graph_.track(id).segment.t0 < t) {
        land_slowly(i, {Vec3::Zero(), 0.0}, t);
        return;
    }
    // what is to come down may be the crossing of two edges that do not cross yet
    constexpr double k_again = 0.2, k_end = 0.01;
    const double left = pair.contact.t1 - t;
    const bool again = !(descent.wait < left) && left > k_end * (pair.contact.t1 - pair.contact.t0);
    const double then =
        std::max(t + (again ? k_again * left : descent.wait), std::nextafter(t, t + 1.0));
    if (then < pair.contact.t1) schedule_.landing_at(i, then);
}

// A touch that the step of a pile does not see to: by the law of the pair. True when it was faster
// than the restitution threshold, is an impact with all that feel it, and the step is to end here.
bool Simulator::touch_in_pile(std::uint32_t i, double t) {
    ContactPair& pair = graph_.pair(i);
    ContactPoint at = find_contact_point(touch_of(graph_, pair, t));
    pair.covered_until = k_forever;
    schedule_.cancel(i);
    if (!(at.approach_speed > 0.0)) {
        // where one corner parts another may come down
        const DeepestApproach inside = find_approach_inside(graph_, pair, t, manifold_);
        if (!(inside.fastest.approach_speed > pair.restitution_threshold())) return false;
        pair.normal = inside.normal;
        at = inside.fastest;
    }
    const bool fast = at.approach_speed > pair.restitution_threshold();
    commit_.join_pile(pair, t);
    guard_against_endless(pair, t);
    cluster_.begin(t);
    cluster_.add(i, at.point, pair.normal);
    if (fast) {
        resolve_hit(cluster_, graph_, pair, t);
    } else if (at.approach_speed > pair.micro_bounce()) {
        cluster_.resolve_alone();
    } else {
        cluster_.resolve_plastic();
    }
    commit_.cluster(cluster_.outcome(), t, EventKind::impact);
    const BodyId of_pile = graph_.track(pair.a).in_pile() ? pair.a : pair.b;
    return fast || resolves_by_law(in_.settings, graph_.piles().at(graph_.track(of_pile).pile));
}

}  // namespace carom::world
