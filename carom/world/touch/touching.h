// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/world/graph/graph.h"
#include "carom/world/touch/contact_point.h"
#include "carom/world/touch/manifold.h"

namespace carom::world {

struct PairStates {
    motion::State a, b;
};

// Gap (m) up to which a point of an active contact takes part in impacts.
double closed_gap(const ContactPair& pair);

// The touch that a pair was found to have, with the bodies where they are at t.
Touch touch_of(const Graph& graph, const ContactPair& pair, double t);

// The contact manifold of a pair at t, of gaps up to `within` (m).
PairStates find_manifold(const Graph& graph, const ContactPair& pair, double t, double within,
                         std::vector<ManifoldPoint>& out);

// Of two bodies that overlap: the point of the manifold that approaches fastest, if one does, with
// its normal, and how soon another one can come down (s).
struct DeepestApproach {
    ContactPoint fastest;
    Vec3 normal;
    double soon;
};
DeepestApproach find_approach_inside(const Graph& graph, const ContactPair& pair, double t,
                                     std::vector<ManifoldPoint>& scratch);

// The time (s) that two bodies, `depth` (m) inside each other, need at least to part, from this
// speed of parting (m/s) on.
double time_to_leave(const Graph& graph, const ContactPair& pair, double t, double depth,
                     double speed);

// After how long two bodies that part with this speed (m/s) are apart by more than rounding.
double time_to_part(const Touch& touch, double t, double speed);

// Part of the time until a point's touch after which it is looked at again, so as not to be late.
inline constexpr double k_before_touch = 0.98;

}  // namespace carom::world
