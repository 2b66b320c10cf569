// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Recordings as glTF: the structure of the file, and its animation against the true motion.

#include "carom/record/export_gltf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "carom/record/export_palette.h"

namespace carom::record {
namespace {

using Json = nlohmann::json;

// Collects what a world does.
struct Heard : world::Listener {
    std::vector<world::Segment> segments;
    void on_segment(const world::Segment& segment) override { segments.push_back(segment); }
};

// A ball and a tumbling box that fall on a floor, a turning platter, a cone, a capsule and a still
// wall.
struct Scene {
    world::World world{{}, contacts()};
    Heard heard;

    static world::Contacts contacts() {
        world::Contacts contacts;
        contacts.set("*", "*", impact::law::frictionless({.e = 0.7}));
        return contacts;
    }
    Scene() {
        const auto add = [&](const char* name, shape::Shape shape, const char* material,
                             const Vec3& position, bool fixed, const Vec3& velocity,
                             const Vec3& spin) {
            world::BodySpec spec;
            spec.name = name;
            spec.shape = std::make_shared<const shape::Shape>(std::move(shape));
            spec.material = material;
            spec.pose.position = position;
            spec.fixed = fixed;
            spec.velocity = velocity;
            spec.angular_velocity = spin;
            world.add(spec);
        };
        const Vec3 still = Vec3::Zero();
        add("floor", shape::make_half_space({0, 0, 1}), "stone", {0, 0, 0}, true, still, still);
        add("ball", shape::make_sphere(0.1), "rubber", {0, 0, 1}, false, {0.5, 0, 0}, {0, 30, 0});
        add("box", shape::make_box({0.3, 0.2, 0.1}), "wood", {1, 0, 1.5}, false, {0, 0.3, 0},
            {1, 12, 2});
        add("cone", shape::make_cone(0.1, 0.3), "wood", {2, 0, 1}, false, still, {4, 0, 0});
        add("capsule", shape::make_capsule(0.05, 0.2), "rubber", {3, 0, 1}, false, still,
            {0, 5, 1});
        add("platter", shape::make_cylinder(0.3, 0.05), "felt", {5, 0, 1}, true, still, {0, 0, 8});
        add("twin", shape::make_sphere(0.1), "rubber", {4, 0, 2}, false, still, still);
        world.run(2.0, &heard);
    }
};

// A GLB file taken apart.
struct Glb {
    Json json;
    std::string binary;

    explicit Glb(const std::string& bytes) {
        const auto word = [&](std::size_t at) {
            std::uint32_t value = 0;
            std::memcpy(&value, bytes.data() + at, sizeof value);
            return value;
        };
        EXPECT_EQ(bytes.substr(0, 4), "glTF");
        EXPECT_EQ(word(4), 2U);
        EXPECT_EQ(word(8), bytes.size());
        const std::uint32_t json_size = word(12);
        EXPECT_EQ(bytes.substr(16, 4), "JSON");
        EXPECT_EQ(json_size % 4, 0U);
        json = Json::parse(bytes.substr(20, json_size));
        EXPECT_EQ(bytes.substr(24 + json_size, 4), std::string("BIN\0", 4));
        binary = bytes.substr(28 + json_size, word(20 + json_size));
    }
    template <class Number = float>
    std::vector<Number> numbers(int accessor) const {
        const Json& a = json.at("accessors").at(static_cast<std::size_t>(accessor));
        const Json& view = json.at("bufferViews").at(a.at("bufferView").get<std::size_t>());
        const std::map<std::string, std::size_t> widths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
        const std::size_t width = widths.at(a.at("type"));
        const std::size_t in_view = a.value("byteOffset", std::size_t{0});
        std::vector<Number> out(width * a.at("count").get<std::size_t>());
        const std::size_t bytes = out.size() * sizeof(Number);
        EXPECT_LE(in_view + bytes, view.at("byteLength").get<std::size_t>());
        const std::size_t at = view.value("byteOffset", std::size_t{0}) + in_view;
        EXPECT_LE(at + bytes, binary.size());
        EXPECT_EQ(at % sizeof(Number), 0U);
        std::memcpy(out.data(), binary.data() + at, bytes);
        return out;
    }
    std::size_t node(const std::string& name) const {
        const Json& nodes = json.at("nodes");
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].value("name", "") == name) return i;
        }
        ADD_FAILURE() << "no node " << name;
        return 0;
    }
    // The sampler of a node's channel; null when it is not animated.
    Json sampler(std::size_t node, const std::string& path) const {
        const Json& animation = json.at("animations").at(0);
        for (const Json& channel : animation.at("channels")) {
            if (channel.at("target").at("node") == node && channel.at("target").at("path") == path)
                return animation.at("samplers").at(channel.at("sampler").get<std::size_t>());
        }
        return nullptr;
    }
    // As a player of glTF does it.
    shape::Pose pose(std::size_t node, double time) const {
        shape::Pose pose;
        const Json moves = sampler(node, "translation"), turns = sampler(node, "rotation");
        if (moves.is_null()) {
            const Json& at = json.at("nodes").at(node);
            const std::vector<double> p = at.value("translation", std::vector<double>{0, 0, 0});
            const std::vector<double> q = at.value("rotation", std::vector<double>{0, 0, 0, 1});
            return {{p[0], p[1], p[2]}, {q[3], q[0], q[1], q[2]}};
        }
        EXPECT_EQ(moves.value("interpolation", "LINEAR"), "LINEAR");
        const std::vector<float> times = numbers(moves.at("input"));
        const std::vector<float> p = numbers(moves.at("output")), q = numbers(turns.at("output"));
        std::size_t i = 0;
        while (i + 2 < times.size() && static_cast<double>(times[i + 1]) <= time)
            ++i;
        const double from = static_cast<double>(times[i]), to = static_cast<double>(times[i + 1]);
        const double part = std::clamp((time - from) / (to - from), 0.0, 1.0);
        const auto vector = [&](std::size_t k) {
            return Eigen::Vector3f(p[3 * k], p[3 * k + 1], p[3 * k + 2]).cast<double>().eval();
        };
        const auto turn = [&](std::size_t k) {
            return Eigen::Quaternionf(q[4 * k + 3], q[4 * k], q[4 * k + 1], q[4 * k + 2])
                .cast<double>();
        };
        pose.position = (1.0 - part) * vector(i) + part * vector(i + 1);
        pose.orientation = turn(i).slerp(part, turn(i + 1));
        return pose;
    }
};

