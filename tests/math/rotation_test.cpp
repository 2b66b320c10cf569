// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/math/rotation.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using math::cross_matrix;
using math::rotation_to_z;

void expect_rotation_to_z(const Vec3& n) {
    const Mat3 R = rotation_to_z(n);
    ASSERT_LT((R * R.transpose() - Mat3::Identity()).norm(), 2e-15) << n.transpose();
    ASSERT_NEAR(R.determinant(), 1.0, 2e-15) << n.transpose();
    ASSERT_LT((R * n - Vec3::UnitZ()).norm(), 1e-15) << n.transpose();
    // the shortest one: its axis is across n and e3
    const Vec3 axis(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
    ASSERT_NEAR(axis.z(), 0.0, 1e-15) << n.transpose();
    ASSERT_NEAR(R.trace(), 1.0 + 2.0 * n.z(), 4e-15) << n.transpose();
}

TEST(Rotation, CrossMatrix) {
    Random random(3001);
    for (int i = 0; i < 100; ++i) {
        const Vec3 a = random.normal3();
        const Vec3 b = random.normal3();
        ASSERT_EQ(cross_matrix(a) * b, a.cross(b));
        ASSERT_EQ(cross_matrix(a), Mat3(-cross_matrix(a).transpose()));
    }
    EXPECT_EQ(cross_matrix({1, 2, 3}) * Vec3(4, 5, 6), Vec3(-3, 6, -3));
}

TEST(Rotation, RandomNormals) {
    Random random(3002);
    for (int i = 0; i < 20000; ++i) {
        expect_rotation_to_z(random.direction());
        if (HasFatalFailure()) return;
    }
}

TEST(Rotation, AxesExactly) {
    EXPECT_EQ(rotation_to_z({0, 0, 1}), Mat3::Identity());
    EXPECT_EQ(rotation_to_z({0, 0, -1}), Mat3(Vec3(1, -1, -1).asDiagonal()));
    for (const Vec3& n : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
        expect_rotation_to_z(n);
    }
    EXPECT_LT((rotation_to_z({1, 0, 0}) * Vec3(0, 0, 1) - Vec3(-1, 0, 0)).norm(), 1e-15);
}

TEST(Rotation, HoweverNearThePoles) {
    for (double tiny = 1e-300; tiny < 0.1; tiny *= 10.0) {
        for (const double z : {1.0, -1.0}) {
            for (int k = 0; k < 12; ++k) {
                const double th = 0.55 * k;
                const double x = tiny * std::cos(th);
                const double y = tiny * std::sin(th);
                const double length = std::sqrt(1.0 + tiny * tiny);
                expect_rotation_to_z({x / length, y / length, z / length});
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(Rotation, SubnormalTiltKeepsItOrthogonal) {
    for (const double tiny : {1e-320, 1e-315, 1e-310}) {
        expect_rotation_to_z({tiny, 0.6 * tiny, 1.0});
        expect_rotation_to_z({tiny, 0.6 * tiny, -1.0});
    }
}

TEST(Rotation, AxisAngleForm) {
    // R = (1 - c) a a^T + c I + s [a]x
    Random random(3003);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 n = random.direction();
        const Vec3 cross = n.cross(Vec3::UnitZ());
        const double s = cross.norm();
        if (s < 1e-3) continue;
        const Vec3 a = cross / s;
        const Mat3 R =
            (1.0 - n.z()) * a * a.transpose() + n.z() * Mat3::Identity() + s * cross_matrix(a);
        ASSERT_LT((rotation_to_z(n) - R).norm(), 1e-14 / s * 1e-1 + 1e-15) << n.transpose();
    }
}

}  // namespace
}  // namespace carom::tests
