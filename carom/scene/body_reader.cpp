// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/body_reader.h"

#include <stdexcept>

#include "carom/scene/force_reader.h"
#include "carom/scene/pose_reader.h"
#include "carom/scene/shape_reader.h"
#include "carom/scene/words.h"
#include "carom/shape/mass_properties.h"

namespace carom::scene {
namespace {

void read_inertia(Fields& fields, world::BodySpec& spec) {
    const auto inertia = fields.matrix("inertia");
    if (!inertia) return;
    try {
        shape::check_inertia(*inertia);
        spec.inertia = inertia;
    } catch (const std::invalid_argument& error) {
        fields.report().add(fields.place_of_value("inertia"), fields.what() + ": " + error.what());
    }
}

void check_plane(Fields& fields, const world::BodySpec& spec) {
    if (!spec.shape || !has_plane(*spec.shape)) return;
    if (!spec.fixed) {
        fields.report().add(
            fields.place_of_value(fields.contains("fixed") ? "fixed" : "shape"),
            fields.what() + " has a plane, which never moves by itself; say fixed = true");
    } else if (!spec.angular_velocity.isZero(0.0)) {
        fields.wrong("angular_velocity",
                     "is not zero, but a plane must not turn; give a large box instead");
    }
}

void check_pivot(Fields& fields, const world::BodySpec& spec) {
    if (!spec.pivot || spec.fixed) return;
    fields.wrong("pivot", "is for fixed bodies; a free one turns about its centre of mass");
}

// What only the whole body shows, such as a mass out of proportion to its size.
void try_it(ReadBody& body, Fields& fields) {
    try {
        world::make_body(body.spec, 0);
        body.whole = true;
    } catch (const std::invalid_argument& error) {
        fields.report().add(body.place, fields.what() + ": " + error.what());
    }
}

}  // namespace

MassFields read_mass(Fields& fields) {
    MassFields read;
    if (fields.has("mass") && fields.has("density")) {
        fields.report().add(fields.place_of_value("density"),
                            fields.what() + ": give either mass or density, not both");
    }
    read.mass = fields.number("mass", k_positive);
    read.density = fields.number("density", k_positive);
    return read;
}

std::string read_material(Fields& fields) {
    if (!fields.has("material")) return "default";
    std::string material = fields.name("material").value_or("");
    if (material != "*") return material;
    fields.wrong("material",
                 "is '*', which stands for any material in contact rules; give it another name");
    return {};
}

ReadBody read_body(const toml::table& table, std::size_t number, MeshFiles& files, Report& report) {
    const std::size_t before = report.count();
    Fields fields(table, "body " + std::to_string(number), report);
    ReadBody body;
    world::BodySpec& spec = body.spec;
    if (auto name = fields.name("name", Need::must)) {
        spec.name = std::move(*name);
        fields.call("body " + in_quotes(spec.name));
    }
    spec.shape = read_shape(fields, files);
    spec.material = read_material(fields);
    spec.pose = read_pose(fields);
    spec.velocity = fields.vector("velocity", k_any).value_or(Vec3::Zero());
    spec.angular_velocity = fields.vector("angular_velocity", k_any).value_or(Vec3::Zero());
    const MassFields mass = read_mass(fields);
    spec.mass = mass.mass;
    spec.density = mass.density;
    read_inertia(fields, spec);
    spec.fixed = fields.flag("fixed").value_or(false);
    spec.pivot = fields.vector("pivot", k_any);
    spec.forces = read_forces(fields);
    if (spec.fixed && !spec.forces.empty()) {
        fields.wrong("forces", "are for free bodies; a fixed one moves as it is told");
    }
    check_plane(fields, spec);
    check_pivot(fields, spec);
    fields.finish();
    body.place = fields.place();
    body.name_place = fields.place_of_value("name");
    body.position_place = fields.place_of_value("position");
    body.material_place = fields.place_of_value("material");
    if (report.count() == before) try_it(body, fields);
    return body;
}

}  // namespace carom::scene
