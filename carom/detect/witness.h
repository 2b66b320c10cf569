// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <vector>

#include "carom/shape/pose.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// The points of a core that lie farthest along an outward direction (unit, in the body's frame):
// one point, the two ends of a segment, or the corners of a convex polygon in order around the
// direction. A cap is a polygon of k_cap_corners corners on its rim. A piece counts as level when
// it is across the direction to within `level`.
inline constexpr double k_level = 1e-7;
std::vector<Vec3> support_set(const shape::Convex& convex, const Vec3& outward,
                              double level = k_level);
inline constexpr int k_cap_corners = 32;

// The middle of that set; direction and result in the frame that pose leads to.
Vec3 middle_of_support(const shape::Convex& convex, const shape::Pose& pose, const Vec3& outward);

// Where two touching bodies meet: one point, the ends of a line or the corners of an area, on the
// surface of A. Poses in one frame, normal from B to A; either may be a half-space. `level` as
// above.
std::vector<Vec3> contact_patch(const shape::Convex& A, const shape::Pose& pose_A,
                                const shape::Convex& B, const shape::Pose& pose_B,
                                const Vec3& normal, double level = k_level);

// The middle of such a patch: of an area its centroid, so that corners which lie close together, as
// rounding makes them where equal outlines meet, do not draw it to them.
Vec3 middle_of_patch(const std::vector<Vec3>& corners);

// Where two bodies meet, or would if moved together along the normal: a point of each, facing each
// other. Of lines and areas that face each other the middle is taken.
struct Witness {
    Vec3 a, b;
};
// Poses in one frame; normal from B to A, good to rounding; gap between the cores along it. Not for
// half-spaces.
Witness witness(const shape::Convex& A, const shape::Pose& pose_A, const shape::Convex& B,
                const shape::Pose& pose_B, const Vec3& normal, double gap);

// The closest points where a flat piece of one body (a face, a cap) faces the other along the
// normal, and the gap between them; empty unless they do face each other. As the gap along the
// normal is also the least distance of the support planes, these are then the closest points of the
// bodies, whatever they are. Not for half-spaces.
struct FacingPoints {
    Vec3 a, b;
    double gap;
};
std::optional<FacingPoints> facing_points(const shape::Convex& A, const shape::Pose& pose_A,
                                          const shape::Convex& B, const shape::Pose& pose_B,
                                          const Vec3& normal);

// The outward normal of the body's flat piece that faces a direction most, in the body's frame;
// zero for a body without flat pieces.
Vec3 flat_normal(const shape::Convex& convex, const Vec3& towards);

}  // namespace carom::detect
