// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/ball_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/detect/contact_time.h"

namespace carom::tests {
namespace {

using detect::ContactKind;
using detect::ContactTime;
using detect::MovingPart;

struct Ball {
    shape::Shape shape;
    motion::Motion motion;
    Ball(double radius, const Vec3& position, const Vec3& velocity, const Vec3& gravity)
        : shape(shape::make_sphere(radius)),
          motion(motion::Ballistic(position, velocity, gravity, 0.0)) {}
    MovingPart part() const { return {shape.parts[0].convex, {}, motion}; }
};

ContactTime meet(const MovingPart& a, const MovingPart& b, double until,
                 const detect::ContactSearch& search = {}, double t0 = 0.0) {
    detect::PairMemory memory;
    return detect::contact_time(a, b, t0, until, memory, search);
}

const Vec3 k_gravity(0, 0, -9.81);

TEST(BallContact, FallOnAPlane) {
    const Ball ball(0.1, Vec3(3, 4, 2.1), Vec3(1, 2, 3), k_gravity);
    const shape::Shape floor = shape::make_half_space(Vec3::UnitZ());
    const motion::Motion still =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    const ContactTime c = meet(ball.part(), {floor.parts[0].convex, {}, still}, 10.0);
    ASSERT_EQ(c.kind, ContactKind::touch);
    EXPECT_NEAR(c.t, (3.0 + std::sqrt(9.0 + 2.0 * 9.81 * 2.0)) / 9.81, 2e-16 * 8);
    EXPECT_EQ(c.steps, 0);
}

// A ball that leaves the floor comes back after 2 v/g.
TEST(BallContact, LeavesTheFloorItTouches) {
    const Ball ball(0.1, Vec3(0, 0, 0.1), Vec3(1, 0, 3), k_gravity);
    const shape::Shape floor = shape::make_half_space(Vec3::UnitZ());
    const motion::Motion still =
        motion::Prescribed::still(Vec3::Zero(), Eigen::Quaterniond::Identity());
    const MovingPart plane(floor.parts[0].convex, {}, still);
    EXPECT_EQ(meet(ball.part(), plane, 1.0).t, 0.0);
    detect::ContactSearch search;
    search.leave_first = true;
    const ContactTime c = meet(ball.part(), plane, 1.0, search);
    ASSERT_EQ(c.kind, ContactKind::touch);
    EXPECT_NEAR(c.t, 6.0 / 9.81, 1e-14);
}

TEST(BallContact, GrazingBallsAreToldApart) {
    // impact parameter R (1 -+ 1e-12)
    for (const double off : {-1e-12, 1e-12}) {
        const Ball a(0.5, Vec3(-10, 1.0 + off, 0), Vec3(5, 0, 0), k_gravity);
        const Ball b(0.5, Vec3::Zero(), Vec3::Zero(), k_gravity);
        EXPECT_EQ(meet(a.part(), b.part(), 10.0).kind,
                  off < 0.0 ? ContactKind::touch : ContactKind::none)
            << off;
    }
}

// Only one of two balls falls: a quartic. Checked by the distance at the time found, and by
// sampling that there is none before.
TEST(BallContact, OneFallingTheOtherNot) {
    int touching = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3 from(std::sin(1.1 * i) * 3.0, std::cos(0.7 * i) * 3.0, 2.0 + std::sin(0.3 * i));
        const Vec3 velocity(-from.x() * (0.5 + 0.3 * std::sin(2.0 * i)), -from.y() * 0.7,
                            6.0 * std::sin(0.9 * i));
        const Ball a(0.4, from, velocity, k_gravity);
        const Ball b(0.3, Vec3::Zero(), Vec3::Zero(), Vec3::Zero());
        const ContactTime c = meet(a.part(), b.part(), 3.0);
        const auto gap = [&](double t) { return motion::position_at(a.motion, t).norm() - 0.7; };
        const double end = c.kind == ContactKind::touch ? c.t : 3.0;
        for (int k = 0; k < 300; ++k)
            ASSERT_GT(gap(end * k / 300.0 * (1.0 - 1e-9)), 0.0) << i;
        if (c.kind != ContactKind::touch) continue;
        ++touching;
        ASSERT_NEAR(gap(c.t), 0.0, 1e-14 * 20) << i;
    }
    EXPECT_GT(touching, 40);
}

}  // namespace
}  // namespace carom::tests
