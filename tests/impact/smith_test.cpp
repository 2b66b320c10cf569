// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/smith.h"

#include "carom/impact/whittaker.h"
#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::smith;
using impact::smith_by_continuation;

// p_t + mu p_z w, relative to |p| (Chatterjee and Ruina eq. 8).
double smith_residual(const Contact& contact, double mu, const Vec3& p) {
    const Vec2 a = contact.u.head<2>();
    const Vec2 v = after(contact, p).head<2>();
    const double d = a.squaredNorm() + v.squaredNorm();
    const Vec2 w = (a * a.norm() + v * v.norm()) / d;
    return (p.head<2>() + mu * p.z() * w).norm() / p.norm();
}

TEST(Smith, DefiningEquationsHold) {
    Random random(601);
    for (int i = 0; i < 5000; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.z() *= random.log_uniform(1e-4, 1.0);
        if (i % 5 == 0) contact.u.head<2>() *= random.log_uniform(1e-4, 1.0);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 2.0);
        const Vec3 p = smith(contact, {e, mu}).p;
        const double scale = contact.u.norm() + contact.K.norm() * p.norm();
        ASSERT_GE(p.z(), 0.0) << show(contact) << show(e, mu);
        ASSERT_NEAR(after(contact, p).z(), -e * contact.u.z(), 1e-12 * scale)
            << show(contact) << show(e, mu);
        const double slip =
            std::max(contact.u.head<2>().norm(), after(contact, p).head<2>().norm());
        ASSERT_LT(smith_residual(contact, mu, p), 1e-13 + 1e-15 * (1 + mu) * scale / slip)
            << i << show(contact) << show(e, mu);
    }
}

TEST(Smith, IsTheSolutionReachedFromNothing) {
    Random random(602);
    for (int i = 0; i < 4000; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.z() *= random.log_uniform(1e-3, 1.0);
        if (i % 5 == 0) contact.u.head<2>() *= random.log_uniform(1e-3, 1.0);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 2.0);
        const Vec3 p = smith(contact, {e, mu}).p;
        const Vec3 q = smith_by_continuation(contact, {e, mu}).p;
        ASSERT_LT(relative_error(p, q), 1e-9) << i << show(contact) << show(e, mu) << show(q);
    }
}

// For given p_z the friction solves p_t = -mu p_z w; on an isotropic K everything is along the slip
// and one scalar equation in the final slip v is left.
TEST(Smith, BallByBisection) {
    Random random(603);
    for (int i = 0; i < 500; ++i) {
        const double kt = random.log_uniform(0.5, 5.0);
        const double kn = random.log_uniform(0.5, 5.0);
        const double a = random.log_uniform(0.01, 10.0);
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const double pz = (1.0 + e) / kn;
        // v + kt mu pz w(v) = a, rising in v on [-a, a]
        const auto f = [&](double v) {
            return v + kt * mu * pz * (a * a + v * std::abs(v)) / (a * a + v * v) - a;
        };
        double low = -a;
        double high = a;
        if (f(low) > 0.0) continue;
        for (int k = 0; k < 80; ++k) {
            const double middle = 0.5 * (low + high);
            (f(middle) < 0.0 ? low : high) = middle;
        }
        const double th = random.uniform(0.0, 6.0);
        const Vec2 t(std::cos(th), std::sin(th));
        const Contact contact = diagonal_contact(kt, kt, kn, {a * t.x(), a * t.y(), -1.0});
        const Vec3 p = smith(contact, {e, mu}).p;
        const double friction = (a - low) / kt;
        ASSERT_LT(relative_error(p, {-friction * t.x(), -friction * t.y(), pz}), 1e-12)
            << show(contact) << show(e, mu);
    }
}

TEST(Smith, HandComputed) {
    // a = 3, final slip v = 1: w = (9 + 1)/10 = 1, so that friction is at its limit: kt mu p_z = 2
    const Vec3 p = smith(diagonal_contact(2, 2, 1, {3, 0, -1}), {0.0, 1.0}).p;
    EXPECT_LT((p - Vec3(-1, 0, 1)).norm(), 1e-14);
    // final slip v = -1 from a = 3: w = (9 - 1)/10, kt mu p_z 0.8 = 4 with kt = 2.5, mu = 2
    const Vec3 q = smith(diagonal_contact(2.5, 2.5, 1, {3, 0, -1}), {0.0, 2.0}).p;
    EXPECT_LT((q - Vec3(-1.6, 0, 1)).norm(), 1e-13);
}

TEST(Smith, LosesEnergy) {
    Random random(604);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = any_contact(random);
        const double e = i % 2 ? 1.0 : random.uniform();
        const double mu = random.uniform(0.0, 3.0);
        const Vec3 p = smith(contact, {e, mu}).p;
        ASSERT_LE(impact::energy_change(contact, p), 1e-12 * contact_energy(contact.K, contact.u))
            << show(contact) << show(e, mu);
        ASSERT_LE(p.head<2>().norm(), mu * p.z() * (1 + 1e-12)) << show(contact) << show(e, mu);
    }
}

TEST(Smith, WithoutSlipIsWhittaker) {
    Random random(605);
    for (int i = 0; i < 500; ++i) {
        Contact contact = any_contact(random);
        contact.u.head<2>().setZero();
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.0);
        ASSERT_EQ(smith(contact, {e, mu}).p, impact::whittaker(contact, {e, mu}).p)
            << show(contact) << show(e, mu);
    }
}

TEST(Smith, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(smith({K, {1, 1, 1}}, {0.5, 0.5}));
    EXPECT_EQ(smith({K, {1, 1, 0}}, {0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(smith({K, {0, 0, -4}}, {0.0, 0.5}).p, Vec3(0, 0, 1));
    EXPECT_LT((smith({K, {1, 1, -4}}, {1.0, 0.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    // enormous friction: w must vanish, so that the slip is reversed exactly
    const Contact contact{K, {1, 1, -4}};
    const Vec3 p = smith(contact, {1.0, 1e6}).p;
    EXPECT_LT((after(contact, p) - Vec3(-1, -1, 4)).norm(), 1e-5);
}

}  // namespace
}  // namespace carom::tests
