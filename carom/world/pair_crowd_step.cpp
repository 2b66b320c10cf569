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

// Sweeps of the solver at the start of a step, fewer the more points there are, since warm starts
// carry on where the last one ended; and in each of its corrections.
constexpr int k_least_sweeps = 8;
constexpr int k_most_sweeps = 100;
constexpr std::size_t k_work = 50'000;  // points times sweeps
constexpr int k_more_sweeps = 6;
constexpr int k_early_rounds = 1;
constexpr int k_most_rounds = 20;
// Part of the allowed error of a gap that the solver may leave.
constexpr double k_part_of_gap = 0.3;
// The most, in sizes, that a gap is taken to bend in a step.
constexpr double k_most_bend = 0.05;

// The second derivative of the distance of a place of a body from the plane through p with the
// normal n that turns with the other one; arms from the centres of mass.
double bend_over(const impact::ConeBody& place, const Vec3& arm, const impact::ConeBody& plane,
                 const Vec3& y, const Vec3& n) {
    const Vec3 turn = plane.w.cross(n);
    const Vec3 u = place.v + place.w.cross(arm) - plane.v;
    const Vec3 pull = place.w.cross(place.w.cross(arm));
    return n.dot(pull) + 2.0 * turn.dot(u) + plane.w.cross(turn).dot(y);
}

}  // namespace

// The speed of the fastest place of a body, at most.
double PairEngine::speed_of(const Body& body, const motion::State& state) {
    const double rim =
        body.unbounded || is_ball(body) ? 0.0 : body.radius * state.angular_velocity.norm();
    return state.velocity.norm() + rim;
}

// How far two bodies can come towards each other in a step.
double PairEngine::crowd_reach(const CrowdBody& a, const CrowdBody& b, double h) const {
    constexpr double k_more = 1.05;
    return k_more * h * (a.speed + b.speed + gravity_ * h);
}

// The place of a body in the step; fixed ones and sleepers are taken in when they are met.
std::uint32_t PairEngine::crowd_index(BodyId id, double t, double h) {
    Mover& mover = *movers_[id];
    if (mover.mark == mark_) return mover.index;
    mover.mark = mark_;
    mover.index = static_cast<std::uint32_t>(crowd_bodies_.size());
    CrowdBody& seen = crowd_movers_.emplace_back();
    seen.state = mover.at(t);
    seen.ball = is_ball(*mover.body);
    seen.speed = speed_of(*mover.body, seen.state);
    seen.travelled = mover.travelled(t);
    seen.paced = mover.paced;
    seen.v = seen.w = Vec3::Zero();
    seen.strayed = 0.0;
    seen.radius = mover.body->unbounded ? k_forever : mover.body->radius;
    impact::ConeBody& body = crowd_bodies_.emplace_back();
    if (mover.body->fixed || mover.asleep()) {
        const motion::State middle = mover.at(t + 0.5 * h);
        body.v = middle.velocity;
        body.w = middle.angular_velocity;
        seen.turn = seen.ball ? 0.0 : h * body.w.norm();
        return mover.index;
    }
    body.v = seen.state.velocity + 0.5 * h * in_.settings.gravity;
    body.w = seen.state.angular_velocity;
    body.inverse_mass = mover.body->inverse_mass;
    body.inverse_inertia_W = inverse_inertia_in_world(*mover.body, seen.state.orientation);
    return mover.index;
}

// The pairs of the crowd, body by body, and each body's by the other one.
void PairEngine::list_crowd_pairs(double t, double h) {
    constexpr CrowdLook k_unseen{-k_forever, 0.0};
    crowd_pairs_.clear();
    for (const BodyId id : crowd_) {
        const std::size_t from = crowd_pairs_.size();
        for (const std::uint32_t i : movers_[id]->pairs) {
            const Pair& pair = near_[i];
            const BodyId other = pair.a == id ? pair.b : pair.a;
            if (pair.a != id && movers_[other]->crowd) continue;
            crowd_pairs_.push_back({i, crowd_index(pair.a, t, h), crowd_index(pair.b, t, h), other,
                                    size_of(pair), 0.0, k_forever, pair.bounce, k_no_point,
                                    k_unseen, k_unseen});
        }
        std::sort(crowd_pairs_.begin() + static_cast<std::ptrdiff_t>(from), crowd_pairs_.end(),
                  [](const CrowdPair& x, const CrowdPair& y) { return x.other < y.other; });
    }
}

