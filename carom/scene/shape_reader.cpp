// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/shape_reader.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "carom/scene/lathe.h"
#include "carom/scene/pose_reader.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

using ShapePtr = std::shared_ptr<const shape::Shape>;

constexpr std::string_view k_types[] = {"sphere", "plane", "box",  "capsule",  "cylinder",
                                        "cone",   "lathe", "hull", "compound", "mesh"};
constexpr const char* k_must = "a table such as { type = \"sphere\", radius = 0.1 }";

// Makes a shape; what the library refuses goes to the report, at the key that its message begins
// with ("radius is ...", "size[1] is ...") or else at `key`.
template <class Make>
ShapePtr try_to_make(Fields& fields, std::string_view key, Make&& make) {
    try {
        if constexpr (std::is_same_v<decltype(make()), ShapePtr>) {
            return make();
        } else {
            return std::make_shared<const shape::Shape>(make());
        }
    } catch (const std::invalid_argument& error) {
        const std::string_view message = error.what();
        const std::string_view first = message.substr(0, message.find_first_of(" ["));
        fields.report().add(fields.place_of_value(fields.contains(first) ? first : key),
                            fields.what() + ": " + std::string(message));
        return nullptr;
    }
}

ShapePtr read_round(Fields& fields, std::string_view type) {
    const auto radius = fields.number("radius", k_unchecked, Need::must);
    if (type == "sphere") {
        if (!radius) return nullptr;
        return try_to_make(fields, "type", [&] { return shape::make_sphere(*radius); });
    }
    const char* key = type == "capsule" ? "length" : "height";
    const auto length = fields.number(key, k_unchecked, Need::must);
    if (!radius || !length) return nullptr;
    return try_to_make(fields, "type", [&] {
        if (type == "capsule") return shape::make_capsule(*radius, *length);
        return type == "cone" ? shape::make_cone(*radius, *length)
                              : shape::make_cylinder(*radius, *length);
    });
}

ShapePtr read_plane(Fields& fields) {
    const bool given = fields.has("normal");
    const auto normal = fields.vector("normal", k_any);
    if (given && !normal) return nullptr;
    return try_to_make(fields, "type",
                       [&] { return shape::make_half_space(normal.value_or(Vec3::UnitZ())); });
}

ShapePtr read_box(Fields& fields) {
    const auto size = fields.vector("size", k_unchecked, Need::must);
    if (!size) return nullptr;
    return try_to_make(fields, "size", [&] { return shape::make_box(*size); });
}

// One of the two keys, not both and not none.
bool one_of(Fields& fields, std::string_view a, std::string_view b, const char* otherwise) {
    const bool has_a = fields.has(a);
    const bool has_b = fields.has(b);
    if (has_a != has_b) return true;
    fields.report().add(has_b ? fields.place_of_value(b) : fields.place(),
                        fields.what() + ": " + otherwise);
    return false;
}

ShapePtr read_file(Fields& fields, MeshFiles& files) {
    const auto name = fields.text("file");
    if (!name) return nullptr;
    return try_to_make(fields, "file", [&] { return files.read(*name); });
}

ShapePtr read_hull(Fields& fields, MeshFiles& files) {
    if (!one_of(fields, "points", "file", "a hull needs either points or file")) return nullptr;
    if (fields.has("file")) return read_file(fields, files);
    const auto points = fields.points("points");
    if (!points) return nullptr;
    return try_to_make(fields, "points", [&] { return shape::make_hull(*points); });
}

ShapePtr read_lathe(Fields& fields, MeshFiles& files) {
    const auto list = fields.lists("profile", 2, "a list of points [radius, z]");
    const auto sides = fields.integer("sides", k_least_sides, k_most_sides, Need::must);
    if (!list || !sides) return nullptr;
    std::vector<ProfilePoint> profile;
    profile.reserve(list->size());
    for (const std::vector<double>& point : *list)
        profile.push_back({point[0], point[1]});
    return try_to_make(fields, "profile", [&] { return files.turned(profile, *sides); });
}

