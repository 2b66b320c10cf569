// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/sliding_rays.h"

#include <numbers>

#include "carom/impact/principal.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::sliding_rays;

constexpr double k_turn = 2.0 * std::numbers::pi;

struct Field {
    double f, g;
};

// The turning f and the growth g of slip at an angle, straight from du/dp_z = b - mu M c.
Field field(const Mat3& K, double mu, double th) {
    const Vec2 c(std::cos(th), std::sin(th));
    const Vec2 rate = K.topRightCorner<2, 1>() - mu * K.topLeftCorner<2, 2>() * c;
    return {c.x() * rate.y() - c.y() * rate.x(), rate.dot(c)};
}

TEST(SlidingRays, AreTheZerosOfTheTurning) {
    Random random(2701);
    for (int i = 0; i < 3000; ++i) {
        const Mat3 K = any_contact(random).K;
        const double mu = random.uniform(0.01, 3.0);
        const auto rays = sliding_rays(K, mu);
        const double scale = K.norm() * (1 + mu);
        double last = -1.0;
        for (int j = 0; j < rays.count; ++j) {
            const auto& ray = rays.ray[static_cast<std::size_t>(j)];
            ASSERT_GE(ray.angle, 0.0);
            ASSERT_LT(ray.angle, k_turn);
            ASSERT_GT(ray.angle, last);
            last = ray.angle;
            const Field at = field(K, mu, ray.angle);
            ASSERT_NEAR(at.f, 0.0, 1e-13 * scale) << K << " mu " << mu;
            ASSERT_NEAR(at.g, ray.growth, 1e-12 * scale) << K << " mu " << mu;
            const double slope =
                field(K, mu, ray.angle + 1e-6).f - field(K, mu, ray.angle - 1e-6).f;
            if (std::abs(slope) > 1e-9 * scale) {
                ASSERT_EQ(ray.attracting, slope < 0.0) << K << " mu " << mu << " th " << ray.angle;
            }
            // at a repelling ray the slip always shrinks
            if (!ray.attracting) {
                ASSERT_LT(ray.growth, 1e-12 * scale) << K << " mu " << mu;
            }
        }
        // none is missing
        int changes = 0;
        const int n = 4000;
        for (int j = 0; j < n; ++j) {
            changes +=
                (field(K, mu, k_turn * j / n).f < 0) != (field(K, mu, k_turn * (j + 1) / n).f < 0);
        }
        ASSERT_EQ(rays.count, changes) << K << " mu " << mu;
        ASSERT_TRUE(rays.count == 2 || rays.count == 4) << K << " mu " << mu;
    }
}

TEST(SlidingRays, OneDivergesExactlyWhereStickIsUnstable) {
    Random random(2702);
    int unstable = 0;
    for (int i = 0; i < 3000; ++i) {
        const Mat3 K = any_contact(random).K;
        const double mu = random.log_uniform(0.01, 3.0);
        const auto rays = sliding_rays(K, mu);
        int diverging = 0;
        for (int j = 0; j < rays.count; ++j) {
            diverging += rays.ray[static_cast<std::size_t>(j)].growth > 0.0;
        }
        const auto principal = impact::make_principal(K);
        const bool stable = principal.stick_is_stable(mu);
        ASSERT_EQ(diverging, stable ? 0 : 1) << K << " mu " << mu;
        if (stable) continue;
        ++unstable;
        const auto out = impact::diverging_ray(principal, mu);
        const Vec2 c = principal.turn_back(out.c1, out.c2);
        ASSERT_NEAR(c.norm(), 1.0, 1e-14);
        const Field at = field(K, mu, std::atan2(c.y(), c.x()));
        ASSERT_NEAR(at.f, 0.0, 1e-12 * K.norm()) << K << " mu " << mu;
        ASSERT_NEAR(at.g, out.lambda, 1e-12 * K.norm()) << K << " mu " << mu;
    }
    EXPECT_GT(unstable, 300);
}

TEST(SlidingRays, HandComputed) {
    // D = 1, no coupling: f = mu sin 2 th, rays along the axes
    Mat3 K = Vec3(3, 1, 2).asDiagonal();
    const auto axes = sliding_rays(K, 0.5);
    ASSERT_EQ(axes.count, 4);
    for (const auto& ray : axes.ray) {
        const double quarter = ray.angle / (0.25 * k_turn);
        EXPECT_NEAR(quarter, std::round(quarter), 1e-14);
        const bool along_x = static_cast<int>(std::round(quarter)) % 2 == 0;
        EXPECT_NEAR(ray.growth, along_x ? -1.5 : -0.5, 1e-14);
        EXPECT_EQ(ray.attracting, !along_x);
    }
    // isotropic with coupling along x: rays at 0 and pi, growth 1 - mu 2 and -1 - mu 2
    K = Vec3(2, 2, 2).asDiagonal();
    K(0, 2) = K(2, 0) = 1.0;
    const auto two = sliding_rays(K, 0.25);
    ASSERT_EQ(two.count, 2);
    for (int j = 0; j < 2; ++j) {
        const auto& ray = two.ray[static_cast<std::size_t>(j)];
        const bool along = std::cos(ray.angle) > 0.0;
        EXPECT_NEAR(std::abs(std::cos(ray.angle)), 1.0, 1e-15);
        EXPECT_NEAR(ray.growth, along ? 0.5 : -1.5, 1e-14);
        EXPECT_EQ(ray.attracting, along);
    }
    // every direction is a ray
    EXPECT_EQ(sliding_rays(Mat3::Identity(), 0.5).count, 0);
}

}  // namespace
}  // namespace carom::tests
