// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <span>

#include "carom/math/types.h"
#include "carom/shape/polyhedron.h"

namespace carom::shape {

// Bodies thinner than this fraction of their length have no volume to speak of and are refused. Ten
// times smaller would let coplanar points pass that were rounded after a rotation.
inline constexpr double k_thinnest = 1e-12;

// The convex hull of points, by Qhull (Barber, Dobkin and Huhdanpaa 1996, "The quickhull algorithm
// for convex hulls", ACM TOMS 22:469-483).
//
// The vertices of the result are among the given points, to the bit and in their order; duplicates,
// points inside, and points inside a face or an edge to within rounding are dropped. Faces are
// strictly convex. The same points give the same polyhedron. No given point is outside by more than
// some 1e-13 of the hull's size, or the rounding of the coordinates if that is more.
//
// Refused with std::invalid_argument that says which: fewer than four points, coordinates that are
// not finite or beyond 1e60, all points equal, on a line, in a plane (all to within k_thinnest of
// the length, or the rounding of the coordinates), smaller than 1e-60.
std::shared_ptr<const Polyhedron> convex_hull(std::span<const Vec3> points);

}  // namespace carom::shape
