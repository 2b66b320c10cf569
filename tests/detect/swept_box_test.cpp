// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/swept_box.h"

#include <gtest/gtest.h>

#include "carom/shape/bounds.h"
#include "tests/detect/from_oracle.h"

namespace carom::tests {
namespace {

// The box holds the body at every one of many times, and is not much larger than what it has to
// hold.
TEST(SweptBox, HoldsTheBodyAllTheTime) {
    double worst = 0.0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const touch_oracle::Problem problem = touch_oracle::random_problem(seed);
        if (problem.a.shape.kind == touch_oracle::Kind::plane) continue;
        const MovingBody body(problem.a);
        const double t0 = 0.1 * problem.until;
        const double t1 = seed % 2 == 0 ? problem.until : t0 + 1e-3 * problem.until;
        const Aabb box = detect::swept_box(*body.part, t0, t1);
        Aabb needed{Vec3::Constant(1e300), Vec3::Constant(-1e300)};
        for (int i = 0; i <= 200; ++i) {
            const motion::State state = motion::at(body.motion, t0 + (t1 - t0) * i / 200.0);
            const Aabb now =
                shape::bounding_box({body.part->convex(), shape::Pose{}}, body.part->pose(state));
            needed.low = needed.low.cwiseMin(now.low);
            needed.high = needed.high.cwiseMax(now.high);
        }
        for (int k = 0; k < 3; ++k) {
            ASSERT_LE(box.low[k], needed.low[k]) << seed;
            ASSERT_GE(box.high[k], needed.high[k]) << seed;
        }
        const double wide = (box.high - box.low).maxCoeff();
        const double size = body.part->outer_radius();
        worst = std::max(worst, (wide - (needed.high - needed.low).maxCoeff()) / size);
    }
    // no more than the ball around the body on either side
    EXPECT_LT(worst, 2.0 + 1e-9);
}

// Over a short time the box is that of the body.
TEST(SweptBox, IsTightOverAShortTime) {
    const shape::Shape rod = shape::make_box({2.0, 0.02, 0.02});
    const motion::State state{Vec3(5, 6, 7), Eigen::Quaterniond::Identity(), Vec3(1, 0, 0),
                              Vec3(0, 0, 3)};
    const shape::MassProperties mass = shape::mass_properties(rod, shape::Density{1.0});
    const motion::Motion flight =
        motion::Ballistic(state, motion::PrincipalInertia(mass.inertia), Vec3::Zero(), 0.0);
    const detect::MovingPart part(rod.parts[0].convex, {}, flight);
    const Aabb box = detect::swept_box(part, 0.0, 1e-3);
    EXPECT_LT(box.high.z() - box.low.z(), 0.03);
    EXPECT_LT(box.high.x() - box.low.x(), 2.01);
}

TEST(SweptBox, RefusesHalfSpaces) {
    const shape::Shape plane = shape::make_half_space(Vec3::UnitZ());
    const motion::Motion still =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    const detect::MovingPart part(plane.parts[0].convex, {}, still);
    EXPECT_THROW(detect::swept_box(part, 0.0, 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
