// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"

namespace carom::math {

// The matrix of the cross product: cross_matrix(a) * b = a x b.
Mat3 cross_matrix(const Vec3& a);

// The rotation R with R n = e3, for any unit vector n: the world-to-contact rotation.
//
// It is the shortest one, about the axis a = n x e3 / |n x e3| by the angle between n and e3:
// R = (1 - n_z) a a^T + n_z I + |n x e3| [a]x. Written in the components of n it divides only by
// |n x e3| and stays orthogonal to rounding however close n is to -e3; R = I for n = e3 and
// diag(1, -1, -1) for n = -e3.
Mat3 rotation_to_z(const Vec3& n);

}  // namespace carom::math
