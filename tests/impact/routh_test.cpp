// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/routh.h"

#include <array>
#include <vector>

#include "tests/impact/law_checks.h"
#include "tests/impact/routh_oracle.h"
#include "tests/support/euler_loops.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::Mode;
using impact::routh;
using impact::RouthParameters;
using impact::Termination;

constexpr std::array k_all_terminations{Termination::stronge, Termination::poisson,
                                        Termination::poisson_first, Termination::newton};

std::string show(const RouthParameters& law) {
    return tests::show(law.e, law.mu) + "\"termination\":\"" +
           impact::termination_name(law.termination) + "\" ";
}
using tests::show;

TEST(Routh, AgreesWithIntegrationInTheImpulseDomain) {
    Random random(301);
    int rays = 0;
    for (int i = 0; i < 400; ++i) {
        JamProblem problem{any_contact(random), random.uniform(0.02, 1.5)};
        if (i % 4 == 3) problem = jam_problem(random);
        if (i % 4 == 1) {  // little friction and slow slip: sticks that do not hold
            problem.mu = random.uniform(0.02, 0.3);
            problem.contact.u.head<2>() *= i % 8 == 1 ? 0.0 : 0.05;
        }
        const auto& [contact, mu] = problem;
        const double e = random.uniform();
        for (const Termination termination : k_all_terminations) {
            const RouthParameters law{e, mu, termination};
            RouthOracle oracle(contact, law);
            const Vec3 expected = oracle.impulse();
            rays += oracle.left_on_ray();
            ASSERT_LT(relative_error(routh(contact, law).p, expected), 1e-9)
                << i << show(contact) << show(law) << show(expected);
        }
    }
    // the interesting kinds are among them
    EXPECT_GT(rays, 20);
}

// Slip that ends on a ray of constant sliding, where the library turns to a series about the ray.
TEST(Routh, EndsOfSlipAgreeToo) {
    Random random(306);
    int ended = 0;
    for (int i = 0; i < 6000; ++i) {
        const Contact contact = any_contact(random);
        const RouthParameters law{random.uniform(), random.uniform(0.02, 1.5)};
        const auto solution = routh(contact, law);
        if (solution.path.size() < 2) continue;
        ++ended;
        RouthOracle oracle(contact, law);
        const Vec3 expected = oracle.impulse();
        ASSERT_LT(relative_error(solution.p, expected), 1e-9)
            << i << show(contact) << show(law) << show(expected) << show(solution.p);
    }
    EXPECT_GT(ended, 1000);
}

// Found by the scan above when the series about a ray was used too far from it.
TEST(Routh, EndsOfSlipThatOnceWentWrong) {
    struct Case {
        Contact contact;
        RouthParameters law{0.0, 0.0};
        Vec3 p;
    };
    std::vector<Case> cases(3);
    cases[0].contact.K << 0.85417138760399569, -0.64897795666360236, 1.0419747133940997,
        -0.64897795666360236, 13.646912454978558, -8.6655063561498569, 1.0419747133940997,
        -8.6655063561498569, 6.4059151323609456;
    cases[0].contact.u << -0.50138102511359861, 0.54002513093901094, -0.98914683642620294;
    cases[0].law = {0.706725, 0.842012};
    cases[0].p << -0.114624298621, 0.605069738013, 1.03363162816;
    cases[1].contact.K << 2.0538479220558843, -0.77975223823060003, 0.89541678532449742,
        -0.77975223823060003, 3.6869471076330091, 1.3836702533028378, 0.89541678532449742,
        1.3836702533028378, 1.5783800213816019;
    cases[1].contact.u << -0.73588303521275278, -0.089289744452782094, -0.65330797325788226;
    cases[1].law = {0.581026, 1.2986};
    cases[1].p << -0.162393746731, -0.345446438815, 0.893497278304;
    cases[2].contact.K << 1.4579220404485811, 0.30020429244347047, 0.39956836741797086,
        0.30020429244347047, 1.6410301813281105, 0.013744769595004376, 0.39956836741797086,
        0.013744769595004376, 1.1538383168452704;
    cases[2].contact.u << -1.1508701485903945, 2.0546888498227842, -1.6592127394595186;
    cases[2].law = {0.946333, 1.24825};
    cases[2].p << 0.378737733449, -1.34235459224, 2.50690683172;
    for (const Case& c : cases) {
        EXPECT_LT(relative_error(routh(c.contact, c.law).p, c.p), 1e-10) << show(c.contact);
        EXPECT_LT(relative_error(RouthOracle(c.contact, c.law).impulse(), c.p), 1e-10);
    }
}

