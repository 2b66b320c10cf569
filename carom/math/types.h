// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>

namespace carom {

// A time that never comes, and a horizon without end.
inline constexpr double k_never = std::numeric_limits<double>::infinity();
inline constexpr double k_forever = k_never;
// The distance from 1 to the next double.
inline constexpr double k_ulp = std::numeric_limits<double>::epsilon();

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;

// An axis-aligned box, closed: it holds its faces. It may be flat, a segment or a point.
struct Aabb {
    Vec3 low, high;
};

}  // namespace carom
