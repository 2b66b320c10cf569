// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <string>

#include "carom/scene/fields.h"
#include "carom/world/contacts.h"

namespace carom::scene {

// One [[contact]]: two materials, "*" for any, the law of their impacts and its parameters.
struct ReadRule {
    std::array<std::string, 2> materials{"*", "*"};
    std::array<Place, 2> material_places;
    Place place;
    world::ContactLaw law;
    bool materials_known = false;  // they could be read
    bool whole = false;            // nothing is wrong with it by itself
};

// `number` is counted from 1. The keys are materials, law and the parameters of the registry of
// laws. A parameter that the law has no use for is an error: it would be silently ignored.
ReadRule read_rule(const toml::table& table, std::size_t number, Report& report);

}  // namespace carom::scene
