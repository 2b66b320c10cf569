// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/motion/sphere_on_plane.h"
#include "tests/motion/comparisons.h"
#include "tests/motion/sphere_cases.h"

namespace carom::tests {
namespace {

using motion::Quat;
using motion::SphereContact;
using motion::SphereOnPlane;
using motion::State;
using Phase = SphereOnPlane::Phase;

std::vector<SphereOnPlane> chain(const SphereContact& contact, const State& state, double t0,
                                 double until, std::size_t most) {
    std::vector<SphereOnPlane> out{SphereOnPlane(contact, state, t0)};
    while (out.back().valid_until() < until && out.size() < most)
        out.push_back(out.back().next());
    return out;
}

// On a still plane a slide is followed by rolling, rolling by rest, each once, with one more change
// when the spin stops.
TEST(SphereChangeOver, PhasesFollowEachOtherOnce) {
    Random random(631);
    for (int i = 0; i < 800; ++i) {
        SCOPED_TRACE(i);
        const SphereCase start = random_case(random, i % 3 != 0, false);
        const auto all = chain(start.contact, start.state, start.t0, start.t0 + 20.0, 8);
        EXPECT_LE(all.size(), 4U);
        for (std::size_t k = 1; k < all.size(); ++k) {
            EXPECT_GE(all[k].phase(), all[k - 1].phase());
            EXPECT_GT(all[k].valid_until(), all[k].start_time());
        }
    }
}

// What a recording holds, the state at the start, makes the same segment again.
TEST(SphereChangeOver, FollowsFromTheStateAlone) {
    Random random(632);
    for (int i = 0; i < 200; ++i) {
        const SphereCase start = random_case(random, i % 2 == 0, i % 4 < 2);
        SphereOnPlane m(start.contact, start.state, start.t0);
        for (int k = 0; k < 3 && m.valid_until() < start.t0 + 20.0; ++k) {
            const State end = m.end_state();
            m = m.next();
            const SphereOnPlane again(start.contact, end, m.start_time());
            EXPECT_EQ(again.phase(), m.phase());
            EXPECT_EQ(again.valid_until(), m.valid_until());
            const double t = m.start_time() + std::min(0.1, m.valid_until() - m.start_time());
            EXPECT_EQ(again.position_at(t), m.position_at(t));
            EXPECT_EQ(again.at(t).orientation.coeffs(), m.at(t).orientation.coeffs());
            EXPECT_EQ(m.removed().height, again.removed().height);
            EXPECT_LE(std::abs(m.removed().height), 1e-13 * (1.0 + end.position.norm()));
        }
    }
}

// Down a slope that takes just the friction there is, a ball rolls.
TEST(SphereChangeOver, TiesStick) {
    SphereContact contact = level_contact(0.1, 0.4);
    // 3.5 mu g_n = g_t, exactly
    contact.gravity = Vec3(7.0, 0.0, -8.0);
    contact.mu = 0.25;
    const SphereOnPlane ball(contact, at_rest(contact, Vec3::Zero()), 0.0);
    EXPECT_EQ(ball.phase(), Phase::rolling);
    EXPECT_NEAR(ball.velocity_at(1.0).x(), 5.0, 1e-14);
    EXPECT_NEAR(ball.contact_at(1.0).friction.norm(), 0.25 * 8.0 * contact.mass, 1e-14);
    contact.mu = 0.249;
    const SphereOnPlane slips(contact, at_rest(contact, Vec3::Zero()), 0.0);
    EXPECT_EQ(slips.phase(), Phase::sliding);
    EXPECT_EQ(slips.valid_until(), k_inf);
    EXPECT_NEAR(slips.velocity_at(1.0).x(), 7.0 - 0.249 * 8.0, 1e-14);
    // rolling friction that just holds it, and a little less
    contact.mu = 2.0;
    contact.mu_roll = 0.1 * 7.0 / 8.0;
    EXPECT_EQ(SphereOnPlane(contact, at_rest(contact, Vec3::Zero()), 0.0).phase(), Phase::resting);
    contact.mu_roll *= 0.999;
    EXPECT_EQ(SphereOnPlane(contact, at_rest(contact, Vec3::Zero()), 0.0).phase(), Phase::rolling);
    // without friction nothing turns
    contact.mu = contact.mu_roll = 0.0;
    const SphereOnPlane glides(contact, at_rest(contact, Vec3(1.0, 2.0, 0.0)), 0.0);
    EXPECT_EQ(glides.phase(), Phase::sliding);
    EXPECT_EQ(glides.at(3.0).angular_velocity, Vec3::Zero());
    EXPECT_NEAR(glides.velocity_at(3.0).x(), 22.0, 1e-14);
}

// Straight up a slope, stop, and down again: the line's closed form on both sides of the top.
TEST(SphereChangeOver, SlidesUpAndDownALine) {
    SphereContact contact = level_contact(0.1, 0.4);
    contact.gravity = Vec3(6.0, 0.0, -8.0);
    contact.mu = 0.1;
    const auto all = chain(contact, at_rest(contact, Vec3(-2.0, 0.0, 0.0)), 0.0, k_inf, 8);
    // the slip falls at 6 + 2.8, then grows at 6 - 2.8, since 6 > 3.5 mu 8
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].phase(), Phase::sliding);
    EXPECT_NEAR(all[0].valid_until(), 2.0 / 8.8, 1e-15);
    const double t = 2.0 / 8.8;
    const double x = -2.0 * t + 0.5 * 6.8 * t * t;
    const double v = -2.0 + 6.8 * t;
    EXPECT_NEAR(all[1].position_at(t + 1.0).x(), x + v + 0.5 * 5.2, 1e-14);
    EXPECT_NEAR(all[1].velocity_at(t + 1.0).x(), v + 5.2, 1e-14);
}

