// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Mirtich and Canny (002): the sliding equations of section 4.3, with the normal velocity as the
// variable where that is allowed, Poisson's hypothesis, and the micro-collision of section 4.5.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "carom/impact/micro.h"
#include "carom/impact/permissible.h"
#include "carom/impact/routh.h"
#include "tests/support/random_problems.h"

namespace carom::impact {
namespace {

// 002 eq. 9: change of u per normal impulse.
Vec3 sliding_rate(const Mat3& K, double mu, const Vec2& slip) {
    const Vec2 c = slip.normalized();
    return K * Vec3(-mu * c.x(), -mu * c.y(), 1.0);
}

// Slip and normal impulse as functions of u_z. Only while du_z/dp_z > 0.
struct State {
    Vec2 slip;
    double pz;

    State operator+(const State& other) const { return {slip + other.slip, pz + other.pz}; }
    friend State operator*(double factor, const State& state) {
        return {factor * state.slip, factor * state.pz};
    }
};

State rate_in_uz(const Mat3& K, double mu, const State& state) {
    const Vec3 rate = sliding_rate(K, mu, state.slip);
    return {rate.head<2>() / rate.z(), 1.0 / rate.z()};
}

State slide_in_uz(const Contact& contact, double mu, double uz_end, int steps) {
    const double h = (uz_end - contact.u.z()) / steps;
    State s{contact.u.head<2>(), 0.0};
    for (int i = 0; i < steps; ++i) {
        const State a = rate_in_uz(contact.K, mu, s);
        const State b = rate_in_uz(contact.K, mu, s + 0.5 * h * a);
        const State c = rate_in_uz(contact.K, mu, s + 0.5 * h * b);
        const State d = rate_in_uz(contact.K, mu, s + h * c);
        s = s + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return s;
}

// Whether it only slides, not too slowly, with du_z/dp_z > 0 all along.
bool fit_for_uz(const Contact& contact, double mu, const Solution& solution, const Trace& trace) {
    if (solution.path.size() != 1 || solution.path[0] != Mode::slide) return false;
    for (const TraceSample& sample : trace.samples) {
        const Vec2 slip = sample.u.head<2>();
        if (slip.norm() < 0.1 * contact.u.head<2>().norm()) return false;
        if (sliding_rate(contact.K, mu, slip).z() < 0.1 * contact.K(2, 2)) return false;
    }
    return true;
}

TEST(MirtichCanny, NormalVelocityAsTheVariable) {
    // Newton's termination ends at a known u_z, so that no event has to be located.
    tests::Random random(43);
    int compared = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Contact contact = tests::random_contact(random);
        const double e = random.uniform();
        const double mu = random.uniform(0.05, 0.6);
        Trace trace;
        const Solution solution = routh(contact, {e, mu, Termination::newton}, &trace);
        if (!fit_for_uz(contact, mu, solution, trace)) continue;
        ++compared;
        const State end = slide_in_uz(contact, mu, -e * contact.u.z(), 4000);
        const Vec3 u = contact.u + contact.K * solution.p;
        EXPECT_NEAR(end.pz, solution.p.z(), 1e-9 * solution.p.z()) << trial;
        EXPECT_LT((end.slip - u.head<2>()).norm(), 1e-9 * contact.u.norm()) << trial;
    }
    EXPECT_GT(compared, 50);
}

TEST(MirtichCanny, PoissonsHypothesis) {
    // 002 assumption 2: p_total = (1 + e) p_mc; p_mc by the integration in u_z up to zero.
    tests::Random random(41);
    int compared = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Contact contact = tests::random_contact(random);
        const double e = random.uniform();
        const double mu = random.uniform(0.05, 0.6);
        Trace trace;
        const Solution solution = routh(contact, {e, mu, Termination::poisson}, &trace);
        if (!fit_for_uz(contact, mu, solution, trace)) continue;
        ++compared;
        const double p_mc = slide_in_uz(contact, mu, 0.0, 4000).pz;
        EXPECT_NEAR(solution.p.z(), (1.0 + e) * p_mc, 1e-9 * solution.p.z()) << trial;
        EXPECT_EQ(solution.history.compressions, 1);
        EXPECT_NEAR(solution.history.compression_impulse, p_mc, 1e-9 * p_mc) << trial;
    }
    EXPECT_GT(compared, 50);
}

TEST(MirtichCanny, SlipMayGrowFromNothing) {
    // 002 section 4.3, Figure 6: a leaning rod that falls without slip begins to slip in the
    // impact, although friction resists it.
    const double lean = 0.9;
    BodyPair pair;
    pair.normal = Vec3::UnitZ();
    pair.A.inverse_mass = 1.0;
    pair.A.inverse_inertia = Vec3(12.0, 12.0, 12.0).asDiagonal();  // slender, length 1
    pair.A.r = 0.5 * Vec3(std::sin(lean), 0.0, -std::cos(lean));
    pair.A.v = Vec3(0.0, 0.0, -1.0);
    const Contact contact = make_contact(pair).contact;
    EXPECT_EQ(contact.u.x(), 0.0);
    const Solution slippery = routh(contact, {0.5, 0.3});
    EXPECT_GT(std::abs((contact.u + contact.K * slippery.p).x()), 0.1);
    EXPECT_EQ(slippery.path[0], Mode::ray);
    // 002 eq. 10: enough friction maintains sticking for the rest of the collision
    const Solution rough = routh(contact, {0.5, 1.0});
    EXPECT_NEAR((contact.u + contact.K * rough.p).x(), 0.0, 1e-14);
    EXPECT_EQ(rough.path[0], Mode::stick);
}

TEST(MicroCollision, ReversesTheContactVelocityAtNoCost) {
    // 002 section 4.5: the impulse takes u to -u and does no work, since u changes linearly.
    tests::Random random(45);
    int applied = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Contact contact = tests::random_contact(random);
        const MicroReversal reversal = micro_reversal(contact, {0.8, 1e3});
        if (!reversal.applies) continue;
        ++applied;
        const Vec3 u = contact.u + contact.K * reversal.p;
        EXPECT_LT((u + contact.u).norm(), 1e-9 * contact.u.norm()) << trial;
        EXPECT_NEAR(energy_change(contact, reversal.p), 0.0,
                    1e-9 * region_landmarks(contact, 0.8).contact_energy);
        EXPECT_LE(reversal.p.head<2>().norm(), 0.8 * reversal.p.z() * (1.0 + 1e-12));
    }
    EXPECT_GT(applied, 20);
}

TEST(MicroCollision, BlockOnARamp) {
    // 002 section 4.5: a block held by friction. After a short fall u points along gravity, and the
    // reversing impulse of a particle along -u lies in the cone iff tan(slope) <= mu.
    for (const double slope : {0.1, 0.4, 0.6}) {
        const Contact contact{Mat3::Identity(),
                              1e-3 * Vec3(std::sin(slope), 0.0, -std::cos(slope))};
        EXPECT_EQ(micro_reversal(contact, {0.5, 1e-2}).applies, std::tan(slope) <= 0.5) << slope;
    }
}

TEST(MicroCollision, OnlyBelowTheThreshold) {
    const Contact contact{Mat3::Identity(), Vec3(0.0, 0.0, -0.1)};
    EXPECT_TRUE(micro_reversal(contact, {0.5, 0.2}).applies);
    EXPECT_FALSE(micro_reversal(contact, {0.5, 0.05}).applies);
}

}  // namespace
}  // namespace carom::impact
