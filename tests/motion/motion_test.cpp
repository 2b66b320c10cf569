// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/motion/comparisons.h"
#include "tests/motion/rotation_cases.h"

namespace carom::tests {
namespace {

using motion::Ballistic;
using motion::Motion;
using motion::Prescribed;
using motion::PrincipalInertia;
using motion::Quat;
using motion::State;

TEST(Prescribed, StillStaysAndGlidingGlides) {
    Random random(31);
    const Vec3 position = random_vector(random, 3.0);
    const Quat q = random_orientation(random);
    const Motion still = Prescribed::still(position, q);
    for (const double t : {-1e9, 0.0, 3.7}) {
        EXPECT_EQ(at(still, t).position, position);
        EXPECT_LE(angle_between(at(still, t).orientation, q), 1e-15);
        EXPECT_EQ(at(still, t).velocity, Vec3::Zero());
        EXPECT_EQ(at(still, t).angular_velocity, Vec3::Zero());
    }
    const Vec3 v(1.0, -2.0, 0.5);
    const Motion gliding = Prescribed::gliding(position, q, v, 2.0);
    EXPECT_LE((position_at(gliding, 6.0) - (position + 4.0 * v)).norm(), 1e-15 * 16.0);
    EXPECT_EQ(at(gliding, 6.0).velocity, v);
}

// A platter about z through the origin, with a quarter turn done by hand.
TEST(Prescribed, PlatterTurnsItsRider) {
    const double w = 2.0;
    const Motion platter = Prescribed::turning({1.0, 0.0, 0.2}, Quat::Identity(), Vec3::Zero(),
                                               {0.0, 0.0, 0.1}, {0.0, 0.0, w}, 1.0);
    const double quarter = 1.0 + 0.25 * 2.0 * std::numbers::pi / w;
    const State state = at(platter, quarter);
    EXPECT_LE((state.position - Vec3(0.0, 1.0, 0.2 + 0.1 * (quarter - 1.0))).norm(), 1e-15);
    EXPECT_LE((state.velocity - Vec3(-w, 0.0, 0.1)).norm(), 1e-14);
    const Quat expected(std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5));
    EXPECT_LE(angle_between(state.orientation, expected), 1e-15);
}

// Every point of the body keeps its distance to the moving axis, and velocities are derivatives.
TEST(Prescribed, MovesAsOneRigidBodyAboutItsAxis) {
    Random random(32);
    for (int i = 0; i < 200; ++i) {
        const Vec3 point = random_vector(random, 2.0);
        const Vec3 drift = random_vector(random, 2.0);
        const Vec3 w = random_vector(random, 9.0);
        const double t0 = random.uniform(-5.0, 5.0);
        const Motion m = Prescribed::turning(random_vector(random, 2.0), random_orientation(random),
                                             point, drift, w, t0);
        const double t = random.uniform(-10.0, 10.0);
        const State first = at(m, t0);
        const State now = at(m, t);
        // the point of the body that is on the axis
        const Vec3 on_axis = first.orientation.conjugate() * (point - first.position);
        const Vec3 carried = now.position + now.orientation * on_axis;
        EXPECT_LE((carried - (point + (t - t0) * drift)).norm(), 1e-12);
        const double h = 1e-5;
        const Vec3 difference = (position_at(m, t + h) - position_at(m, t - h)) / (2.0 * h);
        EXPECT_LE((difference - now.velocity).norm(), 1e-6);
        EXPECT_LE((now.velocity - drift - w.cross(now.position - point - (t - t0) * drift)).norm(),
                  1e-12);
        EXPECT_EQ(now.position, position_at(m, t));
        EXPECT_EQ(attitude_at(m, t).orientation.coeffs(), now.orientation.coeffs());
    }
}

TEST(Ballistic, IsAParabolaAndAFreeRotation) {
    Random random(33);
    for (int i = 0; i < 100; ++i) {
        const RotationCase c = random_rotation(random);
        const Vec3 g(0.0, 0.0, -9.81);
        const State start{random_vector(random, 5.0), c.orientation, random_vector(random, 5.0),
                          c.angular_velocity};
        const double t0 = random.uniform(-3.0, 3.0);
        const double t = random.uniform(-3.0, 3.0);
        const double s = t - t0;
        const Motion m = Ballistic(start, PrincipalInertia(c.inertia), g, t0);
        const State now = at(m, t);
        EXPECT_LE((now.position - start.position - s * start.velocity - 0.5 * s * s * g).norm(),
                  1e-13);
        EXPECT_LE((now.velocity - start.velocity - s * g).norm(), 1e-13);
        const motion::FreeRotation rotation(c.inertia, c.orientation, c.angular_velocity, t0);
        EXPECT_EQ(now.orientation.coeffs(), rotation.at(t).orientation.coeffs());
        EXPECT_EQ(now.angular_velocity, rotation.at(t).angular_velocity);
        // a sphere keeps its spin, a particle has none
        const Motion ball = Ballistic::sphere(start, g, t0);
        EXPECT_EQ(at(ball, t).angular_velocity, start.angular_velocity);
        EXPECT_EQ(at(ball, t).position, now.position);
        const Motion particle = Ballistic(start.position, start.velocity, g, t0);
        EXPECT_EQ(at(particle, t).angular_velocity, Vec3::Zero());
        EXPECT_EQ(position_at(particle, t), now.position);
    }
    EXPECT_EQ(valid_until(Ballistic()), std::numeric_limits<double>::infinity());
}

TEST(Motion, RefusesWhatIsNotFinite) {
    const double inf = std::numeric_limits<double>::infinity();
    const Vec3 bad(0.0, inf, 0.0);
    const Vec3 zero = Vec3::Zero();
    const Quat q = Quat::Identity();
    EXPECT_THROW(Ballistic(bad, zero, zero, 0.0), std::invalid_argument);
    EXPECT_THROW(Ballistic(zero, bad, zero, 0.0), std::invalid_argument);
    EXPECT_THROW(Ballistic(zero, zero, bad, 0.0), std::invalid_argument);
    EXPECT_THROW(Ballistic(zero, zero, zero, inf), std::invalid_argument);
    EXPECT_THROW(at(Motion(Ballistic()), std::nan("")), std::invalid_argument);
    EXPECT_THROW(position_at(Motion(Prescribed()), inf), std::invalid_argument);
    EXPECT_THROW(Prescribed::still(bad, q), std::invalid_argument);
    EXPECT_THROW(Prescribed::gliding(zero, q, bad, 0.0), std::invalid_argument);
    EXPECT_THROW(Prescribed::turning(zero, q, bad, zero, zero, 0.0), std::invalid_argument);
    EXPECT_THROW(Prescribed::turning(zero, q, zero, zero, bad, 0.0), std::invalid_argument);
    EXPECT_THROW(Prescribed::turning(zero, Quat(0, 0, 0, 0), zero, zero, zero, 0.0),
                 std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
