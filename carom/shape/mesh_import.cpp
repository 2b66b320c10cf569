// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/shape/mesh_import.h"

#include <assimp/BaseImporter.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>

#include "carom/shape/describe.h"
#include "carom/shape/ply.h"

namespace carom::shape {
namespace {

constexpr const char* k_formats = ".obj, .stl, .ply, .gltf or .glb";

// Deep enough for any file made on purpose; not for one made to exhaust the stack.
constexpr int k_deepest_node = 500;

std::string known_extension(std::string_view given) {
    std::string extension(given);
    if (!extension.empty() && extension.front() == '.') extension.erase(0, 1);
    for (char& c : extension)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char* known : {"obj", "stl", "ply", "gltf", "glb"}) {
        if (extension == known) return extension;
    }
    throw std::invalid_argument("the mesh format '." + extension + "' is not known; it has to be " +
                                k_formats);
}

// Leaves only the importers for this extension: fewer that can be fooled by broken bytes.
void keep_importers(Assimp::Importer& importer, const std::string& extension) {
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        Assimp::BaseImporter* loader = importer.GetImporter(i);
        std::set<std::string> extensions;
        loader->GetExtensionList(extensions);
        if (extensions.count(extension) != 0) continue;
        importer.UnregisterLoader(loader);
        delete loader;
    }
}

Eigen::Matrix4d to_eigen(const aiMatrix4x4& m) {
    Eigen::Matrix4d result;
    for (unsigned i = 0; i < 4; ++i) {
        for (unsigned j = 0; j < 4; ++j)
            result(i, j) = static_cast<double>(m[i][j]);
    }
    return result;
}

TriangleList to_triangles(const aiMesh& mesh, const Eigen::Matrix4d& transform) {
    TriangleList list;
    list.name = mesh.mName.C_Str();
    const std::string where = "object '" + list.name + "'";
    list.vertices.reserve(mesh.mNumVertices);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
        const aiVector3D& v = mesh.mVertices[i];
        const Vec3 given(static_cast<double>(v.x), static_cast<double>(v.y),
                         static_cast<double>(v.z));
        const Vec3 placed = transform.topLeftCorner<3, 3>() * given + transform.block<3, 1>(0, 3);
        if (!placed.allFinite()) {
            throw std::invalid_argument(where + ", vertex " + std::to_string(i + 1) + " is at " +
                                        describe(placed) + "; coordinates have to be finite");
        }
        list.vertices.push_back(placed);
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        const aiFace& face = mesh.mFaces[f];
        // points and lines bound nothing
        if (face.mNumIndices < 3) continue;
        if (face.mNumIndices > 3) {
            throw std::invalid_argument(where + ", face " + std::to_string(f + 1) +
                                        " cannot be cut into triangles; give it as triangles");
        }
        const std::array<Index, 3> triangle{face.mIndices[0], face.mIndices[1], face.mIndices[2]};
        for (const Index v : triangle) {
            if (v < mesh.mNumVertices) continue;
            throw std::invalid_argument(where + ", face " + std::to_string(f + 1) +
                                        " uses vertex " + std::to_string(v + 1) +
                                        ", but there are only " +
                                        std::to_string(mesh.mNumVertices));
        }
        list.triangles.push_back(triangle);
    }
    return list;
}

// The meshes of a node and of those below it, in the file's order.
void collect(const aiScene& scene, const aiNode& node, const Eigen::Matrix4d& parent, int depth,
             std::vector<TriangleList>& objects, std::size_t& triangles) {
    if (depth > k_deepest_node) {
        throw std::invalid_argument("the mesh has nodes nested deeper than 500");
    }
    const Eigen::Matrix4d transform = parent * to_eigen(node.mTransformation);
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
        if (node.mMeshes[i] >= scene.mNumMeshes) continue;
        objects.push_back(to_triangles(*scene.mMeshes[node.mMeshes[i]], transform));
        triangles += objects.back().triangles.size();
        if (triangles > k_most_triangles) {
            throw std::invalid_argument("the mesh has more than " +
                                        std::to_string(k_most_triangles) +
                                        " triangles; give a coarser one");
        }
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i)
        collect(scene, *node.mChildren[i], transform, depth + 1, objects, triangles);
}

