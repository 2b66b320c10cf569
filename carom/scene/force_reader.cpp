// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/force_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::string_view k_types[] = {"drag", "spring", "central", "cushion"};
constexpr const char* k_must =
    "a list of tables such as [{ type = \"drag\", quadratic = 0.01 }], or [[body.forces]]";

motion::ForceField read_drag(Fields& fields) {
    motion::Drag drag;
    drag.linear = fields.number("linear", k_not_negative).value_or(0.0);
    drag.quadratic = fields.number("quadratic", k_not_negative).value_or(0.0);
    drag.rotational = fields.number("rotational", k_not_negative).value_or(0.0);
    return drag;
}

motion::ForceField read_spring(Fields& fields) {
    motion::Spring spring;
    spring.body_point = fields.vector("point", k_any).value_or(Vec3::Zero());
    spring.anchor = fields.vector("anchor", k_any, Need::must).value_or(Vec3::Zero());
    spring.stiffness = fields.number("stiffness", k_not_negative, Need::must).value_or(0.0);
    spring.damping = fields.number("damping", k_not_negative).value_or(0.0);
    spring.rest_length = fields.number("rest_length", k_not_negative).value_or(0.0);
    return spring;
}

motion::ForceField read_central(Fields& fields) {
    constexpr Range k_power{-20.0, 20.0, false, "a number between -20 and 20"};
    motion::CentralField field;
    field.centre = fields.vector("centre", k_any).value_or(Vec3::Zero());
    field.strength = fields.number("strength", k_any, Need::must).value_or(0.0);
    field.power = fields.number("power", k_power).value_or(field.power);
    return field;
}

motion::ForceField read_cushion(Fields& fields) {
    motion::Cushion cushion;
    cushion.normal = fields.vector("normal", k_any).value_or(cushion.normal);
    if (!(cushion.normal.norm() > 0.0)) fields.wrong("normal", "must not be zero");
    cushion.offset = fields.number("offset", k_any).value_or(0.0);
    cushion.stiffness = fields.number("stiffness", k_positive, Need::must).value_or(1.0);
    cushion.damping = fields.number("damping", k_not_negative).value_or(0.0);
    return cushion;
}

std::optional<motion::ForceField> read_force(Fields& fields) {
    const auto type = fields.text("type", Need::must);
    if (!type) return std::nullopt;
    if (*type == "drag") return read_drag(fields);
    if (*type == "spring") return read_spring(fields);
    if (*type == "central") return read_central(fields);
    if (*type == "cushion") return read_cushion(fields);
    fields.wrong("type", "is " + in_quotes(*type) + ", which is no force; the forces are " +
                             listed(k_types) + did_you_mean(nearest(*type, k_types)));
    return std::nullopt;
}

}  // namespace

std::vector<motion::ForceField> read_forces(Fields& body) {
    std::vector<motion::ForceField> forces;
    const auto tables = body.tables("forces", Need::may, k_must);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        Fields fields(*tables[i], "force " + std::to_string(i + 1) + " of " + body.what(),
                      body.report());
        const auto force = read_force(fields);
        // the parameters of an unknown force are unknown too
        if (!force) continue;
        fields.finish();
        forces.push_back(*force);
    }
    return forces;
}

}  // namespace carom::scene
