// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <cmath>
#include <limits>

#include "carom/shape/mass_properties.h"
#include "carom/shape/mesh.h"
#include "tests/shape/mesh_files.h"
#include "tests/shape/shape_checks.h"

// Assimp loses a few hundred bytes of each broken STL file it gives up on; that is its own
// business.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libassimp\n";
}

namespace carom::tests {
namespace {

using shape::read_mesh_memory;
using shape::Shape;

void expect_mesh_refusal(const Mesh& mesh, const std::vector<std::string>& words) {
    expect_refusal([&] { read_mesh_memory(bytes_of(obj_file({mesh})), "obj"); }, words);
    expect_refusal([&] { read_mesh_memory(bytes_of(stl_binary_file(mesh)), "stl"); }, words);
    expect_refusal([&] { read_mesh_memory(bytes_of(ply_binary_file(mesh)), "ply"); }, words);
    expect_refusal([&] { read_mesh_memory(bytes_of(gltf_file({mesh}, Vec3::Zero())), "gltf"); },
                   words);
}

TEST(MeshRefusal, OpenSurface) {
    Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
    mesh.triangles.pop_back();
    expect_mesh_refusal(mesh, {"open", "3 edges", "closed"});
}

TEST(MeshRefusal, ConcaveSurface) {
    // a corner pushed in
    Mesh dented = box_mesh({0, 0, 0}, {1, 1, 1});
    dented.vertices[7] = Vec3(0.25, 0.25, 0.25);
    expect_mesh_refusal(dented, {"not convex", "compound", "pieces = [\"a.obj\", \"b.obj\"]"});

    // every vertex on the hull, but an edge that runs inside: the other diagonal of a bent side
    Mesh notched = box_mesh({0, 0, 0}, {1, 1, 1});
    notched.vertices[7] = Vec3(1.0, 1.0, 1.25);
    notched.vertices[4] = Vec3(0.0, 0.0, 1.25);
    notched.triangles[10] = {4, 5, 6};
    notched.triangles[11] = {5, 7, 6};
    expect_mesh_refusal(notched, {"not convex"});
    notched.triangles[10] = {4, 5, 7};
    notched.triangles[11] = {4, 7, 6};
    EXPECT_EQ(read_mesh_memory(bytes_of(obj_file({notched})), "obj").parts.size(), 1U);
}

// A dent is seen from 1e-5 of the size on, and forgiven at the rounding of single precision.
TEST(MeshRefusal, ShallowDents) {
    for (const double depth : {1e-3, 1e-5, 1e-7}) {
        Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
        mesh.vertices.emplace_back(0.5, 0.5, 1.0 - depth);
        mesh.triangles.resize(10);
        for (const auto& t : {std::array<unsigned, 3>{4, 5, 8}, {5, 7, 8}, {7, 6, 8}, {6, 4, 8}})
            mesh.triangles.push_back(t);
        if (depth > 1e-6) {
            expect_mesh_refusal(mesh, {"not convex"});
        } else {
            const Shape shape = read_mesh_memory(bytes_of(stl_binary_file(mesh)), "stl");
            EXPECT_EQ(body_of(shape).vertices().size(), 8U);
        }
    }
}

TEST(MeshRefusal, HollowFlatAndTangledSurfaces) {
    Mesh hollow = box_mesh({0, 0, 0}, {1, 1, 1});
    const Mesh cavity = box_mesh({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75});
    hollow.vertices.insert(hollow.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
    for (const auto& t : cavity.triangles)
        hollow.triangles.push_back({t[1] + 8, t[0] + 8, t[2] + 8});
    expect_mesh_refusal(hollow, {"inside", "hollow"});

    Mesh flat;
    flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    flat.triangles = {{0, 1, 2}, {1, 0, 2}};
    expect_mesh_refusal(flat, {"no volume"});

    // two boxes in one object that share an edge
    Mesh tangled = box_mesh({0, 0, 0}, {1, 1, 1});
    const Mesh other = box_mesh({1, 1, 0}, {2, 2, 1});
    tangled.vertices.insert(tangled.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const auto& t : other.triangles)
        tangled.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    expect_mesh_refusal(tangled, {"more than two triangles"});
}

TEST(MeshRefusal, NumbersThatAreNotFinite) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Mesh mesh = box_mesh({0, 0, 0}, {1, 1, 1});
        mesh.vertices[3].y() = bad;
        expect_refusal([&] { read_mesh_memory(bytes_of(stl_binary_file(mesh)), "stl"); },
                       {"finite"});
        expect_refusal([&] { read_mesh_memory(bytes_of(ply_binary_file(mesh)), "ply"); },
                       {"finite"});
        expect_refusal([&] { read_mesh_memory(bytes_of(obj_file({mesh})), "obj"); }, {"finite"});
    }
}

TEST(MeshRefusal, FilesThatAreNotMeshes) {
    const auto refused = [](const std::string& text, const char* extension,
                            const std::vector<std::string>& words) {
        SCOPED_TRACE(text.substr(0, 60));
        expect_refusal([&] { read_mesh_memory(bytes_of(text), extension); }, words);
    };
    for (const char* extension : {"obj", "stl", "ply", "gltf", "glb"}) {
        SCOPED_TRACE(extension);
        refused("", extension, {"0 bytes"});
        refused("hello, world\n", extension, {});
        refused(std::string(1000, '\0'), extension, {});
        refused(std::string(1000, '\xff'), extension, {});
    }
    refused("v 0 0 0\n", "exe", {".exe", ".obj", ".glb"});
    refused("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "obj", {});
    refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "obj", {});
    refused("v 0 0 0\nv 1 0 0\nl 1 2\n", "obj", {"no triangles"});
    refused("{}", "gltf", {"gltf"});
    refused("{\"asset\":{\"version\":\"2.0\"}}", "gltf", {});
    // a GLB whose chunk claims four gigabytes
    std::string glb = glb_file({box_mesh({0, 0, 0}, {1, 1, 1})}, Vec3::Zero());
    glb[15] = '\xff';
    refused(glb, "glb", {"longer than the file"});
}

TEST(MeshRefusal, PlyFiles) {
    const std::string good = ply_text_file(box_mesh({0, 0, 0}, {1, 1, 1}));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    const auto refused = [](const std::string& text, const std::vector<std::string>& words) {
        expect_refusal([&] { read_mesh_memory(bytes_of(text), "ply"); }, words);
    };
    refused(with("ascii", "utf8"), {"format"});
    refused(with("float x", "half x"), {"half"});
    refused(with("float x", "float u"), {"no x"});
    refused(with("vertex_indices", "corners"), {"vertex_indices"});
    refused(with("vertex 8", "vertex -8"), {"-8", "count"});
    refused(with("vertex 8", "vertex 99999999999999"), {"is not"});
    refused(with("face 12", "face 4000000000"), {"too early"});
    refused(with("3 0 4 6", "3 0 4 8"), {"vertex 8", "only 8"});
    refused(with("3 0 4 6", "3 0 4 -1"), {"vertex -1"});
    refused(with("3 0 4 6", "900000 0 4 6"), {"list of 900000"});
    refused(with("3 0 4 6", "3 0 4 x"), {"'x'"});
    refused(with("end_header", "element nothing 9"), {"header"});
    // other elements and properties are skipped
    const std::string more =
        with("property float z\n", "property float z\nproperty list uchar int rest\n");
    std::string longer;
    std::size_t line = 0;
    for (std::size_t at = 0; at < more.size(); ++line) {
        const std::size_t end = more.find('\n', at);
        // lines 10 to 17 are the vertices
        longer += more.substr(at, end - at) + (line >= 10 && line < 18 ? " 2 7 7\n" : "\n");
        at = end + 1;
    }
    EXPECT_EQ(read_mesh_memory(bytes_of(longer), "ply").parts.size(), 1U);
    // lines may end as on other systems
    std::string returns;
    for (const char c : good)
        returns += c == '\n' ? "\r\n" : std::string(1, c);
    EXPECT_EQ(read_mesh_memory(bytes_of(returns), "ply").parts.size(), 1U);
}

// Files cut short and files with bytes changed are refused or read, and what is read is a body.
TEST(MeshRefusal, DamagedFiles) {
    Random random(961);
    const Mesh mesh = hull_mesh(random_points(random, 20));
    const std::pair<const char*, std::string> files[] = {{"obj", obj_file({mesh})},
                                                         {"stl", stl_text_file(mesh)},
                                                         {"stl", stl_binary_file(mesh)},
                                                         {"ply", ply_text_file(mesh)},
                                                         {"ply", ply_binary_file(mesh)},
                                                         {"gltf", gltf_file({mesh}, Vec3::Zero())},
                                                         {"glb", glb_file({mesh}, Vec3::Zero())}};
    for (const auto& [extension, content] : files) {
        for (int i = 0; i < 60; ++i) {
            std::string damaged = content;
            const auto at =
                static_cast<std::size_t>(random.uniform(0.0, static_cast<double>(content.size())));
            if (i % 2 == 0) {
                damaged.resize(at);
            } else {
                damaged[at] = static_cast<char>(random.bits());
            }
            try {
                const Shape shape = read_mesh_memory(bytes_of(damaged), extension);
                ASSERT_FALSE(shape.parts.empty());
                EXPECT_GT(mass_properties(shape, shape::Density{1.0}).volume, 0.0);
            } catch (const std::invalid_argument& error) {
                EXPECT_STRNE(error.what(), "");
            }
        }
    }
}

}  // namespace
}  // namespace carom::tests
