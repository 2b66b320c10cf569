// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Islands: the bodies that hang together by lasting contacts take their steps together.

#include <algorithm>
#include <cmath>

#include "carom/world/pair_engine.h"
#include "carom/world/plane_under.h"
#include "carom/world/tolerances.h"

namespace carom::world {

// The free bodies that hang together with the first, and their lasting contacts, in the order of
// their numbers. Sleepers among them are woken; those of a crowd are left to it, and make the
// island a part of it.
void PairEngine::gather_island(BodyId first, double t, Listener* listener) {
    BodyId sleeper = first;
    while (sleeper != k_no_body) {
        sleeper = k_no_body;
        ++mark_;
        island_bodies_.assign(1, first);
        island_pairs_.clear();
        island_joins_ = false;
        movers_[first]->mark = mark_;
        for (std::size_t k = 0; k < island_bodies_.size(); ++k) {
            const BodyId id = island_bodies_[k];
            for (const std::uint32_t i : movers_[id]->pairs) {
                const Pair& pair = near_[i];
                if (!pair.closed.on) continue;
                const BodyId other = pair.a == id ? pair.b : pair.a;
                Mover& mover = *movers_[other];
                if (mover.asleep() && mover.slept_in_crowd) {
                    island_joins_ = true;
                    continue;
                }
                if (mover.asleep()) sleeper = other;
                if (mover.body->fixed || pair.a == id) island_pairs_.push_back(i);
                if (mover.body->fixed || mover.mark == mark_) continue;
                mover.mark = mark_;
                island_bodies_.push_back(other);
            }
        }
        if (sleeper != k_no_body) wake(sleeper, first, t, listener);
    }
    std::sort(island_bodies_.begin(), island_bodies_.end());
    std::sort(island_pairs_.begin(), island_pairs_.end(), [&](std::uint32_t x, std::uint32_t y) {
        return std::pair(near_[x].a, near_[x].b) < std::pair(near_[y].a, near_[y].b);
    });
}

void PairEngine::fill_island(double t) {
    island_.clear();
    for (const BodyId id : island_bodies_) {
        Mover& mover = *movers_[id];
        const motion::State state = mover.at(t);
        const bool held = mover.segment.kind == SegmentKind::held;
        mover.index = island_.add_body(
            *mover.body, mover.moving, state,
            held ? mover.segment.lasting.alpha : free_spin_rate(*mover.body, state));
    }
    for (const std::uint32_t i : island_pairs_) {
        Pair& pair = near_[i];
        for (const BodyId id : {pair.a, pair.b}) {
            Mover& mover = *movers_[id];
            if (!mover.body->fixed || mover.mark == mark_) continue;
            mover.mark = mark_;
            mover.index = island_.add_body(*mover.body, mover.moving, mover.at(t), Vec3::Zero());
        }
        if (pair.closed.t1 != t) look_start(pair, t);
        const double size = size_of(pair);
        const bool bounded = !movers_[pair.a]->body->unbounded && !movers_[pair.b]->body->unbounded;
        island_.add_contact({movers_[pair.a]->index, movers_[pair.b]->index, i,
                             pair.law->parameters.mu.value_or(0.0), hard_speed(pair), size, bounded,
                             k_tolerances.patch_reach * size, &pair.memory, &pair.closed.forces,
                             pair.closed.t1 == t, 0, 0, 0, 0});
    }
}

void PairEngine::publish_island(double t, Listener* listener) {
    std::vector<const Closed*> held(island_.bodies().size(), nullptr);
    for (const IslandContact& contact : island_.contacts()) {
        const Pair& pair = near_[contact.pair];
        if (pair.closed.on) held[contact.a] = held[contact.b] = &pair.closed;
    }
    for (std::size_t k = 0; k < island_bodies_.size(); ++k) {
        const BodyId id = island_bodies_[k];
        const IslandBody& body = island_.bodies()[k];
        if (held[k] == nullptr) {
            begin_segment(id, movers_[id]->free_kind(), t, body.start, listener);
            continue;
        }
        Segment segment{t, id, SegmentKind::held, body.start};
        segment.lasting.t1 = held[k]->t1;
        const double h = held[k]->t1 - t;
        segment.lasting.a = (body.v1 - body.start.velocity) / h;
        segment.lasting.alpha = (body.w1 - body.start.angular_velocity) / h;
        segment.lasting.power = body.power;
        begin_segment(segment, listener);
    }
}

// Boxes and pairs of the bodies whose motions have just begun; each pair once.
void PairEngine::predict_island(double t) {
    const std::vector<BodyId> bodies = island_bodies_;
    for (const BodyId id : bodies) {
        if (!near_.still_boxed(id, t)) {
            renew_box(id, t);
        } else {
            queue_body(id);
        }
    }
    ++mark_;
    for (const BodyId id : bodies)
        movers_[id]->mark = mark_;
    for (const BodyId id : bodies) {
        for (std::size_t k = 0; k < movers_[id]->pairs.size(); ++k) {
            const std::uint32_t i = movers_[id]->pairs[k];
            const Pair& pair = near_[i];
            const BodyId other = pair.a == id ? pair.b : pair.a;
            if (movers_[other]->mark == mark_ && other < id) continue;
            predict(i, t);
        }
    }
}

// Not on anything that moves, and not at the instant of being touched or woken.
bool PairEngine::may_sleep(double t) const {
    if (!in_.settings.sleep) return false;
    for (const std::uint32_t i : island_pairs_)
        for (const BodyId id : {near_[i].a, near_[i].b})
            if (movers_[id]->body->fixed && !movers_[id]->body->still) return false;
    return std::all_of(island_bodies_.begin(), island_bodies_.end(),
                       [&](BodyId id) { return movers_[id]->quiet.t < t; });
}

// Whether the island is at rest and has fallen asleep: it has been quiet for long enough, or
// nothing moves and nothing will.
bool PairEngine::rest_island(double t, Listener* listener) {
    if (!may_sleep(t)) return false;
    const bool quiet = std::all_of(island_bodies_.begin(), island_bodies_.end(), [&](BodyId id) {
        const Mover& mover = *movers_[id];
        return mover.quiet.long_enough(t, mover.body->radius, gravity_);
    });
    if (!quiet) return false;
    sleep_island(t, listener);
    return true;
}

void PairEngine::sleep_island(double t, Listener* listener) {
    const std::vector<BodyId> bodies = island_bodies_;
    if (bodies.size() == 1 && island_pairs_.size() == 1) {
        // what lies on one thing alone presses it with its weight
        Pair& pair = near_[island_pairs_[0]];
        const Vec3 weight = movers_[bodies[0]]->body->mass * in_.settings.gravity;
        pair.closed.force = pair.a == bodies[0] ? Vec3(-weight) : weight;
    }
    for (const BodyId id : bodies) {
        fall_asleep(id, t, listener);
        movers_[id]->slept_with = bodies;
        movers_[id]->paused = false;
    }
    predict_island(t);
}

// Whether nothing moves and, as the step shows, nothing will.
bool PairEngine::in_balance(double t, double h) const {
    if (!may_sleep(t)) return false;
    const std::vector<IslandBody>& bodies = island_.bodies();
    for (std::size_t k = 0; k < island_bodies_.size(); ++k) {
        const IslandBody& body = bodies[k];
        const double r = body.body->radius;
        const double still = k_tolerances.balance_speed * std::sqrt(gravity_ * r);
        const Vec3 dv = body.v1 - body.start.velocity;
        const Vec3 dw = body.w1 - body.start.angular_velocity;
        if (body.start.velocity.norm() + r * body.start.angular_velocity.norm() > still) {
            return false;
        }
        if (dv.norm() + r * dw.norm() > k_tolerances.balance_acceleration * gravity_ * h) {
            return false;
        }
    }
    return true;
}

// A step of the island from t on. Its bodies may be on their way or paused.
void PairEngine::step_island(BodyId first, double t, Listener* listener) {
    gather_island(first, t, listener);
    const bool joins = std::any_of(island_bodies_.begin(), island_bodies_.end(),
                                   [&](BodyId id) { return movers_[id]->crowd; });
    if (joins || island_joins_ || is_crowded()) {
        begin_crowd(t, listener);
        return;
    }
    for (const std::uint32_t i : island_pairs_)
        tell_force(near_[i], t, listener);
    for (const BodyId id : island_bodies_)
        note_quiet(id, t, true, movers_[id]->at(t));
    if (rest_island(t, listener)) return;
    if (follow_plane(t, listener)) return;
    fill_island(t);
    if (island_pairs_.empty()) {
        publish_island(t, listener);
    } else {
        const double h = solve_island(t, first_length());
        if (in_balance(t, h)) {
            keep_forces(t, h);
            sleep_island(t, listener);
            return;
        }
        open_contacts(t, listener);
        keep_forces(t, h);
        publish_island(t, listener);
        plan_slaps(t);
    }
    predict_island(t);
}

// A sphere that has nothing but a flat piece of a fixed body under it goes its way in closed form.
bool PairEngine::follow_plane(double t, Listener* listener) {
    if (island_bodies_.size() != 1 || island_pairs_.size() != 1) return false;
    const BodyId id = island_bodies_[0];
    Pair& pair = near_[island_pairs_[0]];
    Mover& mover = *movers_[id];
    const Mover& under = *movers_[pair.a == id ? pair.b : pair.a];
    const motion::State state = mover.at(t);
    const std::optional<PlaneUnder> plane =
        plane_under(*mover.body, state, *under.body, under.moving, t);
    if (!plane) return false;
    LastingForm form;
    form.plane = plane->plane;
    form.mu = pair.law->parameters.mu.value_or(0.0);
    form.mu_roll = pair.law->rolling_friction;
    form.mu_spin = pair.law->spinning_friction;
    const motion::SphereContact contact = sphere_contact(*mover.body, form, in_.settings.gravity);
    if (!motion::is_pressed(contact)) return false;
    const Vec3& n = form.plane.normal;
    const double lift = n.dot(state.velocity - form.plane.velocity);
    if (std::abs(lift) > k_tolerances.balance_speed * std::sqrt(gravity_ * mover.body->radius)) {
        return false;
    }
    const motion::SphereOnPlane course(contact, state, t);
    Closed& closed = pair.closed;
    closed.t0 = t;
    closed.normal = pair.a == id ? n : Vec3(-n);
    closed.point = closed.point_end = course.contact_at(t).point;
    closed.flies = false;
    closed.forget_points();
    const bool rests = course.phase() == motion::SphereOnPlane::Phase::resting &&
                       under.body->still && in_.settings.sleep;
    if (rests && may_sleep(t)) {
        sleep_island(t, listener);
        return true;
    }
    form.t1 = plane->leaves(course, *under.body, t);
    if (!(form.t1 > t)) return false;
    if (rests) form.t1 = t + k_tolerances.first_step * std::sqrt(mover.body->radius / gravity_);
    Segment segment{t, id, SegmentKind::on_plane, state};
    segment.lasting = form;
    begin_segment(segment, listener);
    mover.step = 0.0;
    closed.t1 = mover.motion_until;
    predict_island(t);
    return true;
}

}  // namespace carom::world