TEST(Routh, SeveralCompressionsAgreeToo) {
    Random random(302);
    int several = 0;
    for (int i = 0; i < 20000 && several < 60; ++i) {
        const auto [contact, mu] = jam_problem(random);
        const RouthParameters law{random.uniform(0.5, 1.0), mu};
        const auto solution = routh(contact, law);
        if (solution.history.compressions < 2) continue;
        ++several;
        for (const Termination termination : k_all_terminations) {
            const RouthParameters other{law.e, law.mu, termination};
            RouthOracle oracle(contact, other);
            const Vec3 expected = oracle.impulse();
            ASSERT_LT(relative_error(routh(contact, other).p, expected), 1e-9)
                << i << show(contact) << show(other) << show(expected);
            if (termination == Termination::stronge) {
                ASSERT_EQ(oracle.compressions(), solution.history.compressions) << show(contact);
            }
        }
    }
    EXPECT_GE(several, 20);
}

TEST(Routh, EulerLoopConvergesToIt) {
    Random random(303);
    for (int i = 0; i < 10; ++i) {
        const Contact contact = any_contact(random);
        const RouthParameters law{random.uniform(0.3, 0.9), random.uniform(0.1, 1.0)};
        const Vec3 p = routh(contact, law).p;
        const Vec3 coarse = routh_euler(contact, law, p.z() / 300);
        const Vec3 fine = routh_euler(contact, law, p.z() / 30000);
        ASSERT_LT(relative_error(fine, p), 3e-3) << show(contact) << show(law);
        ASSERT_LT(relative_error(fine, p), 0.2 * relative_error(coarse, p) + 1e-4)
            << show(contact) << show(law);
    }
}

TEST(Routh, StickFromTheStartInClosedForm) {
    // M = 2 I, b = (1, 0): q = (-0.5, 0), u_z' = 3 - 0.5
    Contact contact = diagonal_contact(2, 2, 3, {0, 0, -5});
    contact.K(0, 2) = contact.K(2, 0) = 1.0;
    for (const Termination termination : k_all_terminations) {
        const auto solution = routh(contact, {0.5, 0.6, termination});
        const double pz = 1.5 * 5.0 / 2.5;  // all terminations agree on one straight line
        EXPECT_LT((solution.p - Vec3(-0.5 * pz, 0, pz)).norm(), 1e-14);
        EXPECT_EQ(solution.path.last(), Mode::stick);
    }
}

TEST(Routh, DivergingRayInClosedForm) {
    // the same with mu = 0.25 < 0.5: slips towards +x, u_z' = 3 - 0.25, u_x' = 1 - 0.5
    Contact contact = diagonal_contact(2, 2, 3, {0, 0, -5});
    contact.K(0, 2) = contact.K(2, 0) = 1.0;
    for (const Termination termination : k_all_terminations) {
        const auto solution = routh(contact, {0.5, 0.25, termination});
        const double pz = 1.5 * 5.0 / 2.75;
        EXPECT_LT((solution.p - Vec3(-0.25 * pz, 0, pz)).norm(), 1e-14);
        EXPECT_EQ(solution.path.last(), Mode::ray);
    }
}

TEST(Routh, SphereSlidesThenSticksInClosedForm) {
    // K = diag(3.5, 3.5, 1): slip 0.7 ends at p_z = 0.7 / (3.5 mu) = 1 for mu = 0.2
    const Contact contact = diagonal_contact(3.5, 3.5, 1, {0.42, -0.56, -2});
    for (const Termination termination : k_all_terminations) {
        const auto solution = routh(contact, {0.5, 0.2, termination});
        EXPECT_LT((solution.p - Vec3(-0.12, 0.16, 3)).norm(), 1e-14);
        ASSERT_EQ(solution.path.size(), 2U);
        EXPECT_EQ(solution.path[0], Mode::slide);
        EXPECT_EQ(solution.path[1], Mode::stick);
    }
}

