// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Impulse space as Chatterjee and Ruina draw it (000): the points of section 3.1, the large
// restitution of Figure 9, the parallelogram of section 5.1 and the program of appendix A.2.
// Their M is our inverse of K; their components are ordered normal first, ours last.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/impact/chatterjee_ruina.h"
#include "carom/impact/permissible.h"
#include "tests/support/random_problems.h"

namespace carom::impact {
namespace {

constexpr double k_any_friction = 1e9;

double contact_energy(const Contact& contact, const Vec3& P) {
    const Vec3 V = contact.u + contact.K * P;
    return 0.5 * V.dot(contact.K.inverse() * V);
}

// 000 appendix A.2, statement by statement; M, V_i and n in any axes.
Vec3 collrule(const Mat3& M, const Vec3& V_i, const Vec3& n, double mu, double e, double e_t) {
    const Vec3 P_I = -n * n.dot(V_i) / n.dot(M.inverse() * n);
    const Vec3 P_II = -M * V_i;
    const Vec3 P_hat = (1.0 + e) * P_I + (1.0 + e_t) * (P_II - P_I);
    double kappa = 1.0 + e_t;
    if ((P_hat - n * n.dot(P_hat)).norm() > mu * n.dot(P_hat)) {
        kappa = mu * (1.0 + e) * n.dot(P_I) /
                ((P_II - n * n.dot(P_II)).norm() - mu * n.dot(P_II - P_I));
    }
    return (1.0 + e) * P_I + kappa * (P_II - P_I);
}

// A ball (K = diag(7/2, 7/2, 1)) whose slip is `grazing` times its approach.
Contact near_grazing_ball(double grazing) {
    return {Vec3(3.5, 3.5, 1.0).asDiagonal(), Vec3(grazing, 0.0, -1.0)};
}

TEST(ImpulseSpace, PlasticFrictionlessPoint) {
    // 000 eq. 3 and section 3.1: P_I stops the approach, 2 P_I reverses it at no cost of energy.
    tests::Random random(31);
    for (int trial = 0; trial < 100; ++trial) {
        const Contact contact = tests::random_contact(random);
        const Vec3 P_I = region_landmarks(contact, 0.5).P_I;
        const double E0 = contact_energy(contact, Vec3::Zero());
        EXPECT_LT((P_I - Vec3(0.0, 0.0, -contact.u.z() / contact.K(2, 2))).norm(),
                  1e-14 * P_I.norm());
        EXPECT_NEAR((contact.u + contact.K * P_I).z(), 0.0, 1e-12 * contact.u.norm());
        EXPECT_NEAR((contact.u + 2.0 * contact.K * P_I).z(), -contact.u.z(),
                    1e-12 * contact.u.norm());
        EXPECT_NEAR(energy_change(contact, 2.0 * P_I), 0.0, 1e-12 * E0);
        EXPECT_LE(contact_energy(contact, P_I), E0);
    }
}

TEST(ImpulseSpace, PlasticStickingPoint) {
    // 000 eq. 4: P_II stops the contact altogether, the largest loss of energy there is; 2 P_II
    // turns its velocity round at no cost.
    tests::Random random(32);
    for (int trial = 0; trial < 100; ++trial) {
        const Contact contact = tests::random_contact(random);
        const RegionLandmarks marks = region_landmarks(contact, 0.5);
        const double E0 = contact_energy(contact, Vec3::Zero());
        EXPECT_NEAR(marks.contact_energy, E0, 1e-9 * E0);
        EXPECT_LT((contact.u + contact.K * marks.P_II).norm(), 1e-9 * contact.u.norm());
        EXPECT_LT((contact.u + 2.0 * contact.K * marks.P_II + contact.u).norm(),
                  1e-9 * contact.u.norm());
        EXPECT_NEAR(energy_change(contact, marks.P_II), -E0, 1e-9 * E0);
        EXPECT_NEAR(energy_change(contact, 2.0 * marks.P_II), 0.0, 1e-9 * E0);
    }
}

TEST(ImpulseSpace, ContactVelocityIsNormalToTheEnergySurface) {
    // 000 section 3.1: the gradient of E_c with respect to P is the velocity after P.
    tests::Random random(33);
    for (int trial = 0; trial < 50; ++trial) {
        const Contact contact = tests::random_contact(random);
        const Vec3 P = random.normal3();
        const Vec3 V = contact.u + contact.K * P;
        for (int i = 0; i < 3; ++i) {
            const Vec3 step = 1e-3 * Vec3::Unit(i);
            const double slope =
                (energy_change(contact, P + step) - energy_change(contact, P - step)) / 2e-3;
            EXPECT_NEAR(slope, V(i), 1e-9 * (1.0 + V.norm() + contact.K.norm()));
        }
    }
}

TEST(ImpulseSpace, NearGrazingBallMayReboundSeventeenTimesFaster) {
    // 000 section 3.5, Figure 9: about 17 for a nearly grazing central collision with reasonable
    // friction. With K diagonal and q the slip over the approach, all energy in the normal motion
    // gives e = sqrt(1 + (Kn/Kt) q^2): 17 for q = sqrt(288 * 3.5) = 31.7, that is 1.8 degrees from
    // grazing. The impulse stops the slip, |p_t|/p_z = (q/Kt)/((1 + e)/Kn) = 0.504: a cone of 0.6
    // holds it.
    const double q = std::sqrt(288.0 * 3.5);
    const Contact contact = near_grazing_ball(q);
    const RegionLandmarks marks = region_landmarks(contact, 0.6);
    EXPECT_NEAR(marks.largest_kinematic_e, 17.0, 1e-9);
    EXPECT_LT((marks.P_largest_e - Vec3(-q / 3.5, 0.0, 18.0)).norm(), 1e-7);
    EXPECT_NEAR(marks.P_largest_e.head<2>().norm() / marks.P_largest_e.z(), 0.504, 5e-4);
    EXPECT_TRUE(check_permissible(contact, 0.6, marks.P_largest_e).all());
    // kinetic restitution is the same number for central collisions
    Solution solution;
    solution.p = marks.P_largest_e;
    const Restitution shown = shown_restitution(contact, solution);
    EXPECT_NEAR(shown.kinematic.value(), 17.0, 1e-9);
    EXPECT_NEAR(shown.kinetic.value(), 17.0, 1e-9);
}

TEST(ImpulseSpace, NarrowerConeLimitsTheRebound) {
    // On the cone against the slip the energy surface is met at p_z = 2 (1 + mu q)/(1 + mu^2 Kt)
    // (for Kn = 1), so that e = p_z - 1; no other line of the cone does better.
    const double q = std::sqrt(288.0 * 3.5);
    const Contact contact = near_grazing_ball(q);
    for (const double mu : {0.1, 0.2, 0.3, 0.4}) {
        const double on_cone = 2.0 * (1.0 + mu * q) / (1.0 + 3.5 * mu * mu) - 1.0;
        EXPECT_NEAR(region_landmarks(contact, mu).largest_kinematic_e, on_cone, 1e-7) << mu;
        double scanned = 0.0;
        for (int i = 0; i < 360; ++i) {
            const double phi = i * std::numbers::pi / 180.0;
            const Vec3 a(mu * std::cos(phi), mu * std::sin(phi), 1.0);
            const double s = std::max(0.0, -2.0 * contact.u.dot(a) / a.dot(contact.K * a));
            scanned = std::max(scanned, -1.0 + s);
        }
        EXPECT_NEAR(scanned, on_cone, 1e-9);
    }
}

TEST(ImpulseSpace, RestitutionBelowOneMayStillMakeEnergy) {
    // 000 section 3.5: with enough friction, even a central impulse with e < 1 inside the cone can
    // lie outside the energy surface.
    const Contact contact = near_grazing_ball(0.0);
    const Permissible margins = check_permissible(contact, 1.2, Vec3(1.5, 0.0, 1.5));
    EXPECT_TRUE(margins.cone());
    EXPECT_TRUE(margins.normal());
    EXPECT_TRUE(margins.separation());
    EXPECT_FALSE(margins.energy());
}

TEST(ImpulseSpace, ParallelogramHasPermissibleCorners) {
    // 000 section 5.1: P_I, 2 P_I, 2 P_II and 2 P_II - P_I satisfy energy and separation. The first
    // and the last end on the plane of maximum compression.
    tests::Random random(51);
    for (int trial = 0; trial < 200; ++trial) {
        const Contact contact = tests::random_contact(random);
        const RegionLandmarks marks = region_landmarks(contact, 0.5);
        const std::array<Vec3, 4> corners{marks.P_I, 2.0 * marks.P_I, 2.0 * marks.P_II,
                                          2.0 * marks.P_II - marks.P_I};
        for (const Vec3& corner : corners) {
            const Permissible margins = check_permissible(contact, k_any_friction, corner);
            EXPECT_TRUE(margins.energy()) << trial;
            EXPECT_TRUE(margins.separation()) << trial;
        }
        EXPECT_NEAR((contact.u + contact.K * corners[3]).z(), 0.0, 1e-9 * contact.u.norm());
        EXPECT_NEAR(energy_change(contact, corners[3]), energy_change(contact, corners[0]),
                    1e-9 * marks.contact_energy);
    }
}

TEST(ImpulseSpace, LawReachesTheCornersWithoutFrictionLimit) {
    tests::Random random(52);
    int reached = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const Contact contact = tests::random_contact(random);
        const RegionLandmarks marks = region_landmarks(contact, k_any_friction);
        if (marks.P_II.z() <= marks.P_I.z()) continue;  // else the cone cuts even now
        ++reached;
        const auto law = [&](double e, double et) {
            return chatterjee_ruina(contact, {e, et, k_any_friction}).p;
        };
        const double scale = 1e-9 * marks.P_II.norm();
        EXPECT_LT((law(0.0, -1.0) - marks.P_I).norm(), scale);
        EXPECT_LT((law(1.0, -1.0) - 2.0 * marks.P_I).norm(), scale);
        EXPECT_LT((law(1.0, 1.0) - 2.0 * marks.P_II).norm(), scale);
        EXPECT_LT((law(0.0, 1.0) - (2.0 * marks.P_II - marks.P_I)).norm(), scale);
    }
    EXPECT_GT(reached, 30);
}

TEST(ImpulseSpace, LawIsTheProgramOfTheAppendix) {
    tests::Random random(2);
    int cut = 0;
    for (int trial = 0; trial < 500; ++trial) {
        const BodyPair pair = tests::random_pair(random);
        const FramedContact framed = make_contact(pair);
        if (framed.contact.u.z() >= 0.0) continue;
        const double e = random.uniform();
        const double et = random.uniform(-1.0, 1.0);
        const double mu = random.uniform(0.0, 1.5);
        // the program works in the world's axes, the law in the contact's
        const Mat3& R = framed.R_CW;
        const Mat3 M = R.transpose() * framed.contact.K.inverse() * R;
        const Vec3 V_i = R.transpose() * framed.contact.u;
        const Vec3 P = collrule(M, V_i, pair.normal, mu, e, et);
        const Vec3 p = chatterjee_ruina(framed.contact, {e, et, mu}).p;
        EXPECT_LT((R.transpose() * p - P).norm(), 1e-9 * P.norm()) << trial;
        EXPECT_TRUE(check_permissible(framed.contact, mu, p).all()) << trial;
        if (p.head<2>().norm() > (1.0 - 1e-9) * mu * p.z()) ++cut;
    }
    EXPECT_GT(cut, 20) << "both branches of eq. 12 must have been met";
}

}  // namespace
}  // namespace carom::impact
