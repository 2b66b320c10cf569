// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The points of a step of a pile: who is near whom, where, and with which warm start.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pile/pile_step.h"
#include "carom/world/pile/pile_tolerances.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {

namespace {

// Whether something that does not fly rests on a body of the pile: whatever makes micro-bounces
// below it makes them into it.
bool is_carried(const ContactPair& pair, BodyId id, const Vec3& gravity) {
    constexpr double k_steep = 0.3;
    const double down = pair.contact.normal.dot(gravity);
    return (pair.a == id ? down : -down) > k_steep * gravity.norm();
}

// Points are looked for farther by a part of the size, so that the next search can wait.
double search_reach(double reach, double size) {
    constexpr double k_farther = 0.05;
    return reach + k_farther * size;
}

}  // namespace

bool resolves_by_law(const Settings& settings, const Pile& pile) {
    if (settings.pile_impacts != PileImpacts::automatic)
        return settings.pile_impacts == PileImpacts::law;
    return pile.bodies.size() <= k_pile_tolerances.law_bodies &&
           pile.cuts <= k_pile_tolerances.law_cuts;
}

bool PileStepper::lies_under(BodyId id) const {
    const BodyTrack& track = graph_.track(id);
    return std::any_of(track.pairs.begin(), track.pairs.end(), [&](std::uint32_t i) {
        const ContactPair& pair = graph_.pair(i);
        return pair.contact.active && is_carried(pair, id, graph_.settings().gravity) &&
               !graph_.track(pair.other(id)).in_pile();
    });
}

double PileStepper::length_of(const std::vector<BodyId>& bodies, double suggested) const {
    const double scale = graph_.acceleration_scale(bodies);
    double unit = k_forever;
    double spin = 0.0;
    bool under = false;
    for (const BodyId id : bodies) {
        const BodyTrack& track = graph_.track(id);
        unit = std::min(unit, std::sqrt(track.body->radius / scale));
        if (!is_ball(*track.body) && graph_.has_active_contact(id))
            spin = std::max(spin, track.segment.state.angular_velocity.norm());
        under = under || lies_under(id);
    }
    double h = suggested > 0.0 ? suggested : k_pile_tolerances.first * unit;
    h = std::min(h, unit * (under ? k_pile_tolerances.longest_under : k_pile_tolerances.longest));
    if (bodies.size() <= k_pile_tolerances.few)
        h = std::min(h, unit * k_pile_tolerances.longest_of_few);
    if (spin * h > k_pile_tolerances.turn) h = k_pile_tolerances.turn / spin;
    return std::max(h, k_pile_tolerances.shortest * unit);
}

// How far two bodies can come towards each other in a step.
double PileStepper::reach_of(const PileBody& a, const PileBody& b) const {
    constexpr double k_more = 1.05;
    return k_more * h_ * (a.speed + b.speed + scale_ * h_);
}

// The place of a body in the step; fixed ones and sleepers are taken in when they are met.
std::uint32_t PileStepper::place_of(BodyId id) {
    if (index_.has(id)) return index_[id];
    const BodyTrack& track = graph_.track(id);
    index_.set(id, cone_bodies_.size());
    PileBody& seen = bodies_.emplace_back();
    seen.state = track.at(t_);
    seen.ball = is_ball(*track.body);
    seen.speed = speed_bound_of(*track.body, seen.state);
    seen.travelled = track.travelled(t_);
    seen.bounded = track.bounded;
    seen.driven = track.body->fixed && !track.body->still;
    seen.v = seen.w = Vec3::Zero();
    seen.displacement = 0.0;
    seen.radius = track.body->unbounded ? k_forever : track.body->radius;
    impact::ConeBody& body = cone_bodies_.emplace_back();
    if (track.body->fixed || track.asleep()) {
        const motion::State middle = track.at(t_ + 0.5 * h_);
        body.v = middle.velocity;
        body.w = middle.angular_velocity;
        seen.turn = seen.ball ? 0.0 : h_ * body.w.norm();
        return index_[id];
    }
    body.v = seen.state.velocity + 0.5 * h_ * graph_.settings().gravity;
    body.w = seen.state.angular_velocity;
    body.inverse_mass = track.body->inverse_mass;
    body.inverse_inertia_W = inverse_inertia_in_world(*track.body, seen.state.orientation);
    return index_[id];
}

