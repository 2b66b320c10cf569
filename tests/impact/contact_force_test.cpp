// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/contact_force.h"

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::contact_force;
using impact::friction_force;
using impact::particle_plane_impulse;

const Vec3 k_up(0, 0, 1);

TEST(ContactForce, HoldsAgainstThePushOnly) {
    EXPECT_EQ(contact_force({1, 2, -5}, k_up), 5.0);
    EXPECT_EQ(contact_force({1, 2, 5}, k_up), 0.0);
    EXPECT_EQ(contact_force({1, 2, 5}, k_up, true), -5.0);
    EXPECT_EQ(contact_force({1, 2, -5}, k_up, true), 5.0);
    EXPECT_EQ(contact_force(Vec3::Zero(), k_up), 0.0);
}

TEST(ContactForce, SlidingFrictionActsAgainstTheSlip) {
    // fc = 10, mu = 0.3: 3 N against (0.6, 0.8)
    const Vec3 f = friction_force({7, 7, -10}, {3, 4, 0}, k_up, 0.3);
    EXPECT_LT((f - Vec3(-1.8, -2.4, 0)).norm(), 1e-15);
    // a normal part of the velocity does not matter
    const Vec3 g = friction_force({7, 7, -10}, {3, 4, 9}, k_up, 0.3);
    EXPECT_LT((g - f).norm(), 1e-15);
    EXPECT_EQ(friction_force({7, 7, 10}, {3, 4, 0}, k_up, 0.3), Vec3::Zero());
}

TEST(ContactForce, RestingFrictionCancelsUpToItsLimit) {
    const Vec3 held = friction_force({0.6, 0.8, -10}, Vec3::Zero(), k_up, 0.3);
    EXPECT_LT((held - Vec3(-0.6, -0.8, 0)).norm(), 1e-15);
    const Vec3 cut = friction_force({6, 8, -10}, Vec3::Zero(), k_up, 0.3);
    EXPECT_LT((cut - Vec3(-1.8, -2.4, 0)).norm(), 1e-15);
    EXPECT_EQ(friction_force({0, 0, -10}, Vec3::Zero(), k_up, 0.3), Vec3::Zero());
    EXPECT_EQ(friction_force({6, 8, -10}, Vec3::Zero(), k_up, 0.0).norm(), 0.0);
}

TEST(ContactForce, AnyPlane) {
    Random random(2601);
    for (int i = 0; i < 1000; ++i) {
        const Mat3 R = random.rotation();
        const Vec3 n = R.col(2);
        const Vec3 F = random.normal3();
        const Vec3 v = i % 2 ? Vec3(Vec3::Zero()) : random.normal3();
        const double mu = random.uniform();
        const Vec3 expected = R * friction_force(R.transpose() * F, R.transpose() * v, k_up, mu);
        const Vec3 f = friction_force(F, v, n, mu);
        ASSERT_LT((f - expected).norm(), 1e-14 * F.norm()) << show(F) << show(v) << mu;
        ASSERT_NEAR(f.dot(n), 0.0, 1e-15 * F.norm() * 10) << show(F) << show(v) << mu;
        ASSERT_LE(f.norm(), mu * contact_force(F, n) + 1e-14) << show(F) << show(v) << mu;
        ASSERT_LE(f.dot(v), 1e-15 * F.norm() * v.norm()) << show(F) << show(v) << mu;
    }
}

TEST(ContactForce, ImpulseOfAParticle) {
    EXPECT_LT((particle_plane_impulse(2, {3, 4, -5}, k_up, 0.5, 0.1) - Vec3(-0.9, -1.2, 15)).norm(),
              1e-14);
    EXPECT_LT((particle_plane_impulse(2, {3, 4, -5}, k_up, 0.5, 1.0) - Vec3(-6, -8, 15)).norm(),
              1e-14);
    EXPECT_LT(
        (particle_plane_impulse(2, {3, 4, -5}, k_up, 0.5, 1.0, true) - Vec3(-9, -12, 15)).norm(),
        1e-14);
    EXPECT_EQ(particle_plane_impulse(2, {3, 4, 5}, k_up, 0.5, 1.0), Vec3::Zero());
    EXPECT_EQ(particle_plane_impulse(2, {3, 4, 0}, k_up, 0.5, 1.0), Vec3::Zero());
    EXPECT_EQ(particle_plane_impulse(2, {0, 0, -5}, k_up, 0.0, 1.0, true), Vec3(0, 0, 10));
}

}  // namespace
}  // namespace carom::tests
