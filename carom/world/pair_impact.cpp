// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What happens when a pair touches: the impact and its accounts.

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "carom/world/face_turn.h"
#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

// After how long two bodies that part with this speed are apart by more than rounding.
double clear_time(const Touch& touch, double t, double speed) {
    const auto far = [](const Side& side) {
        const double reach = side.part->unbounded() ? 0.0 : side.body->radius;
        return side.state.position.cwiseAbs().maxCoeff() + reach;
    };
    const double gap = k_tolerances.parted * (far(touch.a) + far(touch.b));
    const double least = 8.0 * (std::nextafter(t, k_forever) - t);
    return speed > 0.0 ? std::max(least, gap / speed) : least;
}

}  // namespace

void PairEngine::touch(std::uint32_t i, double t, Listener* listener) {
    const BodyId a = near_[i].a;
    const BodyId b = near_[i].b;
    const bool of_crowd = movers_[a]->slept_in_crowd || movers_[b]->slept_in_crowd;
    if (movers_[a]->asleep()) wake(a, b, t, listener);
    if (movers_[b]->asleep()) wake(b, a, t, listener);
    // waking may have renewed boxes and with them pairs
    const std::uint32_t pair = near_.find(a, b);
    if (pair >= near_.size()) return;
    if (movers_[a]->crowd || movers_[b]->crowd) {
        const bool hard = touch_in_crowd(pair, t, listener);
        // what has just been woken is held by nothing yet, and no step has reckoned with the rest
        if (hard || of_crowd) step_crowd(t, listener);
        return;
    }
    if (near_[pair].closed.on) return;
    if (!resolve(pair, t, listener)) return;
    for (const BodyId body : {a, b})
        if (!movers_[body]->body->fixed) moved(body, t);
}

// False when nothing changed and the pair is looked at again later.
bool PairEngine::resolve(std::uint32_t i, double t, Listener* listener) {
    Pair& pair = near_[i];
    const Touch touch = touch_of(pair, t);
    const ContactPoint at = find_contact_point(touch);
    const bool micro = pair.lasting.is_micro(at.approach_speed, t - pair.last_impact) &&
                       at.approach_speed > -k_tolerances.parting * pair.lasting.hop_speed();
    if (!micro && !(at.approach_speed > 0.0)) {
        const Inside inside = may_last(pair) ? look_inside(pair, t) : Inside{};
        if (inside.fastest.approach_speed > hard_speed(pair)) {
            hit(i, inside.fastest, t, listener);
            return false;
        }
        pair.next = Pair::Next::look;
        queue_pair(i, t + clear_time(touch, t, -at.approach_speed));
        return false;
    }
    if (micro && may_last(pair)) {
        // bodies that have just parted are looked at again when it could be otherwise
        constexpr double k_wait = 0.1;
        const double wait = k_wait * k_tolerances.first_step * std::sqrt(size_of(pair) / gravity_);
        const bool grazes = at.approach_speed <= k_tolerances.parting * pair.lasting.hop_speed();
        const double then = pair.closed.ended + wait;
        if (grazes && t < then) {
            pair.next = Pair::Next::look;
            queue_pair(i, then);
            return false;
        }
        begin_lasting(i, at, t, listener);
        return false;
    }
    if (!micro) {
        hit(i, at, t, listener);
        return false;
    }
    count_burst(pair, t);
    pair.last_impact = t;
    if (fall_asleep_alone(pair, touch, t, listener)) return true;
    if (turn_round_on_face(pair, touch, t, listener)) return true;

    const impact::BodyPair before = make_pair(touch, at.point);
    const impact::FramedContact framed = impact::make_contact(before);
    Resolved resolved{};
    try {
        resolved = resolve_micro(framed.contact, *pair.law, pair.lasting.hop_speed(), pair.debt);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("at " + std::to_string(t) + " s, '" + touch.a.body->name +
                                 "' and '" + touch.b.body->name + "': " + error.what());
    }
    const Vec3 p_W = framed.R_CW.transpose() * resolved.p;
    const impact::BodyPair after = impact::apply_impulse(before, p_W);

    Event event;
    event.t = t;
    event.kind = EventKind::micro;
    event.law = resolved.law;
    event.a = pair.a;
    event.b = pair.b;
    event.point = at.point;
    event.normal = touch.normal;
    event.u = framed.R_CW.transpose() * framed.contact.u;
    const Vec3 u_after = framed.contact.u + framed.contact.K * resolved.p;
    event.u_after = framed.R_CW.transpose() * u_after;
    event.impulse = p_W;
    event.energy_lost = -impact::energy_change(framed.contact, resolved.p);
    event.restitution = framed.contact.u.z() != 0.0 ? -u_after.z() / framed.contact.u.z() : 0.0;
    pair.debt = std::max(0.0, pair.debt - event.energy_lost);
    account(event, touch, p_W);
    note_gain(event.energy_lost);
    tell_event(event, listener);

    const BodyId a = pair.a;
    const BodyId b = pair.b;
    const auto continue_with = [&](BodyId body, const Side& side, const impact::BodyState& then) {
        if (side.body->fixed) return;
        const motion::State state{side.state.position, side.state.orientation, then.v, then.w};
        begin_segment(body, movers_[body]->free_kind(), t, state, listener);
        note_quiet(body, t, true, state);
    };
    continue_with(a, touch.a, after.A);
    continue_with(b, touch.b, after.B);
    if (in_.settings.sleep) {
        for (const BodyId body : {a, b})
            fall_asleep_together(body, t, listener);
    }
    return true;
}

