// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

#include "carom/shape/shape.h"

namespace carom::record {

// A shape as JSON text, for pages: {"type":"sphere","radius":...}, box (size), cylinder and cone
// (radius, height), capsule (radius, length), plane (normal), hull (vertices, triangles, as flat
// lists), compound (parts of shape, position, orientation). Lengths in metres, frames as in scenes.
// Equal texts mean equal shapes.
std::string shape_text(const shape::Shape& shape);

// The faces of a polyhedron as triangles, three indices of vertices each, counterclockwise as seen
// from outside.
std::vector<shape::Index> triangles_of(const shape::Polyhedron& polyhedron);

}  // namespace carom::record
