// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// How crowds fall asleep, and what wakes their sleepers. See pair_crowd.cpp and rest.h.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {}  // namespace

// Bodies that have been quiet for long enough fall asleep once all that hangs together with them
// has settled. To put single bodies to sleep before would hold what still has to settle, and let go
// of it again when they wake.
void PairEngine::rest_crowd(double t, Listener* listener) {
    for (const BodyId id : crowd_) {
        Mover& mover = *movers_[id];
        motion::State state = mover.at(t);
        // a ball that spins stays where it is
        if (is_ball(*mover.body)) state.orientation = mover.quiet.orientation;
        mover.quiet.note(t, state, mover.body->radius, in_.settings.gravity,
                         k_tolerances.crowd_drift);
        tell_forces_of(id, t, listener);
    }
    if (!in_.settings.sleep) return;
    ++mark_;
    for (const BodyId id : crowd_) {
        Mover& mover = *movers_[id];
        if (mover.quiet.t < t &&
            mover.quiet.long_enough(t, mover.body->radius, gravity_, k_tolerances.crowd_quiet))
            mover.mark = mark_;
    }
    const std::vector<BodyId> sleepers = quiet_parts();
    if (sleepers.empty()) return;
    for (const BodyId id : sleepers) {
        Mover& mover = *movers_[id];
        mover.crowd = false;
        fall_asleep(id, t, listener);
        mover.slept_in_crowd = true;
        mover.slept_with.clear();
        for (const std::uint32_t i : mover.pairs)
            near_[i].closed.at_rest = near_[i].closed.force;
    }
    std::erase_if(crowd_, [&](BodyId id) { return !movers_[id]->crowd; });
    for (const BodyId id : sleepers)
        moved(id, t);
}

// Whether a force is more than a few weights of the body.
bool PairEngine::is_heavy(BodyId id, const Vec3& force) const {
    constexpr double k_weights = 3.0;
    return force.norm() > k_weights * gravity_ * movers_[id]->body->mass;
}

// Whether a body bears nothing to speak of.
bool PairEngine::is_loose(BodyId id) const {
    const std::vector<std::uint32_t>& pairs = movers_[id]->pairs;
    return std::none_of(pairs.begin(), pairs.end(), [&](std::uint32_t i) {
        return near_[i].closed.on && is_heavy(id, near_[i].closed.force);
    });
}

// The quiet ones, which the search at hand has marked, of those parts of the crowd that hang
// together by contacts and have settled: of which no more than a few bodies are restless, neither
// quiet nor loose. What touches a restless one stays awake with it.
std::vector<BodyId> PairEngine::quiet_parts() {
    constexpr double k_few = 0.02;
    const std::uint64_t quiet = mark_++;
    const std::uint64_t taken = mark_++;  // and was quiet
    const std::uint64_t loose = mark_++;
    const std::uint64_t restless = mark_;
    std::vector<BodyId> found, part;
    const auto take = [&](BodyId id) {
        Mover& mover = *movers_[id];
        if (mover.mark >= taken) return;
        mover.mark = mover.mark == quiet ? taken : is_loose(id) ? loose : restless;
        part.push_back(id);
    };
    const auto other_of = [&](std::uint32_t i, BodyId id) {
        return near_[i].a == id ? near_[i].b : near_[i].a;
    };
    const auto may_sleep = [&](BodyId id) {
        if (movers_[id]->mark != taken) return false;
        bool touches = false;
        for (const std::uint32_t i : movers_[id]->pairs) {
            if (!near_[i].closed.on) continue;
            touches = true;
            const Mover& other = *movers_[other_of(i, id)];
            if (other.mark == restless || (other.body->fixed && !other.body->still)) return false;
        }
        return touches;
    };
    for (const BodyId first : crowd_) {
        part.clear();
        take(first);
        std::size_t count = 0;
        for (std::size_t k = 0; k < part.size(); ++k) {
            count += movers_[part[k]]->mark == restless ? 1 : 0;
            for (const std::uint32_t i : movers_[part[k]]->pairs) {
                const BodyId id = other_of(i, part[k]);
                if (near_[i].closed.on && movers_[id]->crowd) take(id);
            }
        }
        if (static_cast<double>(count) > k_few * static_cast<double>(part.size())) continue;
        std::copy_if(part.begin(), part.end(), std::back_inserter(found), may_sleep);
    }
    std::sort(found.begin(), found.end());
    return found;
}

