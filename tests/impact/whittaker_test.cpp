// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/whittaker.h"

#include <Eigen/LU>
#include <numbers>
#include <vector>

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::Contact;
using impact::Mode;
using impact::whittaker;

// Every impulse with slip that satisfies the law, by scanning the directions of the final slip.
std::vector<Vec3> all_slip_solutions(const Contact& contact, double e, double mu) {
    const Mat2 M = contact.K.topLeftCorner<2, 2>();
    const Vec2 b = contact.K.topRightCorner<2, 1>();
    const double rise = -(1.0 + e) * contact.u.z();
    const auto impulse = [&](double th) {
        const Vec2 c(std::cos(th), std::sin(th));
        const double pz = rise / (contact.K(2, 2) - mu * b.dot(c));
        return Vec3(-mu * pz * c.x(), -mu * pz * c.y(), pz);
    };
    // the part of the final slip across c, times h so that it has no poles
    const auto across = [&](double th) {
        const Vec2 c(std::cos(th), std::sin(th));
        const Vec2 s(-c.y(), c.x());
        const double h = contact.K(2, 2) - mu * b.dot(c);
        return s.dot(contact.u.head<2>() * h + rise * (b - mu * (M * c)));
    };
    std::vector<Vec3> found;
    const int n = 2000;
    for (int i = 0; i < n; ++i) {
        double low = 2.0 * std::numbers::pi * i / n;
        double high = 2.0 * std::numbers::pi * (i + 1) / n;
        const bool rising = across(low) < 0.0;
        if (rising == (across(high) < 0.0)) continue;
        for (int k = 0; k < 60; ++k) {
            const double middle = 0.5 * (low + high);
            ((across(middle) < 0.0) == rising ? low : high) = middle;
        }
        const Vec3 p = impulse(low);
        if (p.z() > 0.0 && after(contact, p).head<2>().dot(p.head<2>()) <= 0.0) found.push_back(p);
    }
    return found;
}

TEST(Whittaker, DefiningEquationsHold) {
    Random random(501);
    for (int i = 0; i < 5000; ++i) {
        Contact contact = any_contact(random);
        if (i % 3 == 0) contact.u.z() *= 1e-3;
        const double e = random.uniform();
        const double mu = random.uniform(0.0, 1.5);
        const auto solution = whittaker(contact, {e, mu});
        const Vec3 p = solution.p;
        const Vec3 v = after(contact, p);
        const double scale = contact.u.norm() + contact.K.norm() * p.norm();
        ASSERT_GE(p.z(), 0.0) << show(contact) << show(e, mu);
        ASSERT_NEAR(v.z(), -e * contact.u.z(), 1e-13 * scale) << show(contact) << show(e, mu);
        ASSERT_LT(coulomb_residual(p, v, mu, scale), 1e-9) << show(contact) << show(e, mu);
        if (solution.path.last() == Mode::stick) {
            ASSERT_LT(v.head<2>().norm(), 1e-12 * scale) << show(contact) << show(e, mu);
        }
    }
}

TEST(Whittaker, StickWinsElseTheSmallestImpulse) {
    Random random(502);
    int sticks = 0;
    for (int i = 0; i < 1500; ++i) {
        const Contact contact = any_contact(random);
        const double e = random.uniform();
        const double mu = random.uniform(0.05, 1.5);
        const Vec3 p = whittaker(contact, {e, mu}).p;
        const Vec3 goal(0, 0, -e * contact.u.z());
        const Vec3 stick = solve_long(contact.K, goal - contact.u).cast<double>();
        if (stick.z() > 0.0 && stick.head<2>().norm() <= mu * stick.z()) {
            ++sticks;
            ASSERT_LT(relative_error(p, stick), 1e-11) << show(contact) << show(e, mu);
            continue;
        }
        std::vector<Vec3> slips = all_slip_solutions(contact, e, mu);
        ASSERT_FALSE(slips.empty()) << show(contact) << show(e, mu);
        std::sort(slips.begin(), slips.end(),
                  [](const Vec3& x, const Vec3& y) { return x.z() < y.z(); });
        ASSERT_LT(relative_error(p, slips.front()), 1e-9) << show(contact) << show(e, mu);
    }
    EXPECT_GT(sticks, 100);
    EXPECT_LT(sticks, 1400);
}