TEST(Routh, TerminationsHoldAtTheAnswer) {
    Random random(304);
    for (int i = 0; i < 3000; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.z() *= 1e-2;
        const double e = i % 10 == 0 ? 1.0 : random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        for (const Termination termination : k_all_terminations) {
            const RouthParameters law{e, mu, termination};
            const auto solution = routh(contact, law);
            const auto& h = solution.history;
            ASSERT_TRUE(h.known);
            ASSERT_GE(h.compressions, 1);
            ASSERT_NEAR(h.compression_impulse + h.restitution_impulse, solution.p.z(),
                        1e-12 * solution.p.z())
                << show(contact) << show(law);
            const double uz = after(contact, solution.p).z();
            const double scale = contact.u.norm() + contact.K.norm() * solution.p.norm();
            switch (termination) {
                case Termination::stronge:
                    ASSERT_NEAR(h.restitution_work, -e * e * h.compression_work,
                                -1e-11 * h.compression_work)
                        << show(contact) << show(law);
                    ASSERT_GE(uz, -1e-12 * scale) << show(contact) << show(law);
                    break;
                case Termination::poisson:
                    ASSERT_NEAR(h.restitution_impulse, e * h.compression_impulse,
                                1e-12 * h.compression_impulse)
                        << show(contact) << show(law);
                    ASSERT_GE(uz, -1e-12 * scale) << show(contact) << show(law);
                    break;
                case Termination::poisson_first:
                    break;
                case Termination::newton:
                    ASSERT_NEAR(uz, -e * contact.u.z(), 1e-12 * scale)
                        << show(contact) << show(law);
                    break;
            }
        }
    }
}

TEST(Routh, WithoutRestitutionAllStopAtTheFirstMaximumCompression) {
    Random random(305);
    for (int i = 0; i < 500; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = routh(contact, {0.0, mu}).p;
        ASSERT_NEAR(after(contact, p).z(), 0.0,
                    1e-12 * (contact.u.norm() + contact.K.norm() * p.norm()))
            << show(contact) << mu;
        for (const Termination termination : k_all_terminations) {
            ASSERT_LT(relative_error(routh(contact, {0.0, mu, termination}).p, p), 1e-14)
                << show(contact) << mu;
        }
    }
}

TEST(Routh, EdgeCases) {
    Contact contact = diagonal_contact(2, 2, 3, {1, 0, 1});
    contact.K(0, 2) = contact.K(2, 0) = 2.0;
    expect_no_impulse(routh(contact, {0.5, 0.5}));
    // grazing: h = 3 - mu 2 c
    contact.u = {1, 0, 0};
    EXPECT_EQ(routh(contact, {0.5, 1.5}).p, Vec3::Zero());
    contact.u = {-1, 0, 0};
    EXPECT_EQ(routh(contact, {0.5, 9.0}).p, Vec3::Zero());
    // the slip drives the bodies together
    contact.u = {1, 0, 0};
    const Vec3 jam = routh(contact, {0.5, 2.0}).p;
    EXPECT_GT(jam.z(), 0.0);
    EXPECT_GE(after(contact, jam).z(), -1e-14);
    // no friction
    const Contact ball = diagonal_contact(2, 2, 4, {1, 1, -2});
    for (const Termination termination : k_all_terminations) {
        EXPECT_LT((routh(ball, {0.5, 0.0, termination}).p - Vec3(0, 0, 0.75)).norm(), 1e-15);
        // enormous friction: the slip ends at once
        EXPECT_LT((routh(ball, {1.0, 1e6, termination}).p - Vec3(-0.5, -0.5, 1)).norm(), 1e-12);
    }
}

// K of two balls, isotropic but for rounding, which couples slip and normal by 1e-13: the direction
// of a slip hardly turns. Its answer is that of the isotropic K.
TEST(Routh, BallsWithRoundingInK) {
    Random random(7717);
    for (int i = 0; i < 2000; ++i) {
        const double k = random.log_uniform(1e-3, 1e7), normal = k * random.uniform(0.3, 1.0);
        impact::Contact exact{Mat3::Zero(), {0.0, 0.0, -random.log_uniform(1e-3, 1e3)}};
        exact.K.diagonal() << k, k, normal;
        const double slip = -exact.u.z() * random.log_uniform(1e-14, 1.0);
        const double angle = random.uniform(0.0, 6.3);
        exact.u.head<2>() << slip * std::cos(angle), slip * std::sin(angle);
        impact::Contact rounded = exact;
        const double off = k * random.log_uniform(1e-17, 1e-12);
        for (int row = 0; row < 3; ++row)
            for (int column = row; column < 3; ++column)
                rounded.K(row, column) = rounded.K(column, row) =
                    exact.K(row, column) + off * random.normal();
        const impact::RouthParameters law{.e = 0.92, .mu = random.uniform(0.1, 3.0)};
        const Vec3 p = impact::routh(exact, law).p;
        EXPECT_LT((impact::routh(rounded, law).p - p).norm(), 1e-10 * p.norm()) << show(rounded);
    }
}

}  // namespace
}  // namespace carom::tests
