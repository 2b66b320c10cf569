// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/scene/fields.h"
#include "carom/scene/mesh_files.h"
#include "carom/world/body.h"

namespace carom::scene {

// A body and where its parts stand in the scene, for what is found out later.
struct ReadBody {
    world::BodySpec spec;
    Place place;           // of the table
    Place name_place;      // of its name, or the table's
    Place position_place;  // of its position, likewise
    Place material_place;  // of its material, likewise
    bool whole = false;    // nothing is wrong with it by itself
};

// mass or density, either or none.
struct MassFields {
    std::optional<double> mass, density;
};
MassFields read_mass(Fields& fields);

// The material's name, "default" by default, empty when it is wrong; "*" is for contact rules only.
std::string read_material(Fields& fields);

// One [[body]], `number` counted from 1. What is wrong is in the report; the rest is still there.
ReadBody read_body(const toml::table& table, std::size_t number, MeshFiles& files, Report& report);

}  // namespace carom::scene
