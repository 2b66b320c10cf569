// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/world/graph/graph.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {

// Bodies that touch at an edge or a corner have more than one normal along which they are apart: a
// box that slides over flush tiles meets the edge of the next one with its own, and is apart from
// it along the tile's upper face as well as along its side. They do not stop each other as long as
// they do not approach along one of these normals, and if they do along all, the one of the slowest
// approach is the way in.
struct LevelFace {
    Vec3 normal;            // from b to a, of a face of one of them
    double approach_speed;  // of the fastest place of the other at that face, m/s
};

// Of the flat faces of both along which they are apart, to within `overlap` (m), the one of the
// slowest approach; empty for none, and where one of them is a plane.
std::optional<LevelFace> find_level_face(const Touch& touch, double overlap);

// Whether a free body of the pair lies on a fixed one whose face has this normal (from b to a): it
// slides or rolls over the joint of two level faces.
bool lies_on_level_face(const Graph& graph, const ContactPair& pair, const Vec3& normal);

}  // namespace carom::world
