// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/permissible.h"

#include "carom/impact/frictionless.h"
#include "carom/impact/routh.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::check_permissible;
using impact::Contact;
using impact::region_landmarks;
using impact::shown_restitution;

TEST(Permissible, MarginsAreTheirFormulas) {
    Random random(2301);
    for (int i = 0; i < 2000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = random.normal3() * contact.u.norm() / contact.K(2, 2);
        const double E0 = contact_energy(contact.K, contact.u);
        const auto r = check_permissible(contact, mu, p);
        const double energy = -(contact.u.dot(p) + 0.5 * p.dot(contact.K * p)) / E0;
        const double scale = 1.0 + std::abs(energy) + p.dot(contact.K * p) / E0;
        ASSERT_NEAR(r.energy_margin, energy, 1e-12 * scale) << show(contact) << show(p);
        ASSERT_NEAR(r.separation_margin, after(contact, p).z() / contact.u.norm(),
                    1e-12 * (1 + contact.K.norm() * p.norm() / contact.u.norm()));
        ASSERT_NEAR(r.normal_margin, p.z() / p.norm(), 1e-14);
        ASSERT_NEAR(r.cone_margin, (mu * p.z() - p.head<2>().norm()) / ((1.0 + mu) * p.norm()),
                    1e-14)
            << mu << show(p);
        ASSERT_EQ(r.all(), r.energy() && r.separation() && r.normal() && r.cone());
        ASSERT_EQ(r.normal(), p.z() >= 0.0 || r.normal_margin > -1e-9);
    }
}

TEST(Permissible, HandComputedVerdicts) {
    const Contact contact = diagonal_contact(1, 1, 1, {1, 0, -1});
    EXPECT_TRUE(check_permissible(contact, 0.5, {-0.5, 0, 1}).all());
    EXPECT_FALSE(check_permissible(contact, 0.4, {-0.5, 0, 1}).cone());
    EXPECT_FALSE(check_permissible(contact, 0.5, {0, 0, 0.9}).separation());
    EXPECT_FALSE(check_permissible(contact, 0.5, {0, 0, 2.1}).energy());
    EXPECT_FALSE(check_permissible(contact, 0.5, {0, 0, -0.1}).normal());
    EXPECT_TRUE(check_permissible(contact, 0.0, {0, 0, 2}).all());  // on the boundary counts
    // nothing happened: fine but for the approach
    const auto none = check_permissible(contact, 0.5, Vec3::Zero());
    EXPECT_FALSE(none.separation());
    EXPECT_TRUE(none.energy() && none.normal() && none.cone());
    EXPECT_TRUE(std::isfinite(none.cone_margin) && std::isfinite(none.normal_margin));
}

TEST(Permissible, RestitutionOfAStraightPushIsOneNumber) {
    Random random(2302);
    for (int i = 0; i < 500; ++i) {
        const Contact contact = any_contact(random);
        const double e = random.uniform();
        const auto shown = shown_restitution(contact, impact::frictionless(contact, {e}));
        ASSERT_TRUE(shown.kinematic && shown.kinetic && shown.energetic) << show(contact) << e;
        ASSERT_NEAR(*shown.kinematic, e, 1e-12) << show(contact);
        ASSERT_NEAR(*shown.kinetic, e, 1e-12) << show(contact);
        ASSERT_NEAR(*shown.energetic, e, 1e-7) << show(contact);
    }
}

TEST(Permissible, RestitutionOfRouthIsThatOfItsTermination) {
    Random random(2303);
    for (int i = 0; i < 1000; ++i) {
        const Contact contact = any_contact(random);
        const double e = random.uniform(0.05, 1.0);
        const double mu = random.uniform(0.0, 1.5);
        using impact::Termination;
        const auto shown = [&](Termination termination) {
            return shown_restitution(contact, impact::routh(contact, {e, mu, termination}));
        };
        ASSERT_NEAR(shown(Termination::stronge).energetic.value(), e, 1e-10) << show(contact) << mu;
        ASSERT_NEAR(shown(Termination::poisson).kinetic.value(), e, 1e-10) << show(contact) << mu;
        ASSERT_NEAR(shown(Termination::newton).kinematic.value(), e, 1e-9) << show(contact) << mu;
    }
    const Contact apart = diagonal_contact(1, 1, 1, {1, 0, 1});
    EXPECT_FALSE(shown_restitution(apart, impact::routh(apart, {0.5, 0.5})).kinematic);
}

TEST(Permissible, Landmarks) {
    Random random(2304);
    for (int i = 0; i < 1000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 1.5);
        const auto marks = region_landmarks(contact, mu);
        const Vec3 PI(0, 0, -contact.u.z() / contact.K(2, 2));
        ASSERT_LT(relative_error(marks.P_I, PI), 1e-15) << show(contact);
        const Vec3 PII = -solve_long(contact.K, contact.u).cast<double>();
        ASSERT_LT(relative_error(marks.P_II, PII), 1e-12) << show(contact);
        const double E0 = contact_energy(contact.K, contact.u);
        ASSERT_NEAR(marks.contact_energy, E0, 1e-12 * E0) << show(contact);
    }
}

// The largest kinematic e by scanning the region's edge: nothing in the cone may beat it, and the
// impulse that shows it must be permissible.
TEST(Permissible, LargestRestitutionIsLargestAndReached) {
    Random random(2305);
    for (int i = 0; i < 300; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 1.5);
        const auto marks = region_landmarks(contact, mu);
        const double e = marks.largest_kinematic_e;
        const Vec3 v = after(contact, marks.P_largest_e);
        ASSERT_TRUE(check_permissible(contact, mu, marks.P_largest_e).all()) << show(contact) << mu;
        ASSERT_NEAR(-v.z() / contact.u.z(), e, 1e-9 * (1 + e)) << show(contact) << mu;
        ASSERT_GE(e, 1.0 - 1e-12) << show(contact) << mu;  // the frictionless bounce is inside
        double best = 0.0;
        for (int ring = 0; ring <= 20; ++ring) {
            for (int k = 0; k < 180; ++k) {
                const double th = 2.0 * std::numbers::pi * k / 180;
                const double m = mu * ring / 20.0;
                const Vec3 a(m * std::cos(th), m * std::sin(th), 1);
                const double s = -2.0 * contact.u.dot(a) / a.dot(contact.K * a);
                if (s > 0.0) best = std::max(best, -after(contact, s * a).z() / contact.u.z());
            }
        }
        ASSERT_LE(best, e * (1 + 1e-10)) << show(contact) << mu;
        ASSERT_GE(best, 0.97 * e) << show(contact) << mu;
    }
}

}  // namespace
}  // namespace carom::tests
