// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/simulation.h"

#include <chrono>

#include "carom/cli/progress_bar.h"
#include "carom/cli/stop_signal.h"
#include "carom/serve/run_loop.h"

namespace carom::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Simulated simulate(world::World& world, double until, world::Listener* listener, bool progress) {
    using Clock = std::chrono::steady_clock;
    const StopSignal stop;
    ProgressBar bar(world.time(), until, world.tally().events, progress);
    const Clock::time_point began = Clock::now();
    bool stopped = false;
    serve::Pieces pieces(world.time(), until);
    while (world.time() < until && !stopped && !StopSignal::wanted()) {
        try {
            stopped = !world.run(pieces.end_from(world.time()), listener, StopSignal::wanted);
        } catch (const Stopped&) {
            // in the middle of an event: the world is of no use any more
            return {false, seconds_since(began), true};
        }
        pieces.ran();
        bar.update(world.time(), world.tally().events);
    }
    const bool finished = world.time() >= until && !stopped;
    if (finished && listener != nullptr) world.tell_forces(*listener);
    return {finished, seconds_since(began)};
}

}  // namespace carom::cli
