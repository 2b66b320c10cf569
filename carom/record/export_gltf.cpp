// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/export_gltf.h"

#include <tiny_gltf.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "carom/record/export_keys.h"
#include "carom/record/export_mesh.h"
#include "carom/record/export_palette.h"
#include "carom/record/export_shapes.h"

namespace carom::record {
namespace {

struct Extent {
    double size = 1.0;             // of the box in which free bodies move, m
    double smallest_radius = 1.0;  // of a free body
};

Extent extent_of(const world::World& world, const std::vector<world::Segment>& segments,
                 double from, double to) {
    constexpr double k_far = std::numeric_limits<double>::infinity();
    Vec3 low = Vec3::Constant(k_far), high = -low;
    double smallest = k_far;
    const auto include = [&](const world::Body& body, const Vec3& at) {
        low = low.cwiseMin((at.array() - body.radius).matrix());
        high = high.cwiseMax((at.array() + body.radius).matrix());
    };
    const Sampler sampler(world, segments);
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        if (body.fixed) continue;
        smallest = std::min(smallest, body.radius);
        include(body, sampler.at(id, from).position);
        include(body, sampler.at(id, to).position);
    }
    if (!std::isfinite(smallest)) return {};
    for (const world::Segment& segment : segments) {
        const world::Body& body = world.body(segment.body);
        if (!body.fixed && segment.t0 >= from && segment.t0 <= to)
            include(body, segment.state.position);
    }
    return {(high - low).norm(), smallest};
}

// Numbers of one kind, one after another in a part of the buffer.
class Numbers {
public:
    template <class T>
    std::size_t add(const T& value) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
        const std::size_t at = bytes_.size();
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
        return at;
    }
    std::size_t size() const { return bytes_.size(); }
    const std::vector<unsigned char>& bytes() const { return bytes_; }

private:
    std::vector<unsigned char> bytes_;
};

class GltfBuilder {
public:
    explicit GltfBuilder(const GltfOptions& options) {
        model_.asset.version = "2.0";
        model_.asset.generator = "Carom";
        tinygltf::Scene scene;
        scene.name = options.title;
        scene.nodes = {0};
        model_.scenes.push_back(scene);
        model_.defaultScene = 0;
        tinygltf::Node root;
        root.name = "z up";
        const double half = std::sqrt(0.5);
        root.rotation = {-half, 0.0, 0.0, half};
        model_.nodes.push_back(root);
        model_.animations.emplace_back();
        model_.animations[0].name = "motion";
    }

    void name_material(const std::string& name, const Colour& colour) {
        materials_.push_back({name, colour, {k_none, k_none}});
    }

    int add_mesh(const std::string& name, const TriangleMesh& mesh, int material) {
        tinygltf::Mesh made;
        made.name = name;
        const int positions = add_vectors(mesh.positions, true);
        const int normals = add_vectors(mesh.normals, false);
        const auto add_part = [&](const std::vector<std::uint32_t>& triangles, int shade) {
            if (triangles.empty()) return;
            tinygltf::Primitive primitive;
            primitive.mode = TINYGLTF_MODE_TRIANGLES;
            primitive.attributes = {{"POSITION", positions}, {"NORMAL", normals}};
            primitive.material = material_in_shade(material, shade);
            primitive.indices = add_indices(triangles);
            made.primitives.push_back(std::move(primitive));
        };
        add_part(mesh.triangles, 0);
        add_part(mesh.other_triangles, 1);
        model_.meshes.push_back(std::move(made));
        return static_cast<int>(model_.meshes.size() - 1);
    }

    void add_body(const std::string& name, int mesh, const Keys& keys) {
        tinygltf::Node node;
        node.name = name;
        node.mesh = mesh;
        const shape::Pose& pose = keys.poses.front();
        const shape::Quat& q = pose.orientation;
        node.translation = {pose.position.x(), pose.position.y(), pose.position.z()};
        node.rotation = {q.x(), q.y(), q.z(), q.w()};
        const int number = static_cast<int>(model_.nodes.size());
        model_.nodes.push_back(std::move(node));
        model_.nodes[0].children.push_back(number);
        if (keys.times.size() > 1) animate(number, keys);
    }

    void write(bool binary, std::ostream& out) {
        if (model_.animations[0].channels.empty()) model_.animations.clear();
        join();
        tinygltf::TinyGLTF writer;
        if (!writer.WriteGltfSceneToStream(&model_, out, false, binary))
            throw std::runtime_error("the glTF file could not be made");
    }

private:
    // The parts of the buffer, each a view of its own.
    enum View { k_positions, k_normals, k_indices, k_times, k_translations, k_rotations, k_views };

    struct NamedMaterial {
        std::string name;
        Colour colour;
        std::array<int, 2> numbers;  // of both shades in the file; k_none until they are needed
    };
    static constexpr int k_none = -1;

