// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The conditions of one step of an island, their solution, and what is left out of it.

#include <algorithm>
#include <limits>

#include "carom/world/island/island.h"
#include "carom/world/island/island_tolerances.h"
#include "carom/world/touch/contact_point.h"
#include "carom/world/touch/landing.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

// A body at the end of a step before any impulse: the angular momentum stays, the body turns as it
// has turned in the last step, and impulses meet the inertia that it has then.
impact::ConeBody free_after(const IslandBody& body, double h, const Vec3& gravity) {
    const Body& b = *body.body;
    const motion::State& s = body.start;
    impact::ConeBody out{s.velocity + h * gravity, s.angular_velocity, b.inverse_mass,
                         b.inverse_inertia};
    if (b.isotropic) return out;
    const Vec3 w = s.orientation.conjugate() * s.angular_velocity;
    const Vec3 L = s.orientation * (b.inertia->tensor() * w);
    const Vec3 turn = h * (s.angular_velocity + 0.5 * h * body.alpha);
    const motion::Quat then = (motion::rotation_by(turn) * s.orientation).normalized();
    out.inverse_inertia_W = inverse_inertia_in_world(b, then);
    out.w = out.inverse_inertia_W * L;
    return out;
}

}  // namespace

impact::ConeReport Island::solve(double h, double whole, const Vec3& gravity,
                                 const impact::ConeSettings& settings) {
    cone_bodies_.clear();
    for (const IslandBody& body : bodies_) {
        if (body.body->fixed) {
            cone_bodies_.push_back({body.v1, body.w1, 0.0, Mat3::Zero()});
            continue;
        }
        cone_bodies_.push_back(free_after(body, h, gravity));
    }
    free_bodies_ = cone_bodies_;
    impact::ConeReport report;
    do {
        make_conditions(h, whole);
        report = solve_conditions(settings);
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            if (bodies_[i].body->fixed) continue;
            bodies_[i].v1 = cone_bodies_[i].v;
            bodies_[i].w1 = cone_bodies_[i].w;
            bodies_[i].power = 0.0;
        }
        take_forces(h);
    } while (leave_out_landings(h));
    return report;
}

double Island::first_landing() const {
    double first = std::numeric_limits<double>::infinity();
    if (!waits_) return first;
    for (const IslandContact& contact : contacts_) {
        const IslandBody& a = bodies_[contact.a];
        const IslandBody& b = bodies_[contact.b];
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = points_[contact.first_point + k];
            if (!lands_in_step(point, contact)) continue;
            // steps before other impacts than those of what rolls keep their length
            if (point.is_hard(contact.hard) && !point.loaded) continue;
            const Landing landing(point.at, a.middle, b.middle);
            const Landing::Now start = landing.with(a.start, b.start);
            if (start.closing > 0.0) first = std::min(first, start.gap / start.closing);
        }
    }
    return first;
}

// Whether a place that carries something at the end of the step was well above at its start, and
// comes down on its own.
bool Island::lands_in_step(const IslandPoint& point, const IslandContact& contact) const {
    if (point.carried || !(point.approach > k_island_tolerances.slow_landing * contact.hard))
        return false;
    // where edges will cross nothing is to be seen before
    if (!Landing::is_exact(point.at)) return false;
    // a landing impact that is as good as down is in the step
    const bool hard = point.is_hard(contact.hard);
    const double down = hard ? k_touch_tolerances.closed_gap : k_touch_tolerances.landing_gap;
    return point.gap_start > down * contact.size;
}

// A place that was not down, and that the step had to hold up, comes down in it: a landing
// impact if it is faster than the restitution threshold, else a plastic landing if those are waited
// for. Where there is one the step is to be solved again without it.
bool Island::leave_out_landings(double h) {
    bool found = false;
    for (const IslandContact& contact : contacts_) {
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            IslandPoint& point = points_[contact.first_point + k];
            if (point.left_out || point.force.isZero(0.0)) continue;
            point.left_out = waits_ && lands_in_step(point, contact);
            if (!point.left_out && !point.loaded) {
                const double gap = point.at.gap + 0.5 * h * point.approach;  // at the start
                point.landing = std::max(point.approach, 2.0 * gap / h - point.approach);
                point.left_out = point.landing > 0.0 && point.is_hard(contact.hard);
            }
            found = found || point.left_out;
        }
    }
    return found;
}

