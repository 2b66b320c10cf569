// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

namespace carom::math {

// Products of power series, for recurrences that need one more coefficient at a time.
//
// The k-th coefficient of a product is a sum of a[j] b[k - j]. With b also stored backwards
// (back[order - j] = b[j]) both factors are read forwards: it is dot<k + 1>(a, back + order - k).
// Two lanes at a time in a fixed order, so that the bits do not depend on compiler flags, and
// unrolled, since the products are short and many.

using Lanes = double __attribute__((vector_size(16)));

inline Lanes load_lanes(const double* a) {
    Lanes v;
    std::memcpy(&v, a, sizeof v);
    return v;
}

template <std::size_t... Pair>
[[gnu::always_inline]] inline Lanes dot_pairs(const double* a, const double* b,
                                              std::index_sequence<Pair...> /*unused*/) {
    std::array<Lanes, 2> sum{};
    ((sum[Pair % 2] += load_lanes(a + 2 * Pair) * load_lanes(b + 2 * Pair)), ...);
    return sum[0] + sum[1];
}

template <std::size_t n>
[[gnu::always_inline]] inline double dot(const double* a, const double* b) {
    double sum = 0.0;
    if constexpr (n % 2 == 1) sum = a[n - 1] * b[n - 1];
    if constexpr (n >= 2) {
        const Lanes pairs = dot_pairs(a, b, std::make_index_sequence<n / 2>{});
        sum += pairs[0] + pairs[1];
    }
    return sum;
}

// The coefficient n - 1 of the product of two series of lanes, lane by lane: the sum over j < n of
// a[j] b[n - 1 - j].
template <std::size_t... j>
[[gnu::always_inline]] inline Lanes product_lanes(const Lanes* a, const Lanes* b,
                                                  std::index_sequence<j...> /*unused*/) {
    std::array<Lanes, 2> sum{};
    ((sum[j % 2] += a[j] * b[sizeof...(j) - 1 - j]), ...);
    return sum[0] + sum[1];
}
template <std::size_t n>
[[gnu::always_inline]] inline Lanes product(const Lanes* a, const Lanes* b) {
    return product_lanes(a, b, std::make_index_sequence<n>{});
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
