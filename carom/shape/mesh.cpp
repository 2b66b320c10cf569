// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/mesh.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "carom/shape/mesh_import.h"
#include "carom/shape/mesh_pieces.h"

namespace carom::shape {

Shape read_mesh(const std::filesystem::path& path) {
    return {convex_pieces(import_triangles(path))};
}

Shape read_mesh_memory(std::span<const std::byte> bytes, std::string_view extension) {
    return {convex_pieces(import_triangles(bytes, extension))};
}

Shape read_mesh_pieces(std::span<const std::filesystem::path> paths) {
    if (paths.empty()) {
        throw std::invalid_argument("pieces is empty; it has to name at least one mesh file");
    }
    Shape shape;
    for (const std::filesystem::path& path : paths) {
        try {
            for (Part& part : read_mesh(path).parts)
                shape.parts.push_back(std::move(part));
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument("piece '" + path.string() + "': " + error.what());
        }
    }
    return shape;
}

}  // namespace carom::shape