// The conditions of all points that are not left out, in order.
void Island::make_conditions(double h, double whole) {
    constexpr double k_part = 0.25;
    conditions_.clear();
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
            impact::ConeContact& cone = conditions_.emplace_back();
            cone.a = contact.a;
            cone.b = contact.b;
            cone.r_a = arm(a, b);
            cone.r_b = arm(b, a);
            cone.normal = point.at.normal;
            cone.mu = contact.mu;
            cone.drift = point.drift;
            const double gap = point.at.gap - 0.25 * h * point.drift.dot(point.at.normal);
            cone.least = gap < 0.0      ? std::min(-gap / std::max(h, whole), k_part * contact.hard)
                         : point.loaded ? -gap / h
                                        : -2.0 * gap / h - 0.25 * h * point.curve;
            cone.impulse = h * point.force;
        }
    }
}

// Those conditions alone that can matter: of points that carry, or that would come down without any
// impulse. Where the answer breaks another one it is taken in, and all is solved again from there.
impact::ConeReport Island::solve_conditions(const impact::ConeSettings& settings) {
    const auto is_broken = [&](const impact::ConeContact& c) {
        const Vec3 u = cone_bodies_[c.a].velocity_at(c.r_a) - cone_bodies_[c.b].velocity_at(c.r_b);
        return c.normal.dot(u + c.drift) < c.least;
    };
    impact::ConeReport report{.converged = true};
    taken_.assign(conditions_.size(), false);
    cone_bodies_ = free_bodies_;
    for (;;) {
        bool more = false;
        for (std::size_t k = 0; k < conditions_.size(); ++k) {
            const impact::ConeContact& c = conditions_[k];
            if (taken_[k] || (c.impulse.isZero(0.0) && !is_broken(c))) continue;
            taken_[k] = true;
            more = true;
        }
        if (!more) return report;
        cone_contacts_.clear();
        for (std::size_t k = 0; k < conditions_.size(); ++k)
            if (taken_[k]) cone_contacts_.push_back(conditions_[k]);
        cone_bodies_ = free_bodies_;
        report = solver_.solve(cone_bodies_, cone_contacts_, settings);
        for (std::size_t k = 0, next = 0; k < conditions_.size(); ++k)
            if (taken_[k]) conditions_[k].impulse = cone_contacts_[next++].impulse;
    }
}

// What the points did in the step that was solved.
void Island::take_forces(double h) {
    constexpr double k_limit = 1.0 - 1e-6;
    std::size_t next = 0;
    for (const IslandContact& contact : contacts_) {
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            IslandPoint& point = points_[contact.first_point + k];
            point.force.setZero();
            point.gap_end = point.at.gap - 0.5 * h * point.approach;
            if (point.left_out) {
                const auto at_end = [&](const IslandBody& body) -> Vec3 {
                    return body.v1 + body.w1.cross(point.at.middle() - body.middle.position);
                };
                const Vec3 u = at_end(bodies_[contact.a]) - at_end(bodies_[contact.b]);
                point.landing = std::max(point.approach, -u.dot(point.at.normal));
                continue;
            }
            const impact::ConeContact& solved = conditions_[next++];
            point.force = solved.impulse / h;
            const Vec3 u_a = bodies_[contact.a].v1 + bodies_[contact.a].w1.cross(solved.r_a);
            const Vec3 u_b = bodies_[contact.b].v1 + bodies_[contact.b].w1.cross(solved.r_b);
            point.slip_end = tangential(u_a - u_b + point.drift, point.at.normal).norm();
            const double limit = contact.mu * point.force.dot(point.at.normal);
            point.slips = tangential(point.force, point.at.normal).norm() >= k_limit * limit;
            point.gap_end =
                point.at.gap + 0.5 * h * (u_a - u_b + 0.5 * point.drift).dot(point.at.normal);
            if (bodies_[contact.b].body->fixed) bodies_[contact.a].power += point.force.dot(u_b);
            if (bodies_[contact.a].body->fixed) bodies_[contact.b].power -= point.force.dot(u_a);
        }
    }
}

std::optional<Island::Stop> Island::stop(double h) const {
    std::optional<Stop> found;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const IslandContact& contact = contacts_[i];
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            const IslandPoint& point = points_[contact.first_point + k];
            if (point.left_out || point.force.isZero(0.0)) continue;
            // as long as anything slips the whole does not stop
            if (point.slips) return std::nullopt;
            if (!point.slipped) continue;
            if (0.5 * h * point.slip < k_island_tolerances.stop_way * contact.size) continue;
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