// The pairs of the pile, body by body, and each body's by the other one.
void PileStepper::list_pairs() {
    constexpr PileLook k_unseen{-k_forever, 0.0, k_no_search, 0.0};
    pairs_.clear();
    by_law_.clear();
    for (const BodyId id : ids_) {
        const std::size_t from = pairs_.size();
        for (const std::uint32_t i : graph_.track(id).pairs) {
            const ContactPair& pair = graph_.pair(i);
            const BodyId other = pair.other(id);
            const bool of_pile = index_.has(other) && index_[other] < ids_.size();
            if (pair.a != id && of_pile) continue;
            const BodyTrack& track = graph_.track(other);
            const bool given = track.body->fixed || track.asleep();
            // one with forces of its own, or that has just come near, is hit by the law of its pair
            if (!graph_.can_last(pair) || !(given || of_pile)) {
                by_law_.push_back(i);
                continue;
            }
            pairs_.push_back({i, place_of(pair.a), place_of(pair.b), other, pair.size, 0.0, 0.0,
                              k_forever, pair.rebound, k_no_point, k_no_search, false, false,
                              k_unseen, k_unseen});
        }
        std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(from), pairs_.end(),
                  [](const PilePair& x, const PilePair& y) { return x.other < y.other; });
    }
}

const std::vector<WakeRequest>& PileStepper::look(const std::vector<BodyId>& bodies,
                                                  const PileSpan& span) {
    span_ = span;
    t_ = span.t;
    h_ = span.h;
    half_fall_ = 0.5 * h_ * graph_.settings().gravity;
    ids_ = bodies;
    scale_ = graph_.acceleration_scale(bodies);
    error_ = 0.0;
    index_.clear();
    bodies_.clear();
    cone_bodies_.clear();
    cone_contacts_.clear();
    points_.clear();
    wakes_.clear();
    hits_.clear();
    for (const BodyId id : ids_)
        place_of(id);
    list_pairs();
    searches_.clear();
    for (PilePair& seen : pairs_)
        plan_search(seen);
    searches_.find(stop_);
    for (PilePair& seen : pairs_) {
        take_points(seen);
        const ContactPair& pair = graph_.pair(seen.pair);
        for (const BodyId id : {pair.a, pair.b}) {
            if (graph_.track(id).asleep() && (seen.by_law || seen.rebound > 0.0))
                wakes_.push_back({id, pair.other(id)});
        }
    }
    return wakes_;
}

// Whether the pair is surely farther apart than `reach`, without a query of its shapes;
// seen.separation is then how far.
bool PileStepper::is_apart(PilePair& seen, double reach) const {
    const ContactPair& pair = graph_.pair(seen.pair);
    const PileBody& a = bodies_[seen.a];
    const PileBody& b = bodies_[seen.b];
    if (pair.separation > 0.0 && a.bounded && b.bounded) {
        seen.separation =
            pair.separation - (a.travelled - pair.travelled_a) - (b.travelled - pair.travelled_b);
        if (seen.separation > reach) return true;
    }
    pair.separation = 0.0;
    seen.separation = (a.state.position - b.state.position).norm() - a.radius - b.radius;
    return seen.separation > reach;
}

void PileStepper::plan_search(PilePair& seen) {
    seen.reach =
        reach_of(bodies_[seen.a], bodies_[seen.b]) + k_touch_tolerances.closed_gap * seen.size;
    if (is_apart(seen, seen.reach)) return;
    const ContactPair& pair = graph_.pair(seen.pair);
    seen.search = searches_.add({&graph_.track(pair.a).moving, &bodies_[seen.a].state,
                                 &graph_.track(pair.b).moving, &bodies_[seen.b].state,
                                 search_reach(seen.reach, seen.size), &pair.memory});
}

void PileStepper::take_points(PilePair& seen) {
    if (seen.search == k_no_search) return;
    const ContactPair& pair = graph_.pair(seen.pair);
    const PileBody& at_a = bodies_[seen.a];
    const PileBody& at_b = bodies_[seen.b];
    const std::span<const ManifoldPoint> manifold = searches_.points(seen.search);
    ++queries_;
    double least = search_reach(seen.reach, seen.size);
    for (const ManifoldPoint& p : manifold)
        least = std::min(least, p.gap);
    if (least > seen.reach) {
        seen.separation = least;
        if (at_a.bounded && at_b.bounded) {
            pair.separation = least;
            pair.separation_time = t_;
            pair.travelled_a = at_a.travelled;
            pair.travelled_b = at_b.travelled;
        }
        return;
    }
    double before = 0.0;
    for (const PointForce& last : pair.contact.forces)
        before = std::max(before, -last.gap);
    const double deepest = std::max(0.0, -least);
    overlap_.note(deepest, seen.size);
    error_ = std::max(error_, (deepest - before) / seen.size);
    seen.least = least;
    const Approach approach = hard_approach(seen, manifold);
    if (span_.by_law && approach.touches) hits_.push_back(seen.pair);
    seen.by_law = span_.by_law && approach.speed > 0.0;
    if (seen.by_law) return;
    seen.hard = approach.speed > 0.0;
    seen.rebound = pair.law->parameters.e.value_or(0.0) * approach.speed;
    add_points(seen, manifold);
}

