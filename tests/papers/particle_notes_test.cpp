// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The particle notes (003): a particle against a plane, section 3. They print formulas, no
// numbers; the numbers here are worked by hand from them.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/impact/contact_force.h"
#include "carom/impact/particle.h"
#include "tests/support/random_problems.h"

namespace carom::impact {
namespace {

const Vec3 k_floor = Vec3::UnitZ();

TEST(ParticleImpulse, FrictionlessBounce) {
    // 003 section 3.1: j = -(1 + eps) m v_N = 1.5 * 2 * 4 = 12
    const Vec3 v(3.0, 0.0, -4.0);
    const Vec3 J = particle_plane_impulse(2.0, v, k_floor, 0.5, 0.0);
    EXPECT_LT((J - Vec3(0.0, 0.0, 12.0)).norm(), 1e-14);
    EXPECT_NEAR((v + J / 2.0).z(), 2.0, 1e-15);  // eq. 1: v_N+ = -eps v_N-
}

TEST(ParticleImpulse, SuperballAndDeadBall) {
    // 003 section 3.1: eps = 1 reverses the normal speed, eps = 0 leaves none.
    const Vec3 v(0.0, 1.0, -4.0);
    EXPECT_NEAR((v + particle_plane_impulse(1.0, v, k_floor, 1.0, 0.0)).z(), 4.0, 1e-15);
    EXPECT_NEAR((v + particle_plane_impulse(1.0, v, k_floor, 0.0, 0.0)).z(), 0.0, 1e-15);
}

TEST(ParticleImpulse, FrictionAgainstTheSlip) {
    // 003 section 3.1: j n - mu j t with mu = 1/3 of the "reasonable" range: 12 and 4; the slip
    // changes by 4/2 from 3 to 1.
    const Vec3 v(3.0, 0.0, -4.0);
    const Vec3 J = particle_plane_impulse(2.0, v, k_floor, 0.5, 1.0 / 3.0);
    EXPECT_LT((J - Vec3(-4.0, 0.0, 12.0)).norm(), 1e-14);
    EXPECT_LT((v + J / 2.0 - Vec3(1.0, 0.0, 2.0)).norm(), 1e-14);
}

TEST(ParticleImpulse, LiteralRuleDrivesASlowParticleBackwards) {
    // The notes do not bound the tangential impulse: at slip 1 it is reversed to -1, and with more
    // friction the particle even gains energy. Ours stops it.
    const Vec3 v(1.0, 0.0, -4.0);
    const Vec3 literal = particle_plane_impulse(2.0, v, k_floor, 0.5, 1.0 / 3.0, true);
    EXPECT_NEAR((v + literal / 2.0).x(), -1.0, 1e-15);
    const Vec3 capped = particle_plane_impulse(2.0, v, k_floor, 0.5, 1.0 / 3.0);
    EXPECT_NEAR((v + capped / 2.0).x(), 0.0, 1e-15);
    const Vec3 rough = particle_plane_impulse(2.0, v, k_floor, 0.5, 1.5, true);
    EXPECT_GT((v + rough / 2.0).norm(), v.norm());
}

TEST(ParticleImpulse, NoTangentNoFriction) {
    // "Don't try this if v has no tangential component."
    const Vec3 v(0.0, 0.0, -2.0);
    EXPECT_LT((particle_plane_impulse(1.0, v, k_floor, 0.25, 0.3) - Vec3(0.0, 0.0, 2.5)).norm(),
              1e-15);
    EXPECT_LT(
        (particle_plane_impulse(1.0, v, k_floor, 0.25, 0.3, true) - Vec3(0.0, 0.0, 2.5)).norm(),
        1e-15);
}

TEST(ParticleImpulse, NothingWhenLeaving) {
    const Vec3 leaving(1.0, 0.0, 0.5);
    EXPECT_EQ(particle_plane_impulse(1.0, leaving, k_floor, 0.5, 0.3), Vec3(Vec3::Zero()));
}

TEST(ParticleImpulse, IsTheParticleLawInAnyPlane) {
    tests::Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
        BodyPair pair;
        pair.normal = random.direction();
        pair.A.inverse_mass = random.log_uniform(0.1, 10.0);
        pair.A.v = random.normal3();
        const FramedContact framed = make_contact(pair);
        const double e = random.uniform();
        const double mu = random.uniform();
        for (const bool reversal : {false, true}) {
            const Vec3 p = framed.R_CW.transpose() * particle(framed.contact, {e, mu, reversal}).p;
            const Vec3 J = particle_plane_impulse(1.0 / pair.A.inverse_mass, pair.A.v, pair.normal,
                                                  e, mu, reversal);
            EXPECT_LT((p - J).norm(), 1e-12 * (1.0 + J.norm())) << trial;
        }
    }
}

TEST(ContactForce, HoldsTheParticleUp) {
    // 003 eq. 3: fc = -n.F
    EXPECT_DOUBLE_EQ(contact_force(Vec3(3.0, 0.0, -9.81), k_floor), 9.81);
    EXPECT_DOUBLE_EQ(contact_force(Vec3(3.0, 0.0, -9.81), k_floor, true), 9.81);
}

TEST(ContactForce, LetsGoUnlessSticky) {
    // 003 section 3.2: negative values only on sticky planes.
    EXPECT_DOUBLE_EQ(contact_force(Vec3(0.0, 0.0, 2.0), k_floor), 0.0);
    EXPECT_DOUBLE_EQ(contact_force(Vec3(0.0, 0.0, 2.0), k_floor, true), -2.0);
}

TEST(ContactForce, LeavesNoNormalAcceleration) {
    // 003 eq. 2, on a slope of 30 degrees
    const Vec3 n(-0.5, 0.0, std::sqrt(0.75));
    const Vec3 weight(0.0, 0.0, -10.0);
    const double fc = contact_force(weight, n);
    EXPECT_NEAR(fc, 10.0 * std::sqrt(0.75), 1e-14);
    EXPECT_NEAR(n.dot(weight + fc * n), 0.0, 1e-14);
}

TEST(FrictionForce, Sliding) {
    // 003 section 3.2: mu fc directly opposite to the velocity, 0.3 * 10 = 3
    const Vec3 f = friction_force(Vec3(0.0, 0.0, -10.0), Vec3(0.0, 2.0, 0.0), k_floor, 0.3);
    EXPECT_LT((f - Vec3(0.0, -3.0, 0.0)).norm(), 1e-14);
}

TEST(FrictionForce, AtRestCancelsUpToItsLimit) {
    // 003 section 3.2: what makes the acceleration in the plane zero, chopped at mu fc.
    const Vec3 held = friction_force(Vec3(2.0, 0.0, -10.0), Vec3::Zero(), k_floor, 0.3);
    EXPECT_LT((held - Vec3(-2.0, 0.0, 0.0)).norm(), 1e-14);
    const Vec3 chopped = friction_force(Vec3(6.0, 8.0, -10.0), Vec3::Zero(), k_floor, 0.3);
    EXPECT_LT((chopped - Vec3(-1.8, -2.4, 0.0)).norm(), 1e-14);
}

TEST(FrictionForce, NoneWithoutContact) {
    EXPECT_EQ(friction_force(Vec3(1.0, 0.0, 5.0), Vec3(1.0, 0.0, 0.0), k_floor, 0.3).norm(), 0.0);
    EXPECT_EQ(friction_force(Vec3(0.0, 0.0, -5.0), Vec3::Zero(), k_floor, 0.3).norm(), 0.0);
}

}  // namespace
}  // namespace carom::impact
