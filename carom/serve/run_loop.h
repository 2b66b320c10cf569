// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

#include "carom/world/world.h"

namespace carom::serve {

// In what pieces a run is cut, so that its progress can be told and a wish to stop is heeded:
// pieces should take some hundredths of a second of our own time, short enough for a hand on
// Ctrl-C, long enough that what a cut costs does not matter. Where a run is cut makes no difference
// to it.
class Pieces {
public:
    Pieces(double from, double until);
    // Where the piece that begins at t ends.
    double end_from(double t) const;
    // It has been run.
    void ran();

private:
    using Clock = std::chrono::steady_clock;
    double until_, step_;
    Clock::time_point last_ = Clock::now();
};

// Runs a world to a time in such pieces, calling `after` behind each of them and behind what was
// run when it was asked to stop between two events. False when it was asked to stop: inside an
// event the world is of no use any more, and what was told after the last `after` does not count.
bool run_in_pieces(world::World& world, double until, world::Listener* listener,
                   const std::stop_token& stop, const std::function<void()>& after);

}  // namespace carom::serve
