// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/compliant.h"

#include <chrono>
#include <cstring>

#include "carom/impact/law.h"
#include "tests/impact/compliant_oracle.h"
#include "tests/impact/law_checks.h"
#include "tests/support/euler_loops.h"

namespace carom::tests {
namespace {

using impact::compliant;
using impact::CompliantParameters;
using impact::Contact;
using impact::Mode;
using impact::Trace;
using impact::TransitionKind;

std::string show(const CompliantParameters& law) {
    return tests::show(law.e, law.mu) + "\"eta2\":" + std::to_string(law.eta2) + " ";
}
using tests::show;

CompliantParameters random_law(Random& random) {
    return {random.uniform(0.1, 1.0), random.uniform(0.1, 1.5),
            impact::eta2_of_poisson_ratio(random.uniform(0.0, 0.5))};
}

TEST(Compliant, AgreesWithIntegrationInTheTimeDomain) {
    Random random(1601);
    std::size_t most_modes = 0;
    int stick_first = 0;
    for (int i = 0; i < 60; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.head<2>() *= 0.3;
        CompliantParameters law = random_law(random);
        if (i % 10 == 9) law.e = 1.0;
        CompliantOracle oracle(contact, law);
        const Vec3 expected = oracle.impulse();
        most_modes = std::max(most_modes, oracle.modes().size());
        stick_first += oracle.modes().front() == Mode::stick;
        const auto solution = compliant(contact, law);
        ASSERT_LT(relative_error(solution.p, expected), 1e-8)
            << i << show(contact) << show(law) << show(expected) << show(solution.p);
        ASSERT_EQ(solution.path.size(), oracle.modes().size()) << i << show(contact) << show(law);
        for (std::size_t j = 0; j < oracle.modes().size(); ++j) {
            ASSERT_EQ(solution.path[j], oracle.modes()[j]) << j << show(contact) << show(law);
        }
    }
    EXPECT_GE(most_modes, 3U);
    EXPECT_GT(stick_first, 5);
}

TEST(Compliant, WithoutRestitutionStopsAtMaximumCompression) {
    Random random(1602);
    for (int i = 0; i < 20; ++i) {
        const Contact contact = any_contact(random);
        CompliantParameters law = random_law(random);
        law.e = 0.0;
        const Vec3 p = compliant(contact, law).p;
        const double scale = contact.u.norm() + contact.K.norm() * p.norm();
        ASSERT_NEAR(after(contact, p).z(), 0.0, 1e-9 * scale) << show(contact) << show(law);
        CompliantOracle oracle(contact, law);
        ASSERT_LT(relative_error(p, oracle.impulse()), 1e-8) << show(contact) << show(law);
    }
}

TEST(Compliant, WorkIsGivenBackByTheSquareOfRestitution) {
    Random random(1603);
    for (int i = 0; i < 1000; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.z() *= 0.05;
        const CompliantParameters law = random_law(random);
        const auto solution = compliant(contact, law);
        const auto& h = solution.history;
        ASSERT_TRUE(h.known);
        ASSERT_NEAR(h.restitution_work, -law.e * law.e * h.compression_work,
                    -1e-9 * h.compression_work)
            << i << show(contact) << show(law);
        ASSERT_NEAR(h.compression_impulse + h.restitution_impulse, solution.p.z(),
                    1e-11 * solution.p.z())
            << i << show(contact) << show(law);
        ASSERT_LT(h.compression_work, 0.0);
    }
}

TEST(Compliant, BallSticksWhereTheClosedFormSays) {
    Random random(1604);
    int stuck = 0;
    for (int i = 0; i < 300; ++i) {
        const double Kn = random.log_uniform(0.5, 2.0);
        const double Kt = 3.5 * Kn;
        const CompliantParameters law = random_law(random);
        const double slip = law.mu * law.eta2 * random.uniform(1.0, 3.0);
        const double pz = (slip - law.mu * law.eta2) / (law.mu * (Kt - law.eta2 * Kn));
        if (pz > 1.0 / Kn) continue;  // not in compression
        ++stuck;
        const double th = random.uniform(0.0, 6.0);
        const Contact contact =
            diagonal_contact(Kt, Kt, Kn, {slip * std::cos(th), slip * std::sin(th), -1.0});
        Trace trace;
        compliant(contact, law, &trace);
        ASSERT_FALSE(trace.transitions.empty());
        ASSERT_EQ(trace.transitions.front().kind, TransitionKind::slip_to_stick)
            << show(contact) << show(law);
        const Vec3 p = trace.samples[trace.transitions.front().sample].p;
        const Vec3 expected(-law.mu * pz * std::cos(th), -law.mu * pz * std::sin(th), pz);
        ASSERT_LT((p - expected).norm(), 1e-9 * (pz + 1e-3)) << show(contact) << show(law);
    }
    EXPECT_GT(stuck, 100);
}

TEST(Compliant, UncoupledNormalIsNewton) {
    // K_xz = K_yz = 0: the normal motion is that of a spring alone, p_z = (1 + e) |u_z| / K_zz
    Random random(1605);
    for (int i = 0; i < 500; ++i) {
        const Contact contact = diagonal_contact(
            random.log_uniform(0.3, 5), random.log_uniform(0.3, 5), random.log_uniform(0.3, 5),
            {random.normal(), random.normal(), -random.log_uniform(0.1, 10)});
        const CompliantParameters law = random_law(random);
        const double pz = -(1.0 + law.e) * contact.u.z() / contact.K(2, 2);
        ASSERT_NEAR(compliant(contact, law).p.z(), pz, 1e-10 * pz) << show(contact) << show(law);
    }
}

TEST(Compliant, StickThroughoutIsHarmonic) {
    // a sticking ball with mu enormous and e = 1: normal lasts half a period pi/sqrt(Kn), and p_x =
    // -(u_x/Kt) (1 - cos(w t)), w^2 = Kt kt. The cone closes only at the very end.
    const double Kt = 2.0, Kn = 1.0, eta2 = 1.25;
    const Contact contact = diagonal_contact(Kt, Kt, Kn, {0.5, 0, -1});
    const double w = std::sqrt(Kt / eta2);
    const double px = -0.5 / Kt * (1.0 - std::cos(w * std::numbers::pi));
    const Vec3 p = compliant(contact, {1.0, 1e8, eta2}).p;
    EXPECT_NEAR(p.x(), px, 1e-7);
    EXPECT_NEAR(p.z(), 2.0, 1e-9);
}

// Only for impacts that begin sticking: begun in slip, the loop's first steps leave the cone by
// 2/sqrt(pi) whatever the step.
TEST(Compliant, EulerLoopConvergesToIt) {
    Random random(1606);
    for (int i = 0; i < 10; ++i) {
        Contact contact = random_contact(random);
        CompliantParameters law = random_law(random);
        law.mu = law.mu + 0.5;
        contact.u.head<2>() *= 0.3 * law.mu * -contact.u.z() / contact.u.head<2>().norm();
        const Vec3 p = compliant(contact, law).p;
        const double coarse = relative_error(compliant_euler(contact, law, p.z() / 1000, false), p);
        const double fine = relative_error(compliant_euler(contact, law, p.z() / 100000, false), p);
        ASSERT_LT(fine, 3e-3) << show(contact) << show(law);
        ASSERT_LT(fine, 0.4 * coarse) << show(contact) << show(law);
    }
}

// Soft tangential springs hold the bodies together through thousands of vibrations. The work is
// bounded: the law refuses, and soon.
TEST(Compliant, GivesUpOnEndlessVibrations) {
    Contact contact;
    contact.K << 0.06353444649181028, -0.0299593400815816, -0.041969820845431535,
        -0.0299593400815816, 0.01822602481928628, 0.016790028394337467, -0.041969820845431535,
        0.016790028394337467, 0.029931123603211093;
    contact.u = {-1, -0.15793235376683923, -7.882364829835292e-13};
    impact::LawParameters given;
    given.e = 0.7829865659220985;
    given.mu = 211002314415166.4;
    given.nu = 0.999999;
    const impact::LawInfo& info = impact::law_info(impact::LawId::compliant);
    EXPECT_NE(impact::resolve(info, contact, given).refusal, nullptr);
    // less extreme neighbours have an answer, which loses energy
    given.mu = 1.0;
    for (const double nu : {0.999999, 0.99, 0.3}) {
        given.nu = nu;
        const auto outcome = impact::resolve(info, contact, given);
        EXPECT_EQ(outcome.refusal, nullptr) << nu;
        EXPECT_LE(impact::energy_change(contact, outcome.solution.p),
                  1e-12 * contact_energy(contact.K, contact.u))
            << nu;
    }
    // 100 refusals: what took 8 s
    const CompliantParameters law{*given.e, 211002314415166.4,
                                  impact::eta2_of_poisson_ratio(0.999999)};
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(compliant(contact, law).p.allFinite());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

TEST(Compliant, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(compliant({K, {1, 1, 1}}, {0.5, 0.5, 1.2}));
    EXPECT_EQ(compliant({K, {1, 1, 0}}, {0.5, 0.5, 1.2}).p, Vec3::Zero());
    EXPECT_LT((compliant({K, {0, 0, -4}}, {0.0, 0.5, 1.2}).p - Vec3(0, 0, 1)).norm(), 1e-12);
    EXPECT_LT((compliant({K, {0, 0, -4}}, {1.0, 0.5, 1.2}).p - Vec3(0, 0, 2)).norm(), 1e-12);
    EXPECT_LT((compliant({K, {1, 1, -4}}, {1.0, 0.0, 1.2}).p - Vec3(0, 0, 2)).norm(), 1e-12);
    // fast slip, little friction: slides all the way
    const auto slide = compliant({K, {30, 40, -4}}, {0.5, 0.1, 1.2});
    EXPECT_LT((slide.p - Vec3(-0.09, -0.12, 1.5)).norm(), 1e-11);
    EXPECT_EQ(slide.path.size(), 1U);
    EXPECT_DOUBLE_EQ(impact::eta2_of_poisson_ratio(0.0), 1.0);
    EXPECT_DOUBLE_EQ(impact::eta2_of_poisson_ratio(0.5), 1.5);
}

}  // namespace
}  // namespace carom::tests
