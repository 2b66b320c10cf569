// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>

#include "carom/math/types.h"

namespace carom::detect {

// Boxes are in the world frame; those that only touch overlap.

// a <= b as a number, so that conditions can be joined without branches.
inline unsigned at_most(double a, double b) {
    return a <= b ? 1U : 0U;
}

// Comparisons only, so the answer is exact. No branches: in a broad phase the outcome of each
// comparison is close to a coin's.
inline bool overlap(const Aabb& a, const Aabb& b) {
    const unsigned x = at_most(a.low.x(), b.high.x()) & at_most(b.low.x(), a.high.x());
    const unsigned y = at_most(a.low.y(), b.high.y()) & at_most(b.low.y(), a.high.y());
    const unsigned z = at_most(a.low.z(), b.high.z()) & at_most(b.low.z(), a.high.z());
    return (x & y & z) != 0;
}

// Finite, and low <= high along each axis.
inline bool is_valid(const Aabb& box) {
    for (int i = 0; i < 3; ++i) {
        if (!std::isfinite(box.low[i]) || !std::isfinite(box.high[i])) return false;
        if (box.low[i] > box.high[i]) return false;
    }
    return true;
}

// The smallest box that holds both.
inline Aabb hull(const Aabb& a, const Aabb& b) {
    return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

}  // namespace carom::detect
