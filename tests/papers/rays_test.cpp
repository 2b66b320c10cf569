// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Rays of constant sliding: Figure 4 of the correction of Mirtich's algorithm (001), its sections
// 3.7 to 3.10.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/impact/principal.h"
#include "carom/impact/routh.h"
#include "carom/impact/sliding_rays.h"
#include "tests/support/random_problems.h"

namespace carom::impact {
namespace {

constexpr double k_figure_mu = 0.7;  // 001 section 3.7
constexpr double k_pi = std::numbers::pi;

Mat3 figure_4() {
    Mat3 K;
    K << 20, 0, 1, 0, 4, 6, 1, 6, 10;  // 001 section 3.7
    return K;
}

double degrees(double radians) {
    return radians * 180.0 / k_pi;
}

// 001 section 3.8: the quartic in p = tan(theta/2).
std::array<double, 5> printed_quartic(const Mat3& K, double mu) {
    return {mu * K(0, 1) - K(1, 2), 2.0 * (K(0, 2) + mu * K(1, 1) - mu * K(0, 0)),
            -6.0 * mu * K(0, 1), 2.0 * (K(0, 2) + mu * K(0, 0) - mu * K(1, 1)),
            mu * K(0, 1) + K(1, 2)};
}

// The quartic's value relative to the sum of the sizes of its terms.
double relative_value(const std::array<double, 5>& a, double p) {
    double value = 0.0;
    double size = 0.0;
    double power = 1.0;
    for (const double coefficient : a) {
        value += coefficient * power;
        size += std::abs(coefficient * power);
        power *= p;
    }
    return value / size;
}

// 001 section 3.8: positive on a diverging ray.
double printed_divergence(const Mat3& K, double mu, double angle) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return -mu * K(0, 0) * c * c - mu * K(1, 1) * s * s - 2.0 * mu * K(0, 1) * s * c + K(0, 2) * c +
           K(1, 2) * s;
}

// Starts on the unit circle in direction n of 16, driven hard enough that the slip has settled long
// before the end of compression.
Solution figure_4_trajectory(int n, Trace& trace) {
    const double angle = 2.0 * k_pi * n / 16.0;
    const Contact contact{figure_4(), Vec3(std::cos(angle), std::sin(angle), -1000.0)};
    return routh(contact, {0.0, k_figure_mu}, &trace);
}

bool reaches_origin(const Solution& solution) {
    for (std::size_t i = 0; i < solution.path.size(); ++i) {
        if (solution.path[i] == Mode::ray) return true;
    }
    return false;
}

TEST(Rays, InverseOfFigure4AsPrinted) {
    Mat3 printed;  // 001 section 3.7, times 76
    printed << 4, 6, -4, 6, 199, -120, -4, -120, 80;
    EXPECT_LT((figure_4().inverse() - printed / 76.0).norm(), 1e-13);
}

TEST(Rays, StickOfFigure4IsUnstable) {
    // 001 section 3.5: stable iff the inverse's third column lies in the cone; here 120.07 > 56.
    const Mat3 inverse = figure_4().inverse();
    EXPECT_GT(inverse.col(2).head<2>().norm(), k_figure_mu * inverse(2, 2));
    EXPECT_FALSE(make_principal(figure_4()).stick_is_stable(k_figure_mu));
}

TEST(Rays, AnglesOfFigure4) {
    // 001 section 3.7: at about 87, 209, 281 and 323 degrees; only the first diverges.
    const SlidingRays rays = sliding_rays(figure_4(), k_figure_mu);
    ASSERT_EQ(rays.count, 4);
    const std::array<double, 4> printed{87.0, 209.0, 281.0, 323.0};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(degrees(rays.ray[i].angle), printed[i], 0.5);
        EXPECT_EQ(rays.ray[i].growth > 0.0, i == 0) << printed[i];
        EXPECT_NEAR(rays.ray[i].growth,
                    printed_divergence(figure_4(), k_figure_mu, rays.ray[i].angle), 1e-12);
    }
    // 001 section 3.7: 209 and 323 degrees divide the plane, so they repel; the others attract.
    EXPECT_TRUE(rays.ray[0].attracting);
    EXPECT_FALSE(rays.ray[1].attracting);
    EXPECT_TRUE(rays.ray[2].attracting);
    EXPECT_FALSE(rays.ray[3].attracting);
}

