// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "carom/world/cluster/cluster.h"
#include "carom/world/graph/graph.h"
#include "carom/world/pile/pile_step.h"

namespace carom::world {

// Approach, in restitution thresholds, that has to be left before contacts count as infeasible. Ten
// times larger: slow presses overlap for longer before they are told.
inline constexpr double k_infeasible_speed = 10.0;

// The approach (m/s) above which what a solution leaves of it at a pair counts: so many restitution
// thresholds of the pair. Without gravity those are parts of the speed of earlier impacts, which
// may be next to nothing: at least a part of `fastest`, the speed of what drives the contacts.
double infeasible_speed(const Graph& graph, const ContactPair& pair, double fastest, double t);
// How fast the fixed bodies at these active contacts move past each other there, m/s.
double driving_speed(const Graph& graph, std::span<const std::uint32_t> pairs, double t);

// Infeasible contacts: bodies that move as they are told close in on a body that has no velocity,
// within its friction, that parts from all of them. The message with which a run ends then: who,
// when, how fast (m/s), and what else is in touch.
std::string infeasible_text(const Graph& graph, const ContactPair& pair, double speed, double t);

// The cluster at hand, whose first contact is of this pair, by the laws of its pairs, and what then
// is left of the approach of contacts that can last without restitution. Throws std::runtime_error
// where a law does not apply, and where the contacts are infeasible.
void resolve_hit(Cluster& cluster, const Graph& graph, const ContactPair& pair, double t);

// A step of a pile has left this: where that goes on step after step, and the pile touches a body
// that moves as it is told, throws std::runtime_error. Counts the steps at the pile's first body.
void check_pile_feasible(Graph& graph, const Pile& pile, const PileStepper::Left& left, double t);

}  // namespace carom::world
