// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "carom/world/graph/graph.h"

namespace carom::world {

// Approach, in restitution thresholds, that has to be left before contacts count as infeasible. Ten
// times larger: slow presses overlap for longer before they are told.
inline constexpr double k_infeasible_speed = 10.0;

// The approach (m/s) above which what a solution leaves of it at a pair counts: so many restitution
// thresholds of the pair. Without gravity those are parts of the speed of earlier impacts, which
// may be next to nothing: at least a part of `fastest`, the speed of what drives the contacts.
double infeasible_speed(const Graph& graph, const ContactPair& pair, double fastest);
// How fast the fixed bodies at these active contacts move past each other there, m/s.
double driving_speed(const Graph& graph, std::span<const std::uint32_t> pairs, double t);

// Infeasible contacts: bodies that move as they are told close in on a body that has no velocity,
// within its friction, that parts from all of them. The message with which a run ends then: who,
// when, how fast (m/s), and what else is in touch.
std::string infeasible_text(const Graph& graph, const ContactPair& pair, double speed, double t);

}  // namespace carom::world