// Finds all points of the coming step; true when something comes down hard on sleepers, which have
// been woken, and all is to be found anew.
bool PairEngine::look_crowd(double t, double h, Listener* listener) {
    ++mark_;
    crowd_error_ = 0.0;
    crowd_movers_.clear();
    crowd_bodies_.clear();
    crowd_contacts_.clear();
    crowd_points_.clear();
    for (const BodyId id : crowd_)
        crowd_index(id, t, h);
    list_crowd_pairs(t, h);
    std::vector<std::pair<BodyId, BodyId>> woken;  // and by whom
    for (CrowdPair& seen : crowd_pairs_) {
        check_stop();
        look_at_crowd_pair(seen, t, h);
        const Pair& pair = near_[seen.pair];
        for (const BodyId id : {pair.a, pair.b}) {
            if (movers_[id]->asleep() && seen.bounce > 0.0)
                woken.emplace_back(id, id == pair.a ? pair.b : pair.a);
        }
    }
    for (const auto& [id, by] : woken)
        if (movers_[id]->asleep()) wake_into_crowd(id, by, t, listener);
    return !woken.empty();
}

// Whether the pair is surely farther apart than `reach`, without a look at its shapes; seen.clear
// is then how far.
bool PairEngine::is_clear(CrowdPair& seen, double reach) {
    Pair& pair = near_[seen.pair];
    const CrowdBody& a = crowd_movers_[seen.a];
    const CrowdBody& b = crowd_movers_[seen.b];
    if (pair.clear > 0.0 && a.paced && b.paced) {
        seen.clear = pair.clear - (a.travelled - pair.read_a) - (b.travelled - pair.read_b);
        if (seen.clear > reach) return true;
    }
    pair.clear = 0.0;
    seen.clear = (a.state.position - b.state.position).norm() - a.radius - b.radius;
    return seen.clear > reach;
}

void PairEngine::look_at_crowd_pair(CrowdPair& seen, double t, double h) {
    // looked for farther by this part of the size, so that the next look can wait
    constexpr double k_farther = 0.05;
    Pair& pair = near_[seen.pair];
    const CrowdBody& at_a = crowd_movers_[seen.a];
    const CrowdBody& at_b = crowd_movers_[seen.b];
    const double reach = crowd_reach(at_a, at_b, h) + k_tolerances.closed_gap * seen.size;
    if (is_clear(seen, reach)) return;
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    const double within = reach + k_farther * seen.size;
    find_patch(a.moving, at_a.state, b.moving, at_b.state, within, pair.memory, patch_);
    ++in_.tally.checks;
    double least = within;
    for (const PatchPoint& p : patch_)
        least = std::min(least, p.gap);
    if (least > reach) {
        seen.clear = least;
        if (at_a.paced && at_b.paced) {
            pair.clear = least;
            pair.clear_time = t;
            pair.read_a = at_a.travelled;
            pair.read_b = at_b.travelled;
        }
        return;
    }
    double before = 0.0;
    for (const PointForce& last : pair.closed.forces)
        before = std::max(before, -last.gap);
    const double deepest = std::max(0.0, -least);
    in_.tally.max_overlap = std::max(in_.tally.max_overlap, deepest);
    crowd_error_ = std::max(crowd_error_, (deepest - before) / seen.size);
    seen.least = least;
    add_crowd_points(seen, h);
}

// A point of a pair, at this place at the start of the step.
std::uint32_t PairEngine::add_crowd_point(CrowdPair& seen, const PatchPoint& p, const Vec3& place) {
    impact::ConeContact& contact = crowd_contacts_.emplace_back();
    contact.a = seen.a;
    contact.b = seen.b;
    contact.r_a = place - crowd_movers_[seen.a].state.position;
    contact.r_b = place - crowd_movers_[seen.b].state.position;
    contact.normal = p.normal;
    contact.mu = near_[seen.pair].law->parameters.mu.value_or(0.0);
    const auto k = static_cast<std::uint32_t>(crowd_points_.size());
    crowd_points_.push_back({p.id, p.gap, seen.size, 0.0, seen.first});
    seen.first = k;
    return k;
}

// The points of the patch at hand: from the last step's impulses, and with the bounce that is due.
// A pair that comes down hard has one due in the next step.
void PairEngine::add_crowd_points(CrowdPair& seen, double h) {
    const Pair& pair = near_[seen.pair];
    // what comes with less than a step's fall rests
    const double hard = std::max(hard_speed(pair), gravity_ * h);
    double bounce = 0.0;
    for (const PatchPoint& p : patch_) {
        const std::uint32_t k = add_crowd_point(seen, p, p.middle());
        impact::ConeContact& contact = crowd_contacts_[k];
        const double approach = -p.normal.dot(crowd_bodies_[seen.a].velocity_at(contact.r_a) -
                                              crowd_bodies_[seen.b].velocity_at(contact.r_b));
        if (pair.bounce > 0.0 && p.gap < k_tolerances.closed_gap * seen.size) {
            crowd_points_[k].bounce = pair.bounce;
        } else if (!pair.closed.on && approach > hard && p.gap < approach * h) {
            bounce = std::max(bounce, pair.law->parameters.e.value_or(0.0) * approach);
        }
        contact.least = crowd_least(k, h);
    }
    seen.bounce = bounce;
    if (pair.closed.on) start_from_last(seen, h);
}

