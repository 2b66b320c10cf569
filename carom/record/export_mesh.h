// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/shape/shape.h"

namespace carom::record {

// Triangles with normals, counterclockwise as seen from outside. Round surfaces have the true
// normals at their vertices, so that they look round; edges and flat faces stay sharp.
struct TriangleMesh {
    std::vector<Vec3> positions;  // in the shape's frame, m
    std::vector<Vec3> normals;    // unit, one for each position
    std::vector<std::uint32_t> triangles;
    // Triangles of every other eighth of a sphere, to be drawn in another shade: without them one
    // could not see it turn.
    std::vector<std::uint32_t> other_triangles;
};

// The whole shape. A half-space becomes a square with sides of 2 `plane_reach` about its origin.
TriangleMesh mesh_of(const shape::Shape& shape, double plane_reach);

}  // namespace carom::record
