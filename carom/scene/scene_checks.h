// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/scene/body_reader.h"
#include "carom/scene/contact_reader.h"

namespace carom::scene {

// What is wrong between the parts of a scene, each of which may be right by itself.

// Two bodies of one name.
void check_names(const std::vector<ReadBody>& bodies, Report& report);

// Rules for materials that no body has, two rules for the same materials, and materials of bodies
// that could meet (not both fixed) without a rule. What could not be read is not held against
// anything.
void check_materials(const std::vector<ReadBody>& bodies, const std::vector<ReadRule>& rules,
                     Report& report);

// Bodies that overlap where they are put. Pre: all are whole.
void check_overlaps(const std::vector<ReadBody>& bodies, Report& report);

}  // namespace carom::scene
