// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/motion/force_field.h"
#include "carom/scene/fields.h"

namespace carom::scene {

// The key `forces` of a body: a list of tables, each with its type and the parameters of that force
// (motion/force_field.h). What is wrong goes to the report.
std::vector<motion::ForceField> read_forces(Fields& body);

}  // namespace carom::scene
