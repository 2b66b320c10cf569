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
    // Pieces should take about this many seconds of wall time: short enough for a hand on Ctrl-C,
    // long enough that what a cut costs does not matter.
    constexpr double k_shortest = 0.02, k_longest = 0.08;
    // The first piece is so short, in simulated seconds or as a part of the whole, that it ends
    // soon in any scene; the pieces then grow while they take little time: fourfold while they take
    // next to none, twofold near the wanted length, so that one piece cannot be far longer than the
    // last.
    constexpr double k_first_seconds = 1e-6, k_first_part = 1e-3;
    constexpr double k_next_to_none = 0.002;

    const StopSignal stop;
    ProgressBar bar(world.time(), until, world.tally().events, progress);
    const Clock::time_point began = Clock::now();
    Clock::time_point last = began;
    bool stopped = false;
    double step = std::min(k_first_seconds, k_first_part * (until - world.time()));
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
        if (took < k_shortest) step *= took < k_next_to_none ? 4.0 : 2.0;
        // a piece that took long makes the next one shorter by as much
        if (took > k_longest) step *= k_longest / took;
        bar.update(world.time(), world.tally().events);
    }
    const bool finished = world.time() >= until && !stopped;
    if (finished && listener != nullptr) world.tell_forces(*listener);
    return {finished, seconds_since(began)};
}

}  // namespace carom::cli
