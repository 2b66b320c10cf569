// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/composite.h"

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::chatterjee_ruina;
using impact::composite;
using impact::Contact;
using impact::routh;
using impact::Termination;

TEST(Composite, IsTheMixtureOfItsParts) {
    Random random(1401);
    for (int i = 0; i < 2000; ++i) {
        const Contact contact = any_contact(random);
        const double sigma = i % 5 == 0 ? 0.0 : i % 5 == 1 ? 1.0 : random.uniform();
        const double e = random.uniform();
        const double et = random.uniform(-1.0, 1.0);
        const double mu = random.uniform(0.0, 1.5);
        const auto termination = static_cast<Termination>(i % 4);
        const Vec3 a = chatterjee_ruina(contact, {e, et, mu}).p;
        const Vec3 b = routh(contact, {e, mu, termination}).p;
        const Vec3 p = composite(contact, {sigma, e, et, mu, termination}).p;
        ASSERT_LT((p - sigma * a - (1.0 - sigma) * b).norm(), 1e-15 * (a.norm() + b.norm()))
            << show(contact) << show(e, mu) << et << " " << sigma;
    }
}

TEST(Composite, PoissonIsTheDefaultTermination) {
    Random random(1402);
    const auto& law = impact::law_info(impact::LawId::composite);
    int differ = 0;
    for (int i = 0; i < 200; ++i) {
        const Contact contact = any_contact(random);
        impact::LawParameters parameters;
        parameters.sigma = 0.0;
        parameters.e = 0.8;
        const double mu = random.uniform(0.1, 1.0);
        parameters.mu = mu;
        parameters.et = 0.0;
        const Vec3 p = impact::resolve(law, contact, parameters).solution.p;
        const Vec3 poisson = routh(contact, {0.8, mu, Termination::poisson}).p;
        const Vec3 stronge = routh(contact, {0.8, mu, Termination::stronge}).p;
        ASSERT_LT(relative_error(p, poisson), 1e-14) << show(contact) << mu;
        differ += relative_error(poisson, stronge) > 1e-6;
        parameters.termination = Termination::stronge;
        const Vec3 q = impact::resolve(law, contact, parameters).solution.p;
        ASSERT_LT(relative_error(q, stronge), 1e-14) << show(contact) << mu;
    }
    EXPECT_GT(differ, 100);
}

TEST(Composite, HandComputed) {
    // ball with slip 0.7: chatterjee-ruina (-0.3, 0, 3), routh (-0.2, 0, 3)
    const Contact ball = diagonal_contact(3.5, 3.5, 1, {0.7, 0, -2});
    const Vec3 p = composite(ball, {0.25, 0.5, 0.5, 0.2}).p;
    EXPECT_LT((p - Vec3(-0.225, 0, 3)).norm(), 1e-15);
}

TEST(Composite, AsPermissibleAsItsParts) {
    Random random(1403);
    for (int i = 0; i < 2000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = composite(contact, {random.uniform(), random.uniform(),
                                           random.uniform(-1.0, 1.0), mu, Termination::stronge})
                           .p;
        const double E0 = contact_energy(contact.K, contact.u);
        ASSERT_LE(impact::energy_change(contact, p), 1e-12 * E0) << show(contact) << mu;
        ASSERT_LE(p.head<2>().norm(), mu * p.z() * (1 + 1e-13)) << show(contact) << mu;
        ASSERT_GE(after(contact, p).z(), -1e-12 * (contact.u.norm() + contact.K.norm() * p.norm()))
            << show(contact) << mu;
    }
}

TEST(Composite, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(composite({K, {1, 1, 1}}, {0.5, 0.5, 0.5, 0.5}));
    EXPECT_EQ(composite({K, {1, 1, 0}}, {0.5, 0.5, 0.5, 0.5}).p, Vec3::Zero());
    EXPECT_LT((composite({K, {0, 0, -4}}, {0.5, 0.0, 0.5, 0.5}).p - Vec3(0, 0, 1)).norm(), 1e-15);
    EXPECT_LT((composite({K, {1, 1, -4}}, {0.3, 1.0, 0.5, 0.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    EXPECT_LT((composite({K, {1, 3, -4}}, {0.3, 1.0, 0.0, 1e6}).p - Vec3(-0.5, -1.5, 2)).norm(),
              1e-12);
    // grazing: the algebraic part has no impulse, Routh's may have one
    Contact jam = diagonal_contact(2, 2, 3, {1, 0, 0});
    jam.K(0, 2) = jam.K(2, 0) = 2.0;
    const Vec3 b = routh(jam, {0.5, 2.0, Termination::poisson}).p;
    EXPECT_GT(b.z(), 0.0);
    EXPECT_LT(relative_error(composite(jam, {0.25, 0.5, 0.5, 2.0}).p, 0.75 * b), 1e-14);
}

}  // namespace
}  // namespace carom::tests
