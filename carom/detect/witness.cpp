// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/witness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/detect/core.h"
#include "carom/detect/segments.h"

namespace carom::detect {
namespace {

using Corners = std::vector<Vec3>;

Corners on_polyhedron(const shape::Polyhedron& body, const Vec3& outward, double level) {
    const shape::Index v = body.support(outward);
    Corners out{body.vertex(v)};
    shape::Index face = 0;
    double most = -2.0;
    int across = 0;
    for (const shape::DirectedEdge e : body.star(v)) {
        const double facing = body.face(body.left(e)).normal.dot(outward);
        if (facing > most) {
            most = facing;
            face = body.left(e);
        }
        if (std::abs(body.direction(e).dot(outward)) > level) continue;
        ++across;
        out.push_back(body.vertex(body.head(e)));
    }
    if (across < 2) return out;
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

Corners on_cylinder(const shape::Cylinder& c, const Vec3& outward, double level) {
    const double end = std::copysign(c.half_height, outward.z());
    if (outward.head<2>().norm() <= level) return disc(c.radius, end, std::copysign(1.0, end));
    const Vec2 out = c.radius * across(outward);
    if (std::abs(outward.z()) > level) return {{out.x(), out.y(), end}};
    return {{out.x(), out.y(), -c.half_height}, {out.x(), out.y(), c.half_height}};
}

Corners on_cone(const shape::Cone& c, const Vec3& outward, double level) {
    const double base = -0.25 * c.height;
    const Vec3 apex(0.0, 0.0, 0.75 * c.height);
    if (outward.z() < 0.0 && outward.head<2>().norm() <= level) return disc(c.radius, base, -1.0);
    const Vec2 out = c.radius * across(outward);
    const Vec3 rim(out.x(), out.y(), base);
    const double leaning = c.radius / std::hypot(c.radius, c.height);
    if (std::abs(outward.z() - leaning) <= level) return {rim, apex};
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

Corners support_set(const shape::Convex& convex, const Vec3& outward, double level) {
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        return on_polyhedron(*body, outward, level);
    }
    if (const auto* c = std::get_if<shape::Cylinder>(&convex))
        return on_cylinder(*c, outward, level);
    if (const auto* c = std::get_if<shape::Cone>(&convex)) return on_cone(*c, outward, level);
    if (const auto* c = std::get_if<shape::Capsule>(&convex)) {
        const Vec3 end(0.0, 0.0, std::copysign(c->half_length, outward.z()));
        if (std::abs(outward.z()) > level) return {end};
        return {-end, end};
    }
    return {Vec3::Zero()};
}

Vec3 middle_of_support(const shape::Convex& convex, const shape::Pose& pose, const Vec3& outward) {
    return pose.apply(mean(support_set(convex, pose.rotate_inverse(outward))));
}

namespace {

// Both sets of corners in the common frame, in order around the normal.
struct Facing {
    Corners a, b;
};
Facing facing(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
              const shape::Pose& pose_B, const Vec3& normal, double level) {
    Facing f{support_set(A, pose_A.rotate_inverse(-normal), level),
             support_set(B, pose_B.rotate_inverse(normal), level)};
    for (Vec3& x : f.a)
        x = pose_A.apply(x);
    for (Vec3& x : f.b)
        x = pose_B.apply(x);
    turn_to(f.a, normal);
    turn_to(f.b, normal);
    return f;
}

// The common part of two lines that run along each other; else empty.
Corners common_line(const Corners& a, const Corners& b, double level) {
    const Vec3 way = a[1] - a[0];
    const Vec3 other = b[1] - b[0];
    const double length = way.norm();
    if (!(way.cross(other).norm() <= level * length * other.norm())) return {};
    const Vec3 along = way / length;
    const double from = along.dot(b[0] - a[0]);
    const double to = along.dot(b[1] - a[0]);
    const double low = std::max(0.0, std::min(from, to));
    const double high = std::min(length, std::max(from, to));
    if (!(low <= high)) return {};
    return {a[0] + low * along, a[0] + high * along};
}

// Where the cores face each other, on A's side of a gap or on B's.
struct Common {
    Corners corners;
    bool on_a;
};
Common common_part(const Facing& f, const Vec3& normal, double level) {
    if (f.a.size() == 1) return {f.a, true};
    if (f.b.size() == 1) return {f.b, false};
    if (f.a.size() == 2 && f.b.size() == 2) {
        Corners line = common_line(f.a, f.b, level);
        if (line.empty()) line = {closest_on_segments(f.a[0], f.a[1], f.b[0], f.b[1]).on_first};
        return {line, true};
    }
    if (f.b.size() > 2) {
        Corners both = clipped(f.a, f.b, normal);
        return {both.empty() ? f.a : both, true};
    }
    Corners both = clipped(f.b, f.a, normal);
    return {both.empty() ? f.b : both, false};
}

}  // namespace

std::vector<Vec3> contact_patch(const shape::Convex& A, const shape::Pose& pose_A,
                                const shape::Convex& B, const shape::Pose& pose_B,
                                const Vec3& normal, double level) {
    const bool plane_a = std::holds_alternative<shape::HalfSpace>(A);
    const bool plane_b = std::holds_alternative<shape::HalfSpace>(B);
    if (plane_a || plane_b) {
        const shape::Convex& body = plane_a ? B : A;
        const shape::Pose& pose = plane_a ? pose_B : pose_A;
        const Vec3 towards = plane_a ? normal : Vec3(-normal);
        Corners corners = support_set(body, pose.rotate_inverse(towards), level);
        for (Vec3& x : corners)
            x = pose.apply(x) + core_radius(body) * towards;
        return corners;
    }
    Common common = common_part(facing(A, pose_A, B, pose_B, normal, level), normal, level);
    const Vec3 shift = common.on_a ? Vec3(-core_radius(A) * normal) : Vec3(core_radius(B) * normal);
    for (Vec3& x : common.corners)
        x += shift;
    return common.corners;
}

Vec3 middle_of_patch(const std::vector<Vec3>& corners) {
    const Vec3 from = mean(corners);
    if (corners.size() < 3) return from;
    Vec3 whole = Vec3::Zero();  // twice the area, along the normal
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3 x = corners[i] - from;
        whole += x.cross(Vec3(corners[(i + 1) % corners.size()] - from));
    }
    const double size = whole.norm();
    double width = 0.0;
    for (const Vec3& x : corners)
        width = std::max(width, (x - from).squaredNorm());
    // an area that is a line to rounding has none
    if (!(size > k_level * width)) return from;
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3 x = corners[i] - from;
        const Vec3 y = corners[(i + 1) % corners.size()] - from;
        sum += x.cross(y).dot(whole) / (size * size) * (x + y) / 3.0;
    }
    return from + sum;
}

Witness witness(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
                const shape::Pose& pose_B, const Vec3& normal, double gap) {
    const Facing f = facing(A, pose_A, B, pose_B, normal, k_level);
    if (f.a.size() == 2 && f.b.size() == 2) {
        const SegmentPoints p = closest_on_segments(f.a[0], f.a[1], f.b[0], f.b[1]);
        return {p.on_first, p.on_second};
    }
    const Common common = common_part(f, normal, k_level);
    const Vec3 middle = mean(common.corners);
    if (common.on_a) return {middle, middle - gap * normal};
    return {middle + gap * normal, middle};
}

std::optional<FacingPoints> facing_points(const shape::Convex& A, const shape::Pose& pose_A,
                                          const shape::Convex& B, const shape::Pose& pose_B,
                                          const Vec3& normal) {
    // what is not level to rounding is seen by its lowest corner
    constexpr double k_flat = 1e-14;
    const Facing f = facing(A, pose_A, B, pose_B, normal, k_flat);
    const double gap = normal.dot(f.a[0] - f.b[0]);
    if (f.b.size() > 2) {
        const Corners common = clipped(f.a, f.b, normal);
        if (common.empty()) return std::nullopt;
        const Vec3 middle = mean(common);
        return FacingPoints{middle, middle - gap * normal, gap};
    }
    if (f.a.size() > 2) {
        const Corners common = clipped(f.b, f.a, normal);
        if (common.empty()) return std::nullopt;
        const Vec3 middle = mean(common);
        return FacingPoints{middle + gap * normal, middle, gap};
    }
    return std::nullopt;
}

Vec3 flat_normal(const shape::Convex& convex, const Vec3& towards) {
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        const shape::Index v = body->support(towards);
        Vec3 best = Vec3::Zero();
        double most = -2.0;
        for (const shape::DirectedEdge e : body->star(v)) {
            const Vec3& n = body->face(body->left(e)).normal;
            if (n.dot(towards) <= most) continue;
            most = n.dot(towards);
            best = n;
        }
        return best;
    }
    if (std::holds_alternative<shape::Cylinder>(convex)) {
        return Vec3(0.0, 0.0, std::copysign(1.0, towards.z()));
    }
    if (std::holds_alternative<shape::Cone>(convex)) return -Vec3::UnitZ();
    return Vec3::Zero();
}

}  // namespace carom::detect
