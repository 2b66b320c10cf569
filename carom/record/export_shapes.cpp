// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/export_shapes.h"

#include <nlohmann/json.hpp>

namespace carom::record {
namespace {

using Json = nlohmann::ordered_json;

Json list_of(const Vec3& v) {
    return Json::array({v.x(), v.y(), v.z()});
}

struct ToJson {
    Json operator()(const shape::Sphere& sphere) const {
        return {{"type", "sphere"}, {"radius", sphere.radius}};
    }
    Json operator()(const shape::HalfSpace& plane) const {
        return {{"type", "plane"}, {"normal", list_of(plane.normal)}};
    }
    Json operator()(const shape::Box& box) const {
        return {{"type", "box"}, {"size", list_of(2.0 * box.half)}};
    }
    Json operator()(const shape::Capsule& capsule) const {
        return {
            {"type", "capsule"}, {"radius", capsule.radius}, {"length", 2.0 * capsule.half_length}};
    }
    Json operator()(const shape::Cylinder& cylinder) const {
        return {{"type", "cylinder"},
                {"radius", cylinder.radius},
                {"height", 2.0 * cylinder.half_height}};
    }
    Json operator()(const shape::Cone& cone) const {
        return {{"type", "cone"}, {"radius", cone.radius}, {"height", cone.height}};
    }
    Json operator()(const shape::Hull& hull) const {
        Json vertices = Json::array();
        for (const Vec3& v : hull.polyhedron->vertices()) {
            for (int i = 0; i < 3; ++i)
                vertices.push_back(v[i]);
        }
        return {{"type", "hull"},
                {"vertices", std::move(vertices)},
                {"triangles", triangles_of(*hull.polyhedron)}};
    }
};

bool in_place(const shape::Pose& pose) {
    return pose.position.isZero(0.0) && pose.orientation.vec().isZero(0.0);
}

}  // namespace

std::string shape_text(const shape::Shape& shape) {
    if (shape.parts.size() == 1 && in_place(shape.parts.front().pose))
        return std::visit(ToJson{}, shape.parts.front().convex).dump();
    Json parts = Json::array();
    for (const shape::Part& part : shape.parts) {
        const shape::Quat& q = part.pose.orientation;
        parts.push_back({{"shape", std::visit(ToJson{}, part.convex)},
                         {"position", list_of(part.pose.position)},
                         {"orientation", Json::array({q.w(), q.x(), q.y(), q.z()})}});
    }
    return Json{{"type", "compound"}, {"parts", std::move(parts)}}.dump();
}

std::vector<shape::Index> triangles_of(const shape::Polyhedron& polyhedron) {
    std::vector<shape::Index> triangles;
    for (shape::Index face = 0; face < polyhedron.faces().size(); ++face) {
        const auto boundary = polyhedron.boundary(face);
        const shape::Index first = polyhedron.tail(boundary[0]);
        for (std::size_t i = 1; i + 1 < boundary.size(); ++i) {
            triangles.insert(triangles.end(),
                             {first, polyhedron.tail(boundary[i]), polyhedron.head(boundary[i])});
        }
    }
    return triangles;
}

}  // namespace carom::record
