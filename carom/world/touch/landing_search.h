// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/world/graph/graph.h"
#include "carom/world/touch/manifold.h"

namespace carom::world {

// The points of an active contact that come down within its step, other than those that carry load.
struct Descent {
    double fastest;  // approach speed of those that are down, m/s; 0: none
    double wait;     // when others can be, s from t on; infinite: never in this step
};
Descent look_at_descent(const Graph& graph, const ContactPair& pair, double t,
                        std::vector<ManifoldPoint>& scratch);

}  // namespace carom::world
