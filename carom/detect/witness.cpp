// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/witness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/detect/segments.h"

namespace carom::detect {
namespace {

constexpr double k_level = 1e-7;

using Corners = std::vector<Vec3>;

Corners on_polyhedron(const shape::Polyhedron& body, const Vec3& outward) {
    const shape::Index v = body.support(outward);
    Corners out{body.vertex(v)};
    shape::Index face = 0;
    double most = -2.0;
    int level = 0;
    for (const shape::DirectedEdge e : body.star(v)) {
        const double facing = body.face(body.left(e)).normal.dot(outward);
        if (facing > most) {
            most = facing;
            face = body.left(e);
        }
        if (std::abs(body.direction(e).dot(outward)) > k_level) continue;
        ++level;
        out.push_back(body.vertex(body.head(e)));
    }
    if (level < 2) return out;
    out.clear();
    for (const shape::DirectedEdge e : body.boundary(face))
        out.push_back(body.vertex(body.tail(e)));
    return out;
}

Corners disc(double radius, double z, double sign) {
    Corners out;
    for (int i = 0; i < k_cap_corners; ++i) {
        const double angle = sign * 2.0 * std::numbers::pi * i / k_cap_corners;
        out.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
    return out;
}

// The direction from the axis; x when there is none.
Vec2 across(const Vec3& outward) {
    const double size = outward.head<2>().norm();
    return size > 0.0 ? Vec2(outward.head<2>() / size) : Vec2(1.0, 0.0);
}

Corners on_cylinder(const shape::Cylinder& c, const Vec3& outward) {
    const double end = std::copysign(c.half_height, outward.z());
    if (outward.head<2>().norm() <= k_level) return disc(c.radius, end, std::copysign(1.0, end));
    const Vec2 out = c.radius * across(outward);
    if (std::abs(outward.z()) > k_level) return {{out.x(), out.y(), end}};
    return {{out.x(), out.y(), -c.half_height}, {out.x(), out.y(), c.half_height}};
}

Corners on_cone(const shape::Cone& c, const Vec3& outward) {
    const double base = -0.25 * c.height;
    const Vec3 apex(0.0, 0.0, 0.75 * c.height);
    if (outward.z() < 0.0 && outward.head<2>().norm() <= k_level) return disc(c.radius, base, -1.0);
    const Vec2 out = c.radius * across(outward);
    const Vec3 rim(out.x(), out.y(), base);
    const double leaning = c.radius / std::hypot(c.radius, c.height);
    if (std::abs(outward.z() - leaning) <= k_level) return {rim, apex};
    return {outward.z() > leaning ? apex : rim};
}

// A convex set cut by the sides of a convex polygon, seen along n.
Corners clipped(Corners subject, const Corners& by, const Vec3& n) {
    for (std::size_t i = 0; i < by.size() && !subject.empty(); ++i) {
        const Vec3& p = by[i];
        const Vec3 inward = n.cross(Vec3(by[(i + 1) % by.size()] - p));
        Corners kept;
        const std::size_t count = subject.size();
        const std::size_t sides = count == 2 ? 1 : count;
        const auto inside = [&](const Vec3& x) { return inward.dot(x - p); };
        for (std::size_t k = 0; k < sides; ++k) {
            const Vec3& x = subject[k];
            const Vec3& y = subject[(k + 1) % count];
            const double at_x = inside(x);
            const double at_y = inside(y);
            if (at_x >= 0.0) kept.push_back(x);
            if ((at_x < 0.0) != (at_y < 0.0)) kept.push_back(x + at_x / (at_x - at_y) * (y - x));
            if (count == 2 && at_y >= 0.0) kept.push_back(y);
        }
        subject = std::move(kept);
    }
    return subject;
}

Vec3 mean(const Corners& corners) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& c : corners)
        sum += c;
    return sum / static_cast<double>(corners.size());
}

// Corners in order around n whichever way they were given.
void turn_to(Corners& corners, const Vec3& n) {
    if (corners.size() < 3) return;
    const Vec3 area = (corners[1] - corners[0]).cross(Vec3(corners[2] - corners[0]));
    if (area.dot(n) < 0.0) std::reverse(corners.begin(), corners.end());
}

}  // namespace

Corners support_set(const shape::Convex& convex, const Vec3& outward) {
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        return on_polyhedron(*body, outward);
    }
    if (const auto* c = std::get_if<shape::Cylinder>(&convex)) return on_cylinder(*c, outward);
    if (const auto* c = std::get_if<shape::Cone>(&convex)) return on_cone(*c, outward);
    if (const auto* c = std::get_if<shape::Capsule>(&convex)) {
        const Vec3 end(0.0, 0.0, std::copysign(c->half_length, outward.z()));
        if (std::abs(outward.z()) > k_level) return {end};
        return {-end, end};
    }
    return {Vec3::Zero()};
}

Vec3 middle_of_support(const shape::Convex& convex, const shape::Pose& pose, const Vec3& outward) {
    return pose.apply(mean(support_set(convex, pose.rotate_inverse(outward))));
}

Witness witness(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
                const shape::Pose& pose_B, const Vec3& normal, double gap) {
    Corners a = support_set(A, pose_A.rotate_inverse(-normal));
    Corners b = support_set(B, pose_B.rotate_inverse(normal));
    for (Vec3& x : a)
        x = pose_A.apply(x);
    for (Vec3& x : b)
        x = pose_B.apply(x);
    if (a.size() == 1) return {a[0], a[0] - gap * normal};
    if (b.size() == 1) return {b[0] + gap * normal, b[0]};
    if (a.size() == 2 && b.size() == 2) {
        const SegmentPoints p = closest_on_segments(a[0], a[1], b[0], b[1]);
        return {p.on_first, p.on_second};
    }
    turn_to(a, normal);
    turn_to(b, normal);
    if (b.size() > 2) {
        const Corners common = clipped(a, b, normal);
        const Vec3 middle = mean(common.empty() ? a : common);
        return {middle, middle - gap * normal};
    }
    const Corners common = clipped(b, a, normal);
    const Vec3 middle = mean(common.empty() ? b : common);
    return {middle + gap * normal, middle};
}

}  // namespace carom::detect