    int material_in_shade(int material, int shade) {
        NamedMaterial& named = materials_[static_cast<std::size_t>(material)];
        int& number = named.numbers[static_cast<std::size_t>(shade)];
        if (number != k_none) return number;
        tinygltf::Material made;
        made.name = named.name + (shade == 0 ? "" : " (light)");
        const auto linear = (shade == 0 ? named.colour : named.colour.lighter(0.45)).linear();
        made.pbrMetallicRoughness.baseColorFactor = {linear[0], linear[1], linear[2], 1.0};
        made.pbrMetallicRoughness.metallicFactor = 0.0;
        made.pbrMetallicRoughness.roughnessFactor = 0.6;
        number = static_cast<int>(model_.materials.size());
        model_.materials.push_back(std::move(made));
        return number;
    }

    int add_accessor(View view, std::size_t offset, std::size_t count, int type, int component) {
        tinygltf::Accessor accessor;
        accessor.bufferView = view;
        accessor.byteOffset = offset;
        accessor.count = count;
        accessor.type = type;
        accessor.componentType = component;
        model_.accessors.push_back(std::move(accessor));
        return static_cast<int>(model_.accessors.size() - 1);
    }

    std::size_t put(View view, const Vec3& v) {
        const std::size_t at = parts_[view].size();
        for (int i = 0; i < 3; ++i)
            parts_[view].add(static_cast<float>(v[i]));
        return at;
    }

    int add_vectors(const std::vector<Vec3>& vectors, bool positions) {
        const View view = positions ? k_positions : k_normals;
        const std::size_t at = parts_[view].size();
        Eigen::Vector3f low = vectors.front().cast<float>(), high = low;
        for (const Vec3& v : vectors) {
            put(view, v);
            low = low.cwiseMin(v.cast<float>());
            high = high.cwiseMax(v.cast<float>());
        }
        const int accessor = add_accessor(view, at, vectors.size(), TINYGLTF_TYPE_VEC3,
                                          TINYGLTF_COMPONENT_TYPE_FLOAT);
        if (positions) {
            auto& made = model_.accessors.back();
            for (int i = 0; i < 3; ++i) {
                made.minValues.push_back(static_cast<double>(low[i]));
                made.maxValues.push_back(static_cast<double>(high[i]));
            }
        }
        return accessor;
    }

    int add_indices(const std::vector<std::uint32_t>& indices) {
        const std::size_t at = parts_[k_indices].size();
        for (const std::uint32_t index : indices)
            parts_[k_indices].add(index);
        return add_accessor(k_indices, at, indices.size(), TINYGLTF_TYPE_SCALAR,
                            TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT);
    }

    void animate(int node, const Keys& keys) {
        const std::size_t count = keys.times.size();
        const std::size_t at = parts_[k_times].size();
        for (const float time : keys.times)
            parts_[k_times].add(time);
        const int times =
            add_accessor(k_times, at, count, TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_FLOAT);
        model_.accessors.back().minValues = {static_cast<double>(keys.times.front())};
        model_.accessors.back().maxValues = {static_cast<double>(keys.times.back())};

        const std::size_t moved = parts_[k_translations].size();
        const std::size_t turned = parts_[k_rotations].size();
        for (const shape::Pose& pose : keys.poses) {
            put(k_translations, pose.position);
            for (const double x : pose.orientation.coeffs())  // x, y, z, w
                parts_[k_rotations].add(static_cast<float>(x));
        }
        add_channel(node, "translation", times,
                    add_accessor(k_translations, moved, count, TINYGLTF_TYPE_VEC3,
                                 TINYGLTF_COMPONENT_TYPE_FLOAT));
        add_channel(node, "rotation", times,
                    add_accessor(k_rotations, turned, count, TINYGLTF_TYPE_VEC4,
                                 TINYGLTF_COMPONENT_TYPE_FLOAT));
    }

    void add_channel(int node, const char* path, int times, int values) {
        tinygltf::Animation& animation = model_.animations[0];
        tinygltf::AnimationSampler sampler;
        sampler.input = times;
        sampler.output = values;
        sampler.interpolation = "LINEAR";
        tinygltf::AnimationChannel channel;
        channel.sampler = static_cast<int>(animation.samplers.size());
        channel.target_node = node;
        channel.target_path = path;
        animation.samplers.push_back(std::move(sampler));
        animation.channels.push_back(std::move(channel));
    }

