// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "carom/shape/shape.h"

namespace carom::shape {

// Shapes from mesh files: OBJ, STL (text and binary), PLY (text and binary), glTF and GLB, told
// apart by their extension.
//
// Lengths, axes and origin are as in the file; the transforms of nodes are applied, and nothing is
// turned from y up to z up. Coordinates are read in single precision, which is what most of these
// formats hold (PLY: in double). Materials, normals and textures are ignored, and so are points and
// lines.
//
// A mesh has to be closed and convex, both to within 1e-6 of its size, and becomes the hull of its
// vertices. Several closed convex surfaces in one file become the parts of a compound. Anything
// else is refused with std::invalid_argument that says what is wrong: open, concave, hollow, empty
// or broken files, more than 256 MiB or 2 million triangles. How a file is cut into pieces:
// mesh_pieces.h.
Shape read_mesh(const std::filesystem::path& path);

// The same from memory; `extension` is that of the format, as "obj". Nothing else is read.
Shape read_mesh_memory(std::span<const std::byte> bytes, std::string_view extension);

// A compound of the pieces of several files in one frame. A message names the file.
Shape read_mesh_pieces(std::span<const std::filesystem::path> paths);

}  // namespace carom::shape