std::string written(const Scene& scene, const GltfOptions& options,
                    GltfSummary* summary = nullptr) {
    std::ostringstream out;
    const GltfSummary made = write_gltf(scene.world, scene.heard.segments, options, out);
    if (summary != nullptr) *summary = made;
    return out.str();
}

GltfOptions whole() {
    GltfOptions options;
    options.to = 2.0;
    options.title = "A test";
    return options;
}

TEST(ExportGltf, AnimationIsTheMotionWithinTheTolerance) {
    const Scene scene;
    const Sampler sampler(scene.world, scene.heard.segments);
    std::mt19937 random(5);
    for (const double tolerance : {1e-3, 1e-5}) {
        GltfOptions options = whole();
        options.tolerance = tolerance;
        options.from = tolerance == 1e-3 ? 0.0 : 0.25;
        GltfSummary summary;
        const Glb glb(written(scene, options, &summary));
        EXPECT_EQ(summary.tolerance, tolerance);
        EXPECT_EQ(summary.nodes, 7U);
        EXPECT_EQ(summary.moving, 6U);
        for (world::BodyId id = 0; id < scene.world.body_count(); ++id) {
            const world::Body& body = scene.world.body(id);
            const std::size_t node = glb.node(body.name);
            const double reach = std::isfinite(body.radius) ? body.radius : 0.0;
            for (int i = 0; i < 500; ++i) {
                const double t = options.from + (options.to - options.from) *
                                                    static_cast<double>(random()) / 4294967295.0;
                const shape::Pose is = glb.pose(node, t - options.from);
                const shape::Pose should = world::frame_pose(body, sampler.at(id, t));
                // floats have seven digits
                ASSERT_LT((is.position - should.position).norm() +
                              reach * is.orientation.angularDistance(should.orientation),
                          tolerance + 3e-6)
                    << body.name << " " << t;
            }
        }
    }
}

TEST(ExportGltf, FewerKeysDoForALargerTolerance) {
    const Scene scene;
    GltfSummary coarse, fine;
    GltfOptions options = whole();
    options.tolerance = 1e-2;
    written(scene, options, &coarse);
    options.tolerance = 1e-4;
    written(scene, options, &fine);
    // the distance from a parabola grows with the square of the time between keys
    EXPECT_LT(4 * coarse.keys, fine.keys);
    EXPECT_LT(fine.keys, 5000U);
    GltfSummary given;
    written(scene, whole(), &given);
    EXPECT_EQ(given.tolerance, default_tolerance(scene.world, scene.heard.segments, 0.0, 2.0));
    EXPECT_GT(given.tolerance, 1e-5);
    EXPECT_LE(given.tolerance, 1e-3);
}

