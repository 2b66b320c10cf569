// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Lobatto's places: what their weights integrate, and the order of the collocation that uses them.

#include "carom/motion/lobatto.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/math/types.h"

namespace carom::motion {
namespace {

using namespace lobatto;

TEST(Lobatto, PolynomialsUpToDegreeSixAreExact) {
    for (int power = 0; power <= 6; ++power) {
        const auto sum = [&](const Numbers& weights) {
            double out = 0.0;
            for (std::size_t j = 0; j < k_count; ++j)
                out += weights[j] * std::pow(k_place[j], power);
            return out;
        };
        for (const double s : {0.0, 0.1, 0.37, 0.5, 0.81, 1.0, 1.4}) {
            EXPECT_NEAR(sum(value_at(s)), std::pow(s, power), 1e-13) << power << ' ' << s;
            EXPECT_NEAR(sum(integral_to(s)), std::pow(s, power + 1) / (power + 1), 1e-13);
            EXPECT_NEAR(sum(double_integral_to(s)),
                        std::pow(s, power + 2) / ((power + 1) * (power + 2)), 1e-13);
        }
        for (std::size_t i = 0; i < k_count; ++i) {
            EXPECT_NEAR(sum(k_integral[i]), std::pow(k_place[i], power + 1) / (power + 1), 1e-15);
            EXPECT_NEAR(sum(k_double_integral[i]),
                        std::pow(k_place[i], power + 2) / ((power + 1) * (power + 2)), 1e-15);
        }
    }
    EXPECT_EQ(k_place[k_middle], 0.5);
}

TEST(Lobatto, WeightsAreExactUpToDegreeEleven) {
    for (int power = 0; power <= 12; ++power) {
        double sum = 0.0;
        for (std::size_t j = 0; j < k_count; ++j)
            sum += k_weight[j] * std::pow(k_place[j], power);
        const double off = std::abs(sum - 1.0 / (power + 1));
        if (power <= 11) {
            EXPECT_LT(off, 1e-15) << power;
        } else {
            EXPECT_GT(off, 1e-8);
        }
    }
}

// y'' = -y from y = 1: one step, its stages by iteration; the error at its end.
double error_of_swing(double h) {
    Numbers z{};
    const auto place = [&](std::size_t i) {
        double y = 1.0;
        for (std::size_t j = 0; j < k_count; ++j)
            y += h * h * k_double_integral[i][j] * z[j];
        return y;
    };
    for (int sweep = 0; sweep < 60; ++sweep) {
        Numbers next{};
        for (std::size_t i = 0; i < k_count; ++i)
            next[i] = -place(i);
        z = next;
    }
    return std::abs(place(k_count - 1) - std::cos(h));
}

TEST(Lobatto, CollocationIsOfOrderTwelve) {
    const double ratio = error_of_swing(2.0) / error_of_swing(1.0);
    EXPECT_NEAR(std::log2(ratio), 13.0, 1.2);
    EXPECT_LT(error_of_swing(0.5), 1e-15);
}

}  // namespace
}  // namespace carom::motion
