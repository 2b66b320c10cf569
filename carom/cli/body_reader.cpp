// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/body_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <stdexcept>

#include "carom/cli/json_text.h"
#include "carom/shape/mass_properties.h"
#include "carom/shape/mesh.h"

namespace carom::cli {
namespace {

using Quat = Eigen::Quaterniond;

// Whatever the library refuses, with the place in front.
template <class Make>
auto at_place(const std::string& path, Make&& make) {
    try {
        return make();
    } catch (const std::invalid_argument& error) {
        fail(path + ": " + error.what());
    }
}

Quat unit_quaternion(const nlohmann::json& value, const std::string& path) {
    const bool right = value.is_array() && value.size() == 4 &&
                       std::all_of(value.begin(), value.end(),
                                   [](const nlohmann::json& v) { return v.is_number(); });
    if (!right) fail(path + " must be a quaternion, [w, x, y, z]");
    const Quat q(value[0].get<double>(), value[1].get<double>(), value[2].get<double>(),
                 value[3].get<double>());
    constexpr double k_close = 1e-3;
    const double length = q.norm();
    if (!(std::abs(length - 1.0) <= k_close)) {
        fail(path + " must be a unit quaternion [w, x, y, z]; its length is " +
             nlohmann::json(length).dump());
    }
    return q.normalized();
}

// orientation = [w, x, y, z], or axis with angle in degrees; else none.
Quat read_orientation(JsonFields& fields) {
    const bool quaternion = fields.has("orientation");
    const bool axis = fields.has("axis");
    const bool angle = fields.has("angle");
    if (quaternion && (axis || angle)) {
        fail(fields.path() + ": give either orientation or axis with angle, not both");
    }
    if (quaternion) {
        return unit_quaternion(fields.list("orientation"), fields.path_to("orientation"));
    }
    if (!axis && !angle) return Quat::Identity();
    const Vec3 direction = fields.vector("axis");
    const double degrees = fields.number("angle");
    const double length = direction.norm();
    if (!(length > 0.0) || !std::isfinite(length)) {
        fail(fields.path_to("axis") + " must not be zero");
    }
    return Quat(Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, direction / length));
}

shape::Shape read_hull(JsonFields& fields) {
    if (fields.has("points") == fields.has("file")) {
        fail(fields.path() + ": a hull needs either points or file");
    }
    if (fields.has("points")) {
        const std::vector<Vec3> points = fields.points("points");
        return at_place(fields.path_to("points"), [&] { return shape::make_hull(points); });
    }
    const std::string file = fields.text("file");
    return at_place(fields.path_to("file"), [&] { return shape::read_mesh(file); });
}

shape::Shape read_mesh(JsonFields& fields) {
    if (fields.has("pieces") == fields.has("file")) {
        fail(fields.path() + ": a mesh needs either file or pieces");
    }
    if (fields.has("file")) {
        const std::string file = fields.text("file");
        return at_place(fields.path_to("file"), [&] { return shape::read_mesh(file); });
    }
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : fields.texts("pieces"))
        paths.emplace_back(name);
    return at_place(fields.path_to("pieces"), [&] { return shape::read_mesh_pieces(paths); });
}

// A position or a vector of a motion, zero by default. Larger ones would overflow when they are
// squared.
Vec3 read_moderate(JsonFields& fields, const char* name) {
    constexpr double k_largest = 1e50;
    Vec3 v = fields.maybe_vector(name).value_or(Vec3::Zero());
    if (!(v.cwiseAbs().maxCoeff() <= k_largest)) {
        fail(fields.path_to(name) + " is too large; its components must be at most 1e50");
    }
    return v;
}

shape::Shape read_shape_fields(JsonFields& fields);

shape::Shape read_compound(JsonFields& fields) {
    std::vector<shape::Placed> parts;
    const nlohmann::json& list = fields.list("parts");
    for (std::size_t i = 0; i < list.size(); ++i) {
        JsonFields part(list[i], fields.path_to("parts") + "[" + std::to_string(i) + "]");
        shape::Placed placed;
        placed.pose.position = read_moderate(part, "position");
        placed.pose.orientation = read_orientation(part);
        if (part.has("shape")) {
            placed.shape = read_shape(part.object("shape"));
        } else {
            placed.shape = read_shape_fields(part);
        }
        part.finish();
        parts.push_back(std::move(placed));
    }
    return at_place(fields.path_to("parts"), [&] { return shape::make_compound(parts); });
}

