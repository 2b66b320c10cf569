// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/elliptic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom::motion {

long double complete_elliptic(long double c) {
    constexpr long double k_long_ulp = std::numeric_limits<long double>::epsilon();
    constexpr int k_most = 40;
    long double a = 1;
    long double b = c;
    // the difference squares itself at each step: the last one adds digits below rounding
    for (int i = 0; i < k_most && std::abs(a - b) > std::sqrt(k_long_ulp) * a; ++i) {
        const long double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return std::numbers::pi_v<long double> / (a + b);
}

long double carlson_rf(long double x, long double y, long double z) {
    constexpr int k_most = 400;
    // the series below is good to the eighth power of the relative spread
    constexpr long double k_spread = 2e-3L;
    long double mean = (x + y + z) / 3;
    for (int i = 0; i < k_most; ++i) {
        const long double spread =
            std::max({std::abs(mean - x), std::abs(mean - y), std::abs(mean - z)});
        if (spread <= k_spread * mean) break;
        const long double rx = std::sqrt(x);
        const long double ry = std::sqrt(y);
        const long double rz = std::sqrt(z);
        const long double lambda = rx * (ry + rz) + ry * rz;
        x = (x + lambda) / 4;
        y = (y + lambda) / 4;
        z = (z + lambda) / 4;
        mean = (x + y + z) / 3;
    }
    const long double dx = 1 - x / mean;
    const long double dy = 1 - y / mean;
    const long double dz = -dx - dy;
    const long double e2 = dx * dy - dz * dz;
    const long double e3 = dx * dy * dz;
    const long double series = 1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44 -
                               5 * e2 * e2 * e2 / 208 + 3 * e3 * e3 / 104 + e2 * e2 * e3 / 16;
    return series / std::sqrt(mean);
}

}  // namespace carom::motion
