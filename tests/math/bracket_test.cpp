// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/math/bracket.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using math::bracketed_newton;
using math::ValueSlope;

struct Case {
    const char* name;
    ValueSlope (*f)(double);
    double low, high, root;
};

const std::vector<Case> k_cases{
    {"square",
     [](double x) {
         return ValueSlope{x * x - 2.0, 2.0 * x};
     },
     0.0, 2.0, std::sqrt(2.0)},
    {"cosine",
     [](double x) {
         return ValueSlope{std::cos(x) - x, -std::sin(x) - 1.0};
     },
     0.0, 1.0, 0.73908513321516064},
    {"steep",
     [](double x) {
         return ValueSlope{std::exp(30.0 * x) - 2.0, 30.0 * std::exp(30.0 * x)};
     },
     -5.0, 5.0, std::log(2.0) / 30.0},
    {"arctangent",
     [](double x) {
         return ValueSlope{std::atan(x - 7.0), 1.0 / (1.0 + (x - 7) * (x - 7))};
     },
     -1e3, 1e6, 7.0},
    {"falling",
     [](double x) {
         return ValueSlope{1.0 / x - 4.0, -1.0 / (x * x)};
     },
     1e-9, 1e3, 0.25},
    {"tiny root",
     [](double x) {
         return ValueSlope{std::sqrt(x) - 1e-6, 0.5 / std::sqrt(x)};
     },
     0.0, 1.0, 1e-12},
    {"lying slope",
     [](double x) {
         return ValueSlope{x - 0.3, -1.0};
     },
     0.0, 1.0, 0.3},
    {"no slope",
     [](double x) {
         return ValueSlope{x - 0.3, 0.0};
     },
     0.0, 1.0, 0.3},
    {"slope not a number",
     [](double x) {
         return ValueSlope{x - 0.3, std::numeric_limits<double>::quiet_NaN()};
     },
     0.0, 1.0, 0.3},
};

TEST(Bracket, FindsTheRootFromAnyGuess) {
    Random random(3201);
    for (const Case& c : k_cases) {
        const double f_low = c.f(c.low).value;
        for (int i = 0; i < 50; ++i) {
            // inside and outside of the bracket
            const double guess = random.uniform(c.low - 1.0, c.high + 1.0);
            const auto root = bracketed_newton(c.f, c.low, c.high, f_low, guess);
            ASSERT_NEAR(root.x, c.root, 8e-16 * std::abs(c.root)) << c.name << " from " << guess;
            ASSERT_LT(root.evaluations, 140) << c.name << " from " << guess;
        }
    }
}

TEST(Bracket, IsFastOnSmoothFunctions) {
    const auto f = [](double x) { return ValueSlope{x * x * x - 5.0, 3.0 * x * x}; };
    const auto root = bracketed_newton(f, 0.0, 5.0, -5.0, 2.0);
    EXPECT_NEAR(root.x, std::cbrt(5.0), 1e-15);
    EXPECT_LT(root.evaluations, 9);
}

TEST(Bracket, ExactZeroEndsAtOnce) {
    const auto f = [](double x) { return ValueSlope{x - 0.5, 1.0}; };
    const auto root = bracketed_newton(f, 0.0, 1.0, -0.5, 0.5);
    EXPECT_EQ(root.x, 0.5);
    EXPECT_EQ(root.evaluations, 1);
}

TEST(Bracket, NeverLeavesTheBracket) {
    // a function that is not to be called outside
    int calls = 0;
    const auto f = [&](double x) {
        ++calls;
        EXPECT_GE(x, 1.0);
        EXPECT_LE(x, 2.0);
        return ValueSlope{std::pow(x - 1.0, 9.0) - 1e-5, 9.0 * std::pow(x - 1.0, 8.0)};
    };
    const auto root = bracketed_newton(f, 1.0, 2.0, -1e-5, 1.0001);
    EXPECT_NEAR(root.x, 1.0 + std::pow(1e-5, 1.0 / 9.0), 1e-12);
    EXPECT_EQ(calls, root.evaluations);
}

TEST(Bracket, ARootWithoutSlopes) {
    const auto f = [](double x) { return x * x - 2.0; };
    EXPECT_NEAR(math::bracketed_root(f, 0.0, 2.0, 200), std::sqrt(2.0), 1e-15);
    EXPECT_NEAR(math::bracketed_root(f, 0.0, 2.0, f(0.0), f(2.0), 60, 50), std::sqrt(2.0), 4e-15);
    EXPECT_TRUE(std::isnan(math::bracketed_root(f, 2.0, 3.0, 200)));
    EXPECT_NO_THROW(math::bracketed_root(
        [](double) { return std::numeric_limits<double>::quiet_NaN(); }, 0.0, 1.0, 200));
}

// The first x at which f is not positive, to neighbouring numbers, also beyond a jump or an
// infinity.
TEST(Bracket, WhereAFunctionIsNoLongerPositive) {
    const auto narrow = [](double a, double b) { return std::nextafter(a, b) >= b; };
    const auto first = [&](const auto& f, double low, double high, int most) {
        int calls = 0;
        const auto counted = [&](double x) {
            ++calls;
            return f(x);
        };
        const double x = math::first_not_positive(counted, low, high, f(low), f(high), narrow);
        EXPECT_LE(f(x), 0.0);
        EXPECT_GT(f(std::nextafter(x, low)), 0.0);
        EXPECT_LE(calls, most);
        return x;
    };
    EXPECT_NEAR(first([](double x) { return std::cos(x); }, 0.0, 3.0, 20), std::acos(0.0), 1e-15);
    EXPECT_EQ(first([](double x) { return 1.0 - x; }, 0.0, 3.0, 20), 1.0);
    EXPECT_NEAR(first([](double x) { return 0.7 - x * x * x; }, 0.0, 3.0, 30), std::cbrt(0.7),
                1e-15);
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(first([&](double x) { return x < 0.3 ? inf : -x; }, 0.0, 3.0, 80), 0.3, 1e-15);
    EXPECT_NEAR(first([](double x) { return x < 0.3 ? 1.0 : 0.0; }, 0.0, 3.0, 120), 0.3, 1e-15);
}

TEST(Bracket, RandomMonotoneCubics) {
    Random random(3202);
    for (int i = 0; i < 5000; ++i) {
        const double r = random.normal();
        const double a = random.log_uniform(1e-3, 1e3);
        const double b = random.log_uniform(1e-3, 1e3);
        const double sign = i % 2 ? 1.0 : -1.0;
        const auto f = [&](double x) {
            const double d = x - r;
            return ValueSlope{sign * (a * d * d * d + b * d), sign * (3 * a * d * d + b)};
        };
        const double low = r - random.log_uniform(1e-6, 1e3);
        const double high = r + random.log_uniform(1e-6, 1e3);
        const auto root = bracketed_newton(f, low, high, f(low).value, random.uniform(low, high));
        ASSERT_NEAR(root.x, r, 1e-15 * std::abs(r) * 2) << i << " " << r << " " << a << " " << b;
    }
}

}  // namespace
}  // namespace carom::tests
