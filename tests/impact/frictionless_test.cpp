// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/frictionless.h"

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::frictionless;

TEST(Frictionless, HandComputed) {
    // p_z = 1.5 * 8 / 4
    const auto solution = frictionless(diagonal_contact(2, 3, 4, {1, 2, -8}), {0.5});
    EXPECT_EQ(solution.p, Vec3(0, 0, 3));
    ASSERT_EQ(solution.path.size(), 1U);
    EXPECT_EQ(solution.path[0], impact::Mode::frictionless);
}

TEST(Frictionless, CouplingTurnsTheSlipButNotTheImpulse) {
    Contact contact{Mat3::Identity(), {0, 0, -1}};
    contact.K(0, 2) = contact.K(2, 0) = 0.5;
    const auto solution = frictionless(contact, {1.0});
    EXPECT_EQ(solution.p, Vec3(0, 0, 2));
    EXPECT_EQ(after(contact, solution.p), Vec3(1, 0, 1));
}

TEST(Frictionless, ReversesTheNormalVelocityAndLosesWhatItShould) {
    Random random(101);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = any_contact(random);
        const double e = random.uniform();
        const Vec3 p = frictionless(contact, {e}).p;
        ASSERT_EQ(p.x(), 0.0);
        ASSERT_EQ(p.y(), 0.0);
        const double uz = contact.u.z();
        ASSERT_NEAR(after(contact, p).z(), -e * uz, 4e-16 * 4.0 * std::abs(uz))
            << show(contact) << e;
        const double loss = (1.0 - e * e) * uz * uz / (2.0 * contact.K(2, 2));
        const double scale = uz * uz / contact.K(2, 2);
        ASSERT_NEAR(impact::energy_change(contact, p), -loss, 1e-14 * scale) << show(contact) << e;
    }
}

TEST(Frictionless, EdgeCases) {
    const Mat3 K = Vec3(1, 2, 3).asDiagonal();
    expect_no_impulse(frictionless({K, {1, 1, 1}}, {0.5}));
    expect_no_impulse(frictionless({K, {1, 1, 1e-300}}, {0.5}));
    EXPECT_EQ(frictionless({K, {1, 1, 0}}, {0.5}).p, Vec3::Zero());
    EXPECT_EQ(frictionless({K, {0, 0, 0}}, {0.5}).p, Vec3::Zero());
    EXPECT_EQ(frictionless({K, {1, 1, -3}}, {0.0}).p, Vec3(0, 0, 1));
    EXPECT_EQ(frictionless({K, {1, 1, -3}}, {1.0}).p, Vec3(0, 0, 2));
}

}  // namespace
}  // namespace carom::tests
