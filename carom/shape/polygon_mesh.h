// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "carom/math/types.h"

namespace carom::shape {

using Index = std::uint32_t;
inline constexpr Index k_no_index = std::numeric_limits<Index>::max();

// Polygons over a list of vertices, each counterclockwise as seen from outside. Corner c of face f
// stands for the directed edge from vertex corner[c] to the next corner's of the same face.
struct PolygonMesh {
    std::vector<Vec3> vertices;
    std::vector<Index> first = {0};  // of the corners of each face; one entry more than faces
    std::vector<Index> corner;       // vertex of each corner

    Index faces() const { return static_cast<Index>(first.size() - 1); }
    Index next(Index face, Index c) const { return c + 1 == first[face + 1] ? first[face] : c + 1; }
    void add_face(const std::vector<Index>& polygon) {
        corner.insert(corner.end(), polygon.begin(), polygon.end());
        first.push_back(static_cast<Index>(corner.size()));
    }
};

// How the corners of a mesh meet.
struct Twins {
    std::vector<Index> twin;  // the corner that walks the same edge the other way
    std::vector<Index> face;  // the face of each corner
};

// Throws std::invalid_argument when an index is out of range, a polygon has fewer than three
// different corners, or the surface is not closed: each directed edge has to occur once, and its
// reverse too.
Twins find_twins(const PolygonMesh& mesh);

// The size a tolerance refers to: the largest distance of a vertex from their mean, and the largest
// coordinate, whose rounding every vertex carries.
struct Extent {
    Vec3 center;
    double radius;
    double largest_coordinate;
};
Extent find_extent(const std::vector<Vec3>& vertices);

// The plane of a polygon: unit normal and normal.x = offset, as the best fit by area (Newell's
// sums, in extended precision about a vertex of the polygon). The normal is zero for a polygon
// without area.
struct Plane {
    Vec3 normal;
    double offset;
};
Plane face_plane(const PolygonMesh& mesh, Index face);

// The same surface with faces as large as they can be: neighbours that lie in one plane to within
// `tolerance` (a length) become one face, vertices on fewer than three faces are dropped, and
// vertices that no face uses are dropped. Keeps the order of the vertices. Throws
// std::invalid_argument where no surface is left.
PolygonMesh merge_coplanar(const PolygonMesh& mesh, double tolerance);

}  // namespace carom::shape
