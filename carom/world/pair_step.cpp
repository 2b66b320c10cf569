// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One step of an island: its length, its solution, and what its contacts remember of it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pair_engine.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

// Islands of up to so many bodies are always solved to rounding, and end their steps where friction
// changes over.
constexpr std::size_t k_few_bodies = 2;

}  // namespace

PairEngine::PairStates PairEngine::look_at_patch(Pair& pair, double t) {
    const Mover& a = *movers_[pair.a];
    const Mover& b = *movers_[pair.b];
    const PairStates states{a.at(t), b.at(t)};
    find_patch(a.moving, states.a, b.moving, states.b, k_tolerances.patch_reach * size_of(pair),
               pair.memory, patch_);
    return states;
}

// Where the points are as a step begins that does not follow another one.
void PairEngine::look_start(Pair& pair, double t) {
    if (pair.closed.seen == t) return;
    take_start(pair, look_at_patch(pair, t), t);
}

// The same, of the patch at hand.
void PairEngine::take_start(Pair& pair, const PairStates& states, double t) {
    std::vector<PointForce>& points = points_;
    points.clear();
    for (const PatchPoint& p : patch_) {
        PointForce& point = points.emplace_back(PointForce{p.id, Vec3::Zero(), p.gap, false,
                                                           p.middle() - states.a.position,
                                                           p.middle() - states.b.position});
        // one that has come off carries nothing, whatever it did before
        if (p.gap > k_tolerances.closed_gap * size_of(pair)) continue;
        for (const PointForce& last : pair.closed.forces)
            if (last.id == p.id) point.force = last.force;
    }
    pair.closed.forces = points;
    pair.closed.seen = t;
}

// How long a step to try: as the last one, and no longer than what turns allows.
double PairEngine::first_length() const {
    constexpr double k_of_turn = 0.95;  // it may turn faster at the end
    double h = k_forever;
    for (std::size_t k = 0; k < island_bodies_.size(); ++k) {
        const IslandBody& body = island_.bodies()[k];
        const Mover& mover = *movers_[island_bodies_[k]];
        const double unit = std::sqrt(mover.body->radius / gravity_);
        h = std::min(h, mover.step > 0.0 ? mover.step : k_tolerances.first_step * unit);
        h = std::min(h, k_tolerances.longest_step * unit);
        const double spin = is_ball(*body.body) ? 0.0 : body.start.angular_velocity.norm();
        if (spin * h > k_of_turn * k_tolerances.longest_turn)
            h = k_of_turn * k_tolerances.longest_turn / spin;
    }
    return h;
}

// Whether the island hardly moves: no place of it does; balls may spin.
bool PairEngine::is_slow() const {
    return std::all_of(island_bodies_.begin(), island_bodies_.end(), [&](BodyId id) {
        const Mover& mover = *movers_[id];
        return speed_of(*mover.body, mover.segment.state) <=
               k_tolerances.slow * std::sqrt(gravity_ * mover.body->radius);
    });
}

impact::ConeSettings PairEngine::cone_settings(double h) const {
    double fastest = 0.0;
    for (const BodyId id : island_bodies_)
        fastest = std::max(fastest, movers_[id]->segment.state.velocity.norm());
    const std::size_t bodies = island_bodies_.size();
    const bool exact = bodies <= k_few_bodies || (bodies <= k_exact_bodies && is_slow());
    impact::ConeSettings settings;
    settings.stop = stop_;
    settings.most_sweeps = exact ? 200 : 50;
    const double residual = exact ? k_tolerances.exact_residual : k_tolerances.large_residual;
    settings.tolerance = std::max(residual * gravity_ * h, k_tolerances.moving_residual * fastest);
    settings.enough = std::max(settings.tolerance, k_tolerances.stuck_residual * gravity_ * h);
    return settings;
}

