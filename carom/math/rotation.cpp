// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/math/rotation.h"

#include <cmath>

namespace carom::math {

Mat3 cross_matrix(const Vec3& a) {
    Mat3 m;
    m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
    return m;
}

Mat3 rotation_to_z(const Vec3& n) {
    if (n.x() == 0.0 && n.y() == 0.0) {
        const double flip = n.z() < 0.0 ? -1.0 : 1.0;
        return Vec3(1.0, flip, flip).asDiagonal();
    }
    // the axis from scaled components: subnormal ones have too few digits for a quotient
    constexpr double k_scale = 0x1p500;
    const double tiny = std::abs(n.x()) + std::abs(n.y()) < 1e-250 ? k_scale : 1.0;
    const double sine = std::hypot(tiny * n.x(), tiny * n.y());
    const double ax = tiny * n.y() / sine;
    const double ay = -tiny * n.x() / sine;
    const double k = 1.0 - n.z();
    Mat3 m;
    m << k * ax * ax + n.z(), k * ax * ay, -n.x(),  //
        k * ax * ay, k * ay * ay + n.z(), -n.y(),   //
        n.x(), n.y(), n.z();
    return m;
}

}  // namespace carom::math
