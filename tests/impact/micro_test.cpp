// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/micro.h"

#include "carom/impact/routh.h"
#include "carom/impact/whittaker.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::LawId;
using impact::micro_reversal;
using impact::Mode;

const impact::LawInfo& law() {
    return impact::law_info(LawId::micro);
}

impact::LawParameters parameters_of(double e, double mu) {
    return {.e = e, .mu = mu};
}

TEST(Micro, ReversesTheVelocityWithoutLoss) {
    Random random(1501);
    int applied = 0;
    for (int i = 0; i < 4000; ++i) {
        const Contact contact = any_contact(random);
        const double mu = random.uniform(0.0, 1.5);
        const Vec3 wish = -2.0 * solve_long(contact.K, contact.u).cast<double>();
        const double margin = mu * wish.z() - wish.head<2>().norm();
        if (std::abs(margin) < 1e-10 * wish.norm()) continue;
        const auto reversal = micro_reversal(contact, {mu, 1e300});
        ASSERT_EQ(reversal.applies, margin > 0.0) << show(contact) << mu;
        if (!reversal.applies) continue;
        ++applied;
        ASSERT_LT(relative_error(reversal.p, wish), 1e-12) << show(contact) << mu;
        const double scale = contact.u.norm() + contact.K.norm() * wish.norm();
        ASSERT_LT((after(contact, reversal.p) + contact.u).norm(), 1e-12 * scale) << show(contact);
        ASSERT_NEAR(impact::energy_change(contact, reversal.p), 0.0,
                    1e-12 * contact_energy(contact.K, contact.u))
            << show(contact);
    }
    EXPECT_GT(applied, 500);
}

TEST(Micro, ThresholdIsOnTheNormalVelocity) {
    const Contact contact = diagonal_contact(2, 2, 4, {0.1, 0, -0.5});
    EXPECT_TRUE(micro_reversal(contact, {1.0, 0.6}).applies);
    EXPECT_FALSE(micro_reversal(contact, {1.0, 0.5}).applies);  // |u_z| < threshold, strictly
    EXPECT_FALSE(micro_reversal(contact, {1.0, 0.4}).applies);
    const Vec3 p = micro_reversal(contact, {1.0, 0.6}).p;
    EXPECT_LT((p - Vec3(-0.1, 0, 0.25)).norm(), 1e-16);
}

TEST(Micro, FallsBackToRouthWithPoisson) {
    Random random(1502);
    int fell = 0;
    for (int i = 0; i < 1000; ++i) {
        const Contact contact = any_contact(random);
        const double e = random.uniform();
        const double mu = random.uniform(0.05, 1.0);
        const auto reversal = micro_reversal(contact, {mu, 1e300});
        const auto outcome = impact::resolve(law(), contact, parameters_of(e, mu));
        ASSERT_EQ(outcome.refusal, nullptr);
        if (reversal.applies) {
            ASSERT_EQ(outcome.solution.p, reversal.p) << show(contact) << show(e, mu);
            ASSERT_EQ(outcome.solution.path.last(), Mode::reverse);
            continue;
        }
        ++fell;
        const Vec3 p = impact::routh(contact, {e, mu, impact::Termination::poisson}).p;
        ASSERT_LT(relative_error(outcome.solution.p, p), 1e-14) << show(contact) << show(e, mu);
    }
    EXPECT_GT(fell, 200);
}

TEST(Micro, OtherFallbacks) {
    const Contact contact = diagonal_contact(2, 2, 4, {3, 4, -8});
    auto parameters = parameters_of(0.5, 0.1);
    parameters.fallback = LawId::frictionless;
    const auto outcome = impact::resolve(law(), contact, parameters);
    EXPECT_LT((outcome.solution.p - Vec3(0, 0, 3)).norm(), 1e-15);
    parameters.fallback = LawId::whittaker;
    const Vec3 p = impact::resolve(law(), contact, parameters).solution.p;
    EXPECT_LT(relative_error(p, impact::whittaker(contact, {0.5, 0.1}).p), 1e-15);
}

TEST(Micro, ThresholdThroughTheRegistry) {
    const Contact contact = diagonal_contact(2, 2, 4, {0.1, 0, -0.5});
    auto parameters = parameters_of(0.0, 1.0);
    EXPECT_LT((impact::resolve(law(), contact, parameters).solution.p - Vec3(-0.1, 0, 0.25)).norm(),
              1e-16);
    parameters.threshold = 0.4;
    EXPECT_LT(
        (impact::resolve(law(), contact, parameters).solution.p - Vec3(-0.05, 0, 0.125)).norm(),
        1e-15);
}

TEST(Micro, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(impact::resolve(law(), {K, {1, 1, 1}}, parameters_of(0.5, 0.5)).solution);
    EXPECT_EQ(impact::resolve(law(), {K, {1, 1, 0}}, parameters_of(0.5, 0.5)).solution.p,
              Vec3::Zero());
    const Vec3 head_on = impact::resolve(law(), {K, {0, 0, -4}}, parameters_of(0, 0)).solution.p;
    EXPECT_LT((head_on - Vec3(0, 0, 2)).norm(), 1e-15);  // reversed although e = 0
    const Vec3 smooth = impact::resolve(law(), {K, {1, 1, -4}}, parameters_of(1, 0)).solution.p;
    EXPECT_LT((smooth - Vec3(0, 0, 2)).norm(), 1e-15);
    const Vec3 rough = impact::resolve(law(), {K, {1, 3, -4}}, parameters_of(0, 1e6)).solution.p;
    EXPECT_LT((rough - Vec3(-1, -3, 2)).norm(), 1e-14);
}

}  // namespace
}  // namespace carom::tests
