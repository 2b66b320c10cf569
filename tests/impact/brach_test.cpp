// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/brach.h"

#include "carom/impact/permissible.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::brach;
using impact::brach_applies;
using impact::Contact;

TEST(Brach, ParametersCanBeReadBackFromTheAnswer) {
    Random random(1001);
    int answered = 0;
    for (int i = 0; i < 4000; ++i) {
        const Contact contact = any_contact(random);
        const double e = random.uniform();
        const double mu2 = random.uniform(-1.0, 1.0);
        const double mu3 = random.uniform(-1.0, 1.0);
        if (!brach_applies(contact, {e, mu2, mu3})) continue;
        ++answered;
        const Vec3 p = brach(contact, {e, mu2, mu3}).p;
        const Vec3 v = after(contact, p);
        const Vec3 a2 = -Vec3(contact.u.x(), contact.u.y(), 0).normalized();
        const Vec3 a3 = Vec3::UnitZ().cross(a2);
        const double scale = contact.K.norm() * p.norm() + contact.u.norm();
        ASSERT_GT(p.z(), 0.0) << show(contact) << e << " " << mu2 << " " << mu3;
        ASSERT_NEAR(v.z(), -e * contact.u.z(), 1e-13 * scale) << show(contact) << e << " " << mu2;
        ASSERT_NEAR(p.dot(a2) / p.z(), mu2, 1e-14) << show(contact);
        ASSERT_NEAR(p.dot(a3) / p.z(), mu3, 1e-14) << show(contact);
    }
    EXPECT_GT(answered, 3000);
}

TEST(Brach, HandComputed) {
    // a2 = (-1, 0), a3 = (0, -1): q = (-0.2, -0.1); Kzz + b.q = 3 - 0.2 - 0.2 = 2.6
    Contact contact = diagonal_contact(2, 2, 3, {4, 0, -2.6});
    contact.K(0, 2) = contact.K(2, 0) = 1;
    contact.K(1, 2) = contact.K(2, 1) = 2;
    const Vec3 p = brach(contact, {0.5, 0.2, 0.1}).p;
    EXPECT_LT((p - Vec3(-0.3, -0.15, 1.5)).norm(), 1e-15);
}

TEST(Brach, HasNoAnswerWhereThePushCannotReverse) {
    // a2 = (-1, 0): Kzz + b.q = 3 - 2 mu2
    Contact contact = diagonal_contact(2, 2, 3, {4, 0, -1});
    contact.K(0, 2) = contact.K(2, 0) = 2;
    EXPECT_TRUE(brach_applies(contact, {0.5, 1.4, 0.0}));
    EXPECT_FALSE(brach_applies(contact, {0.5, 1.5, 0.0}));
    EXPECT_FALSE(brach_applies(contact, {0.5, 1.6, 0.0}));

    impact::LawParameters parameters;
    parameters.e = 0.5;
    parameters.mu2 = 1.6;
    parameters.mu3 = 0.0;
    const auto& law = impact::law_info(impact::LawId::brach);
    EXPECT_NE(impact::resolve(law, contact, parameters).refusal, nullptr);
    parameters.mu2 = 1.4;
    EXPECT_EQ(impact::resolve(law, contact, parameters).refusal, nullptr);
}

TEST(Brach, LeavingTheRegionIsReportedNotCorrected) {
    // pushing the slip along gains energy: dE = u.p + p.Kp/2 with p = (2, 0, 2)
    const Contact contact = diagonal_contact(1, 1, 1, {1, 0, -1});
    const Vec3 p = brach(contact, {1.0, -1.0, 0.0}).p;
    EXPECT_LT((p - Vec3(2, 0, 2)).norm(), 1e-15);
    const auto permissible = impact::check_permissible(contact, 0.5, p);
    EXPECT_FALSE(permissible.energy());
    EXPECT_FALSE(permissible.cone());
    EXPECT_TRUE(permissible.separation());
    EXPECT_TRUE(permissible.normal());
    EXPECT_FALSE(permissible.all());
}

TEST(Brach, TinySlipStillHasADirection) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    for (const double slip : {1e-20, 1e-100, 1e-150, 1e-160, 1e-300}) {
        const Vec3 p = brach({K, {0, slip, -4}}, {1.0, 0.5, 0.25}).p;
        EXPECT_LT((p - Vec3(0.5, -1, 2)).norm(), 1e-14) << slip << show(p);
    }
}

TEST(Brach, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(brach({K, {1, 1, 1}}, {0.5, 0.5, 0.5}));
    EXPECT_EQ(brach({K, {1, 1, 0}}, {0.5, 0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(brach({K, {0, 0, -4}}, {0.0, 0.5, 0.5}).p, Vec3(0, 0, 1));
    EXPECT_LT((brach({K, {1, 1, -4}}, {1.0, 0.0, 0.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
}

}  // namespace
}  // namespace carom::tests
