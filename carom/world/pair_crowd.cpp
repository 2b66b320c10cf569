// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Crowds: many bodies in touch, or near those in touch, whose impacts are too many to be told
// apart.
//
// All bodies of a crowd get their impulses together, at the start of a step of length h, and fly
// from there to its end: gravity and free rotation are exact, and what rests makes hops of the
// height g h^2 / 8. With the gap of every point of every near pair, and u the velocity in the
// middle of the flight, v0 + g h / 2 and the impulse,
//     u_n >= -gap / h,    complementary to the normal impulse,
// and Coulomb's cone (cone_solver.h), so that nothing goes through the other. What comes down hard
// is so brought to its touch at the end of the step; with the next impulse it parts with e times
// the speed it came with: Newton's restitution. Impulses are told as the mean forces of their
// steps.
//
// Who is in it: every awake free body of k_crowd_stays or more that hang together by near pairs, or
// that touches a sleeper of the crowd. A body that comes near joins with the next step, before it
// can touch; what comes to touch nevertheless, since impulses have made it faster than expected, is
// resolved by its law at its time, and a step of all begins there.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {}  // namespace

// Whether the island at hand has too many bodies for exact steps: fewer will do where they move,
// since hits then follow each other.
bool PairEngine::is_crowded() const {
    if (island_bodies_.size() > k_exact_bodies) return true;
    return island_bodies_.size() >= k_crowd_begins && !is_slow();
}

// The island at hand becomes part of the crowd.
void PairEngine::begin_crowd(double t, Listener* listener) {
    for (const BodyId id : island_bodies_) {
        Mover& mover = *movers_[id];
        if (mover.crowd) continue;
        mover.crowd = true;
        crowd_.push_back(id);
    }
    step_crowd(t, listener);
}

// A step of all of it from t on; the last one may end here early.
void PairEngine::step_crowd(double t, Listener* listener) {
    for (const auto& [id, by] : crowd_disturbed_)
        if (movers_[id]->asleep()) wake_into_crowd(id, by, t, listener);
    crowd_disturbed_.clear();
    gather_crowd(t, listener);
    rest_crowd(t, listener);
    if (crowd_.empty()) return;
    ++crowd_stamp_;
    const double h = solve_crowd_step(t, listener);
    account_crowd();
    note_hops(h);
    keep_crowd(t, h, listener);
    publish_crowd(t, h, listener);
}

// Finds the impulses of a step, of half the length where they would leave a deep overlap; returns
// its length.
double PairEngine::solve_crowd_step(double t, Listener* listener) {
    constexpr int k_halvings = 3;
    double h = next_crowd_step();
    for (int halved = 0;;) {
        crowd_fall_ = 0.5 * h * in_.settings.gravity;
        while (look_crowd(t, h, listener)) {
        }
        const double left = solve_crowd(t, h);
        if (left < k_most_left * k_tolerances.crowd_gap) return h;
        if (wake_around_jams(t, h, listener)) continue;
        if (++halved > k_halvings) return h;
        h *= 0.5;
    }
}

// The length of the coming step: as the last one suggests, within limits, and no longer than what
// turns fastest allows.
double PairEngine::next_crowd_step() const {
    double unit = k_forever;
    double spin = 0.0;
    bool under = false;
    for (const BodyId id : crowd_) {
        const Mover& mover = *movers_[id];
        unit = std::min(unit, std::sqrt(mover.body->radius / gravity_));
        const bool touches = std::any_of(mover.pairs.begin(), mover.pairs.end(),
                                         [&](std::uint32_t i) { return near_[i].closed.on; });
        if (touches && !is_ball(*mover.body))
            spin = std::max(spin, mover.segment.state.angular_velocity.norm());
        under = under || lies_under(id);
    }
    double h = crowd_length_ > 0.0 ? crowd_length_ : k_tolerances.crowd_first * unit;
    h = std::min(h, unit * (under ? k_tolerances.crowd_longest_under : k_tolerances.crowd_longest));
    if (spin * h > k_tolerances.crowd_turn) h = k_tolerances.crowd_turn / spin;
    return std::max(h, k_tolerances.crowd_shortest * unit);
}

// Whether something that does not fly rests on a body of the crowd.
bool PairEngine::lies_under(BodyId id) const {
    constexpr double k_steep = 0.3;
    const std::vector<std::uint32_t>& pairs = movers_[id]->pairs;
    return std::any_of(pairs.begin(), pairs.end(), [&](std::uint32_t i) {
        const Pair& pair = near_[i];
        if (!pair.closed.on) return false;
        const double down = pair.closed.normal.dot(in_.settings.gravity);
        return (pair.a == id ? down : -down) > k_steep * gravity_ &&
               !movers_[pair.a == id ? pair.b : pair.a]->crowd;
    });
}

bool PairEngine::touches_sleeper(BodyId id) const {
    const std::vector<std::uint32_t>& pairs = movers_[id]->pairs;
    return std::any_of(pairs.begin(), pairs.end(), [&](std::uint32_t i) {
        const Pair& pair = near_[i];
        return pair.closed.on && movers_[pair.a == id ? pair.b : pair.a]->asleep();
    });
}