shape::Shape read_shape_fields(JsonFields& fields) {
    const std::string type = fields.text("type");
    const auto make = [&](auto&& maker) { return at_place(fields.path(), maker); };
    if (type == "sphere") {
        const double radius = fields.number("radius");
        return make([&] { return shape::make_sphere(radius); });
    }
    if (type == "plane") {
        const Vec3 normal = fields.maybe_vector("normal").value_or(Vec3::UnitZ());
        return make([&] { return shape::make_half_space(normal); });
    }
    if (type == "box") {
        const Vec3 size = fields.vector("size");
        return make([&] { return shape::make_box(size); });
    }
    if (type == "capsule") {
        const double radius = fields.number("radius");
        const double length = fields.number("length");
        return make([&] { return shape::make_capsule(radius, length); });
    }
    if (type == "cylinder" || type == "cone") {
        const double radius = fields.number("radius");
        const double height = fields.number("height");
        return make([&] {
            return type == "cone" ? shape::make_cone(radius, height)
                                  : shape::make_cylinder(radius, height);
        });
    }
    if (type == "hull") return read_hull(fields);
    if (type == "compound") return read_compound(fields);
    if (type == "mesh") return read_mesh(fields);
    fail(fields.path_to("type") + ": unknown shape " + in_quotes(type) +
         "; the shapes are sphere, plane, box, capsule, cylinder, cone, hull, compound and mesh");
}

bool has_plane(const shape::Shape& shape) {
    return std::any_of(shape.parts.begin(), shape.parts.end(), [](const shape::Part& part) {
        return std::holds_alternative<shape::HalfSpace>(part.convex);
    });
}

struct MotionFields {
    Vec3 position, velocity, angular_velocity, gravity;
    Quat orientation;
    std::optional<double> mass, density;
    std::optional<Mat3> inertia;
    std::optional<Vec3> pivot;
    bool fixed;

    MotionFields(JsonFields fields, bool plane)
        : position(read_moderate(fields, "position")),
          velocity(read_moderate(fields, "velocity")),
          angular_velocity(read_moderate(fields, "angular_velocity")),
          gravity(read_moderate(fields, "gravity")),
          orientation(read_orientation(fields)),
          mass(fields.maybe_number("mass")),
          density(fields.maybe_number("density")),
          inertia(fields.maybe_matrix("inertia")) {
        if (fields.has("pivot")) pivot = read_moderate(fields, "pivot");
        const std::optional<bool> held = fields.maybe_flag("fixed");
        fields.finish();
        if (plane && held && !*held) {
            fail(fields.path_to("fixed") + ": a plane is always fixed; leave it out or say true");
        }
        fixed = plane || held.value_or(false);
        check(fields);
    }

private:
    void check(const JsonFields& fields) const {
        if (mass && density) fail(fields.path() + ": give either mass or density, not both");
        if (mass && !(*mass > 0.0)) fail(fields.path_to("mass") + " must be more than 0");
        if (density && !(*density > 0.0)) fail(fields.path_to("density") + " must be more than 0");
        if (inertia) {
            at_place(fields.path_to("inertia"), [&] { return shape::check_inertia(*inertia); });
        }
        if (fixed && !gravity.isZero(0.0)) {
            fail(fields.path_to("gravity") +
                 " is for free bodies; a fixed one moves as it is told");
        }
        if (!fixed && pivot) {
            fail(fields.path_to("pivot") +
                 " is for fixed bodies; a free one turns about its centre of mass");
        }
    }
};

// A fixed body turns about its pivot, else about its position.
motion::Motion prescribed(const MotionFields& m, const std::string& path, bool plane) {
    if (plane && !m.angular_velocity.isZero(0.0)) {
        fail(path + ".angular_velocity: a plane must not turn; give a large box instead");
    }
    return at_place(path, [&]() -> motion::Motion {
        return motion::Prescribed::turning(m.position, m.orientation, m.pivot.value_or(m.position),
                                           m.velocity, m.angular_velocity, 0.0);
    });
}

// The inertia only matters by its proportions, so that a missing mass is no loss.
motion::Motion ballistic(ReadBody& body, const MotionFields& m, const std::string& path) {
    return at_place(path, [&]() -> motion::Motion {
        const shape::MassProperties mass =
            m.mass ? shape::mass_properties(body.shape, shape::Mass{*m.mass})
                   : shape::mass_properties(body.shape, shape::Density{m.density.value_or(1.0)});
        body.center = mass.center;
        const motion::State state{m.position + m.orientation * mass.center, m.orientation,
                                  m.velocity, m.angular_velocity};
        return motion::Ballistic(state, motion::PrincipalInertia(m.inertia.value_or(mass.inertia)),
                                 m.gravity, 0.0);
    });
}

}  // namespace

shape::Shape read_shape(JsonFields fields) {
    shape::Shape shape = read_shape_fields(fields);
    fields.finish();
    return shape;
}

ReadBody read_body(JsonFields fields) {
    ReadBody body;
    body.shape = read_shape(fields.object("shape"));
    const bool plane = has_plane(body.shape);
    const nlohmann::json at_origin = nlohmann::json::object();
    const std::string path = fields.path_to("motion");
    const MotionFields motion(
        fields.has("motion") ? fields.object("motion") : JsonFields(at_origin, path), plane);
    body.motion = motion.fixed ? prescribed(motion, path, plane) : ballistic(body, motion, path);
    fields.finish();
    return body;
}

}  // namespace carom::cli
