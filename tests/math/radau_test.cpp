// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/math/radau.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::tests {
namespace {

using math::Radau8;
using math::radau8;

constexpr std::size_t k_n = Radau8::k_nodes;

double legendre(int n, double x) {
    double a = 1.0, b = x;
    if (n == 0) return a;
    for (int k = 2; k <= n; ++k) {
        const double next = ((2.0 * k - 1.0) * x * b - (k - 1.0) * a) / k;
        a = b;
        b = next;
    }
    return b;
}

TEST(Radau, NodesAreThoseOfRadau) {
    const Radau8& r = radau8();
    EXPECT_EQ(r.node[k_n - 1], 1.0);
    for (std::size_t i = 0; i < k_n; ++i) {
        if (i > 0) {
            EXPECT_GT(r.node[i], r.node[i - 1]);
        }
        EXPECT_GT(r.node[i], 0.0);
        // zeros of P_8 - P_7 on [0, 1]
        const double x = 2.0 * r.node[i] - 1.0;
        EXPECT_NEAR(legendre(8, x) - legendre(7, x), 0.0, 1e-13) << i;
    }
}

TEST(Radau, IntegratesPolynomialsExactly) {
    const Radau8& r = radau8();
    // to every node up to degree 7, to the end up to degree 14
    for (int degree = 0; degree <= 14; ++degree) {
        for (std::size_t i = 0; i < k_n; ++i) {
            if (degree > 7 && i + 1 < k_n) continue;
            double sum = 0.0;
            for (std::size_t j = 0; j < k_n; ++j) {
                sum += r.integral[i][j] * std::pow(r.node[j], degree);
            }
            EXPECT_NEAR(sum, std::pow(r.node[i], degree + 1) / (degree + 1), 1e-15)
                << "degree " << degree << " node " << i;
        }
    }
    // and no further: degree 15 is beyond the order
    double sum = 0.0;
    for (std::size_t j = 0; j < k_n; ++j)
        sum += r.integral[k_n - 1][j] * std::pow(r.node[j], 15);
    EXPECT_GT(std::abs(sum - 1.0 / 16.0), 1e-12);
}

TEST(Radau, InterpolatesBetweenTheNodes) {
    const Radau8& r = radau8();
    for (int degree = 0; degree <= 8; ++degree) {
        for (std::size_t i = 0; i < k_n; ++i) {
            const double left = i == 0 ? 0.0 : r.node[i - 1];
            const double middle = 0.5 * (left + r.node[i]);
            double sum = r.between[i][0] * (degree == 0 ? 1.0 : 0.0);
            for (std::size_t j = 0; j < k_n; ++j) {
                sum += r.between[i][j + 1] * std::pow(r.node[j], degree);
            }
            EXPECT_NEAR(sum, std::pow(middle, degree), 1e-14)
                << "degree " << degree << " gap " << i;
        }
    }
}

TEST(Radau, HighestLegendreCoefficient) {
    const Radau8& r = radau8();
    // blind to lower degrees, and the same for one of degree 7 wherever it stands
    for (int degree = 0; degree <= 7; ++degree) {
        double sum = 0.0;
        double size = 0.0;
        for (std::size_t j = 0; j < k_n; ++j) {
            sum += r.last[j] * legendre(degree, 2.0 * r.node[j] - 1.0);
            size = std::max(size, std::abs(r.last[j]));
        }
        if (degree < 7) {
            EXPECT_NEAR(sum, 0.0, 1e-13 * size) << degree;
        } else {
            EXPECT_NEAR(sum, 1.0, 1e-12);
        }
    }
}

TEST(Radau, StiffDecayIsDamped) {
    // y' = -z y over one step: R(z) -> 0 as z grows; solve (I + z A) Y = 1 by Gauss
    const Radau8& r = radau8();
    for (const double z : {1.0, 10.0, 1e3, 1e9}) {
        double a[k_n][k_n + 1];
        for (std::size_t i = 0; i < k_n; ++i) {
            for (std::size_t j = 0; j < k_n; ++j) {
                a[i][j] = (i == j ? 1.0 : 0.0) + z * r.integral[i][j];
            }
            a[i][k_n] = 1.0;
        }
        for (std::size_t c = 0; c < k_n; ++c) {
            std::size_t pivot = c;
            for (std::size_t i = c; i < k_n; ++i) {
                if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
            }
            for (std::size_t j = 0; j <= k_n; ++j)
                std::swap(a[c][j], a[pivot][j]);
            for (std::size_t i = 0; i < k_n; ++i) {
                if (i == c) continue;
                const double f = a[i][c] / a[c][c];
                for (std::size_t j = c; j <= k_n; ++j)
                    a[i][j] -= f * a[c][j];
            }
        }
        const double end = a[k_n - 1][k_n] / a[k_n - 1][k_n - 1];
        if (z <= 10.0) {
            EXPECT_NEAR(end, std::exp(-z), z <= 1.0 ? 1e-14 : 2e-5);
        } else {
            EXPECT_LT(std::abs(end), 10.0 / z);
        }
    }
}

}  // namespace
}  // namespace carom::tests
