// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/math/types.h"

namespace carom::scene {

// Many equal bodies: where they are put and how fast they move, as a gas begins.

// A cubic lattice of cells in a box, one cell for each body at most. All bodies have the same
// bounding box, of size s; with a box of sides W and a gap g between bodies there are
//     n_i = floor(W_i / (s_i + g))
// cells along the axis i, of the size W_i / n_i. The gap is the largest for which n_x n_y n_z is
// enough (found by bisection, to rounding). Bodies stand in the middle of their cells, so that none
// touch unless the gap is 0. Cells that are left over are spread evenly among the others.
class Lattice {
public:
    // Pre: low < high, body.low < body.high, count > 0, all finite.
    Lattice(const Aabb& box, const Aabb& body, std::uint64_t count);

    // How many bodies fit with no gap at all, at most 2^53; count is more when they do not.
    double capacity() const { return capacity_; }
    bool fits() const { return capacity_ >= static_cast<double>(count_); }
    // Of the body's frame, for k < count. Pre: fits().
    Vec3 position(std::uint64_t k) const;

private:
    Aabb box_;
    Vec3 offset_;  // from the middle of the body's box to its frame
    std::uint64_t count_;
    double capacity_;
    std::uint64_t cells_[3] = {1, 1, 1};
};

// Velocities of `count` bodies of equal mass, each component from a normal distribution (Maxwell's
// of velocities), then shifted so that their sum is 0 and scaled so that their root mean square is
// `rms`, both to rounding. Which ones follows from the seed alone (splitmix64, Box and Muller). A
// single body cannot have a momentum of 0 and move: all zero then.
std::vector<Vec3> maxwell_velocities(std::uint64_t count, double rms, std::uint64_t seed);

}  // namespace carom::scene
