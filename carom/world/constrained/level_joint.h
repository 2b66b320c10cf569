// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

#include "carom/world/constrained/constrained_system.h"
#include "carom/world/graph/graph.h"

namespace carom::world {

// A point between a free body and a fixed one, by its name and normal (from b to a).
struct JointPoint {
    std::uint64_t id;
    Vec3 normal;
    motion::State a, b;  // of the bodies
};

// Whether a point is that of a joint of level faces: its two parts are apart, and do not approach,
// along a face on which the free body lies with other points. There the side of the next face is no
// obstacle. slow: speed (m/s) that is no approach.
bool is_at_level_joint(const Graph& graph, const ConstrainedSystem& system, const ContactPair& pair,
                       const JointPoint& point, double slow);

}  // namespace carom::world