// On a tilted turning plane rolling can need more friction than there is: it begins to slip with
// the need at its limit, and friction and motion stay continuous.
TEST(SphereChangeOver, SlipBeginsWhereTheNeedReachesTheLimit) {
    Random random(633);
    int seen = 0;
    for (int i = 0; i < 3000 && seen < 12; ++i) {
        SphereCase start = random_case(random, i % 2 == 0, true);
        const SphereContact& c = start.contact;
        const auto all = chain(c, start.state, start.t0, start.t0 + 20.0, 6);
        for (std::size_t k = 1; k < all.size(); ++k) {
            if (all[k - 1].phase() != Phase::rolling || all[k].phase() != Phase::sliding) continue;
            SCOPED_TRACE(i);
            ++seen;
            const double t = all[k].start_time();
            const double N = all[k].contact_at(t).normal_force.norm();
            const auto before = all[k - 1].contact_at(t);
            const auto after = all[k].contact_at(t);
            EXPECT_NEAR(before.friction.norm(), c.mu * N, 1e-9 * N);
            EXPECT_LE((after.friction - before.friction).norm(), 1e-5 * N);
            // and it does slip
            const double later = std::min(t + 0.05, all[k].valid_until());
            const auto force = all[k].contact_at(later);
            const State now = all[k].at(later);
            const Vec3 n = c.plane.normal;
            const Vec3 u = now.velocity - c.radius * now.angular_velocity.cross(n) -
                           c.plane.turn_rate * n.cross(force.point - c.plane.point);
            EXPECT_GT(u.norm(), 1e-9);
            EXPECT_LE((force.friction + c.mu * N * u.normalized()).norm(), 1e-8 * c.mu * N);
        }
    }
    EXPECT_GE(seen, 6);
}

// Chains on turning planes get on in time.
TEST(SphereChangeOver, NoChatterOnTurningPlanes) {
    Random random(634);
    for (int i = 0; i < 300; ++i) {
        SCOPED_TRACE(i);
        const SphereCase start = random_case(random, i % 2 == 0, true);
        const auto all = chain(start.contact, start.state, start.t0, start.t0 + 10.0, 40);
        EXPECT_LT(all.size(), 40U);
    }
}

// A slide that takes no time at all: slip just above rounding.
TEST(SphereChangeOver, SlipOfRoundingIsNone) {
    SphereContact contact = level_contact(0.1, 0.4);
    contact.mu = 0.2;
    State state = at_rest(contact, Vec3(1.0, 0.0, 0.0));
    for (const double off : {0.0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-8}) {
        state.angular_velocity = Vec3(0.0, 10.0 * (1.0 + off), 0.0);
        for (const double t0 : {0.0, 1e6}) {
            const auto all = chain(contact, state, t0, k_inf, 4);
            EXPECT_LE(all.size(), 2U);
            EXPECT_EQ(all.back().phase(), Phase::rolling);
            EXPECT_NEAR(all.back().velocity_at(t0 + 5.0).x(), 1.0 + 2.0 / 7.0 * off, 1e-14);
        }
    }
}

// Very large and very small: lengths by s, times by sqrt(s), at fixed gravity.
TEST(SphereChangeOver, ScalesWithLength) {
    Random random(635);
    for (int i = 0; i < 60; ++i) {
        SCOPED_TRACE(i);
        const SphereCase start = random_case(random, i % 2 == 0, i % 4 < 2);
        for (const double s : {0x1.0p-20, 0x1.0p+10}) {
            const double q = std::sqrt(s);
            SphereCase scaled = start;
            scaled.contact.radius *= s;
            scaled.contact.moment *= s * s;
            scaled.contact.mu_roll *= s;
            scaled.contact.mu_spin *= s;
            scaled.contact.plane.point *= s;
            scaled.contact.plane.turn_rate /= q;
            scaled.state.position *= s;
            scaled.state.velocity *= q;
            scaled.state.angular_velocity /= q;
            scaled.t0 *= q;
            const SphereOnPlane a(start.contact, start.state, start.t0);
            const SphereOnPlane b(scaled.contact, scaled.state, scaled.t0);
            ASSERT_EQ(a.phase(), b.phase());
            const double length = std::min(a.valid_until() - start.t0, 3.0);
            const double t = start.t0 + 0.7 * length;
            const Vec3 difference = b.position_at(t * q) / s - a.position_at(t);
            EXPECT_LE(difference.norm(), 1e-11 * (1.0 + a.position_at(t).norm()));
        }
    }
}

}  // namespace
}  // namespace carom::tests
