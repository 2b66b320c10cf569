// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "carom/math/bracket.h"

namespace carom::math {

// Polynomials of small fixed degree, coefficients from the constant up.

template <std::size_t size>
ValueSlope evaluate_polynomial(const std::array<double, size>& a, double x) {
    double value = a[size - 1];
    double slope = 0.0;
    for (std::size_t k = size - 1; k-- > 0;) {
        slope = slope * x + value;
        value = value * x + a[k];
    }
    return {value, slope};
}

// The real zeros in [low, high] at which the polynomial changes sign, in order.
//
// Between neighbouring zeros of the derivative, found the same way, the polynomial is monotone and
// has at most one: each is bracketed and good to rounding. Where it touches zero without crossing,
// rounding decides whether it is seen.
template <std::size_t size>
struct Crossings {
    std::array<double, size - 1> x{};
    std::size_t count = 0;
};
template <std::size_t size>
Crossings<size> polynomial_crossings(const std::array<double, size>& a, double low, double high) {
    Crossings<size> out;
    std::array<double, size + 1> knot{};
    std::size_t knots = 0;
    knot[knots++] = low;
    if constexpr (size > 2) {
        std::array<double, size - 1> derivative{};
        for (std::size_t k = 1; k < size; ++k)
            derivative[k - 1] = static_cast<double>(k) * a[k];
        const auto turning = polynomial_crossings(derivative, low, high);
        for (std::size_t i = 0; i < turning.count; ++i)
            knot[knots++] = turning.x[i];
    }
    knot[knots++] = high;
    double before = evaluate_polynomial(a, low).value;
    for (std::size_t i = 1; i < knots; ++i) {
        const double after = evaluate_polynomial(a, knot[i]).value;
        if ((before < 0.0) != (after < 0.0) && knot[i] > knot[i - 1]) {
            const double guess = knot[i - 1] + (knot[i] - knot[i - 1]) * before / (before - after);
            out.x[out.count++] =
                bracketed_newton([&](double x) { return evaluate_polynomial(a, x); }, knot[i - 1],
                                 knot[i], before, guess)
                    .x;
        }
        before = after;
    }
    return out;
}

}  // namespace carom::math
