// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/detect/body_contact.h"
#include "carom/motion/state.h"

namespace carom::world {

// A point of a lasting contact of bodies a and b (world frame): a place on each, across from each
// other along the unit normal from b to a; gap < 0 is overlap. id names the parts and features that
// make the point and is the same from step to step.
struct ManifoldPoint {
    Vec3 on_a, on_b;
    Vec3 normal;
    double gap;
    std::uint64_t id;

    Vec3 middle() const { return 0.5 * (on_a + on_b); }
};

// All points of two bodies, of whatever parts, with a gap of at most `within` (m).
void find_manifold(const detect::MovingBody& a, const motion::State& state_a,
                   const detect::MovingBody& b, const motion::State& state_b, double within,
                   detect::BodyMemory& memory, std::vector<ManifoldPoint>& out);
// The same behind what there is.
void append_manifold(const detect::MovingBody& a, const motion::State& state_a,
                     const detect::MovingBody& b, const motion::State& state_b, double within,
                     detect::BodyMemory& memory, std::vector<ManifoldPoint>& out);

}  // namespace carom::world
