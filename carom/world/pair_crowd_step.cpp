// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The step of a crowd: its points, its impulses, and what its contacts remember. See
// pair_crowd.cpp.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

constexpr double k_forever = std::numeric_limits<double>::infinity();
// Sweeps of the solver in a step: warm starts carry on where the last one ended.
constexpr int k_sweeps = 24;
// Part of the allowed error of a gap that the solver may leave.
constexpr double k_part_of_gap = 0.3;
// The speed, in sqrt(g L), with which an overlap parts at most, and the most, in sizes, that a gap
// is taken to bend in a step.
constexpr double k_fastest_push = 0.1;
constexpr double k_most_bend = 0.05;
// How often a step is solved anew with the velocities that it has led to.
constexpr int k_most_passes = 2;

// How fast a place of the body can be beside its centre.
double rim_speed(const Body& body, const motion::State& state) {
    if (body.unbounded || is_ball(body)) return 0.0;
    return state.angular_velocity.norm() * body.radius;
}

// The second derivative of the distance of a place of a body from the plane through p with the
// normal n that turns with the other one; arms from the centres of mass.
double bend_over(const impact::ConeBody& place, const Vec3& arm, const impact::ConeBody& plane,
                 const Vec3& y, const Vec3& n) {
    const Vec3 turn = plane.w.cross(n);
    const Vec3 u = place.v + place.w.cross(arm) - plane.v;
    const Vec3 pull = place.w.cross(place.w.cross(arm));
    return n.dot(pull) + 2.0 * turn.dot(u) + plane.w.cross(turn).dot(y);
}

Vec3 velocity_of(const impact::ConeBody& body, const Vec3& arm) {
    return body.v + body.w.cross(arm);
}

}  // namespace

// How far two bodies can come towards each other in a step.
double PairEngine::crowd_reach(const Mover& a, const Mover& b, const motion::State& state_a,
                               const motion::State& state_b, double h) const {
    constexpr double k_more = 1.05;
    const double speed = state_a.velocity.norm() + state_b.velocity.norm() + gravity_ * h +
                         rim_speed(*a.body, state_a) + rim_speed(*b.body, state_b);
    return k_more * h * speed;
}

// The place of a body in the step; fixed ones and sleepers are taken in when they are met.
std::uint32_t PairEngine::crowd_index(BodyId id, double t, double h) {
    Mover& mover = *movers_[id];
    if (mover.mark == mark_) return mover.index;
    mover.mark = mark_;
    mover.index = static_cast<std::uint32_t>(crowd_bodies_.size());
    const motion::State state = mover.at(t);
    crowd_states_.push_back(state);
    impact::ConeBody& body = crowd_bodies_.emplace_back();
    if (mover.body->fixed || mover.asleep()) {
        const motion::State middle = mover.at(t + 0.5 * h);
        body.v = middle.velocity;
        body.w = middle.angular_velocity;
        return mover.index;
    }
    body.v = state.velocity + 0.5 * h * in_.settings.gravity;
    body.w = state.angular_velocity;
    body.inverse_mass = mover.body->inverse_mass;
    body.inverse_inertia_W = mover.body->inverse_inertia;
    if (!mover.body->isotropic) {
        const Mat3 R = state.orientation.toRotationMatrix();
        const Mat3 turned = R * mover.body->inverse_inertia * R.transpose();
        body.inverse_inertia_W = 0.5 * (turned + turned.transpose());
    }
    return mover.index;
}

// Finds all points of the coming step; true when a sleeper has been woken, and all is to be found
// anew.
bool PairEngine::look_crowd(double t, double h, Listener* listener) {
    ++mark_;
    crowd_error_ = 0.0;
    crowd_states_.clear();
    crowd_bodies_.clear();
    crowd_contacts_.clear();
    crowd_points_.clear();
    crowd_pairs_.clear();
    for (const BodyId id : crowd_)
        crowd_index(id, t, h);
    for (const BodyId id : crowd_) {
        for (const std::uint32_t i : movers_[id]->pairs) {
            const Pair& pair = near_[i];
            const BodyId other = pair.a == id ? pair.b : pair.a;
            if (pair.a == id || !movers_[other]->crowd) crowd_pairs_.push_back({i, 0.0, 0, 0});
        }
    }
    std::sort(crowd_pairs_.begin(), crowd_pairs_.end(),
              [&](const CrowdPair& x, const CrowdPair& y) {
                  return std::pair(near_[x.pair].a, near_[x.pair].b) <
                         std::pair(near_[y.pair].a, near_[y.pair].b);
              });
    for (CrowdPair& seen : crowd_pairs_) {
        look_at_crowd_pair(seen, t, h);
        const Pair& pair = near_[seen.pair];
        for (const BodyId id : {pair.a, pair.b}) {
            if (!movers_[id]->asleep() || !disturbs(seen)) continue;
            wake_into_crowd(id, id == pair.a ? pair.b : pair.a, t, listener);
            return true;
        }
    }
    return false;
}

