// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <limits>

#include "carom/math/types.h"

namespace carom::shape {

using Long3 = Eigen::Matrix<long double, 3, 1>;

// a b in two pieces whose sum is exact (Dekker 1971, "A floating-point technique for extending the
// available precision"). A fused multiply-add would do the same, but most machines have none for
// this type.
struct ExactProduct {
    long double high, low;

    ExactProduct(long double a, long double b) : high(a * b) {
        constexpr int k_half = (std::numeric_limits<long double>::digits + 1) / 2;
        constexpr auto k_split = static_cast<long double>((1ULL << k_half) + 1ULL);
        const long double ca = k_split * a;
        const long double a_high = ca - (ca - a);
        const long double a_low = a - a_high;
        const long double cb = k_split * b;
        const long double b_high = cb - (cb - b);
        const long double b_low = b - b_high;
        low = ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
    }
};

// a b - c d, correct to a few roundings of itself whatever cancels.
inline long double difference_of_products(long double a, long double b, long double c,
                                          long double d) {
    const ExactProduct ab(a, b);
    const ExactProduct cd(c, d);
    return (ab.high - cd.high) + (ab.low - cd.low);
}

// a x b with every component correct to rounding: the normal of a sliver as well as of a square.
inline Long3 exact_cross(const Long3& a, const Long3& b) {
    return {difference_of_products(a.y(), b.z(), a.z(), b.y()),
            difference_of_products(a.z(), b.x(), a.x(), b.z()),
            difference_of_products(a.x(), b.y(), a.y(), b.x())};
}

}  // namespace carom::shape
