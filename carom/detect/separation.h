// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/feature.h"
#include "carom/detect/vclip.h"
#include "carom/shape/pose.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// How two convex bodies lie apart, in the world frame.
//
// The normal is unit, from B to A. distance is that of the closest points; lower is what the
// support planes across the normal certify, lower <= true distance <= distance, where both agree to
// about 1e-15 of the coordinates for polyhedra and closed forms, 1e-13 of the distance for other
// curved pairs. Overlapping bodies have distance = lower = -depth, the least way along the normal
// that parts them, and the deepest points of each.
struct Separation {
    double distance;
    double lower;
    Vec3 normal;
    Vec3 point_a, point_b;
    Feature a, b;
    bool overlap;
};

// What one pair of bodies remembers between queries: the features to start from and the last
// normal. Any value is right, a recent one is fast.
struct PairMemory {
    FeaturePair features;
    Vec3 normal_A = Vec3::UnitZ();  // in the frame of A
};

// Which way a distance is found:
//     half-space and anything            support point
//     sphere or capsule with each other  closest points of points and segments
//     sphere with box, cylinder, cone    closed form
//     sphere, capsule, hull, box         walk over features (vclip.h)
//     the rest                           gjk.h
// Two half-spaces: std::invalid_argument.
Separation separation(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
                      const shape::Pose& pose_B, PairMemory& memory);

}  // namespace carom::detect
