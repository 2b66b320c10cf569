// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Falling asleep, alone and together, and waking: see rest.h.

#include <algorithm>

#include "carom/world/pair_engine.h"

namespace carom::world {

bool PairEngine::fall_asleep_alone(const Pair& pair, const Touch& touch, double t,
                                   Listener* listener) {
    if (!in_.settings.sleep) return false;
    if (!touch.a.body->forces.empty() || !touch.b.body->forces.empty()) return false;
    const bool a_fixed = touch.a.body->still;
    const bool b_fixed = touch.b.body->still;
    if (a_fixed == b_fixed) return false;
    const BodyId id = a_fixed ? pair.b : pair.a;
    for (const std::uint32_t other : movers_[id]->pairs)
        if (&near_[other] != &pair && touching_now(near_[other], t)) return false;
    const Touch seen = a_fixed ? Touch{touch.b, touch.a, -touch.normal} : touch;
    if (!held_alone(seen, pair.law->parameters.mu.value_or(0.0), in_.settings.gravity,
                    pair.lasting.hop_speed())) {
        return false;
    }
    fall_asleep(id, t, listener);
    movers_[id]->slept_with.clear();
    return true;
}

// The free bodies in touch with the first one, itself included; false when one of them is not quiet
// or touches a moving body.
bool PairEngine::gather_quiet(BodyId first, double t, std::vector<BodyId>& island) const {
    island.assign(1, first);
    for (std::size_t k = 0; k < island.size(); ++k) {
        const Mover& mover = *movers_[island[k]];
        if (mover.asleep() || !mover.body->forces.empty()) return false;
        if (!mover.quiet.long_enough(t, mover.body->radius, gravity_)) return false;
        for (const std::uint32_t i : mover.pairs) {
            const Pair& pair = near_[i];
            if (!touching_now(pair, t)) continue;
            const BodyId other = pair.a == island[k] ? pair.b : pair.a;
            const Body& body = *movers_[other]->body;
            if (body.fixed && !body.still) return false;
            if (body.fixed || std::find(island.begin(), island.end(), other) != island.end()) {
                continue;
            }
            island.push_back(other);
        }
    }
    return true;
}

void PairEngine::fall_asleep_together(BodyId first, double t, Listener* listener) {
    const Mover& mover = *movers_[first];
    if (mover.body->fixed || mover.asleep()) return;
    if (!mover.quiet.long_enough(t, mover.body->radius, gravity_)) return;
    std::vector<BodyId> island;
    if (!gather_quiet(first, t, island)) return;
    std::sort(island.begin(), island.end());
    for (const BodyId id : island) {
        fall_asleep(id, t, listener);
        movers_[id]->slept_with = island;
    }
    // the pair at hand is seen to by the caller
    for (const BodyId id : island)
        moved(id, t);
}

void PairEngine::fall_asleep(BodyId id, double t, Listener* listener) {
    Mover& mover = *movers_[id];
    motion::State state = mover.at(t);
    Event event;
    event.t = t;
    event.kind = EventKind::sleep;
    event.a = id;
    const Vec3& g = in_.settings.gravity;
    const double before = energy(*mover.body, state, g);
    event.impulse = -mover.body->mass * state.velocity;
    for (int k = 0; k < 3; ++k)
        in_.tally.given[k].add(event.impulse[k]);
    state.velocity.setZero();
    state.angular_velocity.setZero();
    event.energy_lost = before - energy(*mover.body, state, g);
    ++in_.tally.events;
    in_.tally.energy_lost.add(event.energy_lost);
    tell_event(event, listener);
    begin_segment(id, SegmentKind::asleep, t, state, listener);
    mover.quiet.end();
}

// A sleeper and all that sleep in touch with it, whoever else they slept with.
std::vector<BodyId> PairEngine::sleepers_with(BodyId first) {
    ++mark_;
    std::vector<BodyId> found{first};
    movers_[first]->mark = mark_;
    for (std::size_t k = 0; k < found.size(); ++k) {
        for (const BodyId other : movers_[found[k]]->slept_with) {
            if (movers_[other]->mark == mark_ || !movers_[other]->asleep()) continue;
            movers_[other]->mark = mark_;
            found.push_back(other);
        }
    }
    return found;
}

void PairEngine::tell_wake(BodyId id, BodyId by, double t, Listener* listener) {
    Event event;
    event.t = t;
    event.kind = EventKind::wake;
    event.a = id;
    event.b = by;
    ++in_.tally.events;
    tell_event(event, listener);
    movers_[id]->slept_with.clear();
    movers_[id]->slept_in_crowd = false;
}

void PairEngine::wake(BodyId first, BodyId by, double t, Listener* listener) {
    if (movers_[first]->slept_in_crowd) {
        wake_into_crowd(first, by, t, listener);
        return;
    }
    const std::vector<BodyId> island = sleepers_with(first);
    for (const BodyId id : island) {
        Mover& mover = *movers_[id];
        tell_wake(id, by, t, listener);
        if (in_.settings.contact == ContactMode::lasting && mover.body->forces.empty()) {
            pause(id, t, mover.at(t), listener);
        } else {
            begin_segment(id, mover.free_kind(), t, mover.at(t), listener);
        }
    }
    for (const BodyId id : island) {
        if (movers_[id]->paused) {
            step_island(id, t, listener);
        } else if (!movers_[id]->lasting()) {
            moved(id, t);
        }
    }
}

}  // namespace carom::world