// The points of the manifold that will touch within the step and approach hard. By law
// those of pairs that touch already count with the velocities that they have now: the rest of their
// approach is the step's.
PileStepper::Approach PileStepper::hard_approach(const PilePair& seen,
                                                 std::span<const ManifoldPoint> manifold) const {
    const ContactPair& pair = graph_.pair(seen.pair);
    Approach out{0.0, false};
    if (pair.contact.active || pair.rebound > 0.0) return out;
    // flights of a pile know velocities to what a step's fall gives
    const double hard = std::max(pair.restitution_threshold(), graph_.gravity() * span_.whole);
    const PileBody& a = bodies_[seen.a];
    const PileBody& b = bodies_[seen.b];
    const auto now = [](const PileBody& body, const Vec3& place) -> Vec3 {
        return body.state.velocity + body.state.angular_velocity.cross(place - body.state.position);
    };
    bool touches = false;
    for (const ManifoldPoint& p : manifold) {
        const Vec3 place = p.middle();
        const Vec3 u = cone_bodies_[seen.a].velocity_at(place - a.state.position) -
                       cone_bodies_[seen.b].velocity_at(place - b.state.position);
        const double approach = -p.normal.dot(u);
        if (approach > hard && p.gap < approach * h_) out.speed = std::max(out.speed, approach);
        if (p.gap > k_touch_tolerances.closed_gap * seen.size) continue;
        touches = true;
        out.touches |= -p.normal.dot(now(a, place) - now(b, place)) > hard;
    }
    if (span_.by_law && touches) out.speed = 0.0;
    return out;
}

// A point of a pair, at this place at the start of the step.
std::uint32_t PileStepper::add_point(PilePair& seen, const ManifoldPoint& p, const Vec3& place) {
    impact::ConeContact& contact = cone_contacts_.emplace_back();
    contact.a = seen.a;
    contact.b = seen.b;
    contact.r_a = place - bodies_[seen.a].state.position;
    contact.r_b = place - bodies_[seen.b].state.position;
    contact.normal = p.normal;
    contact.mu = graph_.pair(seen.pair).mu();
    const auto k = static_cast<std::uint32_t>(points_.size());
    points_.push_back({p.id, p.gap, seen.size, 0.0, 0.0, seen.first});
    seen.first = k;
    return k;
}

// The points of the manifold: from the last step's impulses, and with the rebound that is
// due. A pair that comes down faster than the restitution threshold has one due in the next step.
void PileStepper::add_points(PilePair& seen, std::span<const ManifoldPoint> manifold) {
    const ContactPair& pair = graph_.pair(seen.pair);
    for (const ManifoldPoint& p : manifold) {
        const std::uint32_t k = add_point(seen, p, p.middle());
        if (pair.rebound > 0.0 && p.gap < k_touch_tolerances.closed_gap * seen.size)
            points_[k].rebound = pair.rebound;
        cone_contacts_[k].least = points_[k].target = target_velocity(k);
    }
    if (pair.contact.active && !span_.is_rest) warm_start(seen);
}

// The last step's impulses, each to the point that has its name, else to the nearest: where edges
// nearly coincide names come and go.
void PileStepper::warm_start(const PilePair& seen) {
    for (const PointForce& last : graph_.pair(seen.pair).contact.forces) {
        if (last.force.isZero(0.0)) continue;
        std::uint32_t to = seen.first;
        double nearest = k_forever;
        for (std::uint32_t k = seen.first; k != k_no_point; k = points_[k].next) {
            const bool same = points_[k].id == last.id;
            const double away = same ? -1.0 : (cone_contacts_[k].r_a - last.arm_a).squaredNorm();
            if (!(away < nearest)) continue;
            nearest = away;
            to = k;
        }
        cone_contacts_[to].impulse += h_ * last.force;
    }
}

}  // namespace carom::world