// The parts of the crowd that hang together by near pairs; small ones leave it.
void PairEngine::gather_crowd(double t, Listener* listener) {
    ++mark_;
    std::vector<BodyId> stays, leaves, part;
    std::sort(crowd_.begin(), crowd_.end());
    for (const BodyId first : crowd_) {
        if (movers_[first]->mark == mark_) continue;
        movers_[first]->mark = mark_;
        part.assign(1, first);
        for (std::size_t k = 0; k < part.size(); ++k) {
            for (const std::uint32_t i : movers_[part[k]]->pairs) {
                const Pair& pair = near_[i];
                const BodyId other = pair.a == part[k] ? pair.b : pair.a;
                Mover& mover = *movers_[other];
                if (mover.body->fixed || mover.asleep() || mover.mark == mark_) continue;
                if (!may_last(pair)) continue;
                mover.mark = mark_;
                part.push_back(other);
            }
        }
        const bool stay =
            part.size() >= k_crowd_stays ||
            std::any_of(part.begin(), part.end(), [&](BodyId id) { return touches_sleeper(id); });
        std::vector<BodyId>& to = stay ? stays : leaves;
        to.insert(to.end(), part.begin(), part.end());
    }
    std::sort(stays.begin(), stays.end());
    for (const BodyId id : stays)
        movers_[id]->crowd = true;
    crowd_ = stays;
    std::erase_if(leaves, [&](BodyId id) { return !movers_[id]->crowd; });
    std::sort(leaves.begin(), leaves.end());
    release(leaves, t, listener);
}

// Bodies that go on by themselves, in their islands or in flight.
void PairEngine::release(const std::vector<BodyId>& bodies, double t, Listener* listener) {
    for (const BodyId id : bodies) {
        Mover& mover = *movers_[id];
        mover.crowd = false;
        mover.step = 0.0;
        for (const std::uint32_t i : mover.pairs) {
            near_[i].crowd_stamp = 0;
            near_[i].bounce = 0.0;
        }
    }
    for (const BodyId id : bodies) {
        const Mover& mover = *movers_[id];
        if (mover.segment.t0 == t && mover.lasting()) continue;
        const bool held = std::any_of(mover.pairs.begin(), mover.pairs.end(),
                                      [&](std::uint32_t i) { return near_[i].closed.on; });
        if (held) {
            pause(id, t, mover.at(t), listener);
            step_island(id, t, listener);
        } else {
            begin_segment(id, mover.free_kind(), t, mover.at(t), listener);
            moved(id, t);
        }
    }
}

// The bodies fly on with their new velocities.
void PairEngine::publish_crowd(double t, double h, Listener* listener) {
    crowd_until_ = t + h;
    for (std::size_t k = 0; k < crowd_.size(); ++k) {
        const BodyId id = crowd_[k];
        motion::State state = crowd_movers_[k].state;
        state.velocity = crowd_bodies_[k].v - crowd_fall_;
        state.angular_velocity = crowd_bodies_[k].w;
        crowd_movers_[k].speed = speed_of(*movers_[id]->body, state);
        begin_segment(id, SegmentKind::flight, t, state, listener);
    }
    // pairs that were far enough apart for what the velocities were are so no more
    for (const CrowdPair& seen : crowd_pairs_) {
        Pair& pair = near_[seen.pair];
        const double reach = crowd_reach(crowd_movers_[seen.a], crowd_movers_[seen.b], h);
        const bool surely = seen.first != k_no_point || seen.clear > reach;
        pair.crowd_stamp = surely ? crowd_stamp_ : 0;
        pair.next = Pair::Next::look;
        if (surely) queue_.remove(slot_of_pair(seen.pair));
    }
    std::vector<std::uint32_t> unsure;
    for (const CrowdPair& seen : crowd_pairs_)
        if (near_[seen.pair].crowd_stamp == 0) unsure.push_back(seen.pair);
    for (const BodyId id : crowd_) {
        if (!near_.still_boxed(id, t)) near_.renew(id, t, queue_, unsure);
        queue_body(id);
    }
    for (const std::uint32_t i : unsure)
        if (near_[i].used) predict(i, t);
    const double change =
        std::sqrt(k_most_left * k_tolerances.crowd_gap / std::max(crowd_error_, 1e-300));
    crowd_length_ = h * std::clamp(0.9 * change, 0.5, 1.2);
}

// A body that was held flies from here on, until the crowd takes its next step.
void PairEngine::end_holding(BodyId id, double t, Listener* listener) {
    tell_forces_of(id, t, listener);
    for (const std::uint32_t i : movers_[id]->pairs)
        near_[i].closed.flies = true;
}

// A touch that the step did not foresee: by the law of the pair, and between these two alone. True
// when it was hard, and the step is to end here.
bool PairEngine::touch_in_crowd(std::uint32_t i, double t, Listener* listener) {
    Pair& pair = near_[i];
    const ContactPoint at = find_contact_point(touch_of(pair, t));
    pair.crowd_stamp = crowd_stamp_;
    pair.next = Pair::Next::look;
    queue_.remove(slot_of_pair(i));
    if (!(at.approach_speed > 0.0)) return false;
    const bool hard = at.approach_speed > hard_speed(pair);
    count_burst(pair, t);
    begin_group();
    add_to_group(i, at.point, pair.normal, t);
    if (at.approach_speed > pair.lasting.hop_speed()) {
        apply_group(sequential_.solve(joint_, {}).impulses_W);
    } else {
        rest_group();
    }
    tell_group(t, EventKind::impact, listener);
    const std::vector<GroupBody> bodies = group_bodies_;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        Mover& mover = *movers_[bodies[k].id];
        if (mover.body->fixed) continue;
        motion::State state = mover.at(t);
        state.velocity = joint_.bodies[k].v;
        state.angular_velocity = joint_.bodies[k].w;
        if (mover.lasting()) end_holding(bodies[k].id, t, listener);
        if (!mover.crowd) {
            mover.crowd = true;
            crowd_.push_back(bodies[k].id);
        }
        begin_segment(bodies[k].id, SegmentKind::flight, t, state, listener);
    }
    for (const GroupBody& body : bodies)
        if (!movers_[body.id]->body->fixed) moved(body.id, t);
    return hard;
}

}  // namespace carom::world
