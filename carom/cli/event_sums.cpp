// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/event_sums.h"

#include <algorithm>

#include "carom/cli/event_filter.h"

namespace carom::cli {

void EventSums::add(const world::Event& event) {
    if (!is_hit(event)) return;
    const auto [low, high] = std::minmax(event.a, event.b);
    const auto [at, fresh] = pairs_.try_emplace({low, high});
    Running& running = at->second;
    PairSum& sum = running.sum;
    if (fresh) {
        sum.a = low;
        sum.b = high;
        sum.first = event.t;
    }
    ++(event.kind == world::EventKind::impact ? sum.impacts : sum.micro);
    // the event's impulse is on its own a
    const double sign = event.a == low ? 1.0 : -1.0;
    for (int i = 0; i < 3; ++i)
        running.impulse[i].add(sign * event.impulse[i]);
    const double size = event.impulse.norm();
    running.sizes.add(size);
    running.energy.add(event.energy_lost);
    sum.largest_impulse = std::max(sum.largest_impulse, size);
    sum.last = event.t;
}

std::vector<PairSum> EventSums::pairs() const {
    std::vector<PairSum> pairs;
    pairs.reserve(pairs_.size());
    for (const auto& [bodies, running] : pairs_) {
        PairSum sum = running.sum;
        for (int i = 0; i < 3; ++i)
            sum.impulse[i] = running.impulse[i].value();
        sum.impulse_sizes = running.sizes.value();
        sum.energy_lost = running.energy.value();
        pairs.push_back(sum);
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const PairSum& x, const PairSum& y) {
        return x.impulse_sizes > y.impulse_sizes;
    });
    return pairs;
}

}  // namespace carom::cli
