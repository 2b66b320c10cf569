// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/island/island.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "carom/motion/accelerated.h"
#include "carom/world/island/island_tolerances.h"
#include "carom/world/touch/contact_point.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {

Vec3 free_spin_rate(const Body& body, const motion::State& state) {
    const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
    const Vec3 L = body.inertia->tensor() * w;
    return state.orientation * (body.inverse_inertia * L.cross(w));
}

namespace {

// The acceleration of a place of the body by its spin.
Vec3 pull_of(const IslandBody& body, const Vec3& x) {
    const Vec3& w = body.middle.angular_velocity;
    return w.cross(w.cross(x - body.middle.position));
}

// What the body's spin adds to the velocity of the place x of the middle of a step by its end, for
// an arm that goes on turning as it has done since the start.
Vec3 drift_of(const IslandBody& body, const Vec3& x, const Vec3& arm_start) {
    // an arm that changes more than that has jumped
    constexpr double k_most_turn = 0.3;
    if (body.body->fixed) return Vec3::Zero();
    const Vec3 turn = x - body.middle.position - arm_start;
    if (turn.norm() > k_most_turn * body.body->radius) return Vec3::Zero();
    return body.start.angular_velocity.cross(turn);
}

}  // namespace

void Island::clear() {
    bodies_.clear();
    contacts_.clear();
    points_.clear();
    end_points_.clear();
}

std::uint32_t Island::add_body(const Body& body, const detect::MovingBody& moving,
                               const motion::State& start, const Vec3& alpha) {
    bodies_.push_back(
        {&body, &moving, start, alpha, start, start, start.velocity, start.angular_velocity, 0.0});
    return static_cast<std::uint32_t>(bodies_.size() - 1);
}

void Island::place(IslandBody& body, double t, double h) {
    if (body.body->fixed) {
        body.middle = body.body->prescribed->at(t + 0.5 * h);
        const motion::State end = body.body->prescribed->at(t + h);
        body.v1 = end.velocity;
        body.w1 = end.angular_velocity;
        return;
    }
    const motion::State& s = body.start;
    body.middle.position = s.position + 0.5 * h * s.velocity;
    body.middle.orientation =
        (motion::rotation_by(0.5 * h * s.angular_velocity) * s.orientation).normalized();
    body.middle.velocity = s.velocity;
    body.middle.angular_velocity = s.angular_velocity;
}

void Island::look_at(IslandContact& contact, double h) {
    const IslandBody& a = bodies_[contact.a];
    const IslandBody& b = bodies_[contact.b];
    find_manifold(*a.moving, a.middle, *b.moving, b.middle, contact.within, *contact.memory,
                  patch_);
    contact.first_point = points_.size();
    contact.point_count = patch_.size();
    for (const ManifoldPoint& p : patch_) {
        IslandPoint point{};
        point.at = p;
        point.force.setZero();
        point.drift.setZero();
        const Vec3 u = velocity_at(a.middle, p.on_a) - velocity_at(b.middle, p.on_b);
        point.approach = -u.dot(p.normal);
        point.slip = tangential(u, p.normal).norm();
        point.slipped = point.slip > k_island_tolerances.stop_slip * contact.hard;
        // a place beside the lowest of what rolls comes down no faster than on its rim; a faster
        // one has not been touching, however near it is
        constexpr double k_more = 4.0;
        const double spin = (a.middle.angular_velocity - b.middle.angular_velocity).norm();
        const auto grazes = [&](double gap) {
            return gap <= k_touch_tolerances.landing_gap * contact.size ||
                   point.approach <= k_more * spin * std::sqrt(2.0 * contact.size * gap);
        };
        bool touched = false;
        point.gap_start = p.gap + 0.5 * h * point.approach;
        for (const PointForce& last : *contact.last) {
            const Vec3 moved = p.middle() - a.middle.position - last.arm_a;
            const bool same = last.id == p.id;
            const bool near = moved.norm() < k_touch_tolerances.same_place * contact.size;
            if (last.gap <= k_touch_tolerances.closed_gap * contact.size && (same || near))
                touched = touched || !last.force.isZero(0.0) || grazes(last.gap);
            if (!same) continue;
            point.force = last.force;
            point.gap_start = last.gap;
            point.carried = point.loaded = !last.force.isZero(0.0);
            point.drift = drift_of(a, p.middle(), last.arm_a) - drift_of(b, p.middle(), last.arm_b);
            // a place that sticks and turns only seems to slip
            if (contact.fresh && point.loaded) point.slipped = last.slips;
        }
        if (!touched && !point.loaded) point.drift.setZero();
        point.curve = p.normal.dot(pull_of(a, p.on_a) - pull_of(b, p.on_b));
        point.landing = point.approach;
        // what has been touching all along does not come down, it rolls
        point.left_out = !touched && !point.loaded && point.approach > 0.0 &&
                         point.is_hard(contact.hard) && p.gap < 0.5 * h * point.approach;
        point.loaded = point.loaded || touched;
        points_.push_back(point);
    }
}

