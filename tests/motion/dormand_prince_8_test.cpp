// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The coefficients of the method of order 8: conditions that they meet, and the order itself on an
// orbit that closes.

#include "carom/motion/dormand_prince_8.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/math/types.h"

namespace carom::motion {
namespace {

using namespace dormand_prince_8;

TEST(DormandPrince8, MeetsItsConditions) {
    for (std::size_t s = 0; s < k_stage.size(); ++s) {
        double sum = 0.0;
        for (const double a : k_stage[s])
            sum += a;
        EXPECT_NEAR(sum, k_time[s], 2e-14) << "stage " << s + 2;
    }
    for (int power = 0; power < 8; ++power) {
        double whole = power == 0 ? k_weight[0] : 0.0;
        double five = power == 0 ? k_error_5[0] : 0.0, three = power == 0 ? k_error_3[0] : 0.0;
        for (std::size_t s = 0; s < k_time.size(); ++s) {
            const double c = std::pow(k_time[s], power);
            whole += k_weight[s + 1] * c;
            five += k_error_5[s + 1] * c;
            three += k_error_3[s + 1] * c;
        }
        EXPECT_NEAR(whole, 1.0 / (power + 1), 1e-14) << power;
        EXPECT_NEAR(power < 5 ? five : 0.0, 0.0, 1e-14) << power;
        EXPECT_NEAR(power < 3 ? three : 0.0, 0.0, 1e-14) << power;
    }
}

// A Kepler orbit of eccentricity 0.3, one turn in n steps.
double error_after_a_turn(int n) {
    using Four = Eigen::Vector4d;
    const auto rate = [](const Four& s) {
        const double r = s.head<2>().norm();
        return Four(s(2), s(3), -s(0) / (r * r * r), -s(1) / (r * r * r));
    };
    const double e = 0.3;
    const Four start(1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e)));
    Four s = start;
    const double h = 2.0 * std::acos(-1.0) / n;
    for (int i = 0; i < n; ++i) {
        std::array<Four, k_stages> k;
        k[0] = rate(s);
        for (std::size_t stage = 0; stage < k_stage.size(); ++stage) {
            Four sum = Four::Zero();
            for (std::size_t j = 0; j <= stage; ++j)
                sum += k_stage[stage][j] * k[j];
            k[stage + 1] = rate(s + h * sum);
        }
        for (std::size_t j = 0; j < k_stages; ++j)
            s += h * k_weight[j] * k[j];
    }
    return (s - start).norm();
}

TEST(DormandPrince8, IsOfOrderEight) {
    const double coarse = error_after_a_turn(50), fine = error_after_a_turn(100);
    EXPECT_LT(fine, 1e-8);
    EXPECT_GT(std::log2(coarse / fine), 7.5);
}

}  // namespace
}  // namespace carom::motion
