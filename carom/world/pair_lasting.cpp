// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// How a contact that lasts begins and ends, and what happens to it in between.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/world/landing.h"
#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

// The part of a step below which k_before gives way to more: the nearer the touch, the better it is
// known.
constexpr double k_small = 0.02;
// The part of a step ahead of the touch of a corner within which nothing else comes down first that
// has not been seen.
constexpr double k_sure = 0.1;

}  // namespace

bool PairEngine::may_last(const Pair& pair) const {
    if (in_.settings.contact != ContactMode::lasting || !(gravity_ > 0.0)) return false;
    return movers_[pair.a]->body->forces.empty() && movers_[pair.b]->body->forces.empty();
}

double PairEngine::size_of(const Pair& pair) const {
    const Body& a = *movers_[pair.a]->body;
    const Body& b = *movers_[pair.b]->body;
    return std::min(a.fixed ? k_forever : a.radius, b.fixed ? k_forever : b.radius);
}

// What is faster is an impact, what is slower is taken up by the lasting contact.
double PairEngine::hard_speed(const Pair& pair) const {
    constexpr double k_hard = 4.0;
    return k_hard * pair.lasting.hop_speed();
}

// A body's motion ends here, and another begins before time goes on.
void PairEngine::pause(BodyId id, double t, const motion::State& state, Listener* listener) {
    close_segment(id, t, listener);
    movers_[id]->go({t, id, SegmentKind::flight, state}, in_.settings.gravity);
    movers_[id]->paused = true;
}

void PairEngine::begin_lasting(std::uint32_t i, const ContactPoint& at, double t,
                               Listener* listener) {
    Pair& pair = near_[i];
    count_burst(pair, t);
    const BodyId a = pair.a;
    const BodyId b = pair.b;
    pair.closed = Closed{};
    pair.closed.on = true;
    pair.closed.t0 = t;
    pair.closed.t1 = -std::numeric_limits<double>::infinity();
    pair.closed.point = pair.closed.point_end = at.point;
    queue_.remove(slot_of_pair(i));
    begin_group();
    add_patch_to_group(i, k_tolerances.closed_gap * size_of(pair), t);
    if (group_.empty()) add_to_group(i, at.point, pair.normal, t);
    widen_group(t);
    if (group_speed() > 0.0) rest_group();
    tell_group(t, EventKind::lasting_begin, listener);
    for (const BodyId id : {a, b}) {
        Mover& mover = *movers_[id];
        if (!mover.body->fixed && !mover.lasting()) {
            mover.step = 0.0;
        }
    }
    move_group(t, listener);
    for (const BodyId id : {a, b}) {
        Mover& mover = *movers_[id];
        // a step that began at this instant may not know of this contact yet
        const Closed& closed = near_[i].closed;
        const bool known = !closed.on || closed.t1 > t;
        if (mover.body->fixed || mover.asleep()) continue;
        if (known && mover.segment.t0 == t && mover.lasting()) continue;
        mover.step = 0.0;
        pause(id, t, mover.at(t), listener);
        step_island(id, t, listener);
    }
}

void PairEngine::end_lasting(std::uint32_t i, double t, Listener* listener) {
    Pair& pair = near_[i];
    pair.closed.on = false;
    pair.closed.ended = t;
    pair.closed.forget_points();
    pair.last_impact = t;
    tell_lasting(pair, EventKind::lasting_end, t, listener);
}

void PairEngine::tell_lasting(const Pair& pair, EventKind kind, double t, Listener* listener) {
    Event event;
    event.t = t;
    event.kind = kind;
    event.a = pair.a;
    event.b = pair.b;
    event.law = pair.law->law;
    event.point = pair.closed.point;
    event.normal = pair.closed.normal;
    // what was given at the very instant at which the contact ends
    if (kind == EventKind::lasting_end) event.impulse = pair.closed.given;
    ++in_.tally.events;
    tell_event(event, listener);
}

// Of two bodies that overlap, the place of the overlap that approaches fastest, if one does, and
// how soon another one can come down. The pair has the normal of the places from then on.
PairEngine::Inside PairEngine::look_inside(Pair& pair, double t) {
    const double size = size_of(pair);
    const auto [state_a, state_b] = look_at_patch(pair, t);
    Inside found{{Vec3::Zero(), 0.0}, k_tolerances.first_step * std::sqrt(size / gravity_)};
    for (const PatchPoint& p : patch_) {
        const Vec3 u = velocity_at(state_a, p.on_a) - velocity_at(state_b, p.on_b);
        const double approach = -u.dot(p.normal);
        if (!(approach > found.fastest.approach_speed)) continue;
        if (p.gap > k_tolerances.landing_gap * size) {
            found.soon = std::min(found.soon, k_before * p.gap / approach);
            continue;
        }
        found.fastest = {p.middle(), approach};
        pair.normal = p.normal;
    }
    return found;
}

