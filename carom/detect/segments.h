// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"

namespace carom::detect {

// The closest points of two segments, either of which may be a point.
//
// first = p0 + s (p1 - p0), second = q0 + t (q1 - q0), s and t in [0, 1]. Parallel segments have
// many closest pairs; the one in the middle of their overlap is given.
struct SegmentPoints {
    Vec3 on_first, on_second;
    double s, t;
    double squared;  // distance
};
SegmentPoints closest_on_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1);

// A unit vector and the length along it.
struct Unit {
    Vec3 direction;
    double length;
};
// From the second point to the first. `across` is the cross product of the unit vectors of two
// edges if the points lie on two edges, else zero: where it is well determined and both points are
// inside their edges its direction is taken, which is accurate however small the distance is. The
// direction is z when nothing determines it.
Unit direction_apart(const SegmentPoints& points, const Vec3& across);

}  // namespace carom::detect
