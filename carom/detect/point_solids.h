// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/shape/shape.h"

namespace carom::detect {

// The point of a solid nearest to a point, in the solid's frame; inside is true when the point
// itself belongs to it (nearest is then the point). Closed forms.
struct NearestPoint {
    Vec3 nearest;
    bool inside;
};
NearestPoint nearest_in(const shape::Box& box, const Vec3& x);
NearestPoint nearest_in(const shape::Cylinder& cylinder, const Vec3& x);
NearestPoint nearest_in(const shape::Cone& cone, const Vec3& x);

}  // namespace carom::detect
