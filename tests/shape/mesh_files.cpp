// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "tests/shape/mesh_files.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "carom/shape/hull.h"

namespace carom::tests {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
void append(std::string& out, Number number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    out.append(bytes, sizeof number);
}

void append(std::string& out, const Vec3& v) {
    for (int k = 0; k < 3; ++k)
        append(out, static_cast<float>(v[k]));
}

std::string numbers(const Vec3& v) {
    std::ostringstream out;
    out.precision(12);
    out << v.x() << ' ' << v.y() << ' ' << v.z();
    return out.str();
}

std::string ply_header(const Mesh& mesh, const char* format) {
    return std::string("ply\nformat ") + format + " 1.0\nelement vertex " +
           std::to_string(mesh.vertices.size()) +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
           std::to_string(mesh.triangles.size()) +
           "\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string base64(const std::string& bytes) {
    static constexpr char k_digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = (word << 8U) |
                   (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) {
            const bool real = i + k <= bytes.size();
            text += real ? k_digits[(word >> (18U - 6U * k)) & 63U] : '=';
        }
    }
    return text;
}

// The description and the buffer it refers to.
std::pair<nlohmann::json, std::string> gltf_parts(const std::vector<Mesh>& meshes,
                                                  const Vec3& shift) {
    nlohmann::json json;
    json["asset"]["version"] = "2.0";
    json["scene"] = 0;
    std::string buffer;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const Mesh& mesh = meshes[i];
        json["scenes"][0]["nodes"].push_back(i);
        json["nodes"].push_back({{"mesh", i}, {"translation", {shift.x(), shift.y(), shift.z()}}});
        json["meshes"].push_back(
            {{"name", mesh.name},
             {"primitives", {{{"attributes", {{"POSITION", 2 * i}}}, {"indices", 2 * i + 1}}}}});
        const std::size_t begin = buffer.size();
        Vec3 low = mesh.vertices[0];
        Vec3 high = mesh.vertices[0];
        for (const Vec3& v : mesh.vertices) {
            append(buffer, v);
            low = low.cwiseMin(v);
            high = high.cwiseMax(v);
        }
        const std::size_t middle = buffer.size();
        for (const auto& t : mesh.triangles) {
            for (const unsigned v : t)
                append(buffer, v);
        }
        json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", middle - begin}});
        json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", middle}, {"byteLength", buffer.size() - middle}});
        json["accessors"].push_back({{"bufferView", 2 * i},
                                     {"componentType", 5126},
                                     {"count", mesh.vertices.size()},
                                     {"type", "VEC3"},
                                     {"min", {low.x(), low.y(), low.z()}},
                                     {"max", {high.x(), high.y(), high.z()}}});
        json["accessors"].push_back({{"bufferView", 2 * i + 1},
                                     {"componentType", 5125},
                                     {"count", 3 * mesh.triangles.size()},
                                     {"type", "SCALAR"}});
    }
    json["buffers"].push_back({{"byteLength", buffer.size()}});
    return {json, buffer};
}

}  // namespace

Mesh box_mesh(const Vec3& low, const Vec3& high) {
    Mesh mesh;
    for (unsigned i = 0; i < 8; ++i) {
        mesh.vertices.emplace_back((i & 1U) != 0 ? high.x() : low.x(),
                                   (i & 2U) != 0 ? high.y() : low.y(),
                                   (i & 4U) != 0 ? high.z() : low.z());
    }
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
}

Mesh hull_mesh(const std::vector<Vec3>& points) {
    std::vector<Vec3> rounded;
    for (const Vec3& p : points)
        rounded.emplace_back((1024.0 * p).array().round() / 1024.0);
    const auto hull = shape::convex_hull(rounded);
    Mesh mesh;
    mesh.vertices.assign(hull->vertices().begin(), hull->vertices().end());
    for (shape::Index f = 0; f < hull->faces().size(); ++f) {
        const auto boundary = hull->boundary(f);
        for (std::size_t i = 1; i + 1 < boundary.size(); ++i) {
            mesh.triangles.push_back(
                {hull->tail(boundary[0]), hull->tail(boundary[i]), hull->tail(boundary[i + 1])});
        }
    }
    return mesh;
}

std::string obj_file(const std::vector<Mesh>& meshes) {
    std::string out = "# a comment\n";
    std::size_t first = 1;
    for (const Mesh& mesh : meshes) {
        out += "o " + mesh.name + "\n";
        for (const Vec3& v : mesh.vertices)
            out += "v " + numbers(v) + "\n";
        for (const auto& t : mesh.triangles) {
            out += "f " + std::to_string(first + t[0]) + " " + std::to_string(first + t[1]) + " " +
                   std::to_string(first + t[2]) + "\n";
        }
        first += mesh.vertices.size();
    }
    return out;
}

std::string stl_text_file(const Mesh& mesh) {
    std::string out = "solid " + mesh.name + "\n";
    for (const auto& t : mesh.triangles) {
        out += "facet normal 0 0 0\nouter loop\n";
        for (const unsigned v : t)
            out += "vertex " + numbers(mesh.vertices[v]) + "\n";
        out += "endloop\nendfacet\n";
    }
    return out + "endsolid " + mesh.name + "\n";
}

std::string stl_binary_file(const Mesh& mesh) {
    std::string out(80, ' ');
    append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const auto& t : mesh.triangles) {
        append(out, Vec3(Vec3::Zero()));
        for (const unsigned v : t)
            append(out, mesh.vertices[v]);
        append(out, std::uint16_t{0});
    }
    return out;
}

std::string ply_text_file(const Mesh& mesh) {
    std::string out = ply_header(mesh, "ascii");
    for (const Vec3& v : mesh.vertices)
        out += numbers(v) + "\n";
    for (const auto& t : mesh.triangles) {
        out += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " +
               std::to_string(t[2]) + "\n";
    }
    return out;
}

std::string ply_binary_file(const Mesh& mesh) {
    std::string out = ply_header(mesh, "binary_little_endian");
    for (const Vec3& v : mesh.vertices)
        append(out, v);
    for (const auto& t : mesh.triangles) {
        append(out, std::uint8_t{3});
        for (const unsigned v : t)
            append(out, static_cast<std::int32_t>(v));
    }
    return out;
}

std::string gltf_file(const std::vector<Mesh>& meshes, const Vec3& shift) {
    auto [json, buffer] = gltf_parts(meshes, shift);
    json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(buffer);
    return json.dump();
}

std::string glb_file(const std::vector<Mesh>& meshes, const Vec3& shift) {
    const auto [json, buffer] = gltf_parts(meshes, shift);
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string out = "glTF";
    append(out, std::uint32_t{2});
    append(out, static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + buffer.size()));
    append(out, static_cast<std::uint32_t>(text.size()));
    out += "JSON" + text;
    append(out, static_cast<std::uint32_t>(buffer.size()));
    out += std::string("BIN\0", 4) + buffer;
    return out;
}

}  // namespace carom::tests
