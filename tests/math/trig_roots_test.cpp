// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/math/trig_roots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numbers>
#include <vector>

#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using math::Trig2;
using math::trig_roots;

constexpr double k_turn = 2.0 * std::numbers::pi;

double angle_of(const Vec2& direction) {
    const double th = std::atan2(direction.y(), direction.x());
    return th < 0.0 ? th + k_turn : th;
}

std::vector<double> found_angles(const Trig2& F) {
    const auto roots = trig_roots(F);
    std::vector<double> angles;
    for (int i = 0; i < roots.count; ++i) {
        angles.push_back(angle_of(roots.direction[static_cast<std::size_t>(i)]));
    }
    std::sort(angles.begin(), angles.end());
    return angles;
}

std::string show(const Trig2& F) {
    std::ostringstream out;
    out.precision(17);
    out << F.a0 << " " << F.a1 << " " << F.b1 << " " << F.a2 << " " << F.b2;
    return out.str();
}

// The F with the four given roots: a product of sin((th - th_i)/2).
Trig2 with_roots(const std::array<double, 4>& th, double scale) {
    // sin(x/2) sin(y/2) = (cos((x - y)/2) - cos((x + y)/2))/2, twice
    const double d1 = std::cos((th[0] - th[1]) / 2), m1 = (th[0] + th[1]) / 2;
    const double d2 = std::cos((th[2] - th[3]) / 2), m2 = (th[2] + th[3]) / 2;
    // (d1 - cos(t - m1)) (d2 - cos(t - m2)) / 4
    Trig2 F{};
    F.a0 = d1 * d2 + 0.5 * std::cos(m1 - m2);
    F.a1 = -d1 * std::cos(m2) - d2 * std::cos(m1);
    F.b1 = -d1 * std::sin(m2) - d2 * std::sin(m1);
    F.a2 = 0.5 * std::cos(m1 + m2);
    F.b2 = 0.5 * std::sin(m1 + m2);
    return {scale * F.a0, scale * F.a1, scale * F.b1, scale * F.a2, scale * F.b2};
}

TEST(TrigRoots, ConstructedRootsAreFound) {
    Random random(3301);
    for (int i = 0; i < 20000; ++i) {
        std::array<double, 4> th{};
        for (double& t : th)
            t = random.uniform(0.0, k_turn);
        if (i % 5 == 0) th[0] = std::numbers::pi;
        if (i % 7 == 0) th[1] = 0.0;
        std::sort(th.begin(), th.end());
        double gap = th[0] + k_turn - th[3];
        for (std::size_t j = 0; j < 3; ++j)
            gap = std::min(gap, th[j + 1] - th[j]);
        if (gap < 1e-3) continue;
        const Trig2 F = with_roots(th, random.log_uniform(1e-6, 1e6));
        std::vector<double> found = found_angles(F);
        ASSERT_EQ(found.size(), 4U) << show(F);
        for (const double t : th) {
            double nearest = 10.0;
            for (const double x : found) {
                const double d = std::abs(x - t);
                nearest = std::min({nearest, d, k_turn - d});
            }
            ASSERT_LT(nearest, 1e-14 / (gap * gap * gap) + 1e-14) << show(F);
        }
    }
}

TEST(TrigRoots, CountAgreesWithDenseSampling) {
    Random random(3302);
    for (int i = 0; i < 4000; ++i) {
        const Trig2 F{random.normal() * (i % 2), random.normal(), random.normal(), random.normal(),
                      random.normal()};
        const int n = 2000;
        int changes = 0;
        double least_slope = 1e300;
        std::vector<double> values(n + 1);
        for (int j = 0; j <= n; ++j) {
            const double th = k_turn * (j + 0.5) / n;
            values[static_cast<std::size_t>(j)] = F.value(std::cos(th), std::sin(th));
        }
        for (std::size_t j = 0; j < n; ++j)
            changes += (values[j] < 0) != (values[j + 1] < 0);
        const auto roots = trig_roots(F);
        for (int j = 0; j < roots.count; ++j) {
            const Vec2& d = roots.direction[static_cast<std::size_t>(j)];
            ASSERT_NEAR(d.norm(), 1.0, 1e-14);
            ASSERT_NEAR(F.value(d.x(), d.y()), 0.0, 1e-13) << show(F);
            least_slope = std::min(least_slope, std::abs(F.slope(d.x(), d.y())));
        }
        // two roots inside one interval are invisible to sampling
        if (roots.count > changes && least_slope < 0.05) continue;
        ASSERT_EQ(roots.count, changes) << show(F);
    }
}

TEST(TrigRoots, SlopeIsTheDerivative) {
    const Trig2 F{0.3, -1.2, 0.7, 0.4, -0.9};
    for (double th = 0.0; th < 6.2; th += 0.37) {
        const double h = 1e-5;
        const double difference = (F.value(std::cos(th + h), std::sin(th + h)) -
                                   F.value(std::cos(th - h), std::sin(th - h))) /
                                  (2 * h);
        EXPECT_NEAR(F.slope(std::cos(th), std::sin(th)), difference, 1e-9);
    }
}

TEST(TrigRoots, HandComputed) {
    // cos 2th = 0 at the odd multiples of pi/4
    const auto diagonal = found_angles({0, 0, 0, 1, 0});
    ASSERT_EQ(diagonal.size(), 4U);
    for (std::size_t j = 0; j < 4; ++j) {
        EXPECT_NEAR(diagonal[j], std::numbers::pi / 4 * (2.0 * static_cast<double>(j) + 1),
                    1e-15 * 4);
    }
    // degree one only: cos th = 1/2
    const auto first = found_angles({-0.5, 1, 0, 0, 0});
    ASSERT_EQ(first.size(), 2U);
    EXPECT_NEAR(first[0], std::numbers::pi / 3, 1e-15 * 4);
    EXPECT_NEAR(first[1], 5 * std::numbers::pi / 3, 1e-15 * 8);
    // none at all
    EXPECT_EQ(trig_roots({2, 1, 0, 0.5, 0}).count, 0);
    EXPECT_EQ(trig_roots({1, 0, 0, 0, 0}).count, 0);
    EXPECT_EQ(trig_roots({0, 0, 0, 0, 0}).count, 0);
    // sin th = 0, at 0 and pi, where half-angle tangents vanish and blow up
    const auto axis = trig_roots({0, 0, 1, 0, 0});
    ASSERT_EQ(axis.count, 2);
    EXPECT_NEAR(axis.direction[0].y(), 0.0, 1e-15);
    EXPECT_NEAR(axis.direction[1].y(), 0.0, 1e-15);
    EXPECT_NEAR(axis.direction[0].x() * axis.direction[1].x(), -1.0, 1e-15);
}

TEST(TrigRoots, AnyScale) {
    Random random(3303);
    for (int i = 0; i < 1000; ++i) {
        const Trig2 F{random.normal(), random.normal(), random.normal(), random.normal(),
                      random.normal()};
        const auto roots = trig_roots(F);
        for (const double s : {0x1p-300, 0x1p300, -1.0}) {
            const auto scaled = trig_roots({s * F.a0, s * F.a1, s * F.b1, s * F.a2, s * F.b2});
            ASSERT_EQ(scaled.count, roots.count) << show(F) << " times " << s;
        }
    }
}

}  // namespace
}  // namespace carom::tests
