// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>

// Lobatto's places of seven: the ends of a step, its middle and four more. A polynomial of degree 6
// is known by its values there; with their weights sums are integrals up to degree 11.
//
// All follows from the places by Legendre polynomials P_k of x = 2 s - 1: the polynomial with the
// value 1 at place j and 0 at the others is sum_k c_kj P_k, with c_kj = (k + 1/2) W_j P_k(x_j) for
// k < 6 and 3 W_j P_6(x_j) for k = 6. E. Hairer, G. Wanner, Solving Ordinary Differential
// Equations II, 2nd ed. (1996), section IV.5: Lobatto IIIA.
namespace carom::motion::lobatto {

inline constexpr std::size_t k_count = 7;
inline constexpr std::size_t k_middle = 3;
using Numbers = std::array<double, k_count>;
using Table = std::array<Numbers, k_count>;

namespace detail {

inline constexpr double k_outer = 0.830223896278566929872032213967;
inline constexpr double k_inner = 0.468848793470714213803771881909;
inline constexpr Numbers k_x{-1.0, -k_outer, -k_inner, 0.0, k_inner, k_outer, 1.0};

// P_0 to P_8 at x.
constexpr std::array<double, k_count + 2> legendre(double x) {
    std::array<double, k_count + 2> p{1.0, x};
    for (std::size_t k = 1; k <= k_count; ++k) {
        const auto n = static_cast<double>(k);
        p[k + 1] = ((2.0 * n + 1.0) * x * p[k] - n * p[k - 1]) / (n + 1.0);
    }
    return p;
}

// Their integrals from -1 to x; of P_0 to P_7.
constexpr std::array<double, k_count + 1> integrals(double x) {
    const auto p = legendre(x);
    std::array<double, k_count + 1> out{x + 1.0};
    for (std::size_t k = 1; k <= k_count; ++k)
        out[k] = (p[k + 1] - p[k - 1]) / (2.0 * static_cast<double>(k) + 1.0);
    return out;
}

// c_kj, by k.
constexpr Table coefficients() {
    Table out{};
    for (std::size_t j = 0; j < k_count; ++j) {
        const auto p = legendre(k_x[j]);
        const double weight = 2.0 / (42.0 * p[6] * p[6]);
        for (std::size_t k = 0; k < k_count; ++k) {
            const double norm = k + 1 < k_count ? static_cast<double>(k) + 0.5 : 3.0;
            out[k][j] = norm * weight * p[k];
        }
    }
    return out;
}
inline constexpr Table k_coefficients = coefficients();

// Values of the seven polynomials whose Legendre coefficients have these factors.
constexpr Numbers combined(const Numbers& factors) {
    Numbers out{};
    for (std::size_t k = 0; k < k_count; ++k)
        for (std::size_t j = 0; j < k_count; ++j)
            out[j] += factors[k] * k_coefficients[k][j];
    return out;
}

}  // namespace detail

// Weights of the values at the places, of which the first is s = 0, the last s = 1: in the value at
// s, in the integral from 0 to s, and in the integral of that.
constexpr Numbers value_at(double s) {
    const auto p = detail::legendre(2.0 * s - 1.0);
    Numbers factors{};
    for (std::size_t k = 0; k < k_count; ++k)
        factors[k] = p[k];
    return detail::combined(factors);
}
constexpr Numbers integral_to(double s) {
    const auto once = detail::integrals(2.0 * s - 1.0);
    Numbers factors{};
    for (std::size_t k = 0; k < k_count; ++k)
        factors[k] = 0.5 * once[k];
    return detail::combined(factors);
}
constexpr Numbers double_integral_to(double s) {
    const auto once = detail::integrals(2.0 * s - 1.0);
    Numbers factors{0.5 * s * s};
    for (std::size_t k = 1; k < k_count; ++k)
        factors[k] = 0.25 * (once[k + 1] - once[k - 1]) / (2.0 * static_cast<double>(k) + 1.0);
    return detail::combined(factors);
}

inline constexpr Numbers k_place = [] {
    Numbers out{};
    for (std::size_t j = 0; j < k_count; ++j)
        out[j] = 0.5 * (1.0 + detail::k_x[j]);
    return out;
}();
inline constexpr Numbers k_weight = integral_to(1.0);

// integral_to() and double_integral_to() of each place.
inline constexpr Table k_integral = [] {
    Table out{};
    for (std::size_t i = 0; i < k_count; ++i)
        out[i] = integral_to(k_place[i]);
    return out;
}();
inline constexpr Table k_double_integral = [] {
    Table out{};
    for (std::size_t i = 0; i < k_count; ++i)
        out[i] = double_integral_to(k_place[i]);
    return out;
}();

}  // namespace carom::motion::lobatto
