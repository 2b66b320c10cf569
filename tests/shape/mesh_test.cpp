// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/shape/mesh.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "carom/shape/mass_properties.h"
#include "tests/shape/mesh_files.h"
#include "tests/shape/shape_checks.h"

namespace carom::tests {
namespace {

using shape::Density;
using shape::mass_properties;
using shape::MassProperties;
using shape::read_mesh;
using shape::read_mesh_memory;
using shape::Shape;

// A folder of this test's own that goes away with it.
class Folder {
public:
    Folder()
        : path_(std::filesystem::temp_directory_path() /
                ("carom_mesh_test_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    std::filesystem::path write(const std::string& name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

struct File {
    const char* extension;
    std::string content;
};

std::vector<File> all_formats(const Mesh& mesh) {
    return {{"obj", obj_file({mesh})},
            {"stl", stl_text_file(mesh)},
            {"STL", stl_binary_file(mesh)},
            {"ply", ply_text_file(mesh)},
            {".ply", ply_binary_file(mesh)},
            {"gltf", gltf_file({mesh}, Vec3::Zero())},
            {"glb", glb_file({mesh}, Vec3::Zero())}};
}

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
    EXPECT_NEAR(a.volume, b.volume, tolerance * b.volume);
    EXPECT_LT((a.center - b.center).norm(), tolerance * (1.0 + b.center.norm()));
    EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

TEST(Mesh, ABoxInEveryFormat) {
    const Mesh mesh = box_mesh({-1.0, 0.5, 2.0}, {3.0, 1.75, 2.125});
    const MassProperties box = mass_properties(shape::make_box({4.0, 1.25, 0.125}), Density{2.0});
    for (const File& file : all_formats(mesh)) {
        SCOPED_TRACE(file.extension);
        const Shape shape = read_mesh_memory(bytes_of(file.content), file.extension);
        ASSERT_EQ(shape.parts.size(), 1U);
        check_polyhedron(body_of(shape));
        EXPECT_EQ(body_of(shape).faces().size(), 6U);
        MassProperties expected = box;
        expected.center = Vec3(1.0, 1.125, 2.0625);
        expect_same(mass_properties(shape, Density{2.0}), expected, 1e-14);
    }
}

// The same points by way of a file and directly.
TEST(Mesh, RandomHullsInEveryFormat) {
    Random random(951);
    for (int i = 0; i < 8; ++i) {
        const Mesh mesh = hull_mesh(random_points(random, 12 + 30 * i));
        const Shape direct = shape::make_hull(mesh.vertices);
        const MassProperties expected = mass_properties(direct, Density{1.0});
        for (const File& file : all_formats(mesh)) {
            SCOPED_TRACE(file.extension);
            const Shape shape = read_mesh_memory(bytes_of(file.content), file.extension);
            ASSERT_EQ(shape.parts.size(), 1U);
            EXPECT_EQ(body_of(shape).vertices().size(), body_of(direct).vertices().size());
            EXPECT_EQ(body_of(shape).edges().size(), body_of(direct).edges().size());
            expect_same(mass_properties(shape, Density{1.0}), expected, 1e-12);
        }
    }
}

TEST(Mesh, PolygonsOtherThanTriangles) {
    std::string text = "o box\n";
    for (const Vec3& v : box_corners({1.0, 2.0, 3.0})) {
        text += "v " + std::to_string(v.x()) + " " + std::to_string(v.y()) + " " +
                std::to_string(v.z()) + "\n";
    }
    text += "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
    const Shape shape = read_mesh_memory(bytes_of(text), "obj");
    EXPECT_DOUBLE_EQ(mass_properties(shape, Density{1.0}).volume, 6.0);
}

TEST(Mesh, NodeTransformsAreApplied) {
    const Mesh mesh = box_mesh({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0});
    for (const bool binary : {false, true}) {
        const Vec3 shift(0.5, -2.0, 8.0);
        const std::string file = binary ? glb_file({mesh}, shift) : gltf_file({mesh}, shift);
        const Shape shape = read_mesh_memory(bytes_of(file), binary ? "glb" : "gltf");
        EXPECT_LT((mass_properties(shape, Density{1.0}).center - Vec3(1.0, -1.5, 8.5)).norm(),
                  1e-14);
    }
}

TEST(Mesh, SeveralObjectsArePieces) {
    Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
    // touching the first one: vertices of different objects are not joined
    Mesh b = box_mesh({1, 0, 0}, {3, 1, 1});
    a.name = "a";
    b.name = "b";
    for (const File& file :
         {File{"obj", obj_file({a, b})}, File{"gltf", gltf_file({a, b}, Vec3::Zero())},
          File{"glb", glb_file({a, b}, Vec3::Zero())}}) {
        SCOPED_TRACE(file.extension);
        const Shape shape = read_mesh_memory(bytes_of(file.content), file.extension);
        ASSERT_EQ(shape.parts.size(), 2U);
        const MassProperties whole = mass_properties(shape::make_box({3, 1, 1}), Density{1.0});
        MassProperties expected = whole;
        expected.center = Vec3(1.5, 0.5, 0.5);
        expect_same(mass_properties(shape, Density{1.0}), expected, 1e-14);
    }
    // two surfaces apart in one object are pieces as well
    Mesh apart = box_mesh({0, 0, 0}, {1, 1, 1});
    const Mesh other = box_mesh({5, 0, 0}, {6, 1, 1});
    apart.vertices.insert(apart.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const auto& t : other.triangles)
        apart.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    for (const File& file : all_formats(apart))
        EXPECT_EQ(read_mesh_memory(bytes_of(file.content), file.extension).parts.size(), 2U);
}

// A body whose sides are different objects is closed only as a whole.
TEST(Mesh, OpenObjectsThatCloseTogether) {
    Mesh lower = box_mesh({0, 0, 0}, {1, 1, 1});
    Mesh upper = lower;
    lower.triangles.resize(6);
    upper.triangles.erase(upper.triangles.begin(), upper.triangles.begin() + 6);
    const Shape shape = read_mesh_memory(bytes_of(obj_file({lower, upper})), "obj");
    ASSERT_EQ(shape.parts.size(), 1U);
    EXPECT_EQ(body_of(shape).faces().size(), 6U);
}

// The winding does not matter; nearly equal vertices are one; faces may be tessellated.
TEST(Mesh, ForgivesWhatDoesNotMatter) {
    Random random(952);
    Mesh mesh = hull_mesh(random_points(random, 40));
    for (auto& t : mesh.triangles) {
        if (random.uniform() < 0.5) std::swap(t[0], t[1]);
    }
    EXPECT_EQ(read_mesh_memory(bytes_of(stl_binary_file(mesh)), "stl").parts.size(), 1U);
    Mesh ball = hull_mesh(prism(24, 1.0, 2.0));
    // every corner on its own, off by single rounding
    Mesh loose;
    for (const auto& t : ball.triangles) {
        const auto first = static_cast<unsigned>(loose.vertices.size());
        for (const unsigned v : t)
            loose.vertices.emplace_back(ball.vertices[v] * (1.0 + 1e-7 * random.uniform(-1, 1)));
        loose.triangles.push_back({first, first + 1, first + 2});
    }
    const Shape shape = read_mesh_memory(bytes_of(stl_binary_file(loose)), "stl");
    ASSERT_EQ(shape.parts.size(), 1U);
    EXPECT_EQ(body_of(shape).vertices().size(), 48U);
}

TEST(Mesh, Files) {
    const Folder folder;
    const Mesh a = box_mesh({0, 0, 0}, {1, 1, 1});
    const Mesh b = box_mesh({1, 0, 0}, {2, 1, 1});
    const std::filesystem::path paths[] = {folder.write("a.obj", obj_file({a})),
                                           folder.write("b.STL", stl_binary_file(b)),
                                           folder.write("c.gltf", gltf_file({a}, Vec3(5, 0, 0))),
                                           folder.write("d.glb", glb_file({a}, Vec3(7, 0, 0)))};
    for (const auto& path : paths)
        EXPECT_DOUBLE_EQ(mass_properties(read_mesh(path), Density{1.0}).volume, 1.0);
    EXPECT_EQ(shape::read_mesh_pieces(paths).parts.size(), 4U);

    expect_refusal([&] { read_mesh(folder.path() / "none.obj"); }, {"no mesh file", "none.obj"});
    std::filesystem::create_directory(folder.path() / "dir.obj");
    expect_refusal([&] { read_mesh(folder.path() / "dir.obj"); }, {"not a file"});
    expect_refusal([&] { read_mesh(folder.write("a.txt", "x")); }, {".txt", ".obj"});
    expect_refusal([&] { read_mesh(folder.write("empty.stl", "")); }, {"0 bytes"});
    const std::filesystem::path bad[] = {paths[0], folder.write("bad.ply", "ply\n")};
    expect_refusal([&] { shape::read_mesh_pieces(bad); }, {"bad.ply"});
    expect_refusal([&] { shape::read_mesh_pieces({}); }, {"empty"});
    // a sparse file, larger than is read
    const auto large = folder.write("large.stl", "x");
    std::filesystem::resize_file(large, (std::uintmax_t{256} << 20U) + 1);
    expect_refusal([&] { read_mesh(large); }, {"268435457 bytes", "at most"});
}

TEST(Mesh, TheSameFileGivesTheSameBits) {
    Random random(953);
    const std::string file = stl_binary_file(hull_mesh(random_points(random, 300)));
    const Shape a = read_mesh_memory(bytes_of(file), "stl");
    const Shape b = read_mesh_memory(bytes_of(file), "stl");
    const MassProperties pa = mass_properties(a, Density{1.0});
    const MassProperties pb = mass_properties(b, Density{1.0});
    EXPECT_EQ(pa.volume, pb.volume);
    EXPECT_EQ(pa.inertia, pb.inertia);
    ASSERT_EQ(body_of(a).edges().size(), body_of(b).edges().size());
    for (std::size_t e = 0; e < body_of(a).edges().size(); ++e)
        EXPECT_EQ(body_of(a).edges()[e].left_inward, body_of(b).edges()[e].left_inward);
}

}  // namespace
}  // namespace carom::tests
