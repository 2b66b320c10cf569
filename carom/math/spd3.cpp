// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/math/spd3.h"

namespace carom::math {

Vec3 solve_spd3(const Mat3& K, const Vec3& rhs) {
    using Wide = long double;
    const auto k = [&K](int i, int j) { return static_cast<Wide>(K(i, j)); };
    const Wide k00 = k(0, 0), k10 = k(1, 0), k20 = k(2, 0);
    const Wide k11 = k(1, 1), k21 = k(2, 1), k22 = k(2, 2);

    // factor
    const Wide l10 = k10 / k00;
    const Wide l20 = k20 / k00;
    const Wide d1 = k11 - l10 * k10;
    const Wide c21 = k21 - l20 * k10;
    const Wide l21 = c21 / d1;
    const Wide d2 = k22 - l20 * k20 - l21 * c21;

    // forward, scale, back
    const auto y0 = static_cast<Wide>(rhs.x());
    const Wide y1 = static_cast<Wide>(rhs.y()) - l10 * y0;
    const Wide y2 = static_cast<Wide>(rhs.z()) - l20 * y0 - l21 * y1;
    const Wide x2 = y2 / d2;
    const Wide x1 = y1 / d1 - l21 * x2;
    const Wide x0 = y0 / k00 - l10 * x1 - l20 * x2;
    return {static_cast<double>(x0), static_cast<double>(x1), static_cast<double>(x2)};
}

bool is_positive_definite(const Mat3& K, double tolerance) {
    const double k00 = K(0, 0);
    if (!(k00 > 0.0)) return false;
    const double l10 = K(1, 0) / k00;
    const double l20 = K(2, 0) / k00;
    const double d1 = K(1, 1) - l10 * K(1, 0);
    if (!(d1 > tolerance * K(1, 1))) return false;
    const double c21 = K(2, 1) - l20 * K(1, 0);
    const double d2 = K(2, 2) - l20 * K(2, 0) - c21 / d1 * c21;
    return d2 > tolerance * K(2, 2);
}

}  // namespace carom::math
