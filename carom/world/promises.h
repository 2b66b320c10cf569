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
    // The deepest overlap, in the radius of the smaller free body of the two.
    double overlap = 1e-3;
    // Residuals of the balances of energy and momentum, relative to their scales.
    double residual = 1e-9;
};
inline constexpr Promises k_promises{};

// One promise, and how a run has kept it.
struct Promise {
    const char* what;  // "overlap"
    double value;      // of this unit
    const char* unit;
    double relative;  // the value, relative to
    const char* of;   // this
    double allowed;   // of `relative`

    bool kept() const { return relative <= allowed; }
    // For people, with its figures.
    std::string sentence() const;
};

// All of them: energy gained, overlap, balance of energy, balance of momentum.
std::vector<Promise> promises_of(const World& world);

// The sentences of those that a run has broken; empty if it has kept all.
std::vector<std::string> broken_promises(const World& world);

}  // namespace carom::world
