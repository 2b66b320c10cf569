// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/motion/bounds.h"
#include "tests/motion/sphere_cases.h"

namespace carom::tests {
namespace {

using motion::Interval;
using motion::LocalBounds;
using motion::Motion;
using motion::Quat;
using motion::SphereContact;
using motion::SphereOnPlane;
using motion::State;

void check(const Motion& m, double t, double d, Random& random) {
    const double radius = random.uniform(0.0, 0.5);
    const Vec3 n = random_vector(random, 2.0);
    const double most = displacement_bound(m, t, d, radius);
    const Interval range = displacement_along(m, t, d, n, radius);
    const auto box = swept_centre_box(m, t, t + d);
    const LocalBounds local = bounds(m, t, d);
    const State first = at(m, t);
    const double size = 1.0 + first.position.norm() + first.velocity.norm() * d;
    for (int i = 0; i <= 20; ++i) {
        const double s = i == 0 ? d : d * random.uniform();
        const State now = at(m, t + s);
        const Vec3 r = radius * random.direction();
        const Vec3 x = now.position - first.position + now.orientation * r - first.orientation * r;
        ASSERT_LE(x.norm(), most);
        ASSERT_LE(range.low, n.dot(x));
        ASSERT_GE(range.high, n.dot(x));
        ASSERT_TRUE((now.position.array() >= box.low.array()).all());
        ASSERT_TRUE((now.position.array() <= box.high.array()).all());
        const Vec3 rest =
            now.position - first.position - s * first.velocity - 0.5 * s * s * local.a;
        ASSERT_LE(rest.norm(), 0.5 * s * s * local.a_spread + 1e-13 * size);
        ASSERT_LE(now.angular_velocity.norm(), local.spin_max * (1.0 + 1e-13));
        const double h = 1e-3 * d;
        if (s + h > d || s < h || h < 1e-7) continue;
        const Vec3 rate =
            (at(m, t + s + h).angular_velocity - at(m, t + s - h).angular_velocity) / (2.0 * h);
        ASSERT_LE(rate.norm(), local.spin_rate_max * (1.0 + 1e-6) + 1e-6);
    }
}

TEST(SphereBounds, HoldOnDenseSamples) {
    Random random(651);
    for (int i = 0; i < 160; ++i) {
        SCOPED_TRACE(i);
        const SphereCase start = random_case(random, i % 2 == 0, i % 4 < 2);
        SphereOnPlane m(start.contact, start.state, start.t0);
        for (int k = 0; k < 4; ++k) {
            SCOPED_TRACE(name_of(m.phase()));
            const double length = std::min(m.valid_until() - m.start_time(), 5.0);
            for (int j = 0; j < 4; ++j) {
                const double from = length * random.uniform();
                const double d = std::min(length - from, length * random.log_uniform(1e-4, 1.0));
                check(m, m.start_time() + from, d, random);
            }
            if (!(m.valid_until() < start.t0 + 10.0)) break;
            m = m.next();
        }
    }
}

// Parabolas are boxed exactly, circles over whole turns too.
TEST(SphereBounds, AreTightForClosedForms) {
    SphereContact contact = level_contact(0.1, 0.4);
    contact.mu = 0.2;
    const double v = 2.0;
    const SphereOnPlane slide(contact, at_rest(contact, Vec3(v, 0.0, 0.0)), 0.0);
    const double T = slide.valid_until();
    const auto line = swept_centre_box(slide, 0.0, T);
    EXPECT_NEAR(line.high.x(), v * T - 0.5 * 0.2 * 9.81 * T * T, 1e-13);
    EXPECT_NEAR(line.high.y() - line.low.y(), 0.0, 1e-13);
    EXPECT_EQ(bounds(slide, 0.0, T).a_spread, 0.0);

    contact.plane.turn_rate = 7.0;
    // a circle of radius 0.3 at 2 rad/s about the axis
    State start = at_rest(contact, Vec3(0.0, 0.6, 0.0));
    start.position.x() = 0.3;
    start.angular_velocity = Vec3((7.0 * 0.3 - 0.6) / 0.1, 0.0, 0.0);
    contact.mu = 1.0;
    const SphereOnPlane circle(contact, start, 0.0);
    ASSERT_EQ(circle.phase(), SphereOnPlane::Phase::rolling);
    const auto round = swept_centre_box(circle, 0.0, 10.0);
    EXPECT_NEAR(round.high.x(), 0.3, 1e-11);
    EXPECT_NEAR(round.low.x(), -0.3, 1e-11);
    EXPECT_NEAR(round.high.y(), 0.3, 1e-11);
    EXPECT_NEAR(round.low.y(), -0.3, 1e-11);
}

// As one of the motions: the times, and what is asked outside of them.
TEST(SphereBounds, IsAMotion) {
    const SphereContact contact = level_contact(0.1, 0.4);
    const SphereOnPlane slide(contact, at_rest(contact, Vec3(1.0, 0.0, 0.0)), 2.0);
    const Motion m = slide;
    EXPECT_EQ(valid_from(m), 2.0);
    EXPECT_EQ(valid_until(m), slide.valid_until());
    EXPECT_EQ(position_at(m, 2.05), slide.position_at(2.05));
    EXPECT_EQ(attitude_at(m, 2.05).orientation.coeffs(), slide.at(2.05).orientation.coeffs());
    EXPECT_THROW(at(m, 1.9), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
