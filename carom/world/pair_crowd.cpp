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
// resolved by its law at its time.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

constexpr double k_forever = std::numeric_limits<double>::infinity();

}  // namespace

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
    gather_crowd(t, listener);
    rest_crowd(t, listener);
    if (crowd_.empty()) return;
    ++crowd_stamp_;
    const double h = next_crowd_step();
    crowd_fall_ = 0.5 * h * in_.settings.gravity;
    while (look_crowd(t, h, listener)) {
    }
    solve_crowd(h);
    account_crowd();
    keep_crowd(t, h, listener);
    publish_crowd(t, h, listener);
}

// The length of the coming step: as the last one suggests, within limits, and no longer than what
// turns fastest allows.
double PairEngine::next_crowd_step() const {
    double unit = k_forever;
    double spin = 0.0;
    for (const BodyId id : crowd_) {
        const Mover& mover = *movers_[id];
        unit = std::min(unit, std::sqrt(mover.body->radius / gravity_));
        if (!is_ball(*mover.body))
            spin = std::max(spin, mover.segment.state.angular_velocity.norm());
    }
    double h = crowd_length_ > 0.0 ? crowd_length_ : k_tolerances.crowd_first * unit;
    h = std::min(h, k_tolerances.crowd_longest * unit);
    if (spin * h > k_tolerances.crowd_turn) h = k_tolerances.crowd_turn / spin;
    return std::max(h, k_tolerances.crowd_shortest * unit);
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
            pause(id, t, mover.at(t));
            step_island(id, t, listener);
        } else {
            begin_segment(id, mover.free_kind(), t, mover.at(t), listener);
            moved(id, t);
        }
    }
}

// Bodies that have been quiet for long enough, and touch none that moves, fall asleep.
void PairEngine::rest_crowd(double t, Listener* listener) {
    for (const BodyId id : crowd_) {
        note_quiet(id, t, true, movers_[id]->at(t));
        for (const std::uint32_t i : movers_[id]->pairs)
            if (near_[i].closed.on && near_[i].closed.t0 < t) tell_force(near_[i], t, listener);
    }
    if (!in_.settings.sleep) return;
    ++mark_;
    for (const BodyId id : crowd_) {
        Mover& mover = *movers_[id];
        if (mover.quiet.t < t && mover.quiet.long_enough(t, mover.body->radius, gravity_))
            mover.mark = mark_;
    }
    std::vector<BodyId> sleepers;
    for (const BodyId id : crowd_)
        if (movers_[id]->mark == mark_ && rests_in_crowd(id)) sleepers.push_back(id);
    if (sleepers.empty()) return;
    for (const BodyId id : sleepers) {
        movers_[id]->crowd = false;
        fall_asleep(id, t, listener);
    }
    for (const BodyId id : sleepers) {
        Mover& mover = *movers_[id];
        mover.slept_with.clear();
        for (const std::uint32_t i : mover.pairs) {
            const Pair& pair = near_[i];
            const BodyId other = pair.a == id ? pair.b : pair.a;
            if (!pair.closed.on || !movers_[other]->asleep()) continue;
            mover.slept_with.push_back(other);
            std::vector<BodyId>& with = movers_[other]->slept_with;
            if (std::find(with.begin(), with.end(), id) == with.end()) with.push_back(id);
        }
        std::sort(mover.slept_with.begin(), mover.slept_with.end());
    }
    std::erase_if(crowd_, [&](BodyId id) { return !movers_[id]->crowd; });
    for (const BodyId id : sleepers)
        moved(id, t);
}

// Whether a quiet body touches something, and nothing but still ones, sleepers and other quiet
// ones, which the search at hand has marked.
bool PairEngine::rests_in_crowd(BodyId id) const {
    bool touches = false;
    for (const std::uint32_t i : movers_[id]->pairs) {
        const Pair& pair = near_[i];
        if (!pair.closed.on) continue;
        touches = true;
        const Mover& other = *movers_[pair.a == id ? pair.b : pair.a];
        if (!other.still() && other.mark != mark_) return false;
    }
    return touches;
}