ShapePtr read_mesh(Fields& fields, MeshFiles& files) {
    if (!one_of(fields, "pieces", "file", "a mesh needs either file or pieces")) return nullptr;
    if (fields.has("file")) return read_file(fields, files);
    const auto names = fields.texts("pieces", "a list of names of mesh files");
    if (!names) return nullptr;
    return try_to_make(fields, "pieces", [&] {
        if (names->empty()) {
            throw std::invalid_argument("pieces is empty; it has to name at least one mesh file");
        }
        shape::Shape shape;
        for (const std::string& name : *names) {
            const ShapePtr piece = files.read(name);
            shape.parts.insert(shape.parts.end(), piece->parts.begin(), piece->parts.end());
        }
        return shape;
    });
}

ShapePtr read_fields(Fields& fields, MeshFiles& files);

ShapePtr read_compound(Fields& fields, MeshFiles& files) {
    const bool given = fields.has("parts");
    const auto tables =
        fields.tables("parts", Need::must, "a list of shapes, [{ type = ..., position = ... }]");
    const std::size_t before = fields.report().count();
    std::vector<shape::Placed> parts;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        Fields part(*tables[i], "part " + std::to_string(i + 1) + " of " + fields.what(),
                    fields.report());
        shape::Placed placed;
        placed.pose = read_pose(part);
        const bool nested = part.has("shape") && !part.has("type");
        const ShapePtr shape = nested ? read_shape(part, files) : read_fields(part, files);
        if (nested) part.finish();
        if (!shape) continue;
        placed.shape = *shape;
        parts.push_back(std::move(placed));
    }
    if (!given || parts.size() != tables.size() || fields.report().count() != before)
        return nullptr;
    return try_to_make(fields, "parts", [&] { return shape::make_compound(parts); });
}

ShapePtr read_type(Fields& fields, std::string_view type, MeshFiles& files) {
    if (type == "plane") return read_plane(fields);
    if (type == "box") return read_box(fields);
    if (type == "lathe") return read_lathe(fields, files);
    if (type == "hull") return read_hull(fields, files);
    if (type == "compound") return read_compound(fields, files);
    if (type == "mesh") return read_mesh(fields, files);
    return read_round(fields, type);
}

// Reads all keys of the table and finishes it.
ShapePtr read_fields(Fields& fields, MeshFiles& files) {
    const auto type = fields.text("type", Need::must);
    if (!type) {
        // which other keys there may be is not known then
        if (!fields.has("type")) {
            fields.report().add(
                fields.place(),
                fields.subject("type") + " is missing; it must be one of " + listed(k_types));
        }
        return nullptr;
    }
    if (std::find(std::begin(k_types), std::end(k_types), *type) == std::end(k_types)) {
        const std::string_view near = nearest(*type, k_types);
        fields.wrong("type", "is the unknown shape " + in_quotes(*type) +
                                 (near.empty() ? "; the shapes are " + listed(k_types)
                                               : did_you_mean(near)));
        return nullptr;
    }
    ShapePtr shape = read_type(fields, *type, files);
    fields.finish();
    return shape;
}

}  // namespace

ShapePtr read_shape(Fields& owner, MeshFiles& files) {
    const toml::table* table = owner.table("shape", Need::must, k_must);
    if (table == nullptr) return nullptr;
    Fields fields(*table, "the shape of " + owner.what(), owner.report());
    const std::size_t before = fields.report().count();
    ShapePtr shape = read_fields(fields, files);
    return fields.report().count() == before ? shape : nullptr;
}

bool has_plane(const shape::Shape& shape) {
    return std::any_of(shape.parts.begin(), shape.parts.end(), [](const shape::Part& part) {
        return std::holds_alternative<shape::HalfSpace>(part.convex);
    });
}

}  // namespace carom::scene