TEST(Rays, QuarticVanishesOnThem) {
    const SlidingRays rays = sliding_rays(figure_4(), k_figure_mu);
    for (std::size_t i = 0; i < 4; ++i) {
        const double p = std::tan(0.5 * rays.ray[i].angle);
        EXPECT_NEAR(relative_value(printed_quartic(figure_4(), k_figure_mu), p), 0.0, 1e-14);
    }
}

TEST(Rays, QuarticVanishesOnTheRaysOfRandomBodies) {
    tests::Random random(308);
    for (int trial = 0; trial < 200; ++trial) {
        const Mat3 K = tests::random_contact(random).K;
        const double mu = random.uniform(0.05, 1.5);
        const SlidingRays rays = sliding_rays(K, mu);
        EXPECT_GE(rays.count, 1) << "001 section 3.11: there is always a ray";
        int diverging = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(rays.count); ++i) {
            const double p = std::tan(0.5 * rays.ray[i].angle);
            EXPECT_NEAR(relative_value(printed_quartic(K, mu), p), 0.0, 1e-10) << trial;
            if (rays.ray[i].growth > 0.0) ++diverging;
        }
        // 001 section 3.10: unstable stick, and only that, has exactly one diverging ray
        EXPECT_EQ(diverging, make_principal(K).stick_is_stable(mu) ? 0 : 1) << trial;
    }
}

TEST(Rays, FiveOfSixteenTrajectoriesEndAtTheOrigin) {
    // 001 section 3.7: the five at the bottom reach the origin, between the rays at 209 and 323
    // degrees: 225, 247.5, 270, 292.5 and 315.
    int at_origin = 0;
    for (int n = 0; n < 16; ++n) {
        Trace trace;
        const Solution solution = figure_4_trajectory(n, trace);
        const bool bottom = n >= 10 && n <= 14;
        EXPECT_EQ(reaches_origin(solution), bottom) << "start direction " << n;
        at_origin += reaches_origin(solution) ? 1 : 0;
        bool stopped = false;
        for (const Transition& t : trace.transitions) {
            if (t.kind == TransitionKind::slip_to_slip) {
                stopped = true;
                EXPECT_LT(trace.samples[t.sample].u.head<2>().norm(), 1e-12);
            }
        }
        EXPECT_EQ(stopped, bottom) << "start direction " << n;
    }
    EXPECT_EQ(at_origin, 5);
}

TEST(Rays, AllTrajectoriesLeaveAlongTheDivergingRay) {
    // 001 section 3.7: those from above converge to the ray at 87 degrees, those from the origin
    // leave along it.
    const double diverging = sliding_rays(figure_4(), k_figure_mu).ray[0].angle;
    for (int n = 0; n < 16; ++n) {
        Trace trace;
        const Solution solution = figure_4_trajectory(n, trace);
        const Vec3 u = trace.samples.back().u;
        EXPECT_NEAR(std::atan2(u.y(), u.x()), diverging, reaches_origin(solution) ? 1e-12 : 1e-3)
            << "start direction " << n;
        EXPECT_GT(u.head<2>().norm(), 100.0) << "far from where it started";
    }
}

TEST(Rays, TrajectoriesScaleWithTheirStart) {
    // 001 section 3.7: twice the radius, the same curve twice as large. u_z plays no part in it.
    const double angle = 2.0 * k_pi * 3.0 / 16.0;
    const Contact one{figure_4(), Vec3(std::cos(angle), std::sin(angle), -0.2)};
    const Contact two{figure_4(), 2.0 * one.u};
    const Vec3 p1 = routh(one, {0.5, k_figure_mu}).p;
    const Vec3 p2 = routh(two, {0.5, k_figure_mu}).p;
    EXPECT_LT((p2 - 2.0 * p1).norm(), 1e-13 * p2.norm());
}

}  // namespace
}  // namespace carom::impact
