// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What Chatterjee and Ruina say about the laws they compare (000 sections 3.4, 4 and 5), each
// statement as an experiment.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "carom/impact/anitescu_potra.h"
#include "carom/impact/bilinear.h"
#include "carom/impact/chatterjee_ruina.h"
#include "carom/impact/composite.h"
#include "carom/impact/frictionless.h"
#include "carom/impact/permissible.h"
#include "carom/impact/routh.h"
#include "carom/impact/smith.h"
#include "carom/impact/whittaker.h"
#include "tests/support/random_problems.h"

namespace carom::impact {
namespace {

Contact ball(double ux, double uz) {
    return {Vec3(3.5, 3.5, 1.0).asDiagonal(), Vec3(ux, 0.0, uz)};
}

// A leaning body that scrapes along the floor and digs in when friction is high (000 Figure 6).
Contact scraping(double uz) {
    Mat3 K;
    K << 2.0, 0.0, 1.2, 0.0, 2.0, 0.0, 1.2, 0.0, 1.0;
    return {K, Vec3(1.0, 0.0, uz)};
}
constexpr double k_jamming = 1.5;    // h = K_zz - mu K_xz = -0.8
constexpr double k_slippery = 0.5;   // h = 0.4, and P_II outside the cone (its slope is 5/6)
constexpr double k_grazing = -1e-9;  // the limit u_z -> 0 of the paper

Vec3 after(const Contact& contact, const Solution& solution) {
    return contact.u + contact.K * solution.p;
}

// A pendulum that strikes the floor (000 Figure 8): its rod leans by `lean` from the normal, and a
// point mass in place of the hinge makes M large along the rod.
Contact pendulum(double mass_along_rod, double lean) {
    const Vec3 rod(std::sin(lean), 0.0, std::cos(lean));
    const Vec3 across(std::cos(lean), 0.0, -std::sin(lean));
    const Mat3 K = rod * rod.transpose() / mass_along_rod + across * across.transpose() +
                   Vec3::UnitY() * Vec3::UnitY().transpose();
    return {K, across};
}

TEST(Grazing, RouthRebounds) {
    // 000 section 4.2.1: finite normal rebound at grazing incidence, even for e <= 1.
    const Solution solution = routh(scraping(0.0), {0.5, k_jamming, Termination::poisson});
    EXPECT_GT(after(scraping(0.0), solution).z(), 0.1);
    EXPECT_TRUE(check_permissible(scraping(k_grazing), k_jamming, solution.p).all());
    // but never along the tangent
    EXPECT_NEAR(after(scraping(0.0), solution).x(), 0.0, 1e-12);
    // and not at all when friction cannot drive the bodies together
    EXPECT_EQ(routh(scraping(0.0), {0.5, k_slippery}).p, Vec3(Vec3::Zero()));
}

TEST(Grazing, WhittakerStopsDeadOrDoesNothing) {
    // 000 section 4.2.2: only P_II, or zero when that is outside the cone.
    const Contact contact = scraping(k_grazing);
    const Vec3 P_II = -contact.K.inverse() * contact.u;
    for (const double e : {0.0, 0.5, 1.0}) {
        const Solution jammed = whittaker(contact, {e, k_jamming});
        EXPECT_LT((jammed.p - P_II).norm(), 1e-7);
        EXPECT_NEAR(after(contact, jammed).z(), 0.0, 2e-9);
        EXPECT_LT(whittaker(contact, {e, k_slippery}).p.norm(), 1e-7);
    }
}

TEST(Grazing, SmithHasOneAnswerWhateverTheRestitution) {
    // 000 section 4.2.3: no normal rebound, a fixed tangential one, the same for every e.
    const Contact contact = scraping(k_grazing);
    const Solution none = smith(contact, {0.0, k_jamming});
    const Solution full = smith(contact, {1.0, k_jamming});
    EXPECT_LT((none.p - full.p).norm(), 1e-7);
    EXPECT_NEAR(after(contact, full).z(), 0.0, 2e-9);
    EXPECT_LT(after(contact, full).x(), -1e-3);
    EXPECT_LT(smith(contact, {1.0, k_slippery}).p.norm(), 1e-7);
}

TEST(Grazing, NewLawReboundsAlongTheTangentOnly) {
    // 000 section 5.2, Figure 6
    const Contact contact = scraping(k_grazing);
    const Solution solution = chatterjee_ruina(contact, {1.0, 0.4, k_jamming});
    EXPECT_NEAR(after(contact, solution).x(), -0.4, 1e-7);
    EXPECT_NEAR(after(contact, solution).z(), 0.0, 2e-9);
}

TEST(Grazing, CompositeReboundsBothWays) {
    // 000 section 5.3: simultaneous normal and tangential rebound in tangential collisions.
    const Contact contact = scraping(k_grazing);
    const Solution solution = composite(contact, {0.5, 0.5, 0.8, k_jamming});
    EXPECT_LT(after(contact, solution).x(), -0.1);
    EXPECT_GT(after(contact, solution).z(), 0.1);
    EXPECT_TRUE(check_permissible(contact, k_jamming, solution.p).all());
}

TEST(Grazing, TwoStageLawReboundsAsWell) {
    // 000 section 4.2.1 says that of the laws discussed only Routh's does. The two-stage law of
    // section 4.2.4 restores e times the normal impulse of compression, which is finite here.
    const Contact contact = scraping(k_grazing);
    const Solution solution = anitescu_potra(contact, {0.5, k_jamming});
    EXPECT_GT(after(contact, solution).z(), 0.1);
    EXPECT_TRUE(check_permissible(contact, k_jamming, solution.p).all());
}

TEST(Balls, WhittakerIsRouth) {
    // 000 section 4.2.2: the same law for diagonal M.
    tests::Random random(42);
    for (int trial = 0; trial < 200; ++trial) {
        const Contact contact = ball(random.uniform(-5.0, 5.0), -random.uniform(0.1, 1.0));
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.0);
        const Vec3 p = whittaker(contact, {e, mu}).p;
        EXPECT_LT((routh(contact, {e, mu, Termination::poisson}).p - p).norm(), 1e-11 * p.norm());
    }
}

TEST(Balls, BilinearIsTheNewLaw) {
    // 000 section 5.2: it reduces to eq. 9 for spheres and disks.
    tests::Random random(425);
    for (int trial = 0; trial < 200; ++trial) {
        const Contact contact = ball(random.uniform(-5.0, 5.0), -random.uniform(0.1, 1.0));
        const double e = random.uniform();
        const double et = random.uniform(-1.0, 1.0);
        const double mu = random.uniform(0.0, 1.0);
        const Vec3 p = bilinear(contact, {e, et, mu}).p;
        EXPECT_LT((chatterjee_ruina(contact, {e, et, mu}).p - p).norm(), 1e-12 * p.norm());
    }
}

TEST(Balls, SpinReversalSeparatesTheLaws) {
    // 000 sections 4.2 and 5: near normal incidence superballs come back along the tangent. Routh
    // and Whittaker only stop the slip; Smith and the new law (et > 0) reverse it.
    const Contact steep = ball(0.3, -1.0);
    EXPECT_NEAR(after(steep, routh(steep, {0.8, 0.5})).x(), 0.0, 1e-12);
    EXPECT_NEAR(after(steep, whittaker(steep, {0.8, 0.5})).x(), 0.0, 1e-12);
    EXPECT_LT(after(steep, smith(steep, {0.8, 0.5})).x(), -0.01);
    EXPECT_LT(after(steep, chatterjee_ruina(steep, {0.8, 0.6, 0.5})).x(), -0.17);
    // closer to grazing the new law reverses nothing any more
    const Contact shallow = ball(10.0, -1.0);
    EXPECT_GT(after(shallow, chatterjee_ruina(shallow, {0.8, 0.6, 0.5})).x(), 0.0);
}

TEST(Laws, AllAreOneWithoutFriction) {
    // 000 section 4.2.5: identical for mu = 0, diagonal M or not.
    tests::Random random(4250);
    for (int trial = 0; trial < 100; ++trial) {
        const Contact contact = tests::random_contact(random);
        const double e = random.uniform();
        const Vec3 p = frictionless(contact, {e}).p;
        const double scale = 1e-11 * p.norm();
        EXPECT_LT((routh(contact, {e, 0.0}).p - p).norm(), scale);
        EXPECT_LT((whittaker(contact, {e, 0.0}).p - p).norm(), scale);
        EXPECT_LT((smith(contact, {e, 0.0}).p - p).norm(), scale);
        EXPECT_LT((anitescu_potra(contact, {e, 0.0}).p - p).norm(), scale);
        EXPECT_LT((chatterjee_ruina(contact, {e, 0.3, 0.0}).p - p).norm(), scale);
    }
}

TEST(Laws, WhittakerReversesTheNormalVelocityByE) {
    // 000 section 4.2.2 prints V_f.n = -(1 + e) V_i.n, which would be e = 0 rebounding at full
    // speed; section 3.1 and Figure 3d have -e V_i.n.
    tests::Random random(422);
    for (int trial = 0; trial < 100; ++trial) {
        const Contact contact = tests::random_contact(random);
        const Solution solution = whittaker(contact, {0.4, 0.6});
        EXPECT_NEAR(after(contact, solution).z(), -0.4 * contact.u.z(), 1e-9 * contact.u.norm());
    }
}

TEST(Laws, OnlyWhittakerGainsEnergy) {
    // 000 sections 3.5 and 4.2: naive kinematic restitution can create energy for e < 1; the
    // other laws cannot.
    tests::Random random(8);
    int gains = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const Contact contact = tests::random_contact(random);
        const double e = random.uniform(0.5, 1.0);
        const double mu = random.uniform(0.3, 1.5);
        const double E0 = region_landmarks(contact, mu).contact_energy;
        const auto gain = [&](const Solution& s) { return energy_change(contact, s.p) / E0; };
        if (gain(whittaker(contact, {e, mu})) > 1e-3) ++gains;
        EXPECT_LT(gain(routh(contact, {e, mu})), 1e-9) << trial;
        EXPECT_LT(gain(routh(contact, {e, mu, Termination::poisson})), 1e-9) << trial;
        EXPECT_LT(gain(smith(contact, {e, mu})), 1e-9) << trial;
        EXPECT_LT(gain(anitescu_potra(contact, {e, mu})), 1e-9) << trial;
        EXPECT_LT(gain(chatterjee_ruina(contact, {e, 0.5, mu})), 1e-9) << trial;
    }
    EXPECT_GE(gains, 5);
}