// Whether a contact with a sleeper wakes it: something comes down hard on it, or what touched it is
// gone.
bool PairEngine::disturbs(const CrowdPair& seen) const {
    const Pair& pair = near_[seen.pair];
    if (seen.point_count == 0) return pair.closed.on;
    return pair.bounce > 0.0;
}

// Whether the pair is surely farther apart than `reach`, without a look at its shapes; seen.clear
// is then how far.
bool PairEngine::is_clear(CrowdPair& seen, double reach, double t) {
    Pair& pair = near_[seen.pair];
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    if (pair.clear > 0.0 && a.paced && b.paced) {
        seen.clear = pair.clear - (a.travelled(t) - pair.read_a) - (b.travelled(t) - pair.read_b);
        if (seen.clear > reach) return true;
    }
    pair.clear = 0.0;
    if (a.body->unbounded || b.body->unbounded) return false;
    const Vec3 apart = crowd_states_[a.index].position - crowd_states_[b.index].position;
    seen.clear = apart.norm() - a.body->radius - b.body->radius;
    return seen.clear > reach;
}

void PairEngine::look_at_crowd_pair(CrowdPair& seen, double t, double h) {
    // looked for farther by this part of the size, so that the next look can wait
    constexpr double k_farther = 0.05;
    Pair& pair = near_[seen.pair];
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    const std::uint32_t at_a = crowd_index(pair.a, t, h);
    const std::uint32_t at_b = crowd_index(pair.b, t, h);
    const motion::State& state_a = crowd_states_[at_a];
    const motion::State& state_b = crowd_states_[at_b];
    const double size = size_of(pair);
    const double reach = crowd_reach(a, b, state_a, state_b, h) + k_tolerances.closed_gap * size;
    seen.first_point = crowd_points_.size();
    if (is_clear(seen, reach, t)) return;
    const double within = reach + k_farther * size;
    find_patch(a.moving, state_a, b.moving, state_b, within, pair.memory, patch_);
    ++in_.tally.checks;
    double least = within;
    for (const PatchPoint& p : patch_)
        least = std::min(least, p.gap);
    if (least > reach) {
        seen.clear = least;
        if (a.paced && b.paced) {
            pair.clear = least;
            pair.clear_time = t;
            pair.read_a = a.travelled(t);
            pair.read_b = b.travelled(t);
        }
        return;
    }
    double before = 0.0;
    for (const PointForce& last : pair.closed.forces)
        before = std::max(before, -last.gap);
    const double deepest = std::max(0.0, -least);
    in_.tally.max_overlap = std::max(in_.tally.max_overlap, deepest);
    crowd_error_ = std::max(crowd_error_, (deepest - before) / size);
    add_crowd_points(seen, at_a, at_b, t, h);
}

// The points of the patch at hand: from the last step's impulses, and with the bounce that is due.
// A pair that comes down hard has one due in the next step.
void PairEngine::add_crowd_points(CrowdPair& seen, std::uint32_t at_a, std::uint32_t at_b, double t,
                                  double h) {
    Pair& pair = near_[seen.pair];
    const bool ball_a = is_ball(*movers_[pair.a]->body);
    const bool ball_b = is_ball(*movers_[pair.b]->body);
    const bool follows = pair.closed.on && pair.closed.t1 == t;
    const double size = size_of(pair);
    const double hard = hard_speed(pair);
    double bounce = 0.0;
    for (const PatchPoint& p : patch_) {
        impact::ConeContact& contact = crowd_contacts_.emplace_back();
        contact.a = at_a;
        contact.b = at_b;
        contact.r_a = p.middle() - crowd_states_[at_a].position;
        contact.r_b = p.middle() - crowd_states_[at_b].position;
        contact.normal = p.normal;
        contact.mu = pair.law->parameters.mu;
        const double approach = -p.normal.dot(velocity_of(crowd_bodies_[at_a], contact.r_a) -
                                              velocity_of(crowd_bodies_[at_b], contact.r_b));
        if (follows) {
            for (const PointForce& last : pair.closed.forces)
                if (last.id == p.id) contact.impulse = h * last.force;
        }
        CrowdPoint& point =
            crowd_points_.emplace_back(CrowdPoint{p.id, p.gap, size, 0.0, ball_a, ball_b});
        if (pair.bounce > 0.0 && p.gap < k_tolerances.closed_gap * size) {
            point.bounce = pair.bounce;
        } else if (!pair.closed.on && approach > hard && p.gap < approach * h) {
            bounce = std::max(bounce, pair.law->parameters.e * approach);
        }
        contact.least = crowd_least(crowd_points_.size() - 1, h);
    }
    pair.bounce = bounce;
    seen.point_count = patch_.size();
}