// A sleeper joins the crowd: alone if it slept there, else with all that sleep in touch with it.
void PairEngine::wake_into_crowd(BodyId first, BodyId by, double t, Listener* listener) {
    crowd_until_ = std::max(crowd_until_, t);  // there may have been none for a while
    std::vector<BodyId> woken{first};
    if (!movers_[first]->slept_in_crowd) woken = sleepers_with(first);
    std::sort(woken.begin(), woken.end());
    for (const BodyId id : woken) {
        tell_forces_of(id, t, listener);
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

// Where the impulses at hand leave a deep overlap, sleepers are in the way: the nearest to it,
// along contacts, wake. False when there are none.
bool PairEngine::wake_around_jams(double t, double h, Listener* listener) {
    ++mark_;
    std::vector<BodyId> ring, next;
    std::vector<std::pair<BodyId, BodyId>> found;  // and by whom
    const auto reach = [&](BodyId id, BodyId by) {
        Mover& mover = *movers_[id];
        if (mover.asleep()) found.emplace_back(id, by);
        if (!mover.crowd || mover.mark == mark_) return;
        mover.mark = mark_;
        next.push_back(id);
    };
    for (const CrowdPair& seen : crowd_pairs_) {
        double missing = 0.0;
        for (std::uint32_t k = seen.first; k != k_no_point; k = crowd_points_[k].next)
            missing = std::max(missing, crowd_missing(k));
        if (h * missing < k_most_left * k_tolerances.crowd_gap * seen.size) continue;
        const Pair& pair = near_[seen.pair];
        reach(pair.a, pair.b);
        reach(pair.b, pair.a);
    }
    while (found.empty() && !next.empty()) {
        ring.swap(next);
        next.clear();
        for (const BodyId id : ring) {
            for (const std::uint32_t i : movers_[id]->pairs)
                if (near_[i].closed.on) reach(near_[i].a == id ? near_[i].b : near_[i].a, id);
        }
    }
    for (const auto& [id, by] : found)
        if (movers_[id]->asleep()) wake_into_crowd(id, by, t, listener);
    return !found.empty();
}

// The most that a sleeper bore at one contact when it fell asleep.
double PairEngine::most_at_rest(BodyId id) const {
    double most = 0.0;
    for (const std::uint32_t i : movers_[id]->pairs)
        if (near_[i].closed.on) most = std::max(most, near_[i].closed.at_rest.norm());
    return most;
}

// Whether it bore a good part of a sleeper's load.
bool PairEngine::held_up(const Pair& pair) const {
    constexpr double k_part = 0.3;
    const auto of = [&](BodyId id) {
        return movers_[id]->asleep() && pair.closed.at_rest.norm() > k_part * most_at_rest(id);
    };
    return of(pair.a) || of(pair.b);
}

// Whether it presses a sleeper otherwise than when that fell asleep: by more than it bore then, and
// by what could topple something slender. Whether it does is_held tells.
bool PairEngine::presses_otherwise(const Pair& pair) const {
    constexpr double k_weights = 0.05;
    const double more = (pair.closed.force - pair.closed.at_rest).norm();
    const auto on = [&](BodyId id) {
        return movers_[id]->asleep() && more > k_weights * gravity_ * movers_[id]->body->mass &&
               more > most_at_rest(id);
    };
    return on(pair.a) || on(pair.b);
}

// A sleeper wakes when the force on it has been otherwise for some time: what is awake beside it
// may let go of it, or press it, for a moment.
void PairEngine::watch_sleeper(Pair& pair, bool carries, double t) {
    double& since = pair.closed.unlike;
    if (!presses_otherwise(pair) && (carries || !held_up(pair))) {
        since = k_never;
    } else if (since == k_never) {
        since = t;
    } else if (t - since > k_tolerances.crowd_patience * std::sqrt(size_of(pair) / gravity_)) {
        if (!is_held(pair.a) || !is_held(pair.b)) {
            disturb(pair);
        } else {
            pair.closed.at_rest = pair.closed.force;
            since = k_never;
        }
    }
}

// Whether a body does not sleep, or can stay where it is: whether what does not move beside it has
// an answer, within the cones of friction, to its weight and to what presses it now.
bool PairEngine::is_held(BodyId id) {
    const Mover& mover = *movers_[id];
    if (!mover.asleep()) return true;
    if (!mover.slept_in_crowd) return false;
    const double h = k_tolerances.crowd_longest * std::sqrt(mover.body->radius / gravity_);
    const Vec3& x = mover.segment.state.position;
    const Mat3 R = mover.segment.state.orientation.toRotationMatrix();
    Vec3 force = mover.body->mass * in_.settings.gravity;
    Vec3 torque = Vec3::Zero();
    held_contacts_.clear();
    for (const std::uint32_t i : mover.pairs) {
        const Pair& pair = near_[i];
        if (!pair.closed.on) continue;
        const double sign = pair.a == id ? 1.0 : -1.0;
        const Mover& other = *movers_[pair.a == id ? pair.b : pair.a];
        if (other.crowd) {
            force += sign * pair.closed.force;
            torque += sign * (pair.closed.point - x).cross(pair.closed.force);
            continue;
        }
        for (const PointForce& point : pair.closed.forces) {
            impact::ConeContact& contact = held_contacts_.emplace_back();
            contact.b = 1;
            contact.r_a = pair.a == id ? point.arm_a : point.arm_b;
            contact.normal = sign * pair.closed.normal;
            contact.mu = pair.law->parameters.mu.value_or(0.0);
            contact.impulse = sign * h * point.force;
        }
    }
    std::array<impact::ConeBody, 2> bodies;
    bodies[0].inverse_mass = mover.body->inverse_mass;
    bodies[0].inverse_inertia_W = R * mover.body->inverse_inertia * R.transpose();
    bodies[0].v = h * bodies[0].inverse_mass * force;
    bodies[0].w = h * bodies[0].inverse_inertia_W * torque;
    impact::ConeSettings settings;
    settings.stop = stop_;
    settings.tolerance = 0.1 * k_tolerances.held * gravity_ * h;
    cones_.solve(bodies, held_contacts_, settings);
    return bodies[0].v.norm() + mover.body->radius * bodies[0].w.norm() <
           k_tolerances.held * gravity_ * h;
}

// The sleeper of a pair, if there is one, wakes with the next step.
void PairEngine::disturb(const Pair& pair) {
    for (const BodyId id : {pair.a, pair.b})
        if (movers_[id]->asleep())
            crowd_disturbed_.emplace_back(id, id == pair.a ? pair.b : pair.a);
}

}  // namespace carom::world
