// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "carom/cli/progress_bar.h"
#include "carom/cli/stop_signal.h"

namespace carom::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Simulated simulate(world::World& world, double until, world::Listener* listener, bool progress) {
    using Clock = std::chrono::steady_clock;
    // pieces of about this many seconds of our own time: short enough for a hand on Ctrl-C, long
    // enough that what a cut costs does not matter
    constexpr double k_shortest = 0.02, k_longest = 0.08;
    constexpr double k_first = 1e-3;  // of the whole

    const StopSignal stop;
    ProgressBar bar(world.time(), until, world.tally().events, progress);
    const Clock::time_point began = Clock::now();
    Clock::time_point last = began;
    double step = k_first * (until - world.time());
    bool stopped = false;
    while (world.time() < until && !stopped && !StopSignal::wanted()) {
        const double t = world.time();
        const double soonest = std::nextafter(t, std::numeric_limits<double>::infinity());
        const double next = std::min(until, std::max(t + step, soonest));
        try {
            stopped = !world.run(next, listener, StopSignal::wanted);
        } catch (const Stopped&) {
            // in the middle of an event: the world is of no use any more
            return {false, seconds_since(began), true};
        }

        const Clock::time_point now = Clock::now();
        const double took = std::chrono::duration<double>(now - last).count();
        last = now;
        if (took < k_shortest) step *= 2.0;
        if (took > k_longest) step *= 0.5;
        bar.update(world.time(), world.tally().events);
    }
    const bool finished = world.time() >= until && !stopped;
    if (finished && listener != nullptr) world.tell_forces(*listener);
    return {finished, seconds_since(began)};
}

}  // namespace carom::cli
