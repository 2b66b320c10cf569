// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/hodograph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using motion::Hodograph;

// u' = s e1 - f u/|u| and its integral, by Runge and Kutta in extended precision with steps that
// shrink with |u|.
struct Reference {
    using Real = long double;
    Real u1, u2, y1 = 0, y2 = 0;

    void run(double s, double f, double t) {
        const Real S = static_cast<Real>(s);
        const Real F = static_cast<Real>(f);
        Real left = static_cast<Real>(t);
        const auto rate = [&](Real a, Real b, Real& ra, Real& rb) {
            const Real q = std::hypot(a, b);
            ra = S - F * a / q;
            rb = -F * b / q;
        };
        while (left > 0) {
            const Real h = std::min(left, 2e-3L * std::hypot(u1, u2) / (S + F) + 1e-9L * left);
            Real a1, b1, a2, b2, a3, b3, a4, b4;
            rate(u1, u2, a1, b1);
            rate(u1 + h / 2 * a1, u2 + h / 2 * b1, a2, b2);
            rate(u1 + h / 2 * a2, u2 + h / 2 * b2, a3, b3);
            rate(u1 + h * a3, u2 + h * b3, a4, b4);
            y1 += h * u1 + h * h / 6 * (a1 + a2 + a3);
            y2 += h * u2 + h * h / 6 * (b1 + b2 + b3);
            u1 += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            u2 += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
            left -= h;
        }
    }
};

void compare(const Vec2& u0, double s, double f, double t, double tolerance) {
    SCOPED_TRACE(testing::Message()
                 << "u0 " << u0.transpose() << " s " << s << " f " << f << " t " << t);
    const Hodograph::Point now = Hodograph(u0, s, f).at(t);
    Reference reference{u0.x(), u0.y()};
    reference.run(s, f, t);
    const double speed = u0.norm() + (s + f) * t;
    EXPECT_NEAR(now.u.x(), static_cast<double>(reference.u1), tolerance * speed);
    EXPECT_NEAR(now.u.y(), static_cast<double>(reference.u2), tolerance * speed);
    EXPECT_NEAR(now.y.x(), static_cast<double>(reference.y1), tolerance * speed * t);
    EXPECT_NEAR(now.y.y(), static_cast<double>(reference.y2), tolerance * speed * t);
}

TEST(Hodograph, AgreesWithIntegration) {
    Random random(611);
    for (int i = 0; i < 60; ++i) {
        const double angle = random.uniform(-3.1, 3.1);
        const Vec2 u0 = random.log_uniform(0.1, 10.0) * Vec2(std::cos(angle), std::sin(angle));
        const double s = random.uniform(0.0, 5.0);
        const double f = random.uniform(0.0, 5.0);
        const double end = Hodograph(u0, s, f).end();
        const double span = std::isfinite(end) ? end : 3.0;
        compare(u0, s, f, span * random.uniform(0.01, 0.999), 1e-12);
    }
}

TEST(Hodograph, IsRegularWhereItsFormulasMeet) {
    const Vec2 u0(-1.0, 0.7);
    for (const double t : {0.1, 0.3}) {
        compare(u0, 0.0, 2.0, t, 1e-12);
        compare(u0, 1e-18, 2.0, t, 1e-12);
        compare(u0, 3.0, 0.0, t, 1e-12);
        compare(u0, 3.0, 1e-17, t, 1e-12);
        compare(u0, 2.0, 2.0, t, 1e-12);
        compare(u0, 2.0, 2.0 + 1e-15, t, 1e-12);
        compare(u0, 2.0, 2.0 - 1e-15, t, 1e-12);
        // 2 f = s, where an exponent vanishes
        compare(u0, 2.0, 1.0, t, 1e-12);
    }
}

// Almost straight up the slope: the turn at the top is sharp.
TEST(Hodograph, TurnsSharplyAtTheTop) {
    for (const double tilt : {1e-2, 1e-4, 1e-6}) {
        const Vec2 u0(-1.0, tilt);
        for (const double t : {0.2, 0.24, 0.26, 0.4, 2.0})
            compare(u0, 3.0, 1.0, t, 1e-12);
        compare(u0, 1.0, 3.0, 0.2499, 1e-12);
    }
    // so sharp that no integration follows it: up and down as if on one line
    const Hodograph sharp(Vec2(-1.0, 1e-12), 3.0, 1.0);
    EXPECT_NEAR(sharp.at(0.25).u.norm(), 0.0, 1e-10);
    EXPECT_NEAR(sharp.at(0.75).u.x(), 2.0 * 0.5, 1e-10);
    EXPECT_NEAR(sharp.at(0.75).y.x(), -0.125 + 0.25, 1e-10);
}

// The stop: T by hand for a level plane, and u and the way there for a slope.
TEST(Hodograph, StopsOnTime) {
    const Hodograph level(Vec2(3.0, 4.0), 0.0, 2.0);
    EXPECT_DOUBLE_EQ(level.end(), 2.5);
    EXPECT_EQ(level.at(2.5).u, Vec2::Zero());
    EXPECT_NEAR(level.at(2.5).y.x(), 3.75, 1e-15);
    EXPECT_NEAR(level.at(2.5).y.y(), 5.0, 1e-15);
    // q cos^2, q sin^2 of half of a right angle are q/2: T = q/2 (1/(f-s) + 1/(f+s))
    const Hodograph slope(Vec2(0.0, 2.0), 1.0, 3.0);
    EXPECT_DOUBLE_EQ(slope.end(), 0.75);
    EXPECT_EQ(slope.at(0.75).u, Vec2::Zero());
    // near the end the speed falls as (f - s) times the time left
    const double left = 1e-9;
    EXPECT_NEAR(slope.at(0.75 - left).u.norm() / left, 2.0, 1e-5);
    EXPECT_EQ(Hodograph(Vec2(0.0, 2.0), 3.0, 1.0).end(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace carom::tests
