// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/island.h"

#include <algorithm>
#include <cmath>

#include "carom/motion/accelerated.h"
#include "carom/world/contact_point.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

Mat3 turned(const Mat3& in_body, const motion::Quat& orientation) {
    const Mat3 R = orientation.toRotationMatrix();
    const Mat3 out = R * in_body * R.transpose();
    return 0.5 * (out + out.transpose());
}

}  // namespace

Vec3 free_spin_rate(const Body& body, const motion::State& state) {
    const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
    const Vec3 L = body.inertia->tensor() * w;
    return state.orientation * (body.inverse_inertia * L.cross(w));
}

namespace {

// The angular velocity after h without torques: the angular momentum stays, the body turns.
Vec3 free_spin_after(const Body& body, const motion::State& state, double h) {
    if (body.isotropic) return state.angular_velocity;
    const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
    const Vec3 L = state.orientation * (body.inertia->tensor() * w);
    const Vec3 turn = h * (state.angular_velocity + 0.5 * h * free_spin_rate(body, state));
    const motion::Quat then = motion::rotation_by(turn) * state.orientation;
    return then * (body.inverse_inertia * (then.conjugate() * L));
}

bool is_round(const Body& body) {
    return body.shape->parts.size() == 1 &&
           std::holds_alternative<shape::Sphere>(body.shape->parts[0].convex);
}

Vec3 tangential(const Vec3& u, const Vec3& normal) {
    return u - u.dot(normal) * normal;
}

}  // namespace

void Island::clear() {
    bodies_.clear();
    contacts_.clear();
    points_.clear();
}

std::uint32_t Island::add_body(const Body& body, const detect::MovingBody& moving,
                               const motion::State& start) {
    bodies_.push_back({&body, &moving, start, start, start.velocity, start.angular_velocity, 0.0});
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
    find_patch(*a.moving, a.middle, *b.moving, b.middle, contact.within, *contact.memory, patch_);
    contact.first_point = points_.size();
    contact.point_count = patch_.size();
    for (const PatchPoint& p : patch_) {
        IslandPoint point{p, Vec3::Zero(), 0.0, 0.0, 0.0, 0.0, 0.0, false, false, false, false};
        const Vec3 u = velocity_at(a.middle, p.on_a) - velocity_at(b.middle, p.on_b);
        point.approach = -u.dot(p.normal);
        const double come = 0.5 * h * point.approach;
        // of a point that was not there before only that it is too deep can be told; one that comes
        // down slowly may sink in a little
        constexpr double k_sinking = 0.3;
        point.bend = std::max({0.0, -p.gap - std::max(0.0, come), -k_sinking * p.gap});
        point.slip = tangential(u, p.normal).norm();
        point.slipped = point.slip > k_tolerances.stop_slip * contact.hard;
        for (const PointForce& last : *contact.last) {
            if (last.id != p.id) continue;
            point.force = last.force;
            point.loaded = !last.force.isZero(0.0);
            if (!contact.fresh) continue;
            point.bend = std::max(std::abs(p.gap - (last.gap - come)),
                                  point.loaded ? 0.0 : -k_sinking * p.gap);
            // a place that sticks and turns only seems to slip
            if (point.loaded) point.slipped = last.slips;
        }
        // a place that has just carried load comes down only because it rolls: the step is too long
        const bool rolls = contact.fresh && point.loaded;
        point.left_out =
            !rolls && point.approach > contact.hard && p.gap < 0.5 * h * point.approach;
        points_.push_back(point);
    }
}