// The velocities after a step of the length h; what the solver leaves of their conditions, in sizes
// of the smallest body a second. Where it gets stuck with what hardly moves, so far off that it
// counts, it is given more time: what it leaves there would set things in motion.
double PairEngine::solve_velocities(double h) {
    constexpr int k_more_sweeps = 2000;
    constexpr double k_counts = 0.1;  // of the error that is allowed
    double smallest = k_forever;
    for (const BodyId id : island_bodies_)
        smallest = std::min(smallest, movers_[id]->body->radius);
    impact::ConeSettings settings = cone_settings(h);
    double left = island_.solve(h, h, in_.settings.gravity, settings).residual;
    if (h * left > k_counts * k_tolerances.island_gap * smallest && is_slow()) {
        settings.most_sweeps = k_more_sweeps;
        settings.enough =
            std::max(settings.tolerance, 0.1 * k_tolerances.balance_acceleration * gravity_ * h);
        left = island_.solve(h, h, in_.settings.gravity, settings).residual;
    }
    return left > settings.tolerance ? left / smallest : 0.0;
}

// Solves a step of the length h or, where that goes wrong, a shorter one; returns its length.
double PairEngine::solve_island(double t, double h) {
    constexpr double k_too_much = 4.0;
    constexpr double k_shortest = 1.0 / 64.0;
    constexpr double k_least = 0.1;  // of the first step
    // a step that is cut short has the forces of a longer one: it is not to be much longer than
    // till the next corner lands
    constexpr double k_well_before = 0.9, k_behind = 1.01;
    const double shortest = k_shortest * h;
    double error = 0.0;
    island_.wait_for_landings(island_bodies_.size() <= k_few_bodies && !is_large_);
    for (;;) {
        check_stop();
        island_.look(t, h);
        const double landing = island_.first_landing();
        if (landing < k_well_before * h && h > shortest) {
            h = std::max(k_behind * landing, shortest);
            continue;
        }
        const double left = solve_velocities(h);
        const double way = island_.way(h);
        if (way > 1.0 && h > shortest) {
            h *= std::clamp(0.9 / way, 0.25, 0.8);
            continue;
        }
        error = std::max(island_.look_end(t, h), h * left) / k_tolerances.island_gap;
        if (!(error > k_too_much && h > shortest)) break;
        h *= std::clamp(0.9 / std::sqrt(error), 0.1, 0.5);
    }
    const double next = h * std::clamp(0.9 / std::sqrt(std::max(error, 1e-300)), 0.5, 1.5);
    if (island_bodies_.size() <= k_few_bodies) {
        const double located = locate_stop(t, h, cone_settings(h));
        if (located != h && island_.look_end(t, located) > k_too_much * k_tolerances.island_gap) {
            // with the slip that stops something else goes wrong
            island_.look(t, h);
            solve_velocities(h);
            island_.look_end(t, h);
        } else {
            h = located;
        }
    }
    for (const BodyId id : island_bodies_) {
        const double unit = std::sqrt(movers_[id]->body->radius / gravity_);
        movers_[id]->step = std::max(next, k_least * k_tolerances.first_step * unit);
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
        check_stop();
        const std::optional<Island::Stop> stop = island_.stop(h);
        if (!stop) return h;
        const double half = 0.5 * h;
        again(half);
        const double left = island_.slip_after(*stop);
        const double when = left < stop->slip ? half * stop->slip / (stop->slip - left) : h;
        if (island_.stop(half)) {
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
        bool hit = false;
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = island_.points()[contact.first_point + k];
            least = std::min(least, point.gap_end);
            carries = carries || !point.force.isZero(0.0) || point.left_out;
            hit = hit || point.left_out;
        }
        for (std::size_t k = 0; k < contact.end_count && !hit; ++k) {
            const double gap = island_.end_points()[contact.first_end + k].gap;
            in_.tally.max_overlap = std::max(in_.tally.max_overlap, -gap);
        }
        if (!carries && least > k_tolerances.closed_gap * contact.size) {
            end_lasting(contact.pair, t, listener);
        }
    }
}