// How fast corners of a lasting contact are that are down, and when others can be; s from t on.
PairEngine::Corners PairEngine::look_at_corners(Pair& pair, double t) {
    const double t1 = pair.closed.t1;
    const double step = t1 - pair.closed.t0;
    const double down = k_tolerances.landing_gap * size_of(pair);
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    const PairStates now = look_at_patch(pair, t);
    const PairStates end{a.at(t1), b.at(t1)};
    const double slow = k_tolerances.slow_landing * hard_speed(pair);
    const std::vector<PointForce>& forces = pair.closed.forces;
    Corners found{0.0, std::numeric_limits<double>::infinity()};
    for (const PatchPoint& p : patch_) {
        const auto closing = [&](const PairStates& with) {
            const Vec3 u = velocity_at(with.a, with.a.position + (p.on_a - now.a.position)) -
                           velocity_at(with.b, with.b.position + (p.on_b - now.b.position));
            return -u.dot(p.normal);
        };
        const double approach = closing(now);
        const double later = closing(end);
        if (!(std::max(approach, later) > slow)) continue;
        const auto carries = [&](const PointForce& f) {
            return f.id == p.id && !f.force.isZero(0.0);
        };
        if (std::any_of(forces.begin(), forces.end(), carries)) continue;
        if (p.gap <= down) {
            found.fastest = std::max(found.fastest, approach);
            continue;
        }
        const double time = time_to_close(p.gap, approach, (later - approach) / (t1 - t));
        if (!(k_before * time < found.wait)) continue;
        const Landing landing(p, now.a, now.b);
        if (landing.exact()) {
            const double wait = landing.find(a.motion, b.motion, t, t + time, t1, 0.5 * down) - t;
            found.wait = std::min(found.wait, wait < k_sure * step ? wait : k_before * wait);
        } else {
            const double small = std::min(1.0, time / (k_small * step));
            found.wait = std::min(found.wait, (1.0 - (1.0 - k_before) * small) * time);
        }
    }
    return found;
}

// When corners that were left out of the step that begins at t are to be looked at.
void PairEngine::plan_slaps(double t) {
    // part of a step after which a corner that comes down is looked at, at the earliest
    constexpr double k_soon = 1e-3;
    for (const IslandContact& contact : island_.contacts()) {
        Pair& pair = near_[contact.pair];
        if (!pair.closed.on) continue;
        const Mover& a = *movers_[pair.a];
        const Mover& b = *movers_[pair.b];
        const double h = pair.closed.t1 - t;
        const double down = k_tolerances.landing_gap * contact.size;
        double wait = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = island_.points()[contact.first_point + k];
            if (!point.left_out) continue;
            const Landing landing(point.at, island_.bodies()[contact.a].middle,
                                  island_.bodies()[contact.b].middle);
            const double linear = (point.at.gap + 0.5 * h * point.approach) / point.landing;
            double found = linear;
            if (landing.exact() && k_before * linear < wait)
                found =
                    landing.find(a.motion, b.motion, t, t + linear, pair.closed.t1, 0.5 * down) - t;
            wait = std::min(wait, k_before * found);
        }
        if (!(wait < h)) continue;
        pair.next = Pair::Next::slap;
        queue_pair(contact.pair, t + std::max(wait, k_soon * h));
    }
}

// A corner is down that was slow: its approach is taken up without restitution, and it is in the
// next step from the start.
void PairEngine::set_down(std::uint32_t i, double t, Listener* listener) {
    const BodyId id = movers_[near_[i].a]->body->fixed ? near_[i].b : near_[i].a;
    count_burst(near_[i], t);
    begin_group();
    add_patch_to_group(i, k_tolerances.closed_gap * size_of(near_[i]), t);
    widen_group(t);
    if (group_speed() > 0.0) rest_group();
    tell_group(t, EventKind::micro, listener);
    move_group(t, listener);
    if (movers_[id]->asleep() || movers_[id]->segment.t0 == t) return;
    pause(id, t, movers_[id]->at(t), listener);
    step_island(id, t, listener);
}

