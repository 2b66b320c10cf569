// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/description.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "carom/record/export_palette.h"
#include "carom/record/export_shapes.h"

namespace carom::serve {
namespace {

using Json = nlohmann::ordered_json;

Json list_of(const Vec3& v) {
    return Json::array({v.x(), v.y(), v.z()});
}

Json rows_of(const Mat3& matrix) {
    Json list = Json::array();
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            list.push_back(matrix(i, k));
    }
    return list;
}

// The shapes of all bodies, each different one once.
class ShapeList {
public:
    explicit ShapeList(std::span<const world::Body> bodies) {
        for (const world::Body& body : bodies)
            numbers_.push_back(number_of(body));
    }
    Json of_body(std::size_t body) const { return {{"ref", numbers_[body]}}; }
    Json all() const {
        Json list = Json::array();
        for (const std::string& text : texts_)
            list.push_back(Json::parse(text));
        return list;
    }

private:
    std::size_t number_of(const world::Body& body) {
        // most bodies of a crowd have the very same object
        const auto known = by_object_.find(body.shape.get());
        if (known != by_object_.end()) return known->second;
        std::string text = record::shape_text(*body.shape);
        const auto [place, is_new] = by_text_.try_emplace(text, texts_.size());
        if (is_new) texts_.push_back(std::move(text));
        return by_object_[body.shape.get()] = place->second;
    }

    std::vector<std::size_t> numbers_;
    std::vector<std::string> texts_;
    std::unordered_map<const shape::Shape*, std::size_t> by_object_;
    std::unordered_map<std::string, std::size_t> by_text_;
};

Json body_json(const world::Body& body, const std::string& material, Json shape) {
    Json json;
    json["name"] = body.name;
    json["material"] = material;
    json["fixed"] = body.fixed;
    json["mass"] = body.fixed ? Json() : Json(body.mass);
    json["inertia"] = rows_of(body.inertia ? body.inertia->tensor() : Mat3::Zero().eval());
    json["centre"] = list_of(body.center);
    if (body.prescribed && !body.still) {
        const motion::Prescribed& given = *body.prescribed;
        json["given"] = {{"pivot", list_of(given.base())},
                         {"velocity", list_of(given.axis_velocity())},
                         {"angular_velocity", list_of(given.angular_velocity())}};
    }
    json["shape"] = std::move(shape);
    return json;
}

Json colours_of(const std::vector<std::string>& body_materials) {
    std::vector<std::string> names;
    for (const std::string& name : body_materials) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    const std::vector<record::Colour> colours = record::material_colours(names);
    Json json = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i)
        json[names[i]] = colours[i].hex();
    return json;
}

// Whether anything does work on the free bodies besides gravity and contact with bodies at rest.
bool is_driven(std::span<const world::Body> bodies) {
    return std::any_of(bodies.begin(), bodies.end(), [](const world::Body& body) {
        return !body.forces.empty() || (body.prescribed && !body.still);
    });
}

// Recorded as JSON; null when somebody has spoilt it.
Json parsed(const std::string& text) {
    Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? Json() : json;
}

}  // namespace

std::string describe_run(const scene::Scene& scene, const world::World& world,
                         const record::Header& header, const std::string& settings,
                         const std::string& contacts) {
    Json json;
    json["title"] = scene.title.empty() ? header.scene_name : scene.title;
    json["expect"] = scene.expect;
    json["scene_name"] = header.scene_name;
    json["scene_text"] = header.scene_text;
    json["version"] = header.version;
    json["duration"] = header.duration;
    json["gravity"] = list_of(world.settings().gravity);
    json["driven"] = is_driven(world.bodies());
    json["settings"] = parsed(settings);
    json["contacts"] = parsed(contacts);
    json["colours"] = colours_of(header.body_materials);
    const ShapeList shapes(world.bodies());
    json["shapes"] = shapes.all();
    Json& bodies = json["bodies"] = Json::array();
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const world::Body& body = world.body(id);
        bodies.push_back(body_json(body, world.contacts().name(body.material), shapes.of_body(id)));
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carom::serve
