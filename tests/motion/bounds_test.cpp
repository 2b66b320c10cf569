// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "tests/motion/comparisons.h"
#include "tests/motion/rotation_cases.h"

namespace carom::tests {
namespace {

using motion::Ballistic;
using motion::Integrated;
using motion::Interval;
using motion::LocalBounds;
using motion::Motion;
using motion::Prescribed;
using motion::PrincipalInertia;
using motion::Quat;
using motion::State;

State random_state(Random& random, const RotationCase& c) {
    return {random_vector(random, 3.0), c.orientation, random_vector(random, 3.0),
            c.angular_velocity};
}

// Motions of every kind, defined on [0, 4].
std::vector<Motion> random_motions(Random& random, int integrated) {
    std::vector<Motion> motions;
    for (int i = 0; i < 40; ++i) {
        const RotationCase c = random_rotation(random);
        const Vec3 g = random_vector(random, 10.0);
        motions.emplace_back(
            Ballistic(random_state(random, c), PrincipalInertia(c.inertia), g, 0.3));
        motions.emplace_back(Ballistic::sphere(random_state(random, c), g, -0.2));
        motions.emplace_back(Prescribed::turning(
            random_vector(random, 2.0), c.orientation, random_vector(random, 2.0),
            random_vector(random, 2.0), c.angular_velocity, 0.7));
        motions.emplace_back(Prescribed::turning(random_vector(random, 2.0), c.orientation,
                                                 random_vector(random, 2.0), k_zero,
                                                 c.angular_velocity, 0.0));
        motions.emplace_back(Prescribed::gliding(random_vector(random, 2.0), c.orientation,
                                                 random_vector(random, 2.0), 0.0));
    }
    for (int i = 0; i < integrated; ++i) {
        const RotationCase c = random_rotation(random);
        motions.emplace_back(
            Integrated::body(random_state(random, c), 1.0, PrincipalInertia(c.inertia),
                             {motion::Gravity{{0.0, 0.0, -9.81}}, motion::Drag{0.1, 0.05, 0.02},
                              motion::Spring{{0.1, 0.2, 0.0}, k_zero, 20.0, 0.1, 0.3}},
                             0.0, 4.0, {1e-10}));
    }
    return motions;
}

struct Window {
    double t, d;
};

Window random_window(Random& random) {
    const double t = random.uniform(0.0, 3.9);
    return {t, std::min(4.0 - t, std::pow(10.0, random.uniform(-4.0, 0.6)))};
}

// Points of the body on the sphere of the radius, now and at t.
double farthest(const Motion& m, const Window& w, double radius, Random& random, int samples,
                const Vec3* direction, Interval* range) {
    const State first = at(m, w.t);
    double most = 0.0;
    for (int i = 0; i < samples; ++i) {
        const double s = i == 0 ? w.t + w.d : w.t + w.d * random.uniform();
        const State now = at(m, s);
        const Vec3 r = radius * random.direction();
        const Vec3 x = now.position - first.position + now.orientation * r - first.orientation * r;
        most = std::max(most, x.norm());
        if (direction == nullptr) continue;
        range->low = std::min(range->low, direction->dot(x));
        range->high = std::max(range->high, direction->dot(x));
    }
    return most;
}

TEST(Bounds, HoldOnDenseSamplesOfEveryMotion) {
    Random random(51);
    for (const Motion& m : random_motions(random, 8)) {
        for (int k = 0; k < 40; ++k) {
            const Window w = random_window(random);
            const double radius = random.uniform() < 0.2 ? 0.0 : random.log_uniform(1e-2, 3.0);
            const Vec3 n = random_vector(random, 2.0);
            Interval seen{0.0, 0.0};
            const double most = farthest(m, w, radius, random, 60, &n, &seen);
            EXPECT_LE(most, displacement_bound(m, w.t, w.d, radius));
            const Interval range = displacement_along(m, w.t, w.d, n, radius);
            EXPECT_LE(range.low, seen.low);
            EXPECT_GE(range.high, seen.high);
            const auto box = swept_centre_box(m, w.t, w.t + w.d);
            const LocalBounds local = bounds(m, w.t, w.d);
            const State first = at(m, w.t);
            for (int i = 0; i < 60; ++i) {
                const double d = w.d * random.uniform();
                const State now = at(m, w.t + d);
                ASSERT_TRUE((now.position.array() >= box.low.array()).all());
                ASSERT_TRUE((now.position.array() <= box.high.array()).all());
                const Vec3 rest =
                    now.position - first.position - d * first.velocity - 0.5 * d * d * local.a;
                ASSERT_LE(rest.norm(), 0.5 * d * d * local.a_spread + 1e-13);
                ASSERT_LE(now.angular_velocity.norm(), local.spin_max * (1.0 + 1e-14));
            }
        }
    }
}

TEST(Bounds, SpinRateHolds) {
    Random random(52);
    for (const Motion& m : random_motions(random, 8)) {
        const LocalBounds local = bounds(m, 0.0, 4.0);
        double most = 0.0;
        for (int i = 0; i < 400; ++i) {
            const double t = random.uniform(0.01, 3.99);
            const double h = 1e-5;
            const Vec3 rate =
                (at(m, t + h).angular_velocity - at(m, t - h).angular_velocity) / (2.0 * h);
            most = std::max(most, rate.norm());
        }
        EXPECT_LE(most, local.spin_rate_max + 1e-6 * (1.0 + local.spin_max));
    }
}

// Thrown up: the apex is in the box, and the box is no larger than the flight.
TEST(Bounds, ParabolasAreBoxedExactly) {
    const Motion m = Ballistic({1.0, 2.0, 3.0}, {2.0, 0.0, 10.0}, {0.0, 0.0, -10.0}, 0.0);
    const auto box = swept_centre_box(m, 0.5, 1.75);
    EXPECT_NEAR(box.low.x(), 2.0, 3e-13);
    EXPECT_NEAR(box.high.x(), 4.5, 3e-13);
    EXPECT_NEAR(box.high.z(), 8.0, 1e-12);
    EXPECT_NEAR(box.low.z(), 3.0 + 17.5 - 5.0 * 1.75 * 1.75, 1e-12);
    const Interval up = displacement_along(m, 0.5, 1.25, Vec3::UnitZ(), 0.0);
    EXPECT_NEAR(up.high, 8.0 - 6.75, 1e-12);
    // straight up and back: the farthest is the apex
    const Motion back = Ballistic(k_zero, {0.0, 0.0, 10.0}, {0.0, 0.0, -10.0}, 0.0);
    EXPECT_NEAR(displacement_bound(back, 0.0, 2.0, 0.0), 5.0, 1e-12);
    EXPECT_NEAR(displacement_bound(back, 0.0, 3.0, 0.0), 15.0, 1e-12);
    const LocalBounds local = bounds(m, 0.0, 1.0);
    EXPECT_EQ(local.a, Vec3(0.0, 0.0, -10.0));
    EXPECT_EQ(local.a_spread, 0.0);
    EXPECT_EQ(local.spin_max, 0.0);
}

TEST(Bounds, CirclesAreBoxedExactly) {
    // radius 2 about the origin, one radian a second, starting on x
    const Motion m = Prescribed::turning({2.0, 0.0, 0.0}, Quat::Identity(), k_zero, k_zero,
                                         {0.0, 0.0, 1.0}, 0.0);
    const double pi = std::numbers::pi;
    const auto arc = swept_centre_box(m, 0.25 * pi, 0.75 * pi);
    EXPECT_NEAR(arc.low.x(), -std::sqrt(2.0), 1e-13);
    EXPECT_NEAR(arc.high.x(), std::sqrt(2.0), 1e-13);
    EXPECT_NEAR(arc.low.y(), std::sqrt(2.0), 1e-13);
    EXPECT_NEAR(arc.high.y(), 2.0, 1e-13);
    const auto whole = swept_centre_box(m, 1.0, 20.0);
    EXPECT_NEAR(whole.low.x(), -2.0, 1e-12);
    EXPECT_NEAR(whole.high.y(), 2.0, 1e-12);
    // with a drift the box is that of the sampled cycloid
    Random random(53);
    for (int i = 0; i < 50; ++i) {
        const Motion cycloid = Prescribed::turning(
            random_vector(random, 2.0), Quat::Identity(), random_vector(random, 2.0),
            random_vector(random, 3.0), random_vector(random, 4.0), 0.0);
        const double t0 = random.uniform(-2.0, 2.0);
        const double t1 = t0 + random.uniform(0.1, 6.0);
        const auto box = swept_centre_box(cycloid, t0, t1);
        Vec3 low = position_at(cycloid, t0), high = low;
        for (int k = 0; k <= 20000; ++k) {
            const Vec3 c = position_at(cycloid, t0 + (t1 - t0) * k / 20000.0);
            low = low.cwiseMin(c);
            high = high.cwiseMax(c);
        }
        EXPECT_LE((box.low - low).cwiseAbs().maxCoeff(), 1e-5);
        EXPECT_LE((box.high - high).cwiseAbs().maxCoeff(), 1e-5);
    }
}

// A bound that were ten, or twice, too large would fail here.
TEST(Bounds, AreTightInSimpleCases) {
    Random random(54);
    const RotationCase ball{"ball", Mat3::Identity(), Quat::Identity(), {0.0, 0.0, 3.0}};
    // a spin alone: points on the equator go along a chord
    const Motion spin =
        Ballistic::sphere({k_zero, ball.orientation, k_zero, {0.0, 0.0, 3.0}}, k_zero, 0.0);
    EXPECT_NEAR(displacement_bound(spin, 0.0, 0.1, 2.0), 4.0 * std::sin(0.15), 1e-13);
    EXPECT_NEAR(displacement_bound(spin, 0.0, 9.0, 2.0), 4.0, 3e-13);
    // nothing moves along the axis
    const Interval axis = displacement_along(spin, 0.0, 0.1, Vec3::UnitZ(), 2.0);
    EXPECT_NEAR(axis.high, 0.0, 1e-13);
    const Interval side = displacement_along(spin, 0.0, 0.1, Vec3::UnitX(), 2.0);
    EXPECT_NEAR(side.high, 4.0 * std::sin(0.15), 1e-13);
    // a platter's a_spread: |a| |w| h / 3 to first order
    const Motion platter = Prescribed::turning({2.0, 0.0, 0.0}, Quat::Identity(), k_zero, k_zero,
                                               {0.0, 0.0, 3.0}, 0.0);
    EXPECT_NEAR(bounds(platter, 0.0, 0.1).a_spread, 18.0 * 0.1, 1e-12);
    EXPECT_LE((bounds(platter, 0.0, 0.1).a - Vec3(-18.0, 0.0, 0.0)).norm(), 1e-13);
    // tumbling bodies over short times: the sampled displacement comes within a factor of two
    for (const Motion& m : random_motions(random, 0)) {
        const Window w{random.uniform(0.0, 3.0), 0.02};
        const double most = farthest(m, w, 0.5, random, 4000, nullptr, nullptr);
        EXPECT_GE(2.0 * most, displacement_bound(m, w.t, w.d, 0.5));
    }
    // an integrated parabola is bounded as the parabola is
    const Motion fall = Integrated::particle(k_zero, {1.0, 0.0, 2.0}, 1.0,
                                             {motion::Gravity{{0.0, 0.0, -10.0}}}, 0.0, 1.0);
    const LocalBounds local = bounds(fall, 0.1, 0.5);
    EXPECT_LE((local.a - Vec3(0.0, 0.0, -10.0)).norm(), 1e-9);
    EXPECT_LE(local.a_spread, 1e-8);
    const auto box = swept_centre_box(fall, 0.0, 1.0);
    EXPECT_NEAR(box.high.z(), 0.2, 0.005);
    EXPECT_NEAR(box.low.z(), -3.0, 1e-9);
    // an integrated steady spin has nearly no spin rate
    const Motion steady = Integrated::body({k_zero, Quat::Identity(), k_zero, {0.0, 0.0, 3.0}}, 1.0,
                                           PrincipalInertia(Mat3::Identity()), {}, 0.0, 1.0);
    EXPECT_NEAR(bounds(steady, 0.2, 0.3).spin_max, 3.0, 1e-3);
    EXPECT_LE(bounds(steady, 0.2, 0.3).spin_rate_max, 0.05);
}

TEST(Bounds, RefuseBadWindows) {
    const Motion m = Ballistic();
    const double nan = std::nan("");
    EXPECT_THROW(bounds(m, 0.0, -1.0), std::invalid_argument);
    EXPECT_THROW(bounds(m, nan, 1.0), std::invalid_argument);
    EXPECT_THROW(displacement_bound(m, 0.0, 1.0, -1.0), std::invalid_argument);
    EXPECT_THROW(swept_centre_box(m, 1.0, 0.0), std::invalid_argument);
    const Motion way = Integrated::particle(k_zero, k_zero, 1.0, {}, 0.0, 1.0);
    EXPECT_THROW(bounds(way, 0.5, 0.6), std::invalid_argument);
    EXPECT_NO_THROW(bounds(way, 0.5, 0.5));
}

}  // namespace
}  // namespace carom::tests
