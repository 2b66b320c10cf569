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
    const double sine = std::hypot(n.x(), n.y());
    if (sine == 0.0) return Vec3(1.0, n.z() < 0.0 ? -1.0 : 1.0, n.z() < 0.0 ? -1.0 : 1.0).asDiagonal();
    const double ax = n.y() / sine;
    const double ay = -n.x() / sine;
    const double k = 1.0 - n.z();
    Mat3 m;
    m << k * ax * ax + n.z(), k * ax * ay, -n.x(),  //
        k * ax * ay, k * ay * ay + n.z(), -n.y(),   //
        n.x(), n.y(), n.z();
    return m;
}

}  // namespace carom::math
