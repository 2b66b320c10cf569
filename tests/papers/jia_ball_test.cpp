// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The bouncing ball of Jia, section 3.1 (called 004 here).
//
// Two things stand between the printed numbers and the model. First, the printed runs are Euler
// loops: their events lie on multiples of 5e-5 and come up to four steps beside the exact ones, so
// that the last one or two printed digits cannot be met by an exact solution. Second, while they
// slip in restitution their friction is e mu times the normal force, against the paper's own
// equations 11 and 19. The closed-form model of jia_ball_model.h takes that ratio as a switch: with
// e mu it meets the printed numbers, with mu it meets the library.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/impact/compliant.h"
#include "tests/papers/jia_ball_model.h"

namespace carom::impact {
namespace {

using tests::BallResult;

// 004 section 3.1: V0 = (-1, 0, -5), w0 = (0, 2, 0), m = r = 1, e = 0.5, mu = 0.4, nu = 0.3
constexpr double k_e = 0.5;
constexpr double k_mu = 0.4;
constexpr double k_nu = 0.3;

enum class Friction { as_written, as_printed };

BallResult model(double mu, double nu, Friction friction) {
    const double ratio = friction == Friction::as_printed ? k_e * mu : mu;
    return tests::bounce_ball(-3.0, 5.0, {k_e, mu, eta2_of_poisson_ratio(nu), ratio});
}

// The ball and the table as bodies.
BodyPair ball_on_table() {
    BodyPair pair;
    pair.normal = Vec3::UnitZ();
    pair.A.inverse_mass = 1.0;
    pair.A.inverse_inertia = 2.5 * Mat3::Identity();
    pair.A.r = Vec3(0.0, 0.0, -1.0);
    pair.A.v = Vec3(-1.0, 0.0, -5.0);
    pair.A.w = Vec3(0.0, 2.0, 0.0);
    return pair;
}

Solution library(double mu, double nu, Trace* trace = nullptr) {
    return compliant(make_contact(ball_on_table()).contact, {k_e, mu, eta2_of_poisson_ratio(nu)},
                     trace);
}

// 004 section 3.1: V = V0 + I/m and w = w0 - 5/(2 m r) z x I.
double Vx(double Ix) {
    return -1.0 + Ix;
}
double omega_y(double Ix) {
    return 2.0 - 2.5 * Ix;
}

double energy(double vx, double vz, double wy) {
    return 0.5 * (vx * vx + vz * vz) + 0.2 * wy * wy;
}
// What 004 prints as the total energy: only half of the rotational part.
double energy_as_printed(double vx, double vz, double wy) {
    return 0.5 * (vx * vx + vz * vz) + 0.1 * wy * wy;
}

TEST(JiaBall, ContactVelocityAndCollisionMatrix) {
    // 004 calls (-3, 0, 0) the initial velocity of the ball; it is that of the contact.
    const Contact contact = make_contact(ball_on_table()).contact;
    EXPECT_LT((contact.u - Vec3(-3.0, 0.0, -5.0)).norm(), 1e-15);
    const Mat3 expected = Vec3(3.5, 3.5, 1.0).asDiagonal();
    EXPECT_LT((contact.K - expected).norm(), 1e-15);
}

TEST(JiaBall, LibraryEqualsTheModelAsWritten) {
    const BallResult ball = model(k_mu, k_nu, Friction::as_written);
    const Solution solution = library(k_mu, k_nu);
    EXPECT_NEAR(solution.p.x(), ball.Ix, 1e-12);
    EXPECT_NEAR(solution.p.y(), 0.0, 1e-14);
    EXPECT_NEAR(solution.p.z(), ball.Iz, 1e-12);
    for (int i = 1; i <= 100; ++i) {
        const double mu = 0.01 * i;
        EXPECT_NEAR(library(mu, k_nu).p.x(), model(mu, k_nu, Friction::as_written).Ix, 1e-9) << mu;
        const double nu = 0.005 * i;
        EXPECT_NEAR(library(k_mu, nu).p.x(), model(k_mu, nu, Friction::as_written).Ix, 1e-9) << nu;
    }
}

TEST(JiaBall, TransitionsInTheLibrary) {
    // 004: slip to stick at 0.62485, end of compression at 5, reverse slip at 7.36575, end at 7.5.
    // Exactly: (|u_t| - mu eta2 |u_z|)/(mu (7/2 - eta2)) = 0.625, 5, 7.365582, 7.5.
    Trace trace;
    const Solution solution = library(k_mu, k_nu, &trace);
    ASSERT_EQ(trace.transitions.size(), 4U);
    const auto at = [&](std::size_t i) { return trace.samples[trace.transitions[i].sample]; };
    EXPECT_EQ(trace.transitions[0].kind, TransitionKind::slip_to_stick);
    EXPECT_NEAR(at(0).p.z(), 0.625, 1e-10);
    EXPECT_NEAR(at(0).p.z(), 0.62485, 2e-4);
    EXPECT_NEAR(at(0).u.x(), -2.12528, 3e-4);  // 004: spring and contact velocity there
    EXPECT_EQ(trace.transitions[1].kind, TransitionKind::maximum_compression);
    EXPECT_NEAR(at(1).p.z(), 5.0, 1e-10);
    EXPECT_EQ(trace.transitions[2].kind, TransitionKind::stick_to_slip);
    EXPECT_NEAR(at(2).p.z(), 7.36558197, 1e-8);
    EXPECT_NEAR(at(2).p.z(), 7.36575, 2e-4);
    EXPECT_NEAR(at(2).u.x(), 2.59255, 6e-5);  // 004: contact velocity at the reversal
    EXPECT_EQ(trace.transitions[3].kind, TransitionKind::end);
    EXPECT_NEAR(solution.p.z(), 7.5, 1e-10);
    ASSERT_EQ(solution.path.size(), 3U);
    EXPECT_EQ(solution.path[0], Mode::slide);
    EXPECT_EQ(solution.path[1], Mode::stick);
    EXPECT_EQ(solution.path[2], Mode::slide);
}

TEST(JiaBall, OutcomeAsWritten) {
    // Carom follows the equations: the rebound is a little weaker than printed.
    const BodyPair after = apply_impulse(ball_on_table(), library(k_mu, k_nu).p);
    EXPECT_NEAR(after.A.v.x(), 0.5440901551, 1e-9);
    EXPECT_NEAR(after.A.v.z(), 2.5, 1e-10);  // 004: 2.5
    EXPECT_NEAR(after.A.w.y(), -1.8602253878, 1e-9);
    EXPECT_NEAR(energy(after.A.v.x(), after.A.v.z(), after.A.w.y()), 3.96510475, 1e-8);
}

TEST(JiaBall, OutcomeAsPrinted) {
    const BallResult ball = model(k_mu, k_nu, Friction::as_printed);
    EXPECT_NEAR(Vx(ball.Ix), 0.570982, 1e-5);       // 004 section 3.1
    EXPECT_NEAR(omega_y(ball.Ix), -1.92746, 3e-5);  // 004 section 3.1
    EXPECT_NEAR(ball.Iz - 5.0, 2.5, 1e-12);         // 004 section 3.1
    EXPECT_NEAR(ball.v, 2.49847, 7e-5);             // 004: contact velocity at the end
    // with mu instead, none of the three is near
    const BallResult written = model(k_mu, k_nu, Friction::as_written);
    EXPECT_GT(std::abs(Vx(written.Ix) - 0.570982), 0.02);
    EXPECT_GT(std::abs(omega_y(written.Ix) + 1.92746), 0.06);
    EXPECT_GT(std::abs(written.v - 2.49847), 0.09);
}

TEST(JiaBall, SpringVelocityJumpsWhenTheSlipReverses) {
    const BallResult printed = model(k_mu, k_nu, Friction::as_printed);
    const BallResult written = model(k_mu, k_nu, Friction::as_written);
    // 004: starts from -2.42852, which is mu eta2 u_z after the first two steps of 5e-5
    const double mu_eta2 = k_mu * eta2_of_poisson_ratio(k_nu);
    EXPECT_NEAR(mu_eta2 * -5.0, -2.42852, 6e-5);
    EXPECT_NEAR(mu_eta2 * (-5.0 + 2 * 5e-5), -2.42852, 5e-6);
    ASSERT_EQ(printed.events.size(), 2U);
    EXPECT_TRUE(printed.starts_in_slip);
    EXPECT_TRUE(printed.events[0].to_stick);
    EXPECT_NEAR(printed.events[0].spring_velocity, -2.12528, 3e-4);
    EXPECT_FALSE(printed.events[1].to_stick);
    EXPECT_NEAR(printed.events[1].v, 2.59255, 6e-5);                 // 004: before the jump
    EXPECT_NEAR(printed.events[1].spring_velocity, -2.29806, 8e-5);  // 004: after it
    // eq. 25 with its own eta = eta0/e gives twice that: where e mu first shows
    EXPECT_NEAR(written.events[1].spring_velocity, -4.595988, 1e-6);
    EXPECT_NEAR(written.events[1].spring_velocity, 2.0 * -2.29806, 2e-4);
}

TEST(JiaBall, PrintedEnergiesCountHalfTheRotation) {
    // 004: from 13.4 to 3.65997. The first is exact only with half of the rotational energy, whose
    // right value is 13.8. The second agrees to 5e-4; what is left is not explained by rounding of
    // the printed velocities.
    EXPECT_DOUBLE_EQ(energy_as_printed(-1.0, -5.0, 2.0), 13.4);
    EXPECT_DOUBLE_EQ(energy(-1.0, -5.0, 2.0), 13.8);
    EXPECT_NEAR(energy_as_printed(0.570982, 2.5, -1.92746), 3.65997, 5e-4);
    const double Ix = model(k_mu, k_nu, Friction::as_printed).Ix;
    EXPECT_NEAR(energy_as_printed(Vx(Ix), 2.5, omega_y(Ix)), 3.65997, 5e-4);
    EXPECT_NEAR(energy(Vx(Ix), 2.5, omega_y(Ix)), 4.0310, 5e-5);
}

TEST(JiaBall, EffectOfFriction) {
    // 004: the spin reverses from mu = 0.13 on, the ball bounces back above 0.16. It slips all
    // along there, so Ix = mu (5 + e 2.5) = 6.25 mu reaches 0.8 at 0.128 and 1 at 0.16. With mu as
    // the ratio it would be 7.5 mu, and 0.107 and 0.133.
    const auto printed = [](double mu) { return model(mu, k_nu, Friction::as_printed).Ix; };
    EXPECT_GT(omega_y(printed(0.1279)), 0.0);
    EXPECT_LT(omega_y(printed(0.1281)), 0.0);
    EXPECT_LT(Vx(printed(0.1599)), 0.0);
    EXPECT_GT(Vx(printed(0.1601)), 0.0);
    EXPECT_NEAR(omega_y(library(0.8 / 7.5, k_nu).p.x()), 0.0, 1e-12);
    EXPECT_NEAR(Vx(library(1.0 / 7.5, k_nu).p.x()), 0.0, 1e-12);
}

TEST(JiaBall, BestFrictionForBouncingBack) {
    // 004: extrema 0.57591 and -1.93976 at mu = 0.36, on a grid of 0.01
    int best = 0;
    int best_written = 0;
    for (int i = 1; i <= 100; ++i) {
        const auto better = [&](int than, Friction friction) {
            return model(0.01 * i, k_nu, friction).Ix > model(0.01 * than, k_nu, friction).Ix;
        };
        if (better(best, Friction::as_printed)) best = i;
        if (better(best_written, Friction::as_written)) best_written = i;
    }
    EXPECT_EQ(best, 36);
    const double Ix = model(0.36, k_nu, Friction::as_printed).Ix;
    EXPECT_NEAR(Vx(Ix), 0.57591, 3e-5);
    EXPECT_NEAR(omega_y(Ix), -1.93976, 6e-5);
    EXPECT_EQ(best_written, 34) << "the equations as written put it elsewhere";
    EXPECT_NEAR(Vx(library(0.34, k_nu).p.x()), 0.556552, 1e-6);
}

TEST(JiaBall, EffectOfPoissonRatio) {
    // 004: Vx from 0.45729 to 0.66507 and w_y from -1.64322 to -2.16266, both monotone, for nu from
    // 0 to 0.5. At the second end the impact starts exactly between slip and stick (eqs. 36 and 37:
    // 3 = 0.4 * 1.5 * 5), where the printed loop is 4e-4 off.
    const double Ix0 = model(k_mu, 0.0, Friction::as_printed).Ix;
    const double Ix1 = model(k_mu, 0.5, Friction::as_printed).Ix;
    EXPECT_NEAR(Vx(Ix0), 0.45729, 2e-5);
    EXPECT_NEAR(omega_y(Ix0), -1.64322, 4e-5);
    EXPECT_NEAR(Vx(Ix1), 0.66507, 5e-4);
    EXPECT_NEAR(omega_y(Ix1), -2.16266, 1.1e-3);
    EXPECT_NEAR(Vx(library(k_mu, 0.0).p.x()), 0.410852, 1e-6);
    EXPECT_NEAR(Vx(library(k_mu, 0.5).p.x()), 0.654845, 1e-6);
    for (int i = 1; i <= 50; ++i) {
        EXPECT_GT(model(k_mu, 0.01 * i, Friction::as_printed).Ix,
                  model(k_mu, 0.01 * (i - 1), Friction::as_printed).Ix);
        EXPECT_GT(library(k_mu, 0.01 * i).p.x(), library(k_mu, 0.01 * (i - 1)).p.x());
    }
}

TEST(JiaBall, StartsBetweenSlipAndStick) {
    // 004 eqs. 36 and 37 at nu = 0.5: on either side of the bound, and on it, the same impact.
    const double expected = model(k_mu, 0.5, Friction::as_written).Ix;
    Contact contact = make_contact(ball_on_table()).contact;
    for (const double beside : {-1e-9, -1e-12, -1e-15, 0.0, 1e-15, 1e-12, 1e-9}) {
        contact.u.x() = -3.0 * (1.0 + beside);
        const Solution solution = compliant(contact, {k_e, k_mu, eta2_of_poisson_ratio(0.5)});
        EXPECT_NEAR(solution.p.x(), expected, 1e-8) << beside;
        EXPECT_NEAR(solution.p.z(), 7.5, 1e-9) << beside;
    }
}

TEST(JiaBall, ImpulseStaysInTheVerticalPlane) {
    // 004 theorem 1: the tangential impulse is along the first slip, whatever its direction.
    for (int i = 0; i < 12; ++i) {
        const Vec2 t(std::cos(0.5 * i), std::sin(0.5 * i));
        Contact contact = make_contact(ball_on_table()).contact;
        contact.u.head<2>() = -3.0 * t;
        const Vec3 p = compliant(contact, {k_e, k_mu, eta2_of_poisson_ratio(k_nu)}).p;
        EXPECT_NEAR(p.x() * t.y() - p.y() * t.x(), 0.0, 1e-12);
        EXPECT_NEAR(p.head<2>().dot(t), 1.5440901551, 1e-9);
    }
}

}  // namespace
}  // namespace carom::impact
