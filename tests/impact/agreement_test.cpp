// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <Eigen/LU>
#include <array>

#include "carom/impact/bilinear.h"
#include "carom/impact/chatterjee_ruina.h"
#include "carom/impact/planar.h"
#include "carom/impact/routh.h"
#include "carom/impact/whittaker.h"
#include "tests/impact/any_law.h"

// Laws that must agree with each other, and the gains of energy that must be found.
namespace carom::tests {
namespace {

using impact::Contact;
using impact::LawId;
using impact::routh;
using impact::Termination;

constexpr std::array k_terminations{Termination::stronge, Termination::poisson,
                                    Termination::poisson_first, Termination::newton};

TEST(Agreement, PlaneProblemsArePlanar) {
    Random random(2101);
    for (int i = 0; i < 4000; ++i) {
        const auto plane = random_plane(random);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = impact::planar(plane, {e, mu}).p;
        const Contact contact = impact::embed_plane(plane);
        ASSERT_LT(relative_error(routh(contact, {e, mu}).p, p), 1e-10)
            << show(contact) << show(e, mu);
        // in any direction, and whatever the inertia across the plane
        const Mat3 R = turn_about_normal(random.uniform(0.0, 6.28));
        Contact thick = contact;
        thick.K(1, 1) = random.log_uniform(0.1, 10.0);
        const Contact other = turned(thick, R);
        const double slack = std::abs(plane.ux) > 1e-3 ? 1e-9 : 1e-6;
        ASSERT_LT(relative_error(routh(other, {e, mu}).p, R * p), slack)
            << show(other) << show(e, mu);
        const auto view = impact::view_as_plane(other);
        ASSERT_TRUE(view.is_plane) << show(other);
        const Vec3 q = impact::planar(view.contact, {e, mu}).p;
        const Vec3 back(q.x() * view.tangent.x(), q.x() * view.tangent.y(), q.z());
        ASSERT_LT(relative_error(back, R * p), 1e-10) << show(other) << show(e, mu);
    }
}

TEST(Agreement, BallsLeaveNoChoice) {
    // K = diag(kt, kt, kn): friction is straight, and all of these laws are one
    Random random(2102);
    for (int i = 0; i < 3000; ++i) {
        const double kt = random.log_uniform(0.2, 20.0);
        const Contact contact =
            diagonal_contact(kt, kt, random.log_uniform(0.2, 20.0),
                             {random.normal(), random.normal(), -random.log_uniform(1e-2, 10.0)});
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 p = impact::whittaker(contact, {e, mu}).p;
        for (const Termination termination : k_terminations) {
            ASSERT_LT(relative_error(routh(contact, {e, mu, termination}).p, p), 1e-12)
                << show(contact) << show(e, mu) << impact::termination_name(termination);
        }
        const impact::LawParameters parameters{.e = e, .mu = mu, .et = 0.0};
        const auto resolved = [&](LawId id) {
            return impact::resolve(impact::law_info(id), contact, parameters).solution.p;
        };
        ASSERT_LT(relative_error(resolved(LawId::particle), p), 1e-12) << show(contact);
        ASSERT_LT(relative_error(resolved(LawId::bilinear), p), 1e-12) << show(contact);
        ASSERT_LT(relative_error(resolved(LawId::chatterjee_ruina), p), 1e-12) << show(contact);
        ASSERT_LT(relative_error(resolved(LawId::anitescu_potra), p), 1e-12) << show(contact);
    }
}

TEST(Agreement, BilinearIsChatterjeeRuinaOfAlignedBodies) {
    Random random(2103);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = diagonal_contact(
            random.log_uniform(0.2, 20.0), random.log_uniform(0.2, 20.0),
            random.log_uniform(0.2, 20.0), {random.normal(), 0, -random.log_uniform(1e-2, 10.0)});
        const double e = random.uniform();
        const double et = random.uniform(-1.0, 1.0);
        const double mu = random.uniform(0.0, 1.5);
        ASSERT_LT(relative_error(impact::bilinear(contact, {e, et, mu}).p,
                                 impact::chatterjee_ruina(contact, {e, et, mu}).p),
                  1e-13)
            << show(contact) << show(e, mu) << et;
    }
}

TEST(Agreement, MomentumAndEnergyOfTheBodies) {
    Random random(2104);
    for (const auto& law : impact::laws()) {
        if (law.plane_only || law.id == LawId::bilinear || law.id == LawId::particle) continue;
        for (int i = 0; i < 500; ++i) {
            impact::BodyPair pair = random_pair(random);
            auto framed = impact::make_contact(pair);
            if (framed.contact.u.z() > 0.0) {
                for (impact::BodyState* body : {&pair.A, &pair.B}) {
                    body->v = -body->v;
                    body->w = -body->w;
                }
                framed = impact::make_contact(pair);
            }
            const auto parameters = random_parameters(random);
            const auto outcome = impact::resolve(law, framed.contact, parameters);
            if (outcome.refusal != nullptr) continue;
            const Vec3 p = framed.R_CW.transpose() * outcome.solution.p;
            const impact::BodyPair hit = impact::apply_impulse(pair, p);
            // momentum, and angular momentum about the contact point
            const Mat3 IA = pair.A.inverse_inertia.inverse();
            const double mA = 1.0 / pair.A.inverse_mass;
            const Vec3 dA = mA * (hit.A.v - pair.A.v);
            const Vec3 spin = IA * (hit.A.w - pair.A.w) - pair.A.r.cross(dA);
            ASSERT_LT((dA - p).norm(), 1e-12 * (p.norm() + mA)) << law.name;
            ASSERT_LT(spin.norm(), 1e-11 * (p.norm() + mA)) << law.name << i;
            double gained = 0.5 * mA * (hit.A.v.squaredNorm() - pair.A.v.squaredNorm()) +
                            0.5 * (hit.A.w.dot(IA * hit.A.w) - pair.A.w.dot(IA * pair.A.w));
            double scale = 0.5 * mA * (hit.A.v.squaredNorm() + pair.A.v.squaredNorm()) +
                           0.5 * (hit.A.w.dot(IA * hit.A.w) + pair.A.w.dot(IA * pair.A.w));
            if (pair.B.inverse_mass > 0.0) {
                const Mat3 IB = pair.B.inverse_inertia.inverse();
                const double mB = 1.0 / pair.B.inverse_mass;
                ASSERT_LT((mB * (hit.B.v - pair.B.v) + p).norm(), 1e-12 * (p.norm() + mB));
                gained += 0.5 * mB * (hit.B.v.squaredNorm() - pair.B.v.squaredNorm()) +
                          0.5 * (hit.B.w.dot(IB * hit.B.w) - pair.B.w.dot(IB * pair.B.w));
                scale += 0.5 * mB * (hit.B.v.squaredNorm() + pair.B.v.squaredNorm()) +
                         0.5 * (hit.B.w.dot(IB * hit.B.w) + pair.B.w.dot(IB * pair.B.w));
            }
            ASSERT_NEAR(gained, impact::energy_change(framed.contact, outcome.solution.p),
                        1e-11 * scale)
                << law.name << i;
            // the contact velocity after is u + K p
            const Vec3 u = impact::make_contact(hit).contact.u;
            const Vec3 expected = after(framed.contact, outcome.solution.p);
            ASSERT_LT((u - expected).norm(), 1e-11 * (framed.contact.u.norm() + u.norm() +
                                                      framed.contact.K.norm() * p.norm()))
                << law.name << i;
        }
    }
}

// The laws that can gain energy, caught in the act; their energetic sister on the same problems.
TEST(Agreement, KinematicRestitutionGainsEnergySomewhere) {
    Random random(2105);
    double whittaker = 0.0, newton = 0.0, particle = 0.0;
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.2, 1.5);
        const double E0 = contact_energy(contact.K, contact.u);
        const auto gain = [&](const Vec3& p) { return impact::energy_change(contact, p) / E0; };
        const Contact ball = diagonal_contact(3.5, 3.5, 1.0, contact.u);
        const double E_ball = contact_energy(ball.K, ball.u);
        whittaker = std::max(whittaker, gain(impact::whittaker(contact, {0.95, mu}).p));
        newton = std::max(newton, gain(routh(contact, {0.95, mu, Termination::newton}).p));
        impact::LawParameters reversal;
        reversal.e = 0.95;
        reversal.mu = mu;
        reversal.reversal = true;
        const auto& law = impact::law_info(LawId::particle);
        const auto backwards = impact::resolve(law, ball, reversal);
        ASSERT_EQ(backwards.refusal, nullptr) << show(ball);
        particle = std::max(particle, impact::energy_change(ball, backwards.solution.p) / E_ball);
        ASSERT_LE(gain(routh(contact, {0.95, mu, Termination::stronge}).p), 1e-12)
            << show(contact) << mu;
    }
    EXPECT_GT(whittaker, 0.01);
    EXPECT_GT(newton, 0.01);
    EXPECT_GT(particle, 0.01);
}

}  // namespace
}  // namespace carom::tests
