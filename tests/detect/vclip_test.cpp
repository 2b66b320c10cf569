// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/vclip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/detect/separation.h"
#include "tests/detect/from_oracle.h"

namespace carom::tests {
namespace {

using detect::FeatureKind;
using detect::FeaturePair;
using shape::Pose;

std::vector<Vec3> on_sphere(int count) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / count;
        const double r = std::sqrt(1.0 - z * z);
        const double angle = 2.399963229728653 * i;
        points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    return points;
}

// Two hulls that roll past each other: a step or two a query, whatever their size, and the right
// distance all the way.
TEST(Vclip, FollowsCoherentMotionInAStepOrTwo) {
    for (const int count : {18, 83, 502, 2502}) {
        const shape::Shape hull = shape::make_hull(on_sphere(count));
        const auto& body = *shape::polyhedron_of(hull.parts[0].convex);
        FeaturePair features;
        long steps = 0;
        constexpr int k_queries = 2000;
        for (int i = 0; i < k_queries; ++i) {
            const double angle = 0.002 * i;
            const Pose pose{
                Vec3(2.2 * std::cos(angle), 2.2 * std::sin(angle), 0.1),
                Eigen::Quaterniond(Eigen::AngleAxisd(3.0 * angle, Vec3(1, 2, 3).normalized()))};
            const detect::VclipResult r = detect::vclip(body, body, pose, features);
            ASSERT_TRUE(r.settled);
            ASSERT_FALSE(r.overlap);
            ASSERT_GT(r.distance, 0.19);
            ASSERT_LT(r.distance, 0.8);
            if (i > 0) steps += r.steps;
        }
        EXPECT_LT(static_cast<double>(steps) / k_queries, 1.5) << count;
    }
}

TEST(Vclip, ParallelFacesCrossingEdgesCornerToCorner) {
    const shape::Shape box = shape::make_box({1, 1, 1});
    const auto& body = *shape::polyhedron_of(box.parts[0].convex);
    FeaturePair features;
    detect::VclipResult r =
        detect::vclip(body, body, {Vec3(0.2, 0.3, 1.25), Eigen::Quaterniond::Identity()}, features);
    EXPECT_DOUBLE_EQ(r.distance, 0.25);
    EXPECT_NEAR((r.normal + Vec3::UnitZ()).norm(), 0.0, 1e-15);
    r = detect::vclip(body, body, {Vec3(2, 2, 2), Eigen::Quaterniond::Identity()}, features);
    EXPECT_NEAR(r.distance, std::sqrt(3.0), 1e-15);
    EXPECT_EQ(features.a.kind, FeatureKind::vertex);
    EXPECT_EQ(features.b.kind, FeatureKind::vertex);
    // edges: A on edge turned by 45 degrees about x, B about y, one above the other
    const Eigen::Quaterniond about_x(Eigen::AngleAxisd(M_PI / 4, Vec3::UnitX()));
    const Eigen::Quaterniond about_y(Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()));
    const double apart = 2.0;
    const Pose B_in_A{about_x.conjugate() * Vec3(0.1, -0.1, apart), about_x.conjugate() * about_y};
    r = detect::vclip(body, body, B_in_A, features);
    EXPECT_NEAR(r.distance, apart - std::sqrt(2.0), 1e-14);
    EXPECT_EQ(features.a.kind, FeatureKind::edge);
    EXPECT_EQ(features.b.kind, FeatureKind::edge);
}

TEST(Vclip, NoticesOverlap) {
    const shape::Shape hull = shape::make_hull(on_sphere(83));
    const auto& body = *shape::polyhedron_of(hull.parts[0].convex);
    for (int i = 0; i < 500; ++i) {
        const Vec3 way(std::sin(1.3 * i), std::cos(2.1 * i), std::sin(0.7 * i + 1.0));
        const double distance = 1.9 * (i % 100) / 100.0;
        FeaturePair features;
        const detect::VclipResult r =
            detect::vclip(body, body,
                          {distance * way.normalized(),
                           Eigen::Quaterniond(Eigen::AngleAxisd(0.1 * i, way.normalized()))},
                          features);
        ASSERT_TRUE(r.settled) << i;
        ASSERT_TRUE(r.overlap) << i;
    }
}

}  // namespace
}  // namespace carom::tests
