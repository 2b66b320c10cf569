// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

#include "carom/world/graph/graph.h"

namespace carom::world {

// Infeasible contacts: bodies that move as they are told close in on a body that has no velocity,
// within its friction, that parts from all of them. The message with which a run ends then: who,
// when, how fast (m/s), and what else is in touch.
std::string infeasible_text(const Graph& graph, const ContactPair& pair, double speed, double t);

}  // namespace carom::world
