// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/particle.h"

#include "carom/impact/contact_force.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::particle;

Contact particle_contact(double mass, const Vec3& v) {
    return {Mat3::Identity() / mass, v};
}

TEST(Particle, HandComputedSlip) {
    // m = 2, v = (3, 4, -5): j = 1.5 * 2 * 5 = 15, friction 1.5 against (0.6, 0.8)
    const Vec3 p = particle(particle_contact(2, {3, 4, -5}), {0.5, 0.1}).p;
    EXPECT_LT((p - Vec3(-0.9, -1.2, 15)).norm(), 1e-14);
}

TEST(Particle, HandComputedCap) {
    // mu j = 15 would do more than stop m |v_t| = 10
    const Contact contact = particle_contact(2, {3, 4, -5});
    const Vec3 p = particle(contact, {0.5, 1.0}).p;
    EXPECT_LT((p - Vec3(-6, -8, 15)).norm(), 1e-14);
    EXPECT_LT(after(contact, p).head<2>().norm(), 1e-15);
}

TEST(Particle, HandComputedReversal) {
    const Contact contact = particle_contact(2, {3, 4, -5});
    const Vec3 p = particle(contact, {0.5, 1.0, true}).p;
    EXPECT_LT((p - Vec3(-9, -12, 15)).norm(), 1e-14);
    // driven backwards
    EXPECT_LT((after(contact, p).head<2>() - Vec2(-1.5, -2.0)).norm(), 1e-14);
}

TEST(Particle, ReversalCanGainEnergyAndTheCapCannot) {
    const Contact contact = particle_contact(1, {1, 0, -10});
    EXPECT_GT(impact::energy_change(contact, particle(contact, {1.0, 1.0, true}).p), 1.0);
    EXPECT_LT(impact::energy_change(contact, particle(contact, {1.0, 1.0, false}).p), 0.0);
}

TEST(Particle, AgreesWithTheWorldFrameForm) {
    Random random(202);
    for (int i = 0; i < 2000; ++i) {
        const double mass = random.log_uniform(0.01, 100.0);
        Vec3 v = random.normal3();
        v.z() = -std::abs(v.z());
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const bool reversal = random.uniform() < 0.5;
        const Vec3 p = particle(particle_contact(mass, v), {e, mu, reversal}).p;
        const Mat3 R = random.rotation();
        const Vec3 q = impact::particle_plane_impulse(mass, R * v, R.col(2), e, mu, reversal);
        const double rounding = v.norm() / -v.z() + mu * v.norm() / v.head<2>().norm();
        ASSERT_LT(relative_error(R * p, q), 2e-15 * (4.0 + rounding))
            << mass << show(v) << show(e, mu) << reversal;
    }
}

TEST(Particle, FormulaWhereItApplies) {
    Random random(203);
    for (int i = 0; i < 2000; ++i) {
        const double kt = random.log_uniform(0.3, 10.0);
        Contact contact = diagonal_contact(kt, kt, random.log_uniform(0.3, 10.0), random.normal3());
        contact.u.z() = -std::abs(contact.u.z());
        ASSERT_TRUE(impact::particle_applies(contact)) << show(contact);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const Vec2 slip = contact.u.head<2>();
        const Vec2 t = slip.normalized();
        const double pz = -(1.0 + e) * contact.u.z() / contact.K(2, 2);
        const double stopping = slip.norm() / t.dot(contact.K.topLeftCorner<2, 2>() * t);
        const Vec2 capped = -std::min(mu * pz, stopping) * t;
        const Vec3 p = particle(contact, {e, mu}).p;
        ASSERT_LT(relative_error(p, {capped.x(), capped.y(), pz}), 1e-14)
            << show(contact) << show(e, mu);
        const Vec3 q = particle(contact, {e, mu, true}).p;
        ASSERT_LT(relative_error(q, {-mu * pz * t.x(), -mu * pz * t.y(), pz}), 1e-14)
            << show(contact) << show(e, mu);
    }
}

// On a body whose K couples friction and normal velocity the formula would give energy away: with
// e = 1 and no reversal, this one gains a quarter of what there was. The law refuses it.
TEST(Particle, RefusesBodiesItDoesNotApplyTo) {
    Contact contact = diagonal_contact(2, 2, 3, {1, 0, -1});
    contact.K(0, 2) = contact.K(2, 0) = -1.5;
    EXPECT_FALSE(impact::particle_applies(contact));
    const double gained = impact::energy_change(contact, particle(contact, {1.0, 1.0}).p);
    EXPECT_GT(gained, 0.2 * contact_energy(contact.K, contact.u));

    const impact::LawParameters parameters{.e = 1.0, .mu = 1.0};
    const auto& law = impact::law_info(impact::LawId::particle);
    const auto refused = impact::resolve(law, contact, parameters);
    ASSERT_NE(refused.refusal, nullptr);
    EXPECT_NE(std::string(refused.refusal).find("eigenvectors"), std::string::npos);
    EXPECT_EQ(refused.solution.p, Vec3::Zero());
    // bodies that part are no question
    contact.u.z() = 1.0;
    EXPECT_EQ(impact::resolve(law, contact, parameters).refusal, nullptr);

    Random random(204);
    for (int i = 0; i < 500; ++i) {
        const Contact box = random_contact(random);
        ASSERT_NE(impact::resolve(law, box, parameters).refusal, nullptr) << show(box);
        const Contact ball = diagonal_contact(3.5, 3.5, 1.0, box.u);
        const auto outcome = impact::resolve(law, ball, parameters);
        ASSERT_EQ(outcome.refusal, nullptr) << show(ball);
        ASSERT_LE(impact::energy_change(ball, outcome.solution.p), 1e-15) << show(ball);
        ASSERT_NEAR(after(ball, outcome.solution.p).z(), -ball.u.z(), 1e-14) << show(ball);
    }
}

TEST(Particle, EdgeCases) {
    const Mat3 K = 0.5 * Mat3::Identity();
    expect_no_impulse(particle({K, {1, 1, 2}}, {0.5, 0.5}));
    expect_no_impulse(particle({K, {1, 1, 2}}, {0.5, 0.5, true}));
    EXPECT_EQ(particle({K, {1, 1, 0}}, {0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(particle({K, {0, 0, 0}}, {0.5, 0.5, true}).p, Vec3::Zero());
    // no slip: no friction, either way
    EXPECT_EQ(particle({K, {0, 0, -1}}, {0.5, 0.5}).p, Vec3(0, 0, 3));
    EXPECT_EQ(particle({K, {0, 0, -1}}, {0.5, 0.5, true}).p, Vec3(0, 0, 3));
    // mu = 0
    EXPECT_EQ(particle({K, {1, 2, -1}}, {0.0, 0.0}).p, Vec3(0, 0, 2));
    // mu huge: capped at the full stop
    EXPECT_LT((particle({K, {1, 2, -1}}, {1.0, 1e6}).p - Vec3(-2, -4, 4)).norm(), 1e-14);
}

}  // namespace
}  // namespace carom::tests
