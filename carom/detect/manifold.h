// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>

#include "carom/detect/separation.h"
#include "carom/shape/pose.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// Where two convex bodies face each other closely: the contact manifold that carries the load of a
// lasting contact.
//
// All points share one unit normal n, from B to A. A point is a place a on A and a place b on B
// that lies across from it along n, a - b = gap n; a negative gap is overlap. The condition
// "gap + (change of the gap) >= 0" at every point holds the bodies apart before they touch: a
// corner that is still open comes into play when its gap is used up.
//
// The normal is
//     that of a face, cap or plane where one faces the other body: n . (its normal) = +-1;
//     else the one that separation() gives: across both edges, along the closest points, for
//     bodies that overlap the direction of the least way out.
// Faces that are nearly parallel, such that their planes tell the distance to k_face of `within`,
// keep the normal of one of them even where an edge crosses an edge, and where corner is above
// corner to k_border of the size.
//
// The points are the corners of the common part of the two facing pieces, seen along the normal:
//     face and face       corners of one above the other, crossings of edges
//     face or cap, line   the ends of the line above it (the line: a capsule, the side of a
//                         cylinder or cone)
//     cap                 k_rim_points places of the rim that are fixed in its body, and the lowest
//                         place where that is lower; crossings with edges and rims; corners under
//                         it
//     line and line       parallel: the two ends of what they share, else one point
//     plane               vertices, ends, places of the rim
//     anything else       the closest points
// Beside the corners of its facing face a hull offers all of its vertices in reach. Points with a
// gap above `within` are left out. Of more than k_most_points the few are kept that are lowest
// and hardly higher than the deepest (k_lowest); then the outermost in seven directions among the
// low ones, up to k_low of `within` above the deepest; the deepest; and, where there is room, the
// outermost of all.
//
// Range: overlap up to `within` is resolved by the nearest face or pair of edges; more is left to
// separation(). A face of more than 32 corners is seen by 32 of them. a and b are on the surfaces
// to rounding, but for: k_border of the size beyond the border of a face, and line on line, where a
// and b may lie beside each other by what k_aside allows.
inline constexpr int k_most_points = 12;

struct ManifoldPoint {
    Vec3 a, b;   // facing points on A and B, world
    double gap;  // along the normal; negative: overlap
    // Names the features that make the point: that of A in the upper half, that of B in the lower,
    // each 0 inside a face or surface, 1 + 2 i at vertex i, 2 + 2 i on edge i (modulo 2^16). The
    // same point keeps it from step to step, and points of one manifold differ in it.
    std::uint32_t id;
};

struct Manifold {
    Vec3 normal;  // unit, from B to A
    std::array<ManifoldPoint, k_most_points> points;
    int count;
};

// What faces within `within` (m, finite, not negative): no points when the bodies are farther
// apart, and the normal then is only a direction that parts them. The memory is that of
// separation(), and only makes it fast: in overlap the normal is that of the least way out,
// whatever was remembered. The one next to the last is kept where another way would be shorter by
// less than k_least_depth of it (penetration.h), or where both are below 1e-7 of the size. Throws
// std::invalid_argument for two half-spaces, a `within` out of range and poses that are not finite.
void find_manifold(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
                   const shape::Pose& pose_B, double within, PairMemory& memory, Manifold& out);

// Tolerances, with what ten times larger would do.

// How far a face's plane may be below the closest points and still give the normal, of `within`.
// Larger: crossing edges of nearly parallel faces keep a face's normal up to larger tilts, and
// their normal jumps by more when it is given up.
inline constexpr double k_face = 0.05;
// How far beyond the border of a face a point counts as above it, of the smaller body's size.
// Larger: points lie farther outside; smaller ones let the points of bodies that are aligned by
// construction change their names with rounding.
inline constexpr double k_border = 1e-9;
// By how much the lowest place of a rim has to be below the fixed ones, of `within`. Larger: a disc
// may sink that much more between the fixed places before its lowest one holds it.
inline constexpr double k_deeper = 1e-5;
// Gaps so much larger than the least, in `within`, count as low. Larger: what stands on a small
// base under a wide rim is seen by its rim.
inline constexpr double k_low = 0.1;
// Up to four points that are no higher than this above the deepest, in `within`, are kept in any
// case. Larger: those of wider rims.
inline constexpr double k_lowest = 0.03;
// What the gap of parallel lines may differ from the true one at their ends for being aside, of
// `within`. Larger: lines with a larger angle between them meet in two points, not one.
inline constexpr double k_aside = 0.01;

}  // namespace carom::detect