// The least normal velocity of a point in the middle of the flight, for the way that turning bends
// its gap with the velocities at hand: that of the plane of either body, the worse. A ball has no
// place that turns.
double PairEngine::crowd_least(std::size_t k, double h) const {
    const impact::ConeContact& c = crowd_contacts_[k];
    const CrowdPoint& point = crowd_points_[k];
    double bend = 0.0;
    if (!point.ball_a || !point.ball_b) {
        const impact::ConeBody& a = crowd_bodies_[c.a];
        const impact::ConeBody& b = crowd_bodies_[c.b];
        const Vec3 arm_a = point.ball_a ? Vec3(Vec3::Zero()) : c.r_a;
        const Vec3 arm_b = point.ball_b ? Vec3(Vec3::Zero()) : c.r_b;
        const Vec3 apart = crowd_states_[c.a].position - crowd_states_[c.b].position;
        if (!point.ball_b) bend = std::min(bend, bend_over(a, arm_a, b, apart + arm_a, c.normal));
        if (!point.ball_a) bend = std::min(bend, bend_over(b, arm_b, a, arm_b - apart, -c.normal));
    }
    const double fastest = k_fastest_push * std::sqrt(gravity_ * point.size);
    const double straight = point.gap >= 0.0
                                ? -point.gap / h
                                : std::min(-k_tolerances.crowd_push * point.gap / h, fastest);
    const double least = straight + std::min(-0.5 * h * bend, k_most_bend * point.size / h);
    return point.bounce > 0.0 ? std::max(least, point.bounce) : least;
}

void PairEngine::free_crowd(double h) {
    for (std::size_t k = 0; k < crowd_.size(); ++k) {
        crowd_bodies_[k].v = crowd_states_[k].velocity + 0.5 * h * in_.settings.gravity;
        crowd_bodies_[k].w = crowd_states_[k].angular_velocity;
    }
}

void PairEngine::solve_crowd(double h) {
    impact::ConeSettings settings;
    settings.most_sweeps = k_sweeps;
    double smallest = k_forever;
    for (const BodyId id : crowd_)
        smallest = std::min(smallest, movers_[id]->body->radius);
    const double gap_speed = k_tolerances.crowd_gap * smallest / h;
    settings.tolerance =
        std::max(k_tolerances.crowd_residual * gravity_ * h, k_part_of_gap * gap_speed);
    for (int pass = 0;; ++pass) {
        cones_.solve(crowd_bodies_, crowd_contacts_, settings);
        if (pass == k_most_passes) return;
        bool again = false;
        for (std::size_t k = 0; k < crowd_contacts_.size(); ++k) {
            const double least = crowd_least(k, h);
            const bool worse = least > crowd_contacts_[k].least + k_part_of_gap * gap_speed;
            again = again || worse;
            if (worse) crowd_contacts_[k].least = least;
        }
        if (!again) return;
        free_crowd(h);
    }
}

// The contacts remember their forces; those that carry nothing and are apart are open.
void PairEngine::keep_crowd(double t, double h, Listener* listener) {
    for (const CrowdPair& seen : crowd_pairs_) {
        Pair& pair = near_[seen.pair];
        double pressure = 0.0;
        double least = seen.point_count > 0 ? k_forever : seen.clear;
        for (std::size_t k = seen.first_point; k < seen.first_point + seen.point_count; ++k) {
            pressure += crowd_contacts_[k].impulse.dot(crowd_contacts_[k].normal);
            least = std::min(least, crowd_points_[k].gap);
        }
        const bool carries = pressure > 0.0;
        if (!carries && !pair.closed.on) continue;
        if (!carries) {
            pair.bounce = 0.0;
            if (least > k_tolerances.closed_gap * size_of(pair)) {
                end_lasting(seen.pair, t, listener);
                continue;
            }
        }
        const bool begins = !pair.closed.on;
        if (begins) pair.closed = Closed{};
        keep_crowd_forces(seen, pressure, t, h);
        if (begins) tell_lasting(pair, EventKind::lasting_begin, t, listener);
    }
}

void PairEngine::keep_crowd_forces(const CrowdPair& seen, double pressure, double t, double h) {
    Closed& closed = near_[seen.pair].closed;
    closed.on = true;
    closed.t0 = t;
    closed.t1 = t + h;
    closed.forces.clear();
    Vec3 impulse = Vec3::Zero(), middle = Vec3::Zero();
    for (std::size_t k = seen.first_point; k < seen.first_point + seen.point_count; ++k) {
        const impact::ConeContact& c = crowd_contacts_[k];
        const double pressed = c.impulse.dot(c.normal);
        impulse += c.impulse;
        middle += pressed * (crowd_states_[c.a].position + c.r_a);
        if (pressed > 0.0) closed.normal = c.normal;
        const double u_n = c.normal.dot(velocity_of(crowd_bodies_[c.a], c.r_a) -
                                        velocity_of(crowd_bodies_[c.b], c.r_b));
        closed.forces.push_back({crowd_points_[k].id, c.impulse / h, crowd_points_[k].gap + h * u_n,
                                 false, c.r_a, c.r_b});
    }
    closed.force = impulse / h;
    if (pressure > 0.0) closed.point = middle / pressure;
}

}  // namespace carom::world