// The force of a point goes to where it is at the end of the step: to the place of its name, else
// to the nearest, since the lowest place of a rim changes its name on its way. Null where there is
// none.
PointForce* PairEngine::keep_force(const IslandPoint& point, const IslandContact& contact,
                                   std::vector<PointForce>& forces) const {
    if (point.force.isZero(0.0)) return nullptr;
    PointForce* to = nullptr;
    double nearest = k_tolerances.same_place * contact.size;
    const Vec3 arm = point.at.middle() - island_.bodies()[contact.a].middle.position;
    for (PointForce& end : forces) {
        const double away = end.id == point.at.id ? -1.0 : (end.arm_a - arm).norm();
        if (!(away < nearest)) continue;
        nearest = away;
        to = &end;
    }
    if (to == nullptr) return nullptr;
    to->force += point.force;
    to->slips = to->slips || point.slips;
    return to;
}

// The forces of the points, and the middle of their pressure at the start and at the end of the
// step: where it is in the middle of the step, and where its points come from and go to. Those of
// the start are at hand (points_). Where nothing presses it is the middle of all points.
void PairEngine::keep_place(const IslandContact& contact, Closed& closed) const {
    const IslandBody& a = island_.bodies()[contact.a];
    const IslandBody& b = island_.bodies()[contact.b];
    struct Way {
        Vec3 sum = Vec3::Zero();
        double weight = 0.0;
    } from, to;
    Vec3 middle = Vec3::Zero(), all = Vec3::Zero();
    double pressure = 0.0;
    for (std::size_t k = 0; k < contact.point_count; ++k) {
        const IslandPoint& point = island_.points()[contact.first_point + k];
        const Vec3 place = point.at.middle();
        const double pressed = point.force.dot(point.at.normal);
        all += place / static_cast<double>(contact.point_count);
        pressure += pressed;
        middle += pressed * place;
        const auto add = [&](Way& way, const PointForce* other, const Vec3& centre) {
            if (other == nullptr) return;
            way.sum += pressed * (centre + other->arm_a - place);
            way.weight += pressed;
        };
        add(to, keep_force(point, contact, closed.forces), a.end.position);
        const auto start = std::find_if(points_.begin(), points_.end(),
                                        [&](const PointForce& p) { return p.id == point.at.id; });
        add(from, start != points_.end() ? &*start : nullptr, a.start.position);
    }
    if (pressure > 0.0) {
        middle /= pressure;
    } else {
        middle = contact.point_count > 0 ? all : closed.point;
    }
    // points that only change their names on the spot go nowhere
    const auto fastest = [](const IslandBody& body) {
        return std::max(speed_of(*body.body, body.start), speed_of(*body.body, body.end));
    };
    const double most = 0.5 * (closed.t1 - closed.t0) * (fastest(a) + fastest(b));
    const auto mean = [&](const Way& way) {
        Vec3 out = way.weight > 0.0 ? Vec3(way.sum / way.weight) : Vec3(Vec3::Zero());
        if (out.norm() > most) out *= most / out.norm();
        return out;
    };
    closed.point_end = middle + mean(to);
    closed.point = middle + (from.weight > 0.0 ? mean(from) : Vec3(-mean(to)));
}

// The contacts remember the step that was solved.
void PairEngine::keep_forces(double t, double h) {
    for (const IslandContact& contact : island_.contacts()) {
        Pair& pair = near_[contact.pair];
        if (!pair.closed.on) continue;
        Closed& closed = pair.closed;
        closed.t0 = t;
        closed.t1 = t + h;
        closed.force.setZero();
        closed.flies = false;
        points_.swap(closed.forces);
        closed.forget_points();
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = island_.points()[contact.first_point + k];
            closed.normal = point.at.normal;
            closed.force += point.force;
        }
        for (std::size_t k = 0; k < contact.end_count; ++k) {
            const EndPoint& end = island_.end_points()[contact.first_end + k];
            closed.forces.push_back({end.id, Vec3::Zero(), end.gap, false, end.arm_a, end.arm_b});
        }
        keep_place(contact, closed);
        pair.next = Pair::Next::look;
        queue_.remove(slot_of_pair(contact.pair));
    }
}

}  // namespace carom::world