// A corner of a lasting contact comes down: looked at until it is there.
void PairEngine::slap(std::uint32_t i, double t, Listener* listener) {
    Pair& pair = near_[i];
    pair.next = Pair::Next::look;
    queue_.remove(slot_of_pair(i));
    const auto [fastest, wait] = look_at_corners(pair, t);
    if (fastest > hard_speed(pair)) {
        // the patch of now is at hand, and the next step begins with it
        take_start(pair, {movers_[pair.a]->at(t), movers_[pair.b]->at(t)}, t);
        hit(i, {}, t, listener);
        return;
    }
    const BodyId id = movers_[pair.a]->body->fixed ? pair.b : pair.a;
    if (fastest > 0.0 && movers_[id]->segment.t0 < t) {
        set_down(i, t, listener);
        return;
    }
    // what is to come down may be the crossing of two edges that do not cross yet
    constexpr double k_again = 0.2, k_end = 0.01;
    const double left = pair.closed.t1 - t;
    const bool again = !(wait < left) && left > k_end * (pair.closed.t1 - pair.closed.t0);
    const double then = std::max(t + (again ? k_again * left : wait), std::nextafter(t, t + 1.0));
    if (!(then < pair.closed.t1)) return;
    pair.next = Pair::Next::slap;
    queue_pair(i, then);
}

// The force of a contact until now, as an impulse. That of a sphere on a plane follows from its
// motion, with what the closed form took from its velocity where it began.
ContactForce PairEngine::force_until(const Pair& pair, double t) const {
    const Closed& closed = pair.closed;
    ContactForce out{.t0 = closed.t0, .t1 = t, .a = pair.a, .b = pair.b};
    out.normal = closed.normal;
    out.point = closed.point;
    // what has slept since stays where it was at the end of its last step
    const double part = t < closed.t1 ? (t - closed.t0) / (closed.t1 - closed.t0) : 1.0;
    out.point_end = closed.point + part * (closed.point_end - closed.point);
    out.impulse = closed.given;
    out.acts = closed.flies ? ForceCourse::at_start : ForceCourse::evenly;
    if (!closed.flies) out.impulse += (t - closed.t0) * closed.force;
    for (const BodyId id : {pair.a, pair.b}) {
        const Mover& mover = *movers_[id];
        if (mover.segment.kind != SegmentKind::on_plane) continue;
        const auto& course = std::get<motion::SphereOnPlane>(mover.motion);
        const Vec3 before = closed.t0 > mover.segment.t0 ? course.velocity_at(closed.t0)
                                                         : mover.segment.state.velocity;
        const Vec3 gained = course.velocity_at(t) - before;
        const Vec3 on_it = mover.body->mass * (gained - (t - closed.t0) * in_.settings.gravity);
        out.impulse = closed.given + (id == pair.a ? on_it : Vec3(-on_it));
        out.point = course.contact_at(closed.t0).point;
        out.point_end = course.contact_at(t).point;
        out.follows = ForcePlace::centre_of_a;
        out.acts = ForceCourse::by_motion;
    }
    return in_.bodies[pair.a].fixed ? seen_from_other(out) : out;
}

void PairEngine::tell_force(Pair& pair, double t, Listener* listener) {
    if (!(t > pair.closed.t0)) return;
    const ContactForce force = force_until(pair, t);
    in_.tally.pushed.add(force.impulse.norm());
    if (listener != nullptr) listener->on_force(force);
    pair.closed.point = force.point_end;
    if (!(t < pair.closed.t1)) pair.closed.point_end = force.point_end;
    pair.closed.t0 = t;
    pair.closed.given.setZero();
    pair.closed.flies = false;
}

void PairEngine::tell_forces_of(BodyId id, double t, Listener* listener) {
    for (const std::uint32_t i : movers_[id]->pairs)
        if (near_[i].closed.on) tell_force(near_[i], t, listener);
}

// All of them, in the order of their bodies.
std::vector<std::uint32_t> PairEngine::closed_pairs() const {
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t i = 0; i < near_.size(); ++i)
        if (near_[i].used && near_[i].closed.on) pairs.push_back(i);
    std::sort(pairs.begin(), pairs.end(), [&](std::uint32_t x, std::uint32_t y) {
        return std::pair(near_[x].a, near_[x].b) < std::pair(near_[y].a, near_[y].b);
    });
    return pairs;
}

void PairEngine::tell_forces(Listener& listener) const {
    for (const std::uint32_t i : closed_pairs())
        if (time_ > near_[i].closed.t0) listener.on_force(force_until(near_[i], time_));
}

}  // namespace carom::world