// A sleeper and all that sleep in touch with it join the crowd.
void PairEngine::wake_into_crowd(BodyId first, BodyId by, double t, Listener* listener) {
    std::vector<BodyId> woken = sleepers_with(first);
    std::sort(woken.begin(), woken.end());
    for (const BodyId id : woken) {
        tell_wake(id, by, t, listener);
        begin_segment(id, SegmentKind::flight, t, movers_[id]->at(t), listener);
        fresh_.clear();
        near_.renew(id, t, queue_, fresh_);
        queue_body(id);
    }
    for (const BodyId id : woken)
        movers_[id]->crowd = true;
    crowd_.insert(crowd_.end(), woken.begin(), woken.end());
    std::sort(crowd_.begin(), crowd_.end());
}

// Energy and momentum of the impulses; the velocities before them are those of the states.
void PairEngine::account_crowd() {
    Tally& tally = in_.tally;
    double lost = 0.0;
    const auto before = [&](std::uint32_t k, const Vec3& arm) -> Vec3 {
        const motion::State& s = crowd_states_[k];
        return s.velocity + s.angular_velocity.cross(arm);
    };
    const auto after = [&](std::uint32_t k, const Vec3& arm) -> Vec3 {
        return crowd_bodies_[k].v + crowd_bodies_[k].w.cross(arm);
    };
    for (const impact::ConeContact& c : crowd_contacts_) {
        if (c.impulse.isZero(0.0)) continue;
        const bool free_a = crowd_bodies_[c.a].inverse_mass > 0.0;
        const bool free_b = crowd_bodies_[c.b].inverse_mass > 0.0;
        const Vec3 u0 = before(c.a, c.r_a) - before(c.b, c.r_b);
        Vec3 u1 = after(c.a, c.r_a) - after(c.b, c.r_b);
        if (free_a) u1 -= crowd_fall_;
        if (free_b) u1 += crowd_fall_;
        lost -= 0.5 * c.impulse.dot(u0 + u1);
        const auto from_fixed = [&](const Vec3& on_other, const Vec3& velocity) {
            for (int k = 0; k < 3; ++k)
                tally.given[k].add(on_other[k]);
            tally.driven.add(on_other.dot(velocity));
        };
        if (!free_b) from_fixed(c.impulse, before(c.b, c.r_b));
        if (!free_a) from_fixed(-c.impulse, before(c.a, c.r_a));
    }
    tally.energy_lost.add(lost);
    if (lost < 0.0) tally.energy_gained.add(-lost);
}

// The bodies fly on with their new velocities.
void PairEngine::publish_crowd(double t, double h, Listener* listener) {
    crowd_until_ = t + h;
    for (std::size_t k = 0; k < crowd_.size(); ++k) {
        const BodyId id = crowd_[k];
        motion::State state = crowd_states_[k];
        state.velocity = crowd_bodies_[k].v - crowd_fall_;
        state.angular_velocity = crowd_bodies_[k].w;
        begin_segment(id, SegmentKind::flight, t, state, listener);
    }
    // pairs that were far enough apart for what the velocities were are so no more
    for (const CrowdPair& seen : crowd_pairs_) {
        Pair& pair = near_[seen.pair];
        const Mover& a = *movers_[pair.a];
        const Mover& b = *movers_[pair.b];
        const bool surely = seen.point_count > 0 ||
                            seen.clear > crowd_reach(a, b, a.segment.state, b.segment.state, h);
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
    const double change = std::sqrt(k_tolerances.crowd_gap / std::max(crowd_error_, 1e-300));
    crowd_length_ = h * std::clamp(0.9 * change, 0.5, 1.2);
}

// A touch that the step did not foresee: by the law of the pair, and between these two alone.
void PairEngine::touch_in_crowd(std::uint32_t i, double t, Listener* listener) {
    Pair& pair = near_[i];
    const ContactPoint at = find_contact_point(touch_of(pair, t));
    pair.crowd_stamp = crowd_stamp_;
    pair.next = Pair::Next::look;
    queue_.remove(slot_of_pair(i));
    if (!(at.approach_speed > 0.0)) return;
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
        if (!mover.crowd) {
            mover.crowd = true;
            crowd_.push_back(bodies[k].id);
        }
        begin_segment(bodies[k].id, SegmentKind::flight, t, state, listener);
    }
    if (hard) {
        // the step has not reckoned with these velocities
        for (const GroupBody& body : bodies)
            if (!movers_[body.id]->body->fixed)
                for (const std::uint32_t k : movers_[body.id]->pairs)
                    near_[k].crowd_stamp = 0;
        near_[i].crowd_stamp = crowd_stamp_;
    }
    for (const GroupBody& body : bodies)
        if (!movers_[body.id]->body->fixed) moved(body.id, t);
}

}  // namespace carom::world
