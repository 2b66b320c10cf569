// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>

#include "carom/shape/pose.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// The common normal of two curved surfaces, or of one and a polyhedron, to rounding, from a guess.
//
// Near a closest point a surface is a point (vertex, apex), a rim (circle) or straight (an edge, or
// a generator of a side). With s the outward direction there (s = -n for A, n for B) a straight
// piece asks that s.k = c: k along an edge or axis and c = 0, or c = radius/slant for a cone. Rims
// and points move continuously with n. The closest points a(n), b(n) belong to n when w = a - b is
// parallel to it; along a straight piece that holds anyway. So n satisfies two equations,
//     one for each straight piece, s.k = c, and as many of the two components of w across n and
//     across the straight pieces as are left,
// which stay regular when the bodies touch, where w/|w| says nothing. Newton, with differences for
// the derivatives. Every combination that the surfaces near `near` allow is tried and handed to
// `visit`; which of them is right, the support planes tell.
// All in the frame of A; near and the result are unit vectors from B to A.
void for_smooth_normals(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
                        const Vec3& near, const std::function<void(const Vec3&)>& visit);

}  // namespace carom::detect
