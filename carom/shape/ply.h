// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <span>

#include "carom/shape/mesh_import.h"

namespace carom::shape {

// The vertices and faces of a PLY file (Turk 1994, "The PLY polygon file format"): text or binary
// of either byte order, any scalar types, other elements and properties skipped. Polygons become
// fans of triangles. Written by hand because the importer of Assimp 5.2 reads beyond the end of
// files that are cut short, or never returns; and this keeps coordinates in double precision.
//
// Takes time and memory in proportion to the bytes, whatever the header claims. Throws
// std::invalid_argument for anything that is not such a file.
TriangleList read_ply(std::span<const std::byte> bytes);

}  // namespace carom::shape
