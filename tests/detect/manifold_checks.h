// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "carom/detect/manifold.h"

namespace carom::tests {

inline shape::Convex only_part(const shape::Shape& shape) {
    return shape.parts.front().convex;
}

inline shape::Pose pose_at(const Vec3& position, double angle = 0.0,
                           const Vec3& axis = Vec3::UnitZ()) {
    return {position, shape::Quat(Eigen::AngleAxisd(angle, axis.normalized()))};
}

inline detect::Manifold manifold_of(const shape::Convex& A, const shape::Pose& pose_A,
                                    const shape::Convex& B, const shape::Pose& pose_B,
                                    double within, detect::PairMemory& memory) {
    detect::Manifold m;
    detect::find_manifold(A, pose_A, B, pose_B, within, memory, m);
    return m;
}
inline detect::Manifold manifold_of(const shape::Convex& A, const shape::Pose& pose_A,
                                    const shape::Convex& B, const shape::Pose& pose_B,
                                    double within) {
    detect::PairMemory memory;
    return manifold_of(A, pose_A, B, pose_B, within, memory);
}

inline std::vector<detect::ManifoldPoint> points_of(const detect::Manifold& m) {
    return {m.points.begin(), m.points.begin() + m.count};
}

inline std::set<std::uint32_t> ids_of(const detect::Manifold& m) {
    std::set<std::uint32_t> ids;
    for (const auto& p : points_of(m))
        ids.insert(p.id);
    return ids;
}

inline double least_gap(const detect::Manifold& m) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& p : points_of(m))
        least = std::min(least, p.gap);
    return least;
}

// How far outside (positive) or inside (negative) of a body a point is, in the body's frame; exact
// near the surface.
inline double outside(const shape::Convex& convex, const Vec3& x) {
    if (const shape::Polyhedron* body = shape::polyhedron_of(convex)) {
        double most = -std::numeric_limits<double>::infinity();
        for (const auto& face : body->faces())
            most = std::max(most, face.normal.dot(x) - face.offset);
        return most;
    }
    const double across = x.head<2>().norm();
    if (const auto* c = std::get_if<shape::Cylinder>(&convex)) {
        return std::max(across - c->radius, std::abs(x.z()) - c->half_height);
    }
    if (const auto* c = std::get_if<shape::Cone>(&convex)) {
        const double slant = std::hypot(c->radius, c->height);
        const double side = (across * c->height + (x.z() - 0.75 * c->height) * c->radius) / slant;
        return std::max(side, -x.z() - 0.25 * c->height);
    }
    if (const auto* c = std::get_if<shape::Capsule>(&convex)) {
        const double z = x.z() - std::clamp(x.z(), -c->half_length, c->half_length);
        return std::hypot(across, z) - c->radius;
    }
    if (const auto* c = std::get_if<shape::Sphere>(&convex)) return x.norm() - c->radius;
    return std::get<shape::HalfSpace>(convex).normal.dot(x);
}

// What holds for every manifold: a unit normal, points on the surfaces that face each other along
// it (beside each other by no more than `aside`), no gap above what was asked for, no name twice.
inline void expect_sound(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
                         const shape::Pose& pose_B, double within, const detect::Manifold& m,
                         double tolerance = 1e-12, double aside = 0.0) {
    EXPECT_NEAR(m.normal.norm(), 1.0, 1e-14);
    EXPECT_EQ(ids_of(m).size(), static_cast<std::size_t>(m.count));
    for (const auto& p : points_of(m)) {
        EXPECT_NEAR(outside(A, pose_A.apply_inverse(p.a)), 0.0, tolerance);
        EXPECT_NEAR(outside(B, pose_B.apply_inverse(p.b)), 0.0, tolerance);
        EXPECT_LE((p.a - p.b - p.gap * m.normal).norm(), tolerance + aside);
        EXPECT_NEAR((p.a - p.b).dot(m.normal), p.gap, tolerance);
        EXPECT_LE(p.gap, within);
    }
}

// The points of A, in any order.
inline void expect_points(const detect::Manifold& m, std::vector<Vec3> wanted, double tolerance) {
    ASSERT_EQ(static_cast<std::size_t>(m.count), wanted.size());
    for (const auto& p : points_of(m)) {
        const auto at = std::find_if(wanted.begin(), wanted.end(),
                                     [&](const Vec3& w) { return (w - p.a).norm() <= tolerance; });
        ASSERT_NE(at, wanted.end()) << "not wanted: " << p.a.transpose();
        wanted.erase(at);
    }
}

}  // namespace carom::tests
