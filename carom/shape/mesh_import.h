// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/math/types.h"
#include "carom/shape/polygon_mesh.h"

namespace carom::shape {

// Triangles as a file lists them: vertices neither joined nor checked, but finite.
struct TriangleList {
    std::string name;  // of the object in the file; may be empty
    std::vector<Vec3> vertices;
    std::vector<std::array<Index, 3>> triangles;
};

// The largest file that is read, and the most triangles that are taken from it.
inline constexpr std::size_t k_most_mesh_bytes = std::size_t{256} << 20U;
inline constexpr std::size_t k_most_triangles = 2'000'000;

// The objects of a file in the order of the file, with the transforms of their nodes applied: by
// Assimp, but for PLY (see ply.h). `extension` is obj, stl, ply, gltf or glb, in any case, with or
// without a dot. Only the importer of that format is tried, and nothing but the bytes is read.
// Throws std::invalid_argument.
std::vector<TriangleList> import_triangles(std::span<const std::byte> bytes,
                                           std::string_view extension);

// The same of a file. A .gltf file may refer to buffers in other files beside it.
std::vector<TriangleList> import_triangles(const std::filesystem::path& path);

}  // namespace carom::shape