std::vector<TriangleList> run(Assimp::Importer& importer, const std::string& name,
                              const std::string& extension) {
    keep_importers(importer, extension);
    // normals, colours and textures are of no use, and skipping them leaves less to go wrong
    importer.SetPropertyInteger(
        AI_CONFIG_PP_RVC_FLAGS,
        aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
            aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
            aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
    const aiScene* scene = nullptr;
    std::string reason;
    try {
        scene = importer.ReadFile(name, aiProcess_RemoveComponent | aiProcess_Triangulate);
        if (scene == nullptr) reason = importer.GetErrorString();
    } catch (const std::exception& error) {
        reason = error.what();
    }
    if (scene == nullptr || scene->mRootNode == nullptr) {
        if (reason.empty()) reason = "it holds no scene";
        throw std::invalid_argument("this is not a valid ." + extension + " mesh: " + reason);
    }
    std::vector<TriangleList> objects;
    std::size_t triangles = 0;
    collect(*scene, *scene->mRootNode, Eigen::Matrix4d::Identity(), 0, objects, triangles);
    return objects;
}

void check_length(std::uintmax_t length) {
    if (length == 0) throw std::invalid_argument("the mesh is empty: 0 bytes");
    if (length > k_most_mesh_bytes) {
        throw std::invalid_argument("the mesh has " + std::to_string(length) + " bytes; at most " +
                                    std::to_string(k_most_mesh_bytes) + " are read");
    }
}

// A GLB file is a header of 12 bytes and chunks that say how long they are. Assimp would believe
// them and ask for as much memory.
void check_glb(std::span<const std::byte> bytes) {
    const auto word = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t k = 4; k-- > 0;)
            value = (value << 8U) | std::to_integer<std::uint32_t>(bytes[at + k]);
        return value;
    };
    for (std::size_t at = 12; at < bytes.size();) {
        const bool fits = bytes.size() - at >= 8 && word(at) <= bytes.size() - at - 8;
        if (!fits) {
            throw std::invalid_argument("this is not a valid .glb mesh: the chunk at byte " +
                                        std::to_string(at) + " is longer than the file");
        }
        at += 8 + word(at);
    }
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        throw std::invalid_argument("there is no mesh file '" + path.string() + "'");
    }
    if (!std::filesystem::is_regular_file(path, error)) {
        throw std::invalid_argument("'" + path.string() + "' is not a file");
    }
    check_length(std::filesystem::file_size(path, error));
    std::ifstream in(path, std::ios::binary);
    std::vector<std::byte> bytes(std::filesystem::file_size(path, error));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!in) throw std::invalid_argument("the mesh file '" + path.string() + "' cannot be read");
    return bytes;
}

}  // namespace

std::vector<TriangleList> import_triangles(std::span<const std::byte> bytes,
                                           std::string_view extension) {
    const std::string known = known_extension(extension);
    check_length(bytes.size());
    if (known == "ply") return {read_ply(bytes)};
    if (known == "glb") check_glb(bytes);
    Assimp::Importer importer;
    // the importer owns it
    importer.SetIOHandler(new Assimp::MemoryIOSystem(
        reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), nullptr));
    return run(importer, std::string(AI_MEMORYIO_MAGIC_FILENAME) + "." + known, known);
}

std::vector<TriangleList> import_triangles(const std::filesystem::path& path) {
    const std::string known = known_extension(path.extension().string());
    const std::vector<std::byte> bytes = read_bytes(path);
    if (known != "gltf") return import_triangles(bytes, known);
    Assimp::Importer importer;
    return run(importer, path.string(), known);
}

}  // namespace carom::shape