double Island::way(double h) const {
    double most = 0.0;
    for (const IslandBody& body : bodies_) {
        if (body.body->fixed || is_round(*body.body)) continue;
        const double spin = 0.5 * (body.start.angular_velocity.norm() + body.w1.norm());
        most = std::max(most, spin * h / k_tolerances.longest_turn);
    }
    for (const IslandContact& contact : contacts_) {
        if (!contact.bounded) continue;
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = points_[contact.first_point + k];
            const double slip = 0.5 * (point.slip + point.slip_end);
            most = std::max(most, slip * h / (k_tolerances.longest_slip * contact.size));
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

double Island::gap_error() const {
    double most = 0.0;
    for (const IslandContact& contact : contacts_) {
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = points_[contact.first_point + k];
            if (!point.left_out) most = std::max(most, point.bend / contact.size);
        }
    }
    return most;
}

impact::ConeReport Island::solve(double h, double whole, const Vec3& gravity,
                                 const impact::ConeSettings& settings) {
    cone_bodies_.clear();
    for (const IslandBody& body : bodies_) {
        if (body.body->fixed) {
            cone_bodies_.push_back({body.v1, body.w1, 0.0, Mat3::Zero()});
            continue;
        }
        cone_bodies_.push_back({body.start.velocity + h * gravity,
                                free_spin_after(*body.body, body.start, h), body.body->inverse_mass,
                                body.body->isotropic
                                    ? body.body->inverse_inertia
                                    : turned(body.body->inverse_inertia, body.middle.orientation)});
    }
    constexpr double k_part = 0.25;
    cone_contacts_.clear();
    for (const IslandContact& contact : contacts_) {
        const IslandBody& a = bodies_[contact.a];
        const IslandBody& b = bodies_[contact.b];
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = points_[contact.first_point + k];
            if (point.left_out) continue;
            const Vec3 x = point.at.middle();
            // where the free body's place will be at the end
            const auto arm = [&](const IslandBody& body, const IslandBody& other) -> Vec3 {
                if (!body.body->fixed) return x - body.middle.position;
                const Vec3 then = x + 0.5 * h * velocity_at(other.middle, x);
                return then - (body.middle.position + 0.5 * h * body.v1);
            };
            impact::ConeContact& cone = cone_contacts_.emplace_back();
            cone.a = contact.a;
            cone.b = contact.b;
            cone.r_a = arm(a, b);
            cone.r_b = arm(b, a);
            cone.normal = point.at.normal;
            cone.mu = contact.mu;
            cone.least = point.at.gap < 0.0
                             ? std::min(-point.at.gap / std::max(h, whole), k_part * contact.hard)
                             : -point.at.gap / h;
            cone.impulse = h * point.force;
        }
    }
    const impact::ConeReport report = solver_.solve(cone_bodies_, cone_contacts_, settings);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (bodies_[i].body->fixed) continue;
        bodies_[i].v1 = cone_bodies_[i].v;
        bodies_[i].w1 = cone_bodies_[i].w;
        bodies_[i].power = 0.0;
    }
    constexpr double k_limit = 1.0 - 1e-6;
    std::size_t next = 0;
    for (const IslandContact& contact : contacts_) {
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            IslandPoint& point = points_[contact.first_point + k];
            point.force.setZero();
            point.gap_end = point.at.gap - 0.5 * h * point.approach;
            if (point.left_out) continue;
            const impact::ConeContact& solved = cone_contacts_[next++];
            point.force = solved.impulse / h;
            const Vec3 u_a = bodies_[contact.a].v1 + bodies_[contact.a].w1.cross(solved.r_a);
            const Vec3 u_b = bodies_[contact.b].v1 + bodies_[contact.b].w1.cross(solved.r_b);
            point.slip_end = tangential(u_a - u_b, point.at.normal).norm();
            const double limit = contact.mu * point.force.dot(point.at.normal);
            point.slips = tangential(point.force, point.at.normal).norm() >= k_limit * limit;
            point.gap_end = point.at.gap + 0.5 * h * (u_a - u_b).dot(point.at.normal);
            if (bodies_[contact.b].body->fixed) bodies_[contact.a].power += point.force.dot(u_b);
            if (bodies_[contact.a].body->fixed) bodies_[contact.b].power -= point.force.dot(u_a);
        }
    }
    return report;
}

std::optional<Island::Stop> Island::stop() const {
    std::optional<Stop> found;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const IslandContact& contact = contacts_[i];
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = points_[contact.first_point + k];
            if (point.left_out || point.force.isZero(0.0)) continue;
            if (!point.slipped || point.slips) continue;
            if (!found || point.slip > found->slip) found = Stop{i, point.at.id, point.slip};
        }
    }
    return found;
}

double Island::slip_after(const Stop& stop) const {
    const IslandContact& contact = contacts_[stop.contact];
    for (std::size_t k = 0; k < contact.point_count; ++k) {
        const IslandPoint& point = points_[contact.first_point + k];
        if (point.at.id == stop.id) return point.slip_end;
    }
    return stop.slip;
}

}  // namespace carom::world