TEST(ExportGltf, TheFileIsWellFormed) {
    const Scene scene;
    const Glb glb(written(scene, whole()));
    const Json& json = glb.json;
    EXPECT_EQ(json.at("asset").at("version"), "2.0");
    EXPECT_EQ(json.at("scenes").at(0).at("nodes"), Json::array({0}));
    EXPECT_EQ(json.at("nodes").at(0).at("children").size(), 7U);
    // two balls of one material have one mesh
    EXPECT_EQ(json.at("nodes").at(glb.node("ball")).at("mesh"),
              json.at("nodes").at(glb.node("twin")).at("mesh"));
    EXPECT_EQ(json.at("materials").size(), 5U);
    for (const Json& mesh : json.at("meshes")) {
        for (const Json& primitive : mesh.at("primitives")) {
            const Json& attributes = primitive.at("attributes");
            const auto positions = glb.numbers(attributes.at("POSITION"));
            const auto normals = glb.numbers(attributes.at("NORMAL"));
            EXPECT_EQ(positions.size(), normals.size());
            for (const std::uint32_t index :
                 glb.numbers<std::uint32_t>(primitive.at("indices").get<int>()))
                ASSERT_LT(3 * index, positions.size());
        }
    }
    for (const Json& sampler : json.at("animations").at(0).at("samplers")) {
        const auto times = glb.numbers(sampler.at("input"));
        EXPECT_EQ(times.front(), 0.0F);
        EXPECT_EQ(times.back(), 2.0F);
        for (std::size_t i = 1; i < times.size(); ++i)
            ASSERT_LT(times[i - 1], times[i]);
    }
    EXPECT_TRUE(glb.sampler(glb.node("floor"), "translation").is_null());
}

// The volume inside a mesh, by the divergence theorem: right only if every triangle looks outward.
double volume(const Glb& glb, const Json& mesh) {
    double six = 0.0;
    for (const Json& primitive : mesh.at("primitives")) {
        const auto p = glb.numbers(primitive.at("attributes").at("POSITION"));
        const auto indices = glb.numbers<std::uint32_t>(primitive.at("indices").get<int>());
        const auto vertex = [&](std::uint32_t i) {
            return Eigen::Vector3f(p[3 * i], p[3 * i + 1], p[3 * i + 2]).cast<double>().eval();
        };
        for (std::size_t i = 0; i < indices.size(); i += 3)
            six += vertex(indices[i]).dot(vertex(indices[i + 1]).cross(vertex(indices[i + 2])));
    }
    return six / 6.0;
}

TEST(ExportGltf, MeshesHaveTheVolumeOfTheirShapes) {
    const Scene scene;
    const Glb glb(written(scene, whole()));
    const auto mesh_of_body = [&](const char* name) {
        return glb.json.at("meshes").at(
            glb.json.at("nodes").at(glb.node(name)).at("mesh").get<std::size_t>());
    };
    const double pi = std::acos(-1.0);
    const auto near = [&](const char* name, double expected) {
        EXPECT_NEAR(volume(glb, mesh_of_body(name)) / expected, 1.0, 0.01) << name;
    };
    near("ball", 4.0 / 3.0 * pi * 1e-3);
    near("box", 0.3 * 0.2 * 0.1);
    near("cone", pi * 0.01 * 0.3 / 3.0);
    near("capsule", pi * 0.0025 * 0.2 + 4.0 / 3.0 * pi * 1.25e-4);
    near("platter", pi * 0.09 * 0.05);
}

TEST(ExportGltf, TextHoldsTheSameAsBinary) {
    const Scene scene;
    GltfOptions options = whole();
    const Glb glb(written(scene, options));
    options.binary = false;
    Json json = Json::parse(written(scene, options));
    const std::string uri = json.at("buffers").at(0).at("uri");
    EXPECT_TRUE(uri.starts_with("data:application/octet-stream;base64,"));
    EXPECT_EQ(json.at("accessors"), glb.json.at("accessors"));
    EXPECT_EQ(json.at("animations"), glb.json.at("animations"));
}

TEST(ExportGltf, NonsenseIsRefused) {
    const Scene scene;
    GltfOptions options = whole();
    options.tolerance = 0.0;
    EXPECT_THROW(written(scene, options), std::invalid_argument);
    options.tolerance.reset();
    options.from = 2.5;
    EXPECT_THROW(written(scene, options), std::invalid_argument);
}

TEST(Palette, TheFirstTwelveMaterialsDiffer) {
    std::vector<std::string> names;
    for (int i = 0; i < 30; ++i)
        names.push_back("material " + std::to_string(i));
    const std::vector<Colour> colours = material_colours(names);
    std::map<std::string, int> uses;
    for (std::size_t i = 0; i < colours.size(); ++i) {
        ++uses[colours[i].hex()];
        if (i == 11) {
            EXPECT_EQ(uses.size(), 12U);
        }
    }
    for (const auto& [colour, count] : uses)
        EXPECT_LE(count, 3) << colour;
    EXPECT_EQ(Colour({255, 0, 128}).hex(), "#ff0080");
    EXPECT_NEAR((Colour{255, 0, 188}.linear()[2]), 0.5029, 1e-4);
}

}  // namespace
}  // namespace carom::record
