// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/core.h"

namespace carom::detect {

// The distance of two convex cores with a certified error, for pairs that have no closed form and
// no features to walk over.
//
// The algorithm of Gilbert, Johnson and Keerthi on the difference A - B: a point of the difference
// gives an upper bound |v| of the distance, the support plane with normal n a lower bound
// lowest(n).w . n; it ends when both agree to k_tolerances.gjk of the distance, or to rounding of
// the coordinates. Where the distance is so small that n = v/|v| is lost in rounding, the normals
// that the surfaces themselves suggest are tried too: each gives a true lower bound, the largest
// counts.
// In the frame of A; normal is unit, from B to A. lower <= true distance <= upper.
struct GjkResult {
    bool overlap;
    double upper, lower;
    Vec3 normal;
    Vec3 point_a, point_b;
    bool polished;    // the normal comes from the surfaces: the points are less accurate than it
    double rounding;  // of the coordinates the bounds are made of
    int iterations;
};
GjkResult gjk(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
              const Vec3& first_normal);

}  // namespace carom::detect
