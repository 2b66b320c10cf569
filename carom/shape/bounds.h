// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"
#include "carom/shape/shape.h"

namespace carom::shape {

// How far bodies reach. All are closed forms, but for hulls, which climb over their vertices.

// A point of the body with the largest value of direction.x, in the body's own frame. The direction
// need not be unit; for the zero vector any point of the surface will do. `hint` is a vertex of a
// hull to start from. A half-space has no such point: std::invalid_argument.
Vec3 support_point(const Convex& convex, const Vec3& direction, Index hint = k_no_index);

// That largest value, direction.support_point. A half-space has a finite one (0) only along its
// normal, else it is infinity.
double extent(const Convex& convex, const Vec3& direction);

// The smallest box around a part or a shape as it stands in the frame that `pose` leads to;
// infinite where the body is.
Aabb bounding_box(const Part& part, const Pose& pose);
Aabb bounding_box(const Shape& shape, const Pose& pose);

// The largest distance of any point of the body from `center`, to rounding; infinity for a
// half-space. `center` is in the frame of the argument: the body's own, or the shape's.
double radius_about(const Convex& convex, const Vec3& center);
double radius_about(const Part& part, const Vec3& center);
double radius_about(const Shape& shape, const Vec3& center);

}  // namespace carom::shape
