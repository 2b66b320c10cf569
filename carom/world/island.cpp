// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/island.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "carom/motion/accelerated.h"
#include "carom/world/contact_point.h"
#include "carom/world/landing.h"
#include "carom/world/tolerances.h"

namespace carom::world {
namespace {

Mat3 turned(const Mat3& in_body, const motion::Quat& orientation) {
    const Mat3 R = orientation.toRotationMatrix();
    const Mat3 out = R * in_body * R.transpose();
    return 0.5 * (out + out.transpose());
}

// Whether a place that comes down does so with more than `hard`, for all that its turning away
// slows it.
bool is_hard(const IslandPoint& point, double hard) {
    return point.landing * point.landing - 2.0 * point.curve * std::max(0.0, point.at.gap) >
           hard * hard;
}

}  // namespace

Vec3 free_spin_rate(const Body& body, const motion::State& state) {
    const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
    const Vec3 L = body.inertia->tensor() * w;
    return state.orientation * (body.inverse_inertia * L.cross(w));
}

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
    out.inverse_inertia_W = turned(b.inverse_inertia, then);
    out.w = out.inverse_inertia_W * L;
    return out;
}

Vec3 tangential(const Vec3& u, const Vec3& normal) {
    return u - u.dot(normal) * normal;
}

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
    find_patch(*a.moving, a.middle, *b.moving, b.middle, contact.within, *contact.memory, patch_);
    contact.first_point = points_.size();
    contact.point_count = patch_.size();
    for (const PatchPoint& p : patch_) {
        IslandPoint point{};
        point.at = p;
        point.force.setZero();
        point.drift.setZero();
        const Vec3 u = velocity_at(a.middle, p.on_a) - velocity_at(b.middle, p.on_b);
        point.approach = -u.dot(p.normal);
        point.slip = tangential(u, p.normal).norm();
        point.slipped = point.slip > k_tolerances.stop_slip * contact.hard;
        // a place beside the lowest of what rolls comes down no faster than on its rim; a faster
        // one has not been touching, however near it is
        constexpr double k_more = 4.0;
        const double spin = (a.middle.angular_velocity - b.middle.angular_velocity).norm();
        const auto grazes = [&](double gap) {
            return gap <= k_tolerances.landing_gap * contact.size ||
                   point.approach <= k_more * spin * std::sqrt(2.0 * contact.size * gap);
        };
        bool touched = false;
        point.gap_start = p.gap + 0.5 * h * point.approach;
        for (const PointForce& last : *contact.last) {
            const Vec3 moved = p.middle() - a.middle.position - last.arm_a;
            const bool same = last.id == p.id;
            const bool near = moved.norm() < k_tolerances.same_place * contact.size;
            if (last.gap <= k_tolerances.closed_gap * contact.size && (same || near))
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
                         is_hard(point, contact.hard) && p.gap < 0.5 * h * point.approach;
        point.loaded = point.loaded || touched;
        points_.push_back(point);
    }
}

double Island::way(double h) const {
    double most = 0.0;
    for (const IslandBody& body : bodies_) {
        if (body.body->fixed || is_ball(*body.body)) continue;
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

double Island::error_at_end(const IslandContact& contact) const {
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
    // what is deep already may grow by less
    constexpr double k_deep = 4.0;  // allowed errors
    return most * (1.0 + depth / (k_deep * k_tolerances.island_gap * contact.size));
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
        find_patch(*a.moving, a.end, *b.moving, b.end, contact.within, *contact.memory, patch_);
        contact.first_end = end_points_.size();
        contact.end_count = patch_.size();
        for (const PatchPoint& p : patch_) {
            end_points_.push_back(
                {p.id, p.gap, p.middle() - a.end.position, p.middle() - b.end.position});
        }
        most = std::max(most, error_at_end(contact) / contact.size);
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
    } while (leave_out_hits(h));
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
            // an impact of what does not roll is far apart from the next
            if (is_hard(point, contact.hard) && !point.loaded) continue;
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
    if (point.carried || !(point.approach > k_tolerances.slow_landing * contact.hard)) return false;
    // where edges will cross nothing is to be seen before
    if (!Landing::is_exact(point.at)) return false;
    // a hard one that is as good as down is in the step
    const bool hard = is_hard(point, contact.hard);
    const double down = hard ? k_tolerances.closed_gap : k_tolerances.landing_gap;
    return point.gap_start > down * contact.size;
}

// A place that was not down, and that the step had to hold up, comes down in it: an impact if it is
// hard. Where there is one the step is to be solved again without it.
bool Island::leave_out_hits(double h) {
    bool found = false;
    for (const IslandContact& contact : contacts_) {
        for (std::size_t k = 0; k < contact.point_count; ++k) {
            IslandPoint& point = points_[contact.first_point + k];
            if (point.left_out || point.force.isZero(0.0)) continue;
            if (waits_ && lands_in_step(point, contact)) {
                point.left_out = true;
                found = true;
                continue;
            }
            if (point.loaded) continue;
            const double gap = point.at.gap + 0.5 * h * point.approach;  // at the start
            point.landing = std::max(point.approach, 2.0 * gap / h - point.approach);
            if (!(point.landing > 0.0) || !is_hard(point, contact.hard)) continue;
            point.left_out = true;
            found = true;
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
            if (0.5 * h * point.slip < k_tolerances.stop_way * contact.size) continue;
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