// The last step's impulses, each to the point that has its name, else to the nearest: where edges
// nearly coincide names come and go.
void PairEngine::start_from_last(const CrowdPair& seen, double h) {
    for (const PointForce& last : near_[seen.pair].closed.forces) {
        if (last.force.isZero(0.0)) continue;
        std::uint32_t to = seen.first;
        double nearest = k_forever;
        for (std::uint32_t k = seen.first; k != k_no_point; k = crowd_points_[k].next) {
            const bool same = crowd_points_[k].id == last.id;
            const double away = same ? -1.0 : (crowd_contacts_[k].r_a - last.arm_a).squaredNorm();
            if (!(away < nearest)) continue;
            nearest = away;
            to = k;
        }
        crowd_contacts_[to].impulse += h * last.force;
    }
}

// The least normal velocity of a point in the middle of the flight, for the way that turning bends
// its gap with the velocities at hand: that of the plane of either body, the worse. A ball has no
// place that turns.
double PairEngine::crowd_least(std::size_t k, double h) const {
    const impact::ConeContact& c = crowd_contacts_[k];
    const CrowdPoint& point = crowd_points_[k];
    const bool ball_a = crowd_movers_[c.a].ball;
    const bool ball_b = crowd_movers_[c.b].ball;
    double bend = 0.0;
    if (!ball_a || !ball_b) {
        const impact::ConeBody& a = crowd_bodies_[c.a];
        const impact::ConeBody& b = crowd_bodies_[c.b];
        const Vec3 arm_a = ball_a ? Vec3(Vec3::Zero()) : c.r_a;
        const Vec3 arm_b = ball_b ? Vec3(Vec3::Zero()) : c.r_b;
        const Vec3 apart = crowd_movers_[c.a].state.position - crowd_movers_[c.b].state.position;
        if (!ball_b) bend = std::min(bend, bend_over(a, arm_a, b, apart + arm_a, c.normal));
        if (!ball_a) bend = std::min(bend, bend_over(b, arm_b, a, arm_b - apart, -c.normal));
    }
    const double straight = (crowd_gap_after(point.gap, point.size, h) - point.gap) / h;
    const double least = straight + std::min(-0.5 * h * bend, k_most_bend * point.size / h);
    return point.bounce > 0.0 ? std::max(least, point.bounce) : least;
}

// The least gap that a step may end with: an overlap is taken back bit by bit.
double PairEngine::crowd_gap_after(double gap, double size, double h) const {
    // the speed, in sqrt(g L), with which an overlap parts at most
    constexpr double k_fastest_push = 0.1;
    if (gap >= 0.0) return 0.0;
    const double fastest = k_fastest_push * std::sqrt(gravity_ * size);
    return gap + std::min(-k_tolerances.crowd_push * gap, fastest * h);
}

// Returns the overlap, in sizes, that it would leave and should not; none: 0.
double PairEngine::solve_crowd(double t, double h) {
    impact::ConeSettings settings;
    settings.stop = stop_;
    const std::size_t points = std::max<std::size_t>(crowd_contacts_.size(), 1);
    const int first = std::clamp(static_cast<int>(k_work / points), k_least_sweeps, k_most_sweeps);
    settings.most_sweeps = first;
    settings.newton = false;
    double smallest = k_forever;
    for (const BodyId id : crowd_)
        smallest = std::min(smallest, movers_[id]->body->radius);
    const double gap_speed = k_tolerances.crowd_gap * smallest / h;
    settings.tolerance =
        std::min(k_tolerances.crowd_residual * gravity_ * h, k_part_of_gap * gap_speed);
    cones_.solve(crowd_bodies_, crowd_contacts_, settings);
    const double enough = k_most_left * k_tolerances.crowd_gap;
    settings.local = k_most_left * gap_speed;
    for (int i = 0; i < k_most_rounds; ++i) {
        const bool early = i < k_early_rounds;
        bool corrected =
            correct_crowd(t, h, early ? k_part_of_gap * k_tolerances.crowd_gap : enough, false);
        if (!corrected && crowd_overlap(h) < enough) {
            corrected = correct_crowd(t, h, enough, true);
            if (!corrected) return 0.0;
        }
        settings.most_sweeps = corrected && early ? k_more_sweeps
                               : corrected        ? std::max(first, 2 * k_more_sweeps)
                                                  : std::max(first, 4 * k_more_sweeps);
        cones_.resume(crowd_bodies_, crowd_contacts_, settings);
    }
    // what could not be solved counts for the length of the next step
    const double left = crowd_overlap(h);
    crowd_error_ = std::max(crowd_error_, left);
    return left;
}

}  // namespace carom::world