    // One buffer of all parts; those that are empty get no view.
    void join() {
        tinygltf::Buffer buffer;
        std::array<int, k_views> number{};
        for (std::size_t i = 0; i < k_views; ++i) {
            const std::vector<unsigned char>& bytes = parts_[i].bytes();
            if (bytes.empty()) continue;
            tinygltf::BufferView view;
            view.buffer = 0;
            view.byteOffset = buffer.data.size();
            view.byteLength = bytes.size();
            if (i == k_positions || i == k_normals) {
                view.byteStride = 3 * sizeof(float);
                view.target = TINYGLTF_TARGET_ARRAY_BUFFER;
            }
            if (i == k_indices) view.target = TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER;
            buffer.data.insert(buffer.data.end(), bytes.begin(), bytes.end());
            number[i] = static_cast<int>(model_.bufferViews.size());
            model_.bufferViews.push_back(std::move(view));
        }
        for (tinygltf::Accessor& accessor : model_.accessors)
            accessor.bufferView = number[static_cast<std::size_t>(accessor.bufferView)];
        model_.buffers.push_back(std::move(buffer));
    }

    tinygltf::Model model_;
    std::array<Numbers, k_views> parts_;
    std::vector<NamedMaterial> materials_;
};

void check_options(const GltfOptions& options) {
    if (!(options.from >= 0.0 && options.from <= options.to && std::isfinite(options.to)))
        throw std::invalid_argument("the times of a clip must be in order and not negative");
    if (options.tolerance && !(*options.tolerance > 0.0 && std::isfinite(*options.tolerance)))
        throw std::invalid_argument("a tolerance must be a length above 0");
}

double tolerance_of(const Extent& extent) {
    return std::min(1e-4 * extent.size, 1e-2 * extent.smallest_radius);
}

// In the order in which bodies have them, as on the page; gives the number of each of the world's.
std::vector<std::uint32_t> add_materials(const world::World& world, GltfBuilder& builder) {
    constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> number(world.contacts().material_count(), k_none);
    std::vector<std::string> names;
    for (const world::Body& body : world.bodies()) {
        if (number[body.material] != k_none) continue;
        number[body.material] = static_cast<std::uint32_t>(names.size());
        names.push_back(world.contacts().name(body.material));
    }
    const std::vector<Colour> colours = material_colours(names);
    for (std::size_t i = 0; i < names.size(); ++i)
        builder.name_material(names[i], colours[i]);
    return number;
}

// The meshes of bodies, one for each shape and material.
class Meshes {
public:
    Meshes(GltfBuilder& builder, double plane_reach, const std::vector<std::uint32_t>& material_of)
        : builder_(builder), plane_reach_(plane_reach), material_of_(material_of) {}

    int of(const world::Body& body) {
        const auto key = std::pair(shape_number(body), body.material);
        const auto known = made_.find(key);
        if (known != made_.end()) return known->second;
        const std::string name = shape::name_of(body.shape->parts.front().convex);
        return made_[key] = builder_.add_mesh(name, mesh_of(*body.shape, plane_reach_),
                                              static_cast<int>(material_of_[body.material]));
    }

private:
    std::size_t shape_number(const world::Body& body) {
        const auto known = by_object_.find(body.shape.get());
        if (known != by_object_.end()) return known->second;
        const auto place = by_text_.try_emplace(shape_text(*body.shape), by_text_.size()).first;
        return by_object_[body.shape.get()] = place->second;
    }

    GltfBuilder& builder_;
    double plane_reach_;
    const std::vector<std::uint32_t>& material_of_;
    std::map<const shape::Shape*, std::size_t> by_object_;
    std::map<std::string, std::size_t> by_text_;
    std::map<std::pair<std::size_t, std::uint32_t>, int> made_;
};

}  // namespace

double default_tolerance(const world::World& world, const std::vector<world::Segment>& segments,
                         double from, double to) {
    return tolerance_of(extent_of(world, segments, from, to));
}

GltfSummary write_gltf(const world::World& world, const std::vector<world::Segment>& segments,
                       const GltfOptions& options, std::ostream& out) {
    check_options(options);
    const Extent extent = extent_of(world, segments, options.from, options.to);
    const Clip clip{options.from, options.to, options.tolerance.value_or(tolerance_of(extent))};
    std::vector<std::vector<double>> starts(world.body_count());
    for (const world::Segment& segment : segments)
        starts[segment.body].push_back(segment.t0);

    GltfBuilder builder(options);
    const std::vector<std::uint32_t> material_of = add_materials(world, builder);

    Meshes meshes(builder, 2.0 * extent.size, material_of);
    const Sampler sampler(world, segments);
    GltfSummary summary{clip.tolerance, world.body_count(), 0, 0};
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        const Keys keys = keys_of(body, sampler, id, starts[id], clip);
        if (keys.times.size() > 1) {
            ++summary.moving;
            summary.keys += keys.times.size();
        }
        builder.add_body(body.name, meshes.of(body), keys);
    }
    builder.write(options.binary, out);
    return summary;
}

}  // namespace carom::record
