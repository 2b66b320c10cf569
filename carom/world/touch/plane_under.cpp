// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/plane_under.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "carom/detect/separation.h"
#include "carom/detect/witness.h"
#include "carom/motion/bounds.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

constexpr double k_at_border = 1e-12;

bool is_sphere(const Body& body) {
    if (body.fixed || body.shape->parts.size() != 1 || !body.isotropic) return false;
    const shape::Part& part = body.shape->parts[0];
    if (!std::holds_alternative<shape::Sphere>(part.convex)) return false;
    return (part.pose.position - body.center).isZero(0.0);
}

bool turns_about(const motion::State& state, const Vec3& normal) {
    constexpr double k_along = 1e-12;
    const Vec3& w = state.angular_velocity;
    return w.cross(normal).norm() <= k_along * w.norm();
}

// How the plane moves: about a point of its axis, or, without one, about any.
motion::SupportPlane support_plane(const motion::Prescribed& fixed, const Vec3& foot,
                                   const Vec3& normal, double t) {
    const motion::State state = fixed.at(t);
    const double rate = state.angular_velocity.dot(normal);
    if (rate == 0.0) return {foot, normal, state.velocity, 0.0, t};
    // the point of the axis at the height of the plane
    const Vec3 axis = fixed.base() + (t - fixed.start_time()) * fixed.axis_velocity();
    const Vec3 at = axis + normal.dot(foot - axis) * normal;
    return {at, normal, fixed.axis_velocity(), rate, t};
}

struct Under {
    const detect::MovingPart* part;
    detect::Separation apart;
};

// The part of the fixed body that the sphere touches; empty when there are several.
std::optional<Under> only_part(const Body& sphere, const motion::State& state,
                               const detect::MovingBody& fixed, const motion::State& fixed_state) {
    const shape::Convex& ball = sphere.shape->parts[0].convex;
    const shape::Pose pose{state.position, state.orientation};
    std::optional<Under> found;
    for (const detect::MovingPart& part : fixed.parts()) {
        detect::PairMemory memory;
        const detect::Separation apart =
            detect::separation(ball, pose, part.convex(), part.pose(fixed_state), memory);
        if (apart.distance > k_touch_tolerances.closed_gap * sphere.radius) continue;
        if (found) return std::nullopt;
        found = Under{&part, apart};
    }
    return found;
}

}  // namespace

double PlaneUnder::inside(const Vec3& place) const {
    if (radius > 0.0) {
        const Vec3 out = place - middle;
        return radius - (out - normal.dot(out) * normal).norm();
    }
    if (corners.empty()) return k_forever;
    double least = k_forever;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3 edge = corners[(i + 1) % corners.size()] - corners[i];
        const Vec3 inward = normal.cross(edge).normalized();
        least = std::min(least, inward.dot(place - corners[i]));
    }
    return least;
}

double PlaneUnder::leaves(const motion::SphereOnPlane& course, const Body& fixed, double t) const {
    const double end = course.valid_until();
    if (corners.empty() && radius == 0.0) return end;
    const motion::Motion motion = course;
    const double r = course.contact().radius;
    const double turning = std::abs(plane.turn_rate);
    const Vec3 still = plane.velocity;
    for (int k = 0; k < k_most_steps && t < end; ++k) {
        const motion::State under = fixed.prescribed->at(t);
        const Vec3 place = under.orientation.conjugate() * (course.position_at(t) - under.position);
        const double gap = inside(place);
        if (gap <= k_at_border * r) return t;
        const Vec3 v = course.velocity_at(t) - still;
        // the centre's way in d, seen from the turning plane, is at most v d + a d^2 / 2 with
        const double arm = (course.position_at(t) - plane.point).norm() + gap;
        double d = 0.0;
        double horizon = std::min(end - t, 1e3);
        for (int i = 0; i < 60; ++i) {
            const motion::LocalBounds b = motion::bounds(motion, t, horizon);
            const double speed = v.norm() + turning * arm;
            const double a = b.a.norm() + b.a_spread;
            d = 2.0 * gap / (speed + std::sqrt(speed * speed + 2.0 * a * gap));
            if (d <= horizon) break;
            if (horizon >= end - t) return end;
            horizon = std::min(end - t, 2.0 * horizon);
        }
        t += std::max(d, std::nextafter(t, k_forever) - t);
    }
    return std::min(t, end);
}

std::optional<PlaneUnder> plane_under(const Body& sphere, const motion::State& state,
                                      const Body& fixed, const detect::MovingBody& fixed_moving,
                                      double t) {
    if (!is_sphere(sphere) || !fixed.fixed) return std::nullopt;
    const motion::State fixed_state = fixed.prescribed->at(t);
    const auto under = only_part(sphere, state, fixed_moving, fixed_state);
    if (!under) return std::nullopt;
    const shape::Pose pose = under->part->pose(fixed_state);
    PlaneUnder out;
    Vec3 n = under->apart.normal;
    if (const auto* half = std::get_if<shape::HalfSpace>(&under->part->convex())) {
        n = pose.rotate(half->normal);
    } else {
        const Vec3 flat = detect::flat_normal(under->part->convex(), pose.rotate_inverse(n));
        constexpr double k_along = 1e-9;
        if (flat.isZero(0.0) || (pose.rotate(flat) - n).norm() > k_along) return std::nullopt;
        n = pose.rotate(flat);
        const std::vector<Vec3> patch = detect::support_set(under->part->convex(), flat);
        if (patch.size() < 3) return std::nullopt;
        const shape::Pose& in_body = under->part->in_body();
        for (const Vec3& corner : patch)
            out.corners.push_back(in_body.apply(corner));
        if (const auto* cylinder = std::get_if<shape::Cylinder>(&under->part->convex())) {
            out.radius = cylinder->radius;
            out.middle = in_body.position;
        } else if (const auto* cone = std::get_if<shape::Cone>(&under->part->convex())) {
            out.radius = cone->radius;
            out.middle = in_body.position;
        }
    }
    if (!turns_about(fixed_state, n)) return std::nullopt;
    out.normal = fixed_state.orientation.conjugate() * n;
    const Vec3 foot = state.position - sphere.radius * n;
    const Vec3 place = fixed_state.orientation.conjugate() * (foot - fixed_state.position);
    if (!(out.inside(place) > k_at_border * sphere.radius)) return std::nullopt;
    out.plane = support_plane(*fixed.prescribed, foot, n, t);
    return out;
}

}  // namespace carom::world
