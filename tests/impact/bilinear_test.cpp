// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/bilinear.h"

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::bilinear;
using impact::bilinear_applies;
using impact::Contact;

// K with the normal and the slip as eigenvectors, the slip in a random direction.
Contact random_aligned(Random& random) {
    const double k = random.log_uniform(0.2, 20.0);
    const double across = random.uniform() < 0.5 ? k : random.log_uniform(0.2, 20.0);
    const double th = random.uniform(0.0, 6.28);
    Mat3 R = Mat3::Identity();
    R.topLeftCorner<2, 2>() << std::cos(th), -std::sin(th), std::sin(th), std::cos(th);
    Contact contact;
    contact.K = R * Vec3(k, across, random.log_uniform(0.2, 20.0)).asDiagonal() * R.transpose();
    contact.K = (0.5 * (contact.K + contact.K.transpose())).eval();
    const double slip = random.log_uniform(1e-3, 10.0);
    contact.u = R * Vec3(slip, 0, -random.log_uniform(1e-2, 10.0));
    return contact;
}

TEST(Bilinear, DefiningEquationHolds) {
    Random random(901);
    int slides = 0;
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = random_aligned(random);
        ASSERT_TRUE(bilinear_applies(contact)) << show(contact);
        const double e = random.uniform();
        const double et = random.uniform(-1.0, 1.0);
        const double mu = random.uniform(0.0, 1.5);
        const Vec2 slip = contact.u.head<2>();
        const Vec2 t = slip.normalized();
        const double pz = -(1.0 + e) * contact.u.z() / contact.K(2, 2);
        const double k = t.dot(contact.K.topLeftCorner<2, 2>() * t);
        const double friction = std::min(mu * pz, (1.0 + et) * slip.norm() / k);
        slides += friction == mu * pz;
        const Vec3 p = bilinear(contact, {e, et, mu}).p;
        ASSERT_LT(relative_error(p, {-friction * t.x(), -friction * t.y(), pz}), 1e-13)
            << show(contact) << show(e, mu) << et;
        // inside the cone the slip comes back as -et times itself
        if (friction < mu * pz) {
            ASSERT_LT((after(contact, p).head<2>() + et * slip).norm(), 1e-12 * contact.u.norm())
                << show(contact) << show(e, mu) << et;
        }
    }
    EXPECT_GT(slides, 300);
    EXPECT_LT(slides, 2700);
}

TEST(Bilinear, HandComputed) {
    const Contact ball = diagonal_contact(3.5, 3.5, 1, {0.7, 0, -2});
    // p_z = 3; to reverse half the slip takes 1.5 * 0.7 / 3.5 = 0.3
    EXPECT_LT((bilinear(ball, {0.5, 0.5, 0.2}).p - Vec3(-0.3, 0, 3)).norm(), 1e-15);
    EXPECT_LT((bilinear(ball, {0.5, 0.5, 0.05}).p - Vec3(-0.15, 0, 3)).norm(), 1e-15);
    EXPECT_LT((bilinear(ball, {0.5, -1.0, 0.05}).p - Vec3(0, 0, 3)).norm(), 1e-15);
}

TEST(Bilinear, RefusesOtherBodies) {
    Contact contact = diagonal_contact(2, 2, 3, {1, 0, -1});
    EXPECT_TRUE(bilinear_applies(contact));
    contact.K(0, 2) = contact.K(2, 0) = 0.1;  // the normal is no eigenvector
    EXPECT_FALSE(bilinear_applies(contact));
    contact = diagonal_contact(2, 4, 3, {1, 0, -1});
    EXPECT_TRUE(bilinear_applies(contact));
    contact.u = {1, 1, -1};  // the slip is no eigenvector
    EXPECT_FALSE(bilinear_applies(contact));
    contact.u = {0, 0, -1};  // no slip: only the normal matters
    EXPECT_TRUE(bilinear_applies(contact));

    impact::LawParameters parameters;
    parameters.e = parameters.et = parameters.mu = 0.5;
    const auto& law = impact::law_info(impact::LawId::bilinear);
    contact.u = {1, 1, -1};
    const auto refused = impact::resolve(law, contact, parameters);
    ASSERT_NE(refused.refusal, nullptr);
    EXPECT_GT(std::string(refused.refusal).size(), 20U);
    contact.u = {1, 0, -1};
    EXPECT_EQ(impact::resolve(law, contact, parameters).refusal, nullptr);

    Random random(902);
    for (int i = 0; i < 500; ++i) {
        const Contact box = random_contact(random);
        ASSERT_FALSE(bilinear_applies(box)) << show(box);
        ASSERT_NE(impact::resolve(law, box, parameters).refusal, nullptr) << show(box);
    }
}

TEST(Bilinear, NeverGainsEnergy) {
    Random random(903);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = random_aligned(random);
        const double et = i % 2 ? 1.0 : random.uniform(-1.0, 1.0);
        const Vec3 p = bilinear(contact, {1.0, et, random.uniform(0.0, 2.0)}).p;
        ASSERT_LE(impact::energy_change(contact, p), 1e-13 * contact_energy(contact.K, contact.u))
            << show(contact) << et;
    }
}

TEST(Bilinear, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(bilinear({K, {1, 1, 1}}, {0.5, 0.5, 0.5}));
    EXPECT_EQ(bilinear({K, {1, 1, 0}}, {0.5, 0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(bilinear({K, {0, 0, -4}}, {0.0, 0.5, 0.5}).p, Vec3(0, 0, 1));
    EXPECT_LT((bilinear({K, {1, 1, -4}}, {1.0, 0.5, 0.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    EXPECT_LT((bilinear({K, {1, 3, -4}}, {1.0, 0.0, 1e6}).p - Vec3(-0.5, -1.5, 2)).norm(), 1e-14);
    EXPECT_LT((bilinear({K, {1, 3, -4}}, {1.0, 1.0, 1e6}).p - Vec3(-1, -3, 2)).norm(), 1e-14);
}

}  // namespace
}  // namespace carom::tests
