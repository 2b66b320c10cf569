// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/core.h"

namespace carom::detect {

// How deep two cores overlap: the least translation of A along `normal` (unit, from B to A) that
// parts them, and the points that would then touch. In the frame of A.
//
// The difference A - B is approximated from inside by a polytope around the origin that grows at
// its nearest face (the expanding polytope algorithm) until that face supports the difference or
// the surfaces themselves give a better normal (smooth_normal.h); of two boxes all axes that can be
// the best are tried. Good to rounding for polyhedra,
// to 1e-5 of the size where round surfaces leave it no better normal. Cores that only touch have
// depth zero. Used for bodies given in overlap, not on the way to a contact.
struct Penetration {
    double depth;
    Vec3 normal;
    Vec3 point_a, point_b;
};
Penetration penetration(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
                        const Vec3& guess);

// Whether no direction parts two cores with less than `depth`, to k_least_depth of it, the depth
// being that along `normal`: the polytope grows until it holds a ball of that radius or a shorter
// way is found. False too where rounding hides it.
bool is_least_depth(const shape::Convex& A, const shape::Convex& B, const shape::Pose& B_in_A,
                    const Vec3& normal, double depth);
// Larger: a way out that is so much longer than another is kept.
inline constexpr double k_least_depth = 1e-3;

}  // namespace carom::detect
