// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/chatterjee_ruina.h"

#include "carom/impact/permissible.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::chatterjee_ruina;
using impact::Contact;

Vec3 formula(const Contact& contact, double e, double et, double mu) {
    const Vec3l I(0, 0, -static_cast<long double>(contact.u.z()) / contact.K(2, 2));
    const Vec3l II = -solve_long(contact.K, contact.u);
    const long double one_e = 1.0L + e;
    const Vec3l wish = one_e * I + (1.0L + et) * (II - I);
    long double kappa = 1.0L + et;
    if (wish.head<2>().norm() > mu * wish.z()) {
        kappa = mu * one_e * I.z() / (II.head<2>().norm() - mu * (II.z() - I.z()));
    }
    return (one_e * I + kappa * (II - I)).cast<double>();
}

TEST(ChatterjeeRuina, DefiningEquationsHold) {
    Random random(1301);
    int cut = 0;
    for (int i = 0; i < 5000; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.z() *= 1e-3;
        const double e = random.uniform();
        const double et = random.uniform(-1.0, 1.0);
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 expected = formula(contact, e, et, mu);
        const Vec3 p = chatterjee_ruina(contact, {e, et, mu}).p;
        ASSERT_LT(relative_error(p, expected), 1e-12) << show(contact) << show(e, mu) << et;
        const double scale = contact.u.norm() + contact.K.norm() * p.norm();
        ASSERT_NEAR(after(contact, p).z(), -e * contact.u.z(), 1e-12 * scale)
            << show(contact) << show(e, mu) << et;
        const bool on_cone = p.head<2>().norm() > mu * p.z() * (1 - 1e-12);
        cut += on_cone;
        if (!on_cone) {
            // K P_II = -u: the slip comes back as -et times itself but for the coupling
            const Vec2 coupling =
                contact.K.topRightCorner<2, 1>() * -contact.u.z() / contact.K(2, 2);
            const Vec2 slip = -et * contact.u.head<2>() + (e - et) * coupling;
            ASSERT_LT((after(contact, p).head<2>() - slip).norm(), 1e-11 * scale)
                << show(contact) << show(e, mu) << et;
        }
    }
    EXPECT_GT(cut, 500);
    EXPECT_LT(cut, 4500);
}

TEST(ChatterjeeRuina, AlwaysPermissible) {
    Random random(1302);
    for (int i = 0; i < 5000; ++i) {
        const Contact contact = any_contact(random);
        const double e = i % 3 == 0 ? 1.0 : random.uniform();
        const double et = i % 4 == 0 ? 1.0 : random.uniform(-1.0, 1.0);
        const double mu = random.log_uniform(1e-3, 1e3);
        const Vec3 p = chatterjee_ruina(contact, {e, et, mu}).p;
        ASSERT_TRUE(impact::check_permissible(contact, mu, p).all())
            << show(contact) << show(e, mu) << et;
    }
}

TEST(ChatterjeeRuina, HandComputed) {
    const Contact ball = diagonal_contact(3.5, 3.5, 1, {0.7, 0, -2});
    // P_I = (0, 0, 2), P_II - P_I = (-0.2, 0, 0)
    EXPECT_LT((chatterjee_ruina(ball, {0.5, 0.5, 0.2}).p - Vec3(-0.3, 0, 3)).norm(), 1e-15);
    EXPECT_LT((chatterjee_ruina(ball, {0.5, 0.5, 0.05}).p - Vec3(-0.15, 0, 3)).norm(), 1e-15);
    // coupled: K = [[2,1],[1,3]], u = (1, -5): P_I = 5/3, P_II = (-8, 11)/5
    Contact plane = diagonal_contact(2, 2, 3, {1, 0, -5});
    plane.K(0, 2) = plane.K(2, 0) = 1;
    const Vec3 stick = chatterjee_ruina(plane, {0.0, 0.0, 1.0}).p;
    EXPECT_LT((stick - Vec3(-1.6, 0, 2.2)).norm(), 1e-14);
    // mu = 0.5: kappa = 0.5 (5/3) / (1.6 - 0.5 (2.2 - 5/3)) = 0.625
    const Vec3 cut = chatterjee_ruina(plane, {0.0, 0.0, 0.5}).p;
    EXPECT_LT((cut - Vec3(-1.0, 0, 2.0)).norm(), 1e-14);
}

TEST(ChatterjeeRuina, FullRestitutionKeepsTheEnergyAndReversesEverything) {
    Random random(1303);
    for (int i = 0; i < 1000; ++i) {
        const Contact contact = any_contact(random);
        const Vec3 p = chatterjee_ruina(contact, {1.0, 1.0, 1e9}).p;
        const Vec3 wish = -2.0 * solve_long(contact.K, contact.u).cast<double>();
        if (wish.z() < 0.0 || wish.head<2>().norm() > 1e8 * wish.z()) continue;
        ASSERT_LT(relative_error(p, wish), 1e-12) << show(contact);
        ASSERT_LT((after(contact, p) + contact.u).norm(),
                  1e-12 * (contact.u.norm() + contact.K.norm() * p.norm()))
            << show(contact);
    }
}

TEST(ChatterjeeRuina, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(chatterjee_ruina({K, {1, 1, 1}}, {0.5, 0.5, 0.5}));
    EXPECT_EQ(chatterjee_ruina({K, {1, 1, 0}}, {0.5, 0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(chatterjee_ruina({K, {0, 0, -4}}, {0.0, 0.5, 0.5}).p, Vec3(0, 0, 1));
    EXPECT_LT((chatterjee_ruina({K, {1, 1, -4}}, {1.0, 0.5, 0.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    EXPECT_LT((chatterjee_ruina({K, {1, 3, -4}}, {1.0, 0.0, 1e6}).p - Vec3(-0.5, -1.5, 2)).norm(),
              1e-14);
    // et = -1: no tangential impulse at all
    EXPECT_LT((chatterjee_ruina({K, {1, 3, -4}}, {0.5, -1.0, 0.3}).p - Vec3(0, 0, 1.5)).norm(),
              1e-15);
}

}  // namespace
}  // namespace carom::tests
