// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/shape/mesh_import.h"
#include "carom/shape/shape.h"

namespace carom::shape {

// Vertices nearer together than this fraction of the object's size are one. Mesh files hold single
// precision, whose rounding is 6e-8 of the largest coordinate.
inline constexpr double k_weld = 1e-6;

// The surface of a convex piece may be this fraction of its size below its hull: the rounding of
// single precision, and tessellations that are convex only to rounding.
inline constexpr double k_dent = 1e-6;

// The convex pieces of the objects of a mesh file.
//
// An object falls into its connected surfaces, and each closed one is a piece. Objects with open
// surfaces (a body whose sides have different materials, say) are taken together and have to be
// closed then. Each piece becomes the hull of its vertices, after a check that its surface is that
// of the hull: every vertex, and the middle of every edge and triangle, within k_dent of it. The
// winding of the triangles does not matter. Throws std::invalid_argument when nothing is left, when
// a surface is open, not simple or not convex, and when a piece is inside another one (a hollow
// body).
std::vector<Part> convex_pieces(const std::vector<TriangleList>& objects);

}  // namespace carom::shape
