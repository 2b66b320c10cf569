// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/math/radau.h"

#include <cmath>
#include <cstddef>

namespace carom::math {
namespace {

constexpr std::size_t k_n = Radau8::k_nodes;
using Real = long double;

// Legendre polynomials P_0 .. P_n at x.
std::array<Real, k_n + 2> legendre(Real x) {
    std::array<Real, k_n + 2> p{};
    p[0] = 1;
    p[1] = x;
    for (std::size_t k = 2; k < p.size(); ++k) {
        const auto n = static_cast<Real>(k);
        p[k] = ((2 * n - 1) * x * p[k - 1] - (n - 1) * p[k - 2]) / n;
    }
    return p;
}

// Right Radau nodes: the zeros of P_n - P_{n-1}; the largest is 1.
std::array<Real, k_n> right_nodes() {
    std::array<Real, k_n> x{};
    const auto f = [](Real t) {
        const auto p = legendre(t);
        return p[k_n] - p[k_n - 1];
    };
    // scan for sign changes, then bisect
    constexpr int k_scan = 4000;
    std::size_t found = 0;
    Real before = -1;
    for (int i = 1; i < k_scan && found < k_n - 1; ++i) {
        const Real here = -1 + 2 * static_cast<Real>(i) / k_scan;
        if (f(before) * f(here) < 0) {
            Real low = before, high = here;
            for (int b = 0; b < 80; ++b) {
                const Real middle = (low + high) / 2;
                (f(low) * f(middle) <= 0 ? high : low) = middle;
            }
            x[found++] = (low + high) / 2;
        }
        before = here;
    }
    x[k_n - 1] = 1;
    return x;
}

template <std::size_t N>
Real lagrange(const std::array<Real, N>& points, std::size_t j, Real x) {
    Real value = 1;
    for (std::size_t k = 0; k < N; ++k) {
        if (k != j) value *= (x - points[k]) / (points[j] - points[k]);
    }
    return value;
}

Radau8 make() {
    Radau8 r{};
    const auto x = right_nodes();
    std::array<Real, k_n> c{};
    for (std::size_t i = 0; i < k_n; ++i) {
        c[i] = (x[i] + 1) / 2;
        r.node[i] = static_cast<double>(c[i]);
    }
    // integrals over [0, c_i]: the Radau rule itself is exact for the degree at hand
    std::array<Real, k_n> weight{};
    for (std::size_t k = 0; k < k_n; ++k) {
        const Real p = legendre(x[k])[k_n - 1];
        weight[k] = (1 + x[k]) / (static_cast<Real>(k_n * k_n) * p * p) / 2;
    }
    for (std::size_t i = 0; i < k_n; ++i) {
        for (std::size_t j = 0; j < k_n; ++j) {
            Real sum = 0;
            for (std::size_t k = 0; k < k_n; ++k)
                sum += weight[k] * lagrange(c, j, c[i] * c[k]);
            r.integral[i][j] = static_cast<double>(c[i] * sum);
        }
    }
    for (std::size_t i = 0; i < k_n; ++i) {
        for (std::size_t j = 0; j < k_n; ++j) {
            for (std::size_t k = 0; k < k_n; ++k) {
                const double product = r.integral[i][k] * r.integral[k][j];
                r.twice[i][j] += product;
                r.twice_by_node[i][j] += product * r.node[k];
            }
        }
    }
    std::array<Real, k_n + 1> with_start{};
    for (std::size_t i = 0; i < k_n; ++i)
        with_start[i + 1] = c[i];
    for (std::size_t i = 0; i < k_n; ++i) {
        const Real middle = (with_start[i] + with_start[i + 1]) / 2;
        for (std::size_t j = 0; j <= k_n; ++j) {
            r.between[i][j] = static_cast<double>(lagrange(with_start, j, middle));
        }
    }
    // coefficient of P_{n-1}: exact projection by the Radau rule
    for (std::size_t j = 0; j < k_n; ++j) {
        const Real p = legendre(x[j])[k_n - 1];
        r.last[j] = static_cast<double>(weight[j] * p * static_cast<Real>(2 * k_n - 1));
    }
    return r;
}

}  // namespace

const Radau8& radau8() {
    static const Radau8 table = make();
    return table;
}

}  // namespace carom::math
