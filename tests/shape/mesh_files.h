// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "carom/math/types.h"

namespace carom::tests {

// A triangle mesh, and what it looks like as a file of each format.
struct Mesh {
    std::vector<Vec3> vertices;
    std::vector<std::array<unsigned, 3>> triangles;
    std::string name = "body";
};

Mesh box_mesh(const Vec3& low, const Vec3& high);

// The surface of the hull of points, every face cut into triangles, with all numbers rounded so
// that a float holds them.
Mesh hull_mesh(const std::vector<Vec3>& points);

std::string obj_file(const std::vector<Mesh>& meshes);
std::string stl_text_file(const Mesh& mesh);
std::string stl_binary_file(const Mesh& mesh);
std::string ply_text_file(const Mesh& mesh);
std::string ply_binary_file(const Mesh& mesh);
// One node per mesh, shifted by `shift`; the buffer is in the file, as base64.
std::string gltf_file(const std::vector<Mesh>& meshes, const Vec3& shift);
std::string glb_file(const std::vector<Mesh>& meshes, const Vec3& shift);

inline std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace carom::tests
