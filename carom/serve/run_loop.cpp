// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/run_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace carom::serve {

bool run_in_pieces(world::World& world, double until, world::Listener* listener,
                   const std::stop_token& stop, const std::function<void()>& after) {
    using Clock = std::chrono::steady_clock;
    constexpr double k_shortest = 0.02, k_longest = 0.08;  // s
    constexpr double k_first = 1e-3;                       // of the whole
    double step = k_first * (until - world.time());
    Clock::time_point last = Clock::now();
    while (world.time() < until) {
        if (stop.stop_requested()) return false;
        const double t = world.time();
        const double soonest = std::nextafter(t, std::numeric_limits<double>::infinity());
        try {
            const double next = std::min(until, std::max(t + step, soonest));
            if (!world.run(next, listener, [&stop] { return stop.stop_requested(); })) return false;
        } catch (const Stopped&) {
            return false;
        }
        after();
        const Clock::time_point now = Clock::now();
        const double took = std::chrono::duration<double>(now - last).count();
        last = now;
        if (took < k_shortest) step *= 2.0;
        if (took > k_longest) step *= 0.5;
    }
    return true;
}

}  // namespace carom::serve
