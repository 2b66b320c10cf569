// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/math/spd3.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using boost::multiprecision::cpp_rational;
using math::is_positive_definite;
using math::solve_spd3;

// K^-1 v exactly, by cofactors in rational numbers.
Vec3 solve_exactly(const Mat3& K, const Vec3& v) {
    cpp_rational a[3][3], b[3];
    for (int i = 0; i < 3; ++i) {
        b[i] = cpp_rational(v[i]);
        for (int j = 0; j < 3; ++j)
            a[i][j] = cpp_rational(K(i, j));
    }
    const auto cofactor = [&](int i, int j) {
        const int r = (i + 1) % 3, s = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
        return cpp_rational(a[r][p] * a[s][q] - a[r][q] * a[s][p]);
    };
    const cpp_rational det =
        a[0][0] * cofactor(0, 0) + a[0][1] * cofactor(0, 1) + a[0][2] * cofactor(0, 2);
    Vec3 x;
    for (int j = 0; j < 3; ++j) {
        const cpp_rational sum =
            cofactor(0, j) * b[0] + cofactor(1, j) * b[1] + cofactor(2, j) * b[2];
        x[j] = static_cast<double>(cpp_rational(sum / det));
    }
    return x;
}

Mat3 random_spd(Random& random, double smallest) {
    const Mat3 R = random.rotation();
    const Vec3 eigen(1.0, random.log_uniform(smallest, 1.0), smallest);
    const Mat3 K = R * eigen.asDiagonal() * R.transpose();
    return 0.5 * (K + K.transpose());
}

TEST(Spd3, AgainstRationalNumbers) {
    Random random(3101);
    for (const double smallest : {1.0, 1e-2, 1e-4, 1e-6, 1e-8}) {
        for (int i = 0; i < 200; ++i) {
            const Mat3 K = random_spd(random, smallest);
            const Vec3 v = random.normal3();
            const Vec3 exact = solve_exactly(K, v);
            const double error = (solve_spd3(K, v) - exact).norm() / exact.norm();
            ASSERT_LT(error, 3e-16 + 1e-18 / smallest) << K << "\n" << v.transpose();
        }
    }
}

TEST(Spd3, HandComputed) {
    Mat3 K;
    K << 4, 2, 0, 2, 5, 2, 0, 2, 5;  // L = [[2],[1,2],[0,1,2]]
    EXPECT_LT((solve_spd3(K, K * Vec3(1, -2, 3)) - Vec3(1, -2, 3)).norm(), 1e-15);
    EXPECT_EQ(solve_spd3(Mat3::Identity(), {1, 2, 3}), Vec3(1, 2, 3));
    EXPECT_EQ(solve_spd3(Mat3(Vec3(2, 4, 8).asDiagonal()), {1, 1, 1}), Vec3(0.5, 0.25, 0.125));
}

TEST(Spd3, ReadsTheLowerTriangleOnly) {
    Random random(3102);
    const Mat3 K = random_spd(random, 0.1);
    Mat3 lower = K;
    lower(0, 1) = lower(0, 2) = lower(1, 2) = 1e9;
    EXPECT_EQ(solve_spd3(K, {1, 2, 3}), solve_spd3(lower, {1, 2, 3}));
}

TEST(Spd3, AnyScale) {
    Random random(3103);
    const Mat3 K = random_spd(random, 1e-3);
    const Vec3 x = solve_spd3(K, {1, 2, 3});
    for (const int power : {-900, -400, -100, 100, 400, 900}) {
        const double scale = std::ldexp(1.0, power);
        EXPECT_EQ(solve_spd3(K * scale, {1, 2, 3}), x / scale) << power;
    }
}

TEST(Spd3, DefinitenessIsSeen) {
    Random random(3104);
    for (int i = 0; i < 1000; ++i) {
        const Mat3 K = random_spd(random, 1e-6);
        ASSERT_TRUE(is_positive_definite(K, 1e-15)) << K;
        // one eigenvalue below zero
        const Mat3 R = random.rotation();
        Mat3 bad = R * Vec3(1.0, 0.5, -1e-3).asDiagonal() * R.transpose();
        bad = (0.5 * (bad + bad.transpose())).eval();
        ASSERT_FALSE(is_positive_definite(bad, 1e-15)) << bad;
    }
    EXPECT_FALSE(is_positive_definite(Mat3::Zero(), 1e-15));
    EXPECT_FALSE(is_positive_definite(-Mat3::Identity(), 1e-15));
    EXPECT_FALSE(is_positive_definite(Mat3::Ones(), 1e-15));
    // the tolerance is relative to the diagonal: pivot 1e-6
    Mat3 K = Mat3::Identity();
    K(0, 1) = K(1, 0) = std::sqrt(1.0 - 1e-6);
    EXPECT_TRUE(is_positive_definite(K, 1e-7));
    EXPECT_FALSE(is_positive_definite(K, 1e-5));
    EXPECT_TRUE(is_positive_definite(1e-200 * K, 1e-7));
}

}  // namespace
}  // namespace carom::tests
