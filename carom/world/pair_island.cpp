// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Islands: the bodies that hang together by lasting contacts take their steps together.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pair_engine.h"
#include "carom/world/plane_under.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

constexpr double k_forever = std::numeric_limits<double>::infinity();
// Islands of up to so many bodies are solved to rounding, and end their steps where friction
// changes over.
constexpr std::size_t k_exact_bodies = 16;

}  // namespace

// The free bodies that hang together with the first, and their lasting contacts, in the order of
// their numbers. Sleepers among them are woken.
void PairEngine::gather_island(BodyId first, double t, Listener* listener) {
    BodyId sleeper = first;
    while (sleeper != k_no_body) {
        sleeper = k_no_body;
        ++mark_;
        island_bodies_.assign(1, first);
        island_pairs_.clear();
        movers_[first]->mark = mark_;
        for (std::size_t k = 0; k < island_bodies_.size(); ++k) {
            const BodyId id = island_bodies_[k];
            for (const std::uint32_t i : movers_[id]->pairs) {
                const Pair& pair = near_[i];
                if (!pair.closed.on) continue;
                const BodyId other = pair.a == id ? pair.b : pair.a;
                Mover& mover = *movers_[other];
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
        mover.index = island_.add_body(*mover.body, mover.moving, mover.at(t));
    }
    for (const std::uint32_t i : island_pairs_) {
        Pair& pair = near_[i];
        for (const BodyId id : {pair.a, pair.b}) {
            Mover& mover = *movers_[id];
            if (!mover.body->fixed || mover.mark == mark_) continue;
            mover.mark = mark_;
            mover.index = island_.add_body(*mover.body, mover.moving, mover.at(t));
        }
        const double size = size_of(pair);
        const bool bounded = !movers_[pair.a]->body->unbounded && !movers_[pair.b]->body->unbounded;
        island_.add_contact({movers_[pair.a]->index, movers_[pair.b]->index, i,
                             pair.law->parameters.mu, hard_speed(pair), size, bounded,
                             k_tolerances.patch_reach * size, &pair.memory, &pair.closed.forces,
                             pair.closed.t1 == t, 0, 0});
    }
}

// How long a step to try: as the last one.
double PairEngine::first_length() const {
    double h = k_forever;
    for (const BodyId id : island_bodies_) {
        const Mover& mover = *movers_[id];
        const double unit = std::sqrt(mover.body->radius / gravity_);
        h = std::min(h, mover.step > 0.0 ? mover.step : k_tolerances.first_step * unit);
        h = std::min(h, k_tolerances.longest_step * unit);
    }
    return h;
}

impact::ConeSettings PairEngine::cone_settings(double h) const {
    const bool exact = island_bodies_.size() <= k_exact_bodies;
    impact::ConeSettings settings;
    settings.most_sweeps = exact ? 200 : 50;
    double fastest = 0.0;
    for (const BodyId id : island_bodies_)
        fastest = std::max(fastest, movers_[id]->segment.state.velocity.norm());
    const double residual = exact ? k_tolerances.exact_residual : k_tolerances.large_residual;
    settings.tolerance = std::max(residual * gravity_ * h, k_tolerances.moving_residual * fastest);
    return settings;
}

// Solves a step of the length h or, where that goes wrong, a shorter one; returns its length.
double PairEngine::solve_island(double t, double h) {
    constexpr double k_too_much = 4.0;
    constexpr double k_mended = 0.7;
    constexpr double k_shortest = 1.0 / 64.0;
    constexpr double k_least = 0.1;  // of the first step
    const double shortest = k_shortest * h;
    const auto error_of = [&](double length) {
        island_.look(t, length);
        return island_.gap_error() / k_tolerances.island_gap;
    };
    double error = error_of(h);
    for (;;) {
        while (error > k_too_much && h > shortest) {
            const double shorter = error_of(0.5 * h);
            if (shorter > k_mended * error) {
                // what has gone wrong before is not mended by a shorter step
                error_of(h);
                error = 1.0;
                break;
            }
            h *= 0.5;
            error = shorter;
        }
        island_.solve(h, h, in_.settings.gravity, cone_settings(h));
        if (!(island_.way(h) > 1.0 && h > shortest)) break;
        h *= 0.5;
        error = error_of(h);
    }
    const double next = h * std::clamp(0.9 * std::sqrt(1.0 / std::max(error, 1e-300)), 0.5, 1.5);
    if (island_bodies_.size() <= k_exact_bodies) h = locate_stop(t, h, cone_settings(h));
    for (const BodyId id : island_bodies_) {
        const double unit = std::sqrt(movers_[id]->body->radius / gravity_);
        movers_[id]->step = std::max(next, k_least * k_tolerances.first_step * unit);
        movers_[id]->island = static_cast<std::uint32_t>(island_bodies_.size());
    }
    return h;
}

// Where a slip ends within the step the step ends there.
double PairEngine::locate_stop(double t, double h, const impact::ConeSettings& settings) {
    // what stops earlier than that counts as stopped at the start
    constexpr double k_least = 1e-4;
    const double whole = h;
    const auto again = [&](double length) {
        island_.look(t, length);
        island_.solve(length, whole, in_.settings.gravity, settings);
    };
    while (h > k_least * whole) {
        const std::optional<Island::Stop> stop = island_.stop();
        if (!stop) return h;
        const double half = 0.5 * h;
        again(half);
        const double left = island_.slip_after(*stop);
        const double when = left < stop->slip ? half * stop->slip / (stop->slip - left) : h;
        if (island_.stop()) {
            h = half;
            continue;
        }
        if (!(when < h)) {
            again(h);
            return h;
        }
        again(when);
        return when;
    }
    again(whole);
    return whole;
}

// Contacts that carry nothing and are not touching at the end are open.
void PairEngine::open_contacts(double t, Listener* listener) {
    for (const IslandContact& contact : island_.contacts()) {
        double least = k_forever;
        bool carries = false;
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = island_.points()[contact.first_point + k];
            least = std::min(least, point.gap_end);
            carries = carries || !point.force.isZero(0.0) || point.left_out;
            if (!point.left_out) {
                in_.tally.max_overlap = std::max(in_.tally.max_overlap, -point.gap_end);
            }
        }
        if (!carries && least > k_tolerances.closed_gap * contact.size) {
            end_lasting(contact.pair, t, listener);
        }
    }
}

// The contacts remember the step that was solved, and when corners of theirs come down in it.
void PairEngine::keep_forces(double t, double h) {
    for (const IslandContact& contact : island_.contacts()) {
        Pair& pair = near_[contact.pair];
        if (!pair.closed.on) continue;
        Closed& closed = pair.closed;
        closed.t0 = t;
        closed.t1 = t + h;
        closed.force.setZero();
        std::vector<PointForce>& forces = closed.forces;
        forces.clear();
        Vec3 middle = Vec3::Zero();
        double pressure = 0.0;
        double slap_at = k_forever;
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = island_.points()[contact.first_point + k];
            closed.normal = point.at.normal;
            if (point.left_out) {
                const double g0 = point.at.gap + 0.5 * h * point.approach;
                slap_at = std::min(slap_at, t + 0.9 * std::max(0.0, g0) / point.approach);
            }
            forces.push_back({point.at.id, point.force, point.gap_end, point.slips});
            if (point.force.isZero(0.0)) continue;
            closed.force += point.force;
            const double pressed = point.force.dot(point.at.normal);
            pressure += pressed;
            middle += pressed * point.at.middle();
        }
        if (pressure > 0.0) closed.point = middle / pressure;
        if (slap_at < closed.t1) {
            pair.next = Pair::Next::slap;
            queue_pair(contact.pair, slap_at);
        } else {
            pair.next = Pair::Next::look;
            queue_.remove(slot_of_pair(contact.pair));
        }
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
    form.mu = pair.law->parameters.mu;
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
    closed.point = course.contact_at(t).point;
    closed.forces.clear();
    const bool rests = course.phase() == motion::SphereOnPlane::Phase::resting &&
                       under.body->still && in_.settings.sleep;
    if (rests && may_sleep(t)) {
        const Vec3 weight = mover.body->mass * in_.settings.gravity;
        closed.force = pair.a == id ? Vec3(-weight) : weight;
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
    mover.island = 1;
    closed.t1 = mover.motion_until;
    predict_island(t);
    return true;
}

}  // namespace carom::world
