// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/micro/micro_rule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

impact::Contact sphere_contact(const Vec3& u) {
    impact::Contact contact;
    contact.K = Vec3(3.5, 3.5, 1.0).asDiagonal();
    contact.u = u;
    return contact;
}

ContactLaw routh(double e, double mu) {
    return impact::law::routh({.e = e, .mu = mu});
}

TEST(Lasting, HopsScaleWithSizeAndGravity) {
    const MicroRule rule(0.003, 9.81, 0.25);
    EXPECT_DOUBLE_EQ(rule.hop_speed(), 0.003 * std::sqrt(9.81 * 0.25));
    const MicroRule moon(0.003, 1.62, 0.25);
    EXPECT_DOUBLE_EQ(moon.hop_speed() / rule.hop_speed(), std::sqrt(1.62 / 9.81));
}

TEST(Lasting, OnlySlowImpactsSoonAfterTheLast) {
    const MicroRule rule(0.003, 9.81, 0.25);
    const double v = rule.hop_speed();
    EXPECT_TRUE(rule.is_micro(v, rule.memory()));
    EXPECT_FALSE(rule.is_micro(v, 1.01 * rule.memory()));
    EXPECT_FALSE(rule.is_micro(4.01 * v, 0.0));
    EXPECT_TRUE(rule.is_micro(0.009 * v, 1e9)) << "placed in contact";
}

TEST(Lasting, NoneWithoutGravity) {
    const MicroRule rule(0.003, 0.0, 0.25);
    EXPECT_FALSE(rule.is_micro(0.0, 0.0));
    EXPECT_FALSE(rule.is_micro(1e-300, 0.0));
}

// In the steady state the hop speed comes back, the tangential velocity is turned round, and
// nothing is lost.
TEST(Lasting, TurnsTheVelocityRoundInsideTheCone) {
    const double v = 0.01;
    const impact::Contact contact = sphere_contact({0.001, -0.0005, -v});
    const Resolved r = resolve_micro(contact, routh(0.3, 0.5), v, 0.0);
    EXPECT_EQ(r.law, impact::LawId::micro);
    EXPECT_LT((contact.u + contact.K * r.p + contact.u).norm(), 1e-16);
    EXPECT_NEAR(impact::energy_change(contact, r.p), 0.0, 1e-18);
}

TEST(Lasting, SlidesByTheLawOutsideTheCone) {
    const double v = 0.01;
    const impact::Contact contact = sphere_contact({1.0, 0.0, -v});
    const Resolved r = resolve_micro(contact, routh(0.3, 0.5), v, 0.0);
    EXPECT_EQ(r.law, impact::LawId::routh);
    EXPECT_NEAR(r.p.x(), -0.5 * r.p.z(), 1e-15);
    EXPECT_NEAR((contact.u + contact.K * r.p).z(), v, 1e-15);
}

// Whatever the approach, they part with max(e s, v), stuck or sliding.
TEST(Lasting, PartsWithTheHopSpeedOrItsRestitution) {
    const double v = 0.01;
    for (const double slip : {0.0, 1.0}) {
        for (const double s : {0.0, 0.001, 0.01, 0.02, 0.039}) {
            const impact::Contact contact = sphere_contact({slip, 0.0, -s});
            const Resolved r = resolve_micro(contact, routh(0.8, 0.5), v, 0.0);
            EXPECT_NEAR((contact.u + contact.K * r.p).z(), std::max(0.8 * s, v), 1e-14)
                << slip << " " << s;
        }
    }
}

// A debt is paid by parting slower, but not slower than the hop speed.
TEST(Lasting, FasterMicroCollisionsPayTheDebt) {
    const double v = 0.01;
    const impact::Contact contact = sphere_contact({0.0, 0.0, -3.0 * v});
    const double debt = 0.5 * (9.0 - 4.0) * v * v;
    const Resolved some = resolve_micro(contact, routh(1.0, 0.5), v, debt);
    EXPECT_NEAR((contact.u + contact.K * some.p).z(), 2.0 * v, 1e-15);
    EXPECT_NEAR(impact::energy_change(contact, some.p), -debt, 1e-18);
    const Resolved all = resolve_micro(contact, routh(1.0, 0.5), v, 1.0);
    EXPECT_NEAR((contact.u + contact.K * all.p).z(), v, 1e-15);
}

TEST(Lasting, SaysWhichLawDoesNotApply) {
    ContactLaw planar = routh(0.5, 0.5);
    planar.law = impact::LawId::planar;
    impact::Contact contact = sphere_contact({1.0, 0.0, -1.0});
    contact.K(0, 1) = contact.K(1, 0) = 0.5;
    contact.K(1, 2) = contact.K(2, 1) = 0.2;
    try {
        resolve_by_law(contact, planar);
        FAIL() << "accepted";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("'planar' does not apply"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace carom::world
