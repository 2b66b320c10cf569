// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Geometry>

#include "carom/math/types.h"

namespace carom::record {

// Vectors and orientations as rows hold them: x, y, z and w, x, y, z.

inline void put(double (&to)[3], const Vec3& from) {
    for (int i = 0; i < 3; ++i)
        to[i] = from[i];
}

inline void put(double (&to)[4], const Eigen::Quaterniond& from) {
    to[0] = from.w();
    to[1] = from.x();
    to[2] = from.y();
    to[3] = from.z();
}

inline Vec3 vector(const double (&from)[3]) {
    return {from[0], from[1], from[2]};
}

inline Eigen::Quaterniond orientation(const double (&from)[4]) {
    return {from[0], from[1], from[2], from[3]};
}

}  // namespace carom::record