double Island::way(double h) const {
    double most = 0.0;
    for (const IslandBody& body : bodies_) {
        if (body.body->fixed || is_ball(*body.body)) continue;
        const double spin = 0.5 * (body.start.angular_velocity.norm() + body.w1.norm());
        most = std::max(most, spin * h / k_island_tolerances.longest_turn);
    }
    for (const IslandContact& contact : contacts_) {
        if (!contact.bounded) continue;
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = points_[contact.first_point + k];
            const double slip = 0.5 * (point.slip + point.slip_end);
            most = std::max(most, slip * h / (k_island_tolerances.longest_slip * contact.size));
        }
    }
    return most;
}

void Island::look(double t, double h) {
    for (IslandBody& body : bodies_)
        place(body, t, h);
    points_.clear();
    for (IslandContact& contact : contacts_)
        look_at(contact, h);
}

double Island::error_at_end(const IslandContact& contact) const {
    constexpr double k_least_room = 1e-3;
    double depth = 0.0;  // that there was before
    for (const PointForce& start : *contact.last)
        depth = std::max(depth, -start.gap);
    const auto from = points_.begin() + static_cast<std::ptrdiff_t>(contact.first_point);
    const std::span<const IslandPoint> points(from, contact.point_count);
    const auto first = end_points_.begin() + static_cast<std::ptrdiff_t>(contact.first_end);
    const std::span<const EndPoint> ends(first, contact.end_count);
    // where a corner comes down that was left out the step ends with it: only what is loaded counts
    const bool hits = std::any_of(points.begin(), points.end(), [&](const IslandPoint& point) {
        const auto above = [&](const EndPoint& end) {
            return end.id == point.at.id && end.gap > 0.0;
        };
        return point.left_out && std::none_of(ends.begin(), ends.end(), above);
    });
    double most = 0.0;
    for (const EndPoint& end : ends) {
        if (!hits) most = std::max(most, -end.gap - depth);
        for (const IslandPoint& point : points) {
            if (point.at.id != end.id || point.force.isZero(0.0)) continue;
            most = std::max({most, std::abs(end.gap - point.gap_end), -end.gap - depth});
        }
    }
    // overlaps stay below `deepest`: the nearer one is to it, the less a step may add
    const double room = 1.0 - depth / (k_island_tolerances.deepest * contact.size);
    return most / std::max(room, k_least_room);
}

double Island::look_end(double t, double h) {
    for (IslandBody& body : bodies_) {
        if (body.body->fixed) {
            body.end = body.body->prescribed->at(t + h);
            continue;
        }
        const motion::State& s = body.start;
        body.end = motion::Accelerated(s, (body.v1 - s.velocity) / h,
                                       (body.w1 - s.angular_velocity) / h, t, t + h)
                       .at(t + h);
    }
    end_points_.clear();
    double most = 0.0;
    for (IslandContact& contact : contacts_) {
        const IslandBody& a = bodies_[contact.a];
        const IslandBody& b = bodies_[contact.b];
        find_manifold(*a.moving, a.end, *b.moving, b.end, contact.within, *contact.memory, patch_);
        contact.first_end = end_points_.size();
        contact.end_count = patch_.size();
        for (const ManifoldPoint& p : patch_) {
            end_points_.push_back(
                {p.id, p.gap, p.middle() - a.end.position, p.middle() - b.end.position});
        }
        most = std::max(most, error_at_end(contact) / contact.size);
    }
    return most;
}

}  // namespace carom::world