TEST(Pendulum, WhittakerGainsWithoutBound) {
    // 000 section 4.2.2, Figure 8: kinetic energy grows with the mass along the rod. Sticking with
    // e = 1 costs e^2 u_z^2 M_zz/2 - u.M u/2, and M_zz = M_rod cos^2 + sin^2.
    const double lean = 0.5;
    for (const double mass : {1e2, 1e4, 1e6}) {
        const Contact contact = pendulum(mass, lean);
        const Solution solution = whittaker(contact, {1.0, 3.0});
        const double uz = contact.u.z();
        const double M_zz =
            mass * std::cos(lean) * std::cos(lean) + std::sin(lean) * std::sin(lean);
        EXPECT_NEAR(energy_change(contact, solution.p), 0.5 * uz * uz * M_zz - 0.5, 1e-6 * mass);
        EXPECT_FALSE(check_permissible(contact, 3.0, solution.p).energy());
    }
}

TEST(Pendulum, RouthDiesAndTheNewLawStaysReasonable) {
    // 000 section 4.2.1: with large enough friction (here above 1/tan(lean) = 1.83) a dead
    // collision; section 5.2: the new law respects the hinge and the energy.
    for (const double mass : {1e4, 1e6}) {
        const Contact contact = pendulum(mass, 0.5);
        const Vec3 dead = after(contact, routh(contact, {1.0, 3.0}));
        EXPECT_LT(dead.norm(), 3.0 / std::sqrt(mass));
        const Solution solution = chatterjee_ruina(contact, {0.5, 0.5, 3.0});
        EXPECT_TRUE(check_permissible(contact, 3.0, solution.p).all());
        const Vec3 rod(std::sin(0.5), 0.0, std::cos(0.5));
        EXPECT_LT(std::abs(after(contact, solution).dot(rod)), 3.0 / mass);
    }
}

TEST(InfiniteFriction, NoReboundIsNotAlwaysDead) {
    // 000 section 3.4, Figure 7: where P_II would have to pull, e = 0 with boundless friction does
    // not stop the contact.
    Contact contact = scraping(-0.1);
    contact.u.x() = -1.0;
    EXPECT_LT((-contact.K.inverse() * contact.u).z(), 0.0);
    const Solution solution = routh(contact, {0.0, 1e6});
    EXPECT_GE(solution.p.z(), 0.0);
    EXPECT_GT(after(contact, solution).norm(), 0.1);
    EXPECT_TRUE(check_permissible(contact, 1e6, solution.p).all());
}

}  // namespace
}  // namespace carom::impact
