// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/anitescu_potra.h"

#include "carom/impact/whittaker.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::anitescu_potra;
using impact::Contact;

TEST(AnitescuPotra, StageEquationsHold) {
    Random random(701);
    int raised = 0;
    for (int i = 0; i < 6000; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.z() *= random.log_uniform(1e-3, 1.0);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = anitescu_potra(contact, {e, mu}).p;

        // compression ends at u_z = 0 under Whittaker's friction
        const Vec3 pC = impact::whittaker(contact, {0.0, mu}).p;
        const Vec3 uC = after(contact, pC);
        const double scale = contact.u.norm() + contact.K.norm() * p.norm();
        ASSERT_NEAR(uC.z(), 0.0, 1e-12 * scale) << show(contact) << show(e, mu);

        // expansion: friction against the final slip, from the velocity after compression
        const Vec3 pE = p - pC;
        const Vec3 v = after(contact, p);
        const double stick_or_slip = coulomb_residual(pE, v, mu, scale);
        ASSERT_LT(stick_or_slip, 1e-8) << show(contact) << show(e, mu);

        // Poisson, or more where that would leave the bodies approaching
        ASSERT_GE(v.z(), -1e-12 * scale) << show(contact) << show(e, mu);
        if (pE.z() > e * pC.z() * (1.0 + 1e-10)) {
            ++raised;
            ASSERT_NEAR(v.z(), 0.0, 1e-11 * scale) << show(contact) << show(e, mu);
        } else {
            ASSERT_NEAR(pE.z(), e * pC.z(), 1e-12 * p.z()) << show(contact) << show(e, mu);
        }
    }
    RecordProperty("raised", raised);
}

TEST(AnitescuPotra, RaisesTheNormalImpulseWhereExpansionWouldApproach) {
    // slip towards +x after compression, h = Kzz - mu Kxz < 0: look for such problems
    Random random(702);
    int raised = 0;
    for (int i = 0; i < 40000 && raised < 5; ++i) {
        Contact contact = any_contact(random);
        contact.u.z() *= 1e-2;
        const double mu = random.uniform(0.5, 4.0);
        const Vec3 p = anitescu_potra(contact, {0.3, mu}).p;
        const Vec3 pC = impact::whittaker(contact, {0.0, mu}).p;
        if (p.z() <= 1.3 * pC.z() * (1.0 + 1e-9)) continue;
        ++raised;
        const double scale = contact.u.norm() + contact.K.norm() * p.norm();
        EXPECT_NEAR(after(contact, p).z(), 0.0, 1e-11 * scale) << show(contact) << mu;
    }
    RecordProperty("raised", raised);
}

TEST(AnitescuPotra, HandComputed) {
    // ball: p_C = (.., 2), p_E = (.., 1); friction 0.1 of each, slip 5 - 2 * 0.3 > 0
    const Vec3 p = anitescu_potra(diagonal_contact(2, 2, 4, {3, 4, -8}), {0.5, 0.1}).p;
    EXPECT_LT((p - Vec3(-0.18, -0.24, 3)).norm(), 1e-15);
    // sticks in compression: p_t = -2.5 (0.6, 0.8) <= 1.3 * 2, and nothing is left to expand
    const Vec3 q = anitescu_potra(diagonal_contact(2, 2, 4, {3, 4, -8}), {0.5, 1.3}).p;
    EXPECT_LT((q - Vec3(-1.5, -2, 3)).norm(), 1e-14);
    // K = [[2,1],[1,3]], u = (0, -5): sticks, p_C = (-1, 2); expansion 1 along (-0.5, 1)
    Contact plane = diagonal_contact(2, 2, 3, {0, 0, -5});
    plane.K(0, 2) = plane.K(2, 0) = 1;
    EXPECT_LT((anitescu_potra(plane, {0.5, 0.6}).p - Vec3(-1.5, 0, 3)).norm(), 1e-14);
}

TEST(AnitescuPotra, LosesEnergyInEachStage) {
    Random random(703);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 2.0);
        const double E0 = contact_energy(contact.K, contact.u);
        const double compressed =
            impact::energy_change(contact, anitescu_potra(contact, {0.0, mu}).p);
        const double whole = impact::energy_change(contact, anitescu_potra(contact, {1.0, mu}).p);
        ASSERT_LE(compressed, 1e-13 * E0) << show(contact) << mu;
        ASSERT_LE(whole, 1e-12 * E0) << show(contact) << mu;
    }
}

TEST(AnitescuPotra, WithoutRestitutionIsWhittaker) {
    Random random(704);
    for (int i = 0; i < 1000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = anitescu_potra(contact, {0.0, mu}).p;
        ASSERT_LT(relative_error(p, impact::whittaker(contact, {0.0, mu}).p), 1e-13)
            << show(contact) << mu;
    }
}

TEST(AnitescuPotra, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(anitescu_potra({K, {1, 1, 1}}, {0.5, 0.5}));
    EXPECT_EQ(anitescu_potra({K, {1, 1, 0}}, {0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(anitescu_potra({K, {0, 0, -4}}, {0.0, 0.5}).p, Vec3(0, 0, 1));
    EXPECT_LT((anitescu_potra({K, {1, 1, -4}}, {1.0, 0.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    const Vec3 p = anitescu_potra({K, {1, 3, -4}}, {1.0, 1e6}).p;
    EXPECT_LT((p - Vec3(-0.5, -1.5, 2)).norm(), 1e-14);
}

}  // namespace
}  // namespace carom::tests