// A body that lies on a still one with an area: see face_turn.h.
bool PairEngine::turn_round_on_face(Pair& pair, const Touch& touch, double t, Listener* listener) {
    if (touch.a.body->still == touch.b.body->still) return false;
    const bool swapped = touch.a.body->still;
    const Touch seen = swapped ? Touch{touch.b, touch.a, -touch.normal} : touch;
    const auto turn =
        turn_on_face(seen, *pair.law, in_.settings.gravity, pair.lasting.hop_speed(), pair.debt);
    if (!turn) return false;
    const motion::State after{seen.a.state.position, seen.a.state.orientation, turn->v, turn->w};
    const double sign = swapped ? -1.0 : 1.0;
    Event event;
    event.t = t;
    event.kind = EventKind::micro;
    event.law = impact::LawId::micro;
    event.a = pair.a;
    event.b = pair.b;
    event.point = turn->point;
    event.normal = touch.normal;
    event.u = sign * velocity_at(seen.a.state, turn->point);
    event.u_after = sign * velocity_at(after, turn->point);
    event.impulse = sign * turn->impulse;
    event.energy_lost = turn->energy_lost;
    const double u_n = event.u.dot(event.normal);
    event.restitution = u_n != 0.0 ? -event.u_after.dot(event.normal) / u_n : 0.0;
    pair.debt = std::max(0.0, pair.debt - event.energy_lost);
    account(event, touch, event.impulse);
    note_gain(event.energy_lost);
    tell_event(event, listener);
    const BodyId id = swapped ? pair.b : pair.a;
    begin_segment(id, movers_[id]->free_kind(), t, after, listener);
    note_quiet(id, t, true, after);
    if (in_.settings.sleep) fall_asleep_together(id, t, listener);
    return true;
}

void PairEngine::count_burst(const Pair& pair, double t) {
    for (const BodyId id : {pair.a, pair.b}) {
        Mover& mover = *movers_[id];
        if (mover.body->fixed) continue;
        const double instant = 64.0 * (std::nextafter(t, k_forever) - t);
        if (t - mover.burst_t > instant) {
            mover.burst_t = t;
            mover.burst = 0;
        }
        if (++mover.burst > in_.settings.most_at_once) {
            throw std::runtime_error(
                "at " + std::to_string(t) + " s '" + mover.body->name + "' is hit more than " +
                std::to_string(in_.settings.most_at_once) + " times at one instant, last with '" +
                movers_[id == pair.a ? pair.b : pair.a]->body->name +
                "': the impacts do not come to an end; try a larger restitution or a larger micro");
        }
    }
}

void PairEngine::account(const Event& event, const Touch& touch, const Vec3& p_W) {
    Tally& tally = in_.tally;
    ++tally.events;
    if (event.kind == EventKind::micro) ++tally.micro;
    if (event.kind == EventKind::impact) ++tally.impacts;
    tally.energy_lost.add(event.energy_lost);
    tally.pushed.add(p_W.norm());
    const auto from_fixed = [&](const Side& side, const Vec3& on_other) {
        if (!side.body->fixed) return;
        for (int k = 0; k < 3; ++k)
            tally.given[k].add(on_other[k]);
        tally.driven.add(on_other.dot(velocity_at(side.state, event.point)));
    };
    from_fixed(touch.b, p_W);
    from_fixed(touch.a, -p_W);
}

// Pairs have the body with the lower number as a, listeners the free one.
void PairEngine::tell_event(const Event& event, Listener* listener) const {
    if (listener == nullptr) return;
    const bool turned = event.b != k_no_body && in_.bodies[event.a].fixed;
    listener->on_event(turned ? seen_from_other(event) : event);
}

// What happened at one instant gained energy if all of it together did: of impacts that feel each
// other one can have what another has lost.
void PairEngine::note_gain(double lost) {
    if (lost < 0.0) in_.tally.energy_gained.add(-lost);
}

// Takes account of what a segment did until now. The force on a sphere in closed-form contact is
// that of its motion, and is told before the motion is gone.
void PairEngine::close_segment(BodyId id, double t, Listener* listener) {
    const Mover& mover = *movers_[id];
    if (mover.segment.kind == SegmentKind::on_plane) tell_forces_of(id, t, listener);
    const Pushed pushed =
        pushed_by_forces(*mover.body, mover.segment, mover.motion, in_.settings.gravity, t);
    in_.tally.driven.add(pushed.energy);
    in_.tally.energy_lost.add(pushed.lost);
    for (int k = 0; k < 3; ++k)
        in_.tally.weighed[k].add(pushed.momentum[k]);
}

void PairEngine::begin_segment(const Segment& segment, Listener* listener) {
    close_segment(segment.body, segment.t0, listener);
    Mover& mover = *movers_[segment.body];
    mover.go(segment, in_.settings.gravity);
    mover.paused = false;
    if (mover.crowd) mover.motion_until = crowd_until_;
    if (listener != nullptr) listener->on_segment(segment);
}

void PairEngine::begin_segment(BodyId id, SegmentKind kind, double t, const motion::State& state,
                               Listener* listener) {
    begin_segment({t, id, kind, state}, listener);
}

bool PairEngine::touching_now(const Pair& pair, double t) const {
    constexpr double k_recent = 4.0;
    return t - pair.last_impact <= k_recent * pair.lasting.memory();
}

void PairEngine::note_quiet(BodyId id, double t, bool micro, const motion::State& state) {
    Mover& mover = *movers_[id];
    if (micro) {
        mover.quiet.note(t, state, mover.body->radius, in_.settings.gravity);
    } else {
        mover.quiet.end();
    }
}

}  // namespace carom::world
