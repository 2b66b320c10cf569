// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/world/world.h"

namespace carom::cli {

// How a run ended.
struct Simulated {
    bool finished = false;  // else a signal stopped it, at world.time()
    double wall = 0.0;      // seconds it took
    // Stopped in the middle of an event: the world is of no use any more, and what was told after
    // the last Listener::on_whole does not count.
    bool abandoned = false;
};

// Runs a world to a time in pieces short enough to show progress and to heed SIGINT and SIGTERM.
// Where a run is cut makes no difference to it.
Simulated simulate(world::World& world, double until, world::Listener* listener, bool progress);

}  // namespace carom::cli
