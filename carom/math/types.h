// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace carom {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;

// An axis-aligned box, closed: it holds its faces. It may be flat, a segment or a point.
struct Aabb {
    Vec3 low, high;
};

}  // namespace carom
