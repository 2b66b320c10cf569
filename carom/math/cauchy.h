// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace carom::math {

// Products of power series, for recurrences that need one more coefficient at a time.
//
// The coefficient n - 1 of a product is the sum over j < n of a[j] b[n - 1 - j]. The newest
// coefficients stand at its two ends: they come last, so that no sum waits for them, in a fixed
// order, so that the bits do not depend on compiler flags, and unrolled, since the products are
// short and many.

using Lanes = double __attribute__((vector_size(16)));

// From the middle outwards.
template <class Number, std::size_t... low, std::size_t... high>
[[gnu::always_inline]] inline Number product_outwards([[maybe_unused]] const Number* a,
                                                      [[maybe_unused]] const Number* b,
                                                      std::index_sequence<low...> /*unused*/,
                                                      std::index_sequence<high...> /*unused*/) {
    constexpr std::size_t n = sizeof...(low) + sizeof...(high);
    constexpr std::size_t middle = sizeof...(low);
    Number falling{};
    Number rising{};
    ((falling += a[middle - 1 - low] * b[n - middle + low]), ...);
    ((rising += a[middle + high] * b[n - 1 - middle - high]), ...);
    return falling + rising;
}
template <std::size_t n, class Number>
[[gnu::always_inline]] inline Number product(const Number* a, const Number* b) {
    return product_outwards(a, b, std::make_index_sequence<n / 2>{},
                            std::make_index_sequence<n - n / 2>{});
}

// The polynomial with coefficients a (an even order) at t: even and odd powers in two chains, which
// halves the latency of Horner's rule. The coefficients are numbers or lanes.
template <class Number, std::size_t size>
Number evaluate_series(const std::array<Number, size>& a, double t) {
    static_assert(size % 2 == 1);
    const double t2 = t * t;
    Number even = a[size - 1];
    Number odd = a[size - 2];
    for (std::size_t k = size - 3; k >= 2; k -= 2) {
        even = even * t2 + a[k];
        odd = odd * t2 + a[k - 1];
    }
    return even * t2 + odd * t + a[0];
}

// The polynomial and its derivative at t in one pass: with even and odd parts E and O in t^2,
// p = E + t O and p' = O + 2 t (E' + t O').
template <class Number>
struct SeriesSlope {
    Number value;
    Number slope;
};
template <class Number, std::size_t size>
SeriesSlope<Number> evaluate_series_slope(const std::array<Number, size>& a, double t) {
    static_assert(size % 2 == 1);
    const double t2 = t * t;
    Number even = a[size - 1];
    Number odd = a[size - 2];
    Number even_slope{};
    Number odd_slope{};
    for (std::size_t k = size - 3; k >= 2; k -= 2) {
        even_slope = even_slope * t2 + even;
        odd_slope = odd_slope * t2 + odd;
        even = even * t2 + a[k];
        odd = odd * t2 + a[k - 1];
    }
    even_slope = even_slope * t2 + even;
    even = even * t2 + a[0];
    return {even + odd * t, odd + 2.0 * t * (even_slope + t * odd_slope)};
}

}  // namespace carom::math
