// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/surface_feature.h"

#include <cmath>

namespace carom::detect {
namespace {

// How far from perpendicular a straight or flat piece may be to the normal of a contact on it.
constexpr double k_flat = 1e-8;

Feature on_polyhedron(const shape::Polyhedron& body, const Vec3& outward) {
    const Index v = body.support(outward);
    Feature found{FeatureKind::vertex, v};
    int level = 0;  // edges at v that lie in the plane across the normal
    for (const shape::DirectedEdge e : body.star(v)) {
        if (std::abs(body.direction(e).dot(outward)) > k_flat) continue;
        ++level;
        found = {FeatureKind::edge, e.edge()};
    }
    if (level < 2) return found;
    double most = -2.0;
    for (const shape::DirectedEdge e : body.star(v)) {
        const double facing = body.face(body.left(e)).normal.dot(outward);
        if (facing > most) {
            most = facing;
            found = {FeatureKind::face, body.left(e)};
        }
    }
    return found;
}

Feature on_cylinder(const Vec3& outward) {
    const Index which = outward.z() > 0.0 ? 1 : 0;
    if (outward.head<2>().norm() <= k_flat) return {FeatureKind::cap, which};
    if (std::abs(outward.z()) <= k_flat) return {FeatureKind::side, 0};
    return {FeatureKind::rim, which};
}

Feature on_cone(const shape::Cone& c, const Vec3& outward) {
    const double leaning = c.radius / std::hypot(c.radius, c.height);
    if (std::abs(outward.z() - leaning) <= k_flat) return {FeatureKind::side, 0};
    if (outward.z() > leaning) return {FeatureKind::apex, 0};
    if (outward.z() < 0.0 && outward.head<2>().norm() <= k_flat) return {FeatureKind::cap, 0};
    return {FeatureKind::rim, 0};
}

}  // namespace

Feature surface_feature(const shape::Convex& convex, const Vec3& point, const Vec3& outward) {
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        return on_polyhedron(*body, outward);
    }
    if (std::holds_alternative<shape::Cylinder>(convex)) return on_cylinder(outward);
    if (const auto* cone = std::get_if<shape::Cone>(&convex)) return on_cone(*cone, outward);
    if (const auto* capsule = std::get_if<shape::Capsule>(&convex)) {
        if (std::abs(point.z()) < capsule->half_length) return {FeatureKind::side, 0};
        return {FeatureKind::end, point.z() > 0.0 ? 1U : 0U};
    }
    return {FeatureKind::surface, 0};
}

}  // namespace carom::detect
