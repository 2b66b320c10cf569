// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/penetration.h"

#include <gtest/gtest.h>

#include "carom/detect/separation.h"
#include "tests/detect/from_oracle.h"

namespace carom::tests {
namespace {

using detect::PairMemory;
using detect::Separation;
using shape::Pose;

Separation between(const shape::Shape& a, const Pose& pa, const shape::Shape& b, const Pose& pb) {
    PairMemory memory;
    return detect::separation(a.parts[0].convex, pa, b.parts[0].convex, pb, memory);
}

TEST(Penetration, BoxesByHand) {
    const shape::Shape box = shape::make_box({2, 2, 2});
    const Separation s = between(box, {Vec3(0.3, -0.1, 1.9), shape::Quat::Identity()}, box, {});
    EXPECT_TRUE(s.overlap);
    EXPECT_NEAR(s.distance, -0.1, 1e-14);
    EXPECT_NEAR((s.normal - Vec3::UnitZ()).norm(), 0.0, 1e-12);
}

TEST(Penetration, BallsByHand) {
    const shape::Shape a = shape::make_sphere(1.0);
    const shape::Shape b = shape::make_sphere(0.5);
    const Separation s = between(a, {Vec3(0, 1.2, 0), shape::Quat::Identity()}, b, {});
    EXPECT_TRUE(s.overlap);
    EXPECT_NEAR(s.distance, -0.3, 1e-15);
    EXPECT_NEAR((s.normal - Vec3::UnitY()).norm(), 0.0, 1e-15);
}

TEST(Penetration, BallInBox) {
    const shape::Shape ball = shape::make_sphere(0.1);
    const shape::Shape box = shape::make_box({2, 3, 4});
    const Separation s = between(ball, {Vec3(0.8, 0.2, 0.3), shape::Quat::Identity()}, box, {});
    EXPECT_TRUE(s.overlap);
    EXPECT_NEAR(s.distance, -0.3, 1e-13);
    EXPECT_NEAR((s.normal - Vec3::UnitX()).norm(), 0.0, 1e-12);
}

// Moving A along the normal by the depth parts the bodies: a little more and they are apart, a
// little less and they are not. No direction of a fine set parts them sooner.
TEST(Penetration, IsTheLeastWayOut) {
    const auto& kinds = touch_oracle::k_kinds;
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 1200; ++seed) {
        const auto ka = kinds[seed % kinds.size()];
        const auto kb = kinds[seed / kinds.size() % kinds.size()];
        if (ka == touch_oracle::Kind::plane || kb == touch_oracle::Kind::plane) continue;
        const auto c =
            touch_oracle::random_configuration(seed, touch_oracle::Setting::near_touching, ka, kb);
        const shape::Shape a = shape_of(c.a);
        const shape::Shape b = shape_of(c.b);
        Pose pa = pose_of(c.pose_a);
        const Pose pb = pose_of(c.pose_b);
        const double size = 0.1 * (pa.position - pb.position).norm();
        // push A into B
        pa.position -= size * between(a, pa, b, pb).normal;
        const Separation in = between(a, pa, b, pb);
        if (!in.overlap) continue;
        ++tried;
        Pose out = pa;
        out.position = pa.position + (-in.distance + 1e-4 * size) * in.normal;
        const Separation parted = between(a, out, b, pb);
        ASSERT_GT(parted.distance, 0.0) << "seed " << seed;
        ASSERT_LT(parted.distance, 1e-3 * size) << "seed " << seed;
        out.position = pa.position + (-in.distance - 1e-4 * size) * in.normal;
        ASSERT_LT(between(a, out, b, pb).distance, 0.0) << "seed " << seed;
        for (int i = 0; i < 20; ++i) {
            const Vec3 way = Vec3(std::sin(1.0 + i), std::cos(2.0 * i), std::sin(3.0 * i + 0.5));
            out.position = pa.position + 0.99 * -in.distance * way.normalized();
            ASSERT_LT(between(a, out, b, pb).distance, 0.0) << "seed " << seed;
        }
    }
    EXPECT_GT(tried, 300);
}

}  // namespace
}  // namespace carom::tests
