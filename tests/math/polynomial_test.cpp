// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/math/polynomial.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

// (x - a)(x - b)(x - c)(x - d) has the crossings it was made of.
TEST(Polynomial, FindsTheRootsItWasMadeOf) {
    Random random(31);
    for (int i = 0; i < 5000; ++i) {
        std::array<double, 4> root{};
        for (double& r : root)
            r = random.uniform(-2.0, 3.0);
        std::sort(root.begin(), root.end());
        double closest = 1.0;
        for (std::size_t k = 1; k < 4; ++k)
            closest = std::min(closest, root[k] - root[k - 1]);
        if (closest < 0.05) continue;
        std::array<double, 5> a{1.0, 0.0, 0.0, 0.0, 0.0};
        for (const double r : root) {
            for (std::size_t k = 4; k > 0; --k)
                a[k] = a[k - 1] - r * a[k];
            a[0] *= -r;
        }
        const auto found = math::polynomial_crossings(a, -3.0, 4.0);
        ASSERT_EQ(found.count, 4U);
        for (std::size_t k = 0; k < 4; ++k)
            ASSERT_NEAR(found.x[k], root[k], 1e-9);
        // only those inside the interval
        const double middle = 0.5 * (root[1] + root[2]);
        ASSERT_EQ(math::polynomial_crossings(a, middle, 4.0).count, 2U);
    }
}

TEST(Polynomial, ConstantsAndLinesAndNoRoots) {
    EXPECT_EQ((math::polynomial_crossings<3>({1.0, 0.0, 1.0}, -5.0, 5.0).count), 0U);
    const auto line = math::polynomial_crossings<2>({-1.0, 4.0}, 0.0, 1.0);
    ASSERT_EQ(line.count, 1U);
    EXPECT_DOUBLE_EQ(line.x[0], 0.25);
    // a quartic that is really a line
    const auto low = math::polynomial_crossings<5>({-1.0, 4.0, 0.0, 0.0, 0.0}, 0.0, 1.0);
    ASSERT_EQ(low.count, 1U);
    EXPECT_DOUBLE_EQ(low.x[0], 0.25);
}

TEST(Polynomial, ValueAndSlope) {
    const auto v = math::evaluate_polynomial<4>({1.0, -2.0, 3.0, 0.5}, 2.0);
    EXPECT_DOUBLE_EQ(v.value, 1.0 - 4.0 + 12.0 + 4.0);
    EXPECT_DOUBLE_EQ(v.slope, -2.0 + 12.0 + 6.0);
}

}  // namespace
}  // namespace carom::tests
