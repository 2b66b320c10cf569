// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

#include "carom/shape/polygon_mesh.h"

namespace carom::detect {

using shape::Index;

// The part of a convex body's surface where a closest point lies.
enum class FeatureKind : std::uint8_t {
    vertex,   // of a polyhedron; index
    edge,     // of a polyhedron; index
    face,     // of a polyhedron; index
    surface,  // of a sphere or a half-space
    side,     // of a capsule, cylinder or cone
    end,      // of a capsule: 0 at -z, 1 at +z
    cap,      // of a cylinder: 0 at -z, 1 at +z; of a cone: 0, its base
    rim,      // of a cylinder: 0 at -z, 1 at +z; of a cone: 0
    apex      // of a cone
};

struct Feature {
    FeatureKind kind = FeatureKind::vertex;
    Index index = 0;
    friend bool operator==(Feature a, Feature b) { return a.kind == b.kind && a.index == b.index; }
};

// "vertex", "edge", "face", "surface", "side", "end", "cap", "rim" or "apex".
const char* name_of(FeatureKind kind);

}  // namespace carom::detect
