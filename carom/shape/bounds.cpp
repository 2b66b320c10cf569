// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace carom::shape {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

// Scaled first, so that directions of any length come out as unit vectors.
Vec3 unit(const Vec3& direction) {
    const double largest = direction.lpNorm<Eigen::Infinity>();
    if (!(largest > 0.0)) return Vec3::UnitZ();
    return Vec3(direction / largest).normalized();
}

// The point of a circle about z that is farthest along a direction; its centre for one along z.
Vec3 rim_point(double radius, double z, const Vec3& direction) {
    const double across = std::hypot(direction.x(), direction.y());
    if (!(across > 0.0)) return {0.0, 0.0, z};
    return {radius * (direction.x() / across), radius * (direction.y() / across), z};
}

struct SupportPoint {
    const Vec3& direction;
    Index hint;

    Vec3 operator()(const Sphere& sphere) const { return sphere.radius * unit(direction); }
    Vec3 operator()(const HalfSpace& /*unused*/) const {
        throw std::invalid_argument(
            "a plane has no farthest point; ask only for those of bounded bodies");
    }
    Vec3 operator()(const Box& box) const {
        return {std::copysign(box.half.x(), direction.x()),
                std::copysign(box.half.y(), direction.y()),
                std::copysign(box.half.z(), direction.z())};
    }
    Vec3 operator()(const Capsule& capsule) const {
        const double z = std::copysign(capsule.half_length, direction.z());
        return capsule.radius * unit(direction) + Vec3(0.0, 0.0, z);
    }
    Vec3 operator()(const Cylinder& cylinder) const {
        return rim_point(cylinder.radius, std::copysign(cylinder.half_height, direction.z()),
                         direction);
    }
    Vec3 operator()(const Cone& cone) const {
        const double across = std::hypot(direction.x(), direction.y());
        if (direction.z() * cone.height >= cone.radius * across) {
            return {0.0, 0.0, 0.75 * cone.height};
        }
        return rim_point(cone.radius, -0.25 * cone.height, direction);
    }
    Vec3 operator()(const Hull& hull) const {
        return hull.polyhedron->vertex(hull.polyhedron->support(direction, hint));
    }
};

struct RadiusAbout {
    const Vec3& center;

    double operator()(const Sphere& sphere) const { return center.stableNorm() + sphere.radius; }
    double operator()(const HalfSpace& /*unused*/) const { return k_infinity; }
    double operator()(const Box& box) const { return (center.cwiseAbs() + box.half).stableNorm(); }
    double operator()(const Capsule& capsule) const {
        const double z = std::abs(center.z()) + capsule.half_length;
        return Vec3(center.x(), center.y(), z).stableNorm() + capsule.radius;
    }
    double operator()(const Cylinder& cylinder) const {
        return std::hypot(std::hypot(center.x(), center.y()) + cylinder.radius,
                          std::abs(center.z()) + cylinder.half_height);
    }
    double operator()(const Cone& cone) const {
        const double across = std::hypot(center.x(), center.y());
        return std::max(std::hypot(across, center.z() - 0.75 * cone.height),
                        std::hypot(across + cone.radius, center.z() + 0.25 * cone.height));
    }
    double operator()(const Hull& hull) const { return hull.polyhedron->radius_about(center); }
};

}  // namespace

Vec3 support_point(const Convex& convex, const Vec3& direction, Index hint) {
    return std::visit(SupportPoint{direction, hint}, convex);
}

double extent(const Convex& convex, const Vec3& direction) {
    if (const auto* plane = std::get_if<HalfSpace>(&convex)) {
        // along the normal to rounding: a direction that was turned is never exactly so
        constexpr double k_along = 8.0 * std::numeric_limits<double>::epsilon();
        return (unit(direction) - plane->normal).norm() <= k_along ? 0.0 : k_infinity;
    }
    return direction.dot(support_point(convex, direction));
}

Aabb bounding_box(const Part& part, const Pose& pose) {
    const Pose placed = compose(pose, part.pose);
    Aabb box{placed.position, placed.position};
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = placed.rotate_inverse(Vec3::Unit(k));
        box.high[k] += extent(part.convex, axis);
        box.low[k] -= extent(part.convex, -axis);
    }
    return box;
}

Aabb bounding_box(const Shape& shape, const Pose& pose) {
    Aabb box{Vec3::Constant(k_infinity), Vec3::Constant(-k_infinity)};
    for (const Part& part : shape.parts) {
        const Aabb of_part = bounding_box(part, pose);
        box.low = box.low.cwiseMin(of_part.low);
        box.high = box.high.cwiseMax(of_part.high);
    }
    return box;
}

double radius_about(const Convex& convex, const Vec3& center) {
    return std::visit(RadiusAbout{center}, convex);
}

double radius_about(const Part& part, const Vec3& center) {
    return radius_about(part.convex, part.pose.apply_inverse(center));
}

double radius_about(const Shape& shape, const Vec3& center) {
    double radius = 0.0;
    for (const Part& part : shape.parts)
        radius = std::max(radius, radius_about(part, center));
    return radius;
}

}  // namespace carom::shape
