// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

#include "carom/world/world.h"

namespace carom::world {

// What a run promises, each relative; ten times larger lets as much more pass.
struct Promises {
    // Energy that appears without a driver, in impacts and in lasting contact, relative to what was
    // turned over: lost, driven in, and changed.
    double gained = 1e-3;
    // The deepest overlap, in radii of the smallest free body.
    double overlap = 1e-3;
    // Residuals of the balances of energy and momentum, relative to their scales.
    double residual = 1e-9;
};
inline constexpr Promises k_promises{};

// What a run has broken of its promises, each as a sentence for people with its figures; empty if
// nothing.
std::vector<std::string> broken_promises(const World& world);

}  // namespace carom::world