TEST(Whittaker, HandComputed) {
    const Contact ball = diagonal_contact(2, 2, 4, {3, 4, -8});
    // p_z = 1.5 * 2 = 3; friction 0.3 along -(0.6, 0.8) leaves slip 4.4
    EXPECT_LT((whittaker(ball, {0.5, 0.1}).p - Vec3(-0.18, -0.24, 3)).norm(), 1e-15);
    EXPECT_EQ(whittaker(ball, {0.5, 0.1}).path.last(), Mode::slide);
    // stopping takes 2.5 <= mu 3
    EXPECT_LT((whittaker(ball, {0.5, 0.9}).p - Vec3(-1.5, -2, 3)).norm(), 1e-14);
    EXPECT_EQ(whittaker(ball, {0.5, 0.9}).path.last(), Mode::stick);
    // a plane problem with coupling: K = [[2,1],[1,3]], slip against +x: h = 3 - mu
    Contact plane = diagonal_contact(2, 2, 3, {5, 0, -2.5});
    plane.K(0, 2) = plane.K(2, 0) = 1;
    const double pz = 1.5 * 2.5 / 2.5;
    EXPECT_LT((whittaker(plane, {0.5, 0.5}).p - Vec3(-0.5 * pz, 0, pz)).norm(), 1e-14);
}

TEST(Whittaker, CanGainEnergy) {
    // Kane and Levinson's paradox: find one among random problems with e = 1
    Random random(503);
    double most = 0.0;
    for (int i = 0; i < 2000; ++i) {
        const Contact contact = any_contact(random);
        const Vec3 p = whittaker(contact, {1.0, random.uniform(0.2, 1.5)}).p;
        most = std::max(most,
                        impact::energy_change(contact, p) / contact_energy(contact.K, contact.u));
    }
    EXPECT_GT(most, 0.01);
}

TEST(Whittaker, FrictionForAGivenNormalImpulse) {
    Random random(504);
    for (int i = 0; i < 3000; ++i) {
        const Contact contact = any_contact(random);
        const impact::Principal K = impact::make_principal(contact.K);
        const double mu = random.uniform(0.0, 1.5);
        const double pz = random.log_uniform(1e-3, 1e2) * contact.u.norm() / contact.K(2, 2);
        const Vec2 slip = K.turn(contact.u.x(), contact.u.y());
        const auto friction = impact::friction_for_normal(K, slip.x(), slip.y(), pz, mu);
        const Vec2 t = K.turn_back(friction.x, friction.y);
        const Vec3 p(t.x(), t.y(), pz);
        const Vec3 v = after(contact, p);
        const double scale = contact.u.norm() + contact.K.norm() * p.norm();
        ASSERT_LT(coulomb_residual(p, v, mu, scale), 1e-9) << show(contact) << mu << " " << pz;
        const Vec2 reported = K.turn_back(friction.x_after, friction.y_after);
        ASSERT_LT((reported - v.head<2>()).norm(), 1e-12 * scale) << show(contact) << mu;
    }
}

TEST(Whittaker, EdgeCases) {
    const Mat3 K = Vec3(2, 2, 4).asDiagonal();
    expect_no_impulse(whittaker({K, {1, 1, 1}}, {0.5, 0.5}));
    EXPECT_EQ(whittaker({K, {1, 1, 0}}, {0.5, 0.5}).p, Vec3::Zero());
    EXPECT_EQ(whittaker({K, {0, 0, -4}}, {0.0, 0.5}).p, Vec3(0, 0, 1));
    EXPECT_LT((whittaker({K, {1, 1, -4}}, {1.0, 0.0}).p - Vec3(0, 0, 2)).norm(), 1e-15);
    EXPECT_LT((whittaker({K, {1, 3, -4}}, {1.0, 1e6}).p - Vec3(-0.5, -1.5, 2)).norm(), 1e-14);
    // no slip before, but the normal impulse makes some: K = [[2,1],[1,3]], stick p = K^-1 (0, 5)
    Contact plane = diagonal_contact(2, 2, 3, {0, 0, -5});
    plane.K(0, 2) = plane.K(2, 0) = 1;
    EXPECT_LT((whittaker(plane, {0.0, 0.5}).p - Vec3(-1, 0, 2)).norm(), 1e-14);
    const double pz = 5.0 / (3.0 - 0.25);
    EXPECT_LT((whittaker(plane, {0.0, 0.25}).p - Vec3(-0.25 * pz, 0, pz)).norm(), 1e-14);
}

}  // namespace
}  // namespace carom::tests
