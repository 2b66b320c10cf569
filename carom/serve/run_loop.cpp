// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/serve/run_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::serve {
namespace {

// How long a piece should take, s of our own time.
constexpr double k_shortest = 0.02, k_longest = 0.08;
// The first piece is so short, in simulated seconds or as a part of the whole, that it ends soon in
// any scene; the pieces then grow while they take little time: fourfold while they take next to
// none, twofold near the wanted length, so that one piece cannot be far longer than the last.
constexpr double k_first_seconds = 1e-6, k_first_part = 1e-3;
constexpr double k_next_to_none = 0.002;

}  // namespace

Pieces::Pieces(double from, double until)
    : until_(until), step_(std::min(k_first_seconds, k_first_part * (until - from))) {}

double Pieces::end_from(double t) const {
    const double soonest = std::nextafter(t, std::numeric_limits<double>::infinity());
    return std::min(until_, std::max(t + step_, soonest));
}

void Pieces::ran() {
    const Clock::time_point now = Clock::now();
    const double took = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    if (took < k_shortest) step_ *= took < k_next_to_none ? 4.0 : 2.0;
    // a piece that took long makes the next one shorter by as much
    if (took > k_longest) step_ *= k_longest / took;
}

bool run_in_pieces(world::World& world, double until, world::Listener* listener,
                   const std::stop_token& stop, const std::function<void()>& after) {
    Pieces pieces(world.time(), until);
    while (world.time() < until) {
        if (stop.stop_requested()) return false;
        bool there = false;
        try {
            there = world.run(pieces.end_from(world.time()), listener,
                              [&stop] { return stop.stop_requested(); });
        } catch (const Stopped&) {
            return false;
        }
        after();
        if (!there) return false;
        pieces.ran();
    }
    return true;
}

}  // namespace carom::serve
