// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/principal.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "tests/impact/law_checks.h"

namespace carom::tests {
namespace {

using impact::make_principal;
using impact::Principal;
using impact::solve_secular;
using Digits50 = boost::multiprecision::cpp_bin_float_50;

TEST(Principal, DiagonalisesTheTangentialBlock) {
    Random random(2801);
    for (int i = 0; i < 3000; ++i) {
        const Mat3 K = any_contact(random).K;
        const Principal p = make_principal(K);
        ASSERT_NEAR(p.c * p.c + p.s * p.s, 1.0, 1e-15);
        Mat3 R = Mat3::Identity();
        R.topLeftCorner<2, 2>() << p.c, -p.s, p.s, p.c;
        Mat3 turned;
        turned << p.k1, 0, p.b1, 0, p.k2, p.b2, p.b1, p.b2, p.k33;
        ASSERT_LT((R * K * R.transpose() - turned).norm(), 1e-14 * K.norm()) << K;
        const Vec3l column = solve_long(K, Vec3::UnitZ());
        const double kappa = static_cast<double>(1 / column.z());
        ASSERT_NEAR(p.kappa, kappa, 1e-12 * kappa * (1 + 1e-3 * condition(K))) << K;
        ASSERT_NEAR(p.q1, p.b1 / p.k1, 1e-12 * (1 + std::abs(p.q1))) << K;
        ASSERT_NEAR(p.q2, p.b2 / p.k2, 1e-12 * (1 + std::abs(p.q2))) << K;
        const Vec2 v(random.normal(), random.normal());
        const Vec2 there = p.turn(v.x(), v.y());
        ASSERT_LT((p.turn_back(there.x(), there.y()) - v).norm(), 1e-15 * 4 * v.norm());
        ASSERT_LT((there - (R * Vec3(v.x(), v.y(), 0)).head<2>()).norm(), 1e-15 * 4 * v.norm());
    }
}

TEST(Principal, KappaOfNearlySingularK) {
    Random random(2802);
    for (int i = 0; i < 1000; ++i) {
        const Mat3 R = random.rotation();
        Mat3 K =
            R *
            Vec3(1.0, random.log_uniform(1e-8, 1.0), random.log_uniform(1e-8, 1e-4)).asDiagonal() *
            R.transpose();
        K = (0.5 * (K + K.transpose())).eval();
        if (condition(K) > 1e8) continue;
        // det K / det M in fifty digits
        Eigen::Matrix<Digits50, 3, 3> A;
        for (int j = 0; j < 9; ++j)
            A(j / 3, j % 3) = K(j / 3, j % 3);
        const Digits50 minor = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
        const Digits50 det = A(2, 2) * minor - A(2, 0) * (A(0, 2) * A(1, 1) - A(0, 1) * A(1, 2)) +
                             A(2, 1) * (A(0, 2) * A(1, 0) - A(0, 0) * A(1, 2));
        const double kappa = static_cast<double>(det / minor);
        ASSERT_NEAR(make_principal(K).kappa / kappa, 1.0, 1e-11) << K;
    }
}

TEST(Principal, StickIsStableInsideTheCone) {
    Mat3 K = Vec3(2, 4, 3).asDiagonal();
    K(0, 2) = K(2, 0) = 0.6;   // q1 = 0.3
    K(1, 2) = K(2, 1) = -1.6;  // q2 = -0.4
    const Principal p = make_principal(K);
    EXPECT_TRUE(p.stick_is_stable(0.501));
    EXPECT_FALSE(p.stick_is_stable(0.499));
    const Vec2 q = p.turn_back(p.stick_direction().x(), p.stick_direction().y());
    EXPECT_LT((q - Vec2(-0.3, 0.4)).norm(), 1e-15);
    EXPECT_NEAR(p.kappa, 3 - 0.18 - 0.64, 1e-15);
}

TEST(Principal, SecularEquation) {
    Random random(2803);
    for (int i = 0; i < 5000; ++i) {
        const double a1 = random.log_uniform(1e-6, 1e3);
        const double a2 = random.log_uniform(1e-6, 1e3);
        const double angle = random.uniform(0.0, 6.28);
        // outside the unit circle by any amount
        const double size = 1.0 + random.log_uniform(1e-10, 1e6);
        const double v1 = a1 * size * std::cos(angle);
        const double v2 = a2 * size * std::sin(angle);
        const auto slip = solve_secular(a1, a2, v1, v2);
        ASSERT_GE(slip.lambda, 0.0) << a1 << " " << a2 << " " << v1 << " " << v2;
        ASSERT_NEAR(std::hypot(slip.c1, slip.c2), 1.0, 1e-14);
        ASSERT_NEAR((slip.lambda + a1) * slip.c1, v1, 1e-12 * (std::abs(v1) + std::abs(v2)))
            << a1 << " " << a2 << " " << v1 << " " << v2;
        ASSERT_NEAR((slip.lambda + a2) * slip.c2, v2, 1e-12 * (std::abs(v1) + std::abs(v2)))
            << a1 << " " << a2 << " " << v1 << " " << v2;
    }
}

}  // namespace
}  // namespace carom::tests
