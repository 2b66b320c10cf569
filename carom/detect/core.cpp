// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/core.h"

#include <cmath>
#include <limits>

#include "carom/shape/bounds.h"

namespace carom::detect {

double core_radius(const shape::Convex& convex) {
    if (const auto* sphere = std::get_if<shape::Sphere>(&convex)) return sphere->radius;
    if (const auto* capsule = std::get_if<shape::Capsule>(&convex)) return capsule->radius;
    return 0.0;
}

Vec3 core_support(const shape::Convex& convex, const Vec3& direction, shape::Index& hint) {
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        if (const auto* box = std::get_if<shape::Box>(&convex)) {
            return {std::copysign(box->half.x(), direction.x()),
                    std::copysign(box->half.y(), direction.y()),
                    std::copysign(box->half.z(), direction.z())};
        }
        hint = body->support(direction, hint);
        return body->vertex(hint);
    }
    if (std::holds_alternative<shape::Sphere>(convex)) return Vec3::Zero();
    if (const auto* capsule = std::get_if<shape::Capsule>(&convex)) {
        return {0.0, 0.0, std::copysign(capsule->half_length, direction.z())};
    }
    return shape::support_point(convex, direction);
}

double core_radius_about(const shape::Convex& convex, const Vec3& center) {
    if (std::holds_alternative<shape::Sphere>(convex)) return center.norm();
    if (const auto* capsule = std::get_if<shape::Capsule>(&convex)) {
        const double far = std::abs(center.z()) + capsule->half_length;
        return std::sqrt(center.head<2>().squaredNorm() + far * far);
    }
    return shape::radius_about(convex, center);
}

shape::Index vertex_at(const shape::Convex& convex, Feature feature) {
    const shape::Polyhedron* body = shape::polyhedron_of(convex);
    if (body == nullptr) return 0;
    switch (feature.kind) {
        case FeatureKind::vertex:
            return feature.index;
        case FeatureKind::edge:
            return body->edge(feature.index).tail;
        case FeatureKind::face:
            return body->tail(body->boundary(feature.index)[0]);
        default:
            return shape::k_no_index;
    }
}

}  // namespace carom::detect
