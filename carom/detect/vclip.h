// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/feature.h"
#include "carom/detect/voronoi.h"
#include "carom/shape/polyhedron.h"
#include "carom/shape/pose.h"

namespace carom::detect {

// Where a walk over features ended, and where the next one begins.
struct FeaturePair {
    Feature a, b;
};

// The closest points of two convex polyhedra, points or segments.
//
// The walk goes from the pair of features it is given to neighbouring pairs, always downhill, until
// each feature lies in the other's Voronoi region: by convexity the closest points of such a pair
// are the closest points of the bodies. Under coherent motion it takes a step or two. This is
// V-Clip (Mirtich 1998), a robust form of Lin and Canny's algorithm: edges are clipped by the
// Voronoi regions and only signs of derivatives decide, so that parallel and degenerate pairs need
// no special treatment, and overlap is noticed rather than walked around in.
//
// All is in the frame of body A. The normal is a unit vector from B to A: that of a face where one
// is involved, across both edges where two are, else along the line between the points.
// settled is false when rounding made it go in circles; the caller then falls back to gjk.h.
struct VclipResult {
    bool settled;
    bool overlap;
    double distance;
    Vec3 point_a, point_b;
    Vec3 normal;
    int steps;
};

VclipResult vclip(const shape::Polyhedron& A, const shape::Polyhedron& B, const shape::Pose& B_in_A,
                  FeaturePair& features);
VclipResult vclip(const shape::Polyhedron& A, const SegmentBody& B_in_A, FeaturePair& features);
VclipResult vclip(const shape::Polyhedron& A, const PointBody& B_in_A, FeaturePair& features);

}  // namespace carom::detect
