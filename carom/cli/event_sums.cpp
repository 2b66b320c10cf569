// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/cli/event_sums.h"

#include <algorithm>

#include "carom/cli/event_filter.h"

namespace carom::cli {

EventSums::Running& EventSums::running(world::BodyId a, world::BodyId b, double from, double to) {
    const auto [low, high] = std::minmax(a, b);
    const auto [at, fresh] = pairs_.try_emplace({low, high});
    PairSum& sum = at->second.sum;
    if (fresh) {
        sum.a = a;
        sum.b = b;
        sum.first = from;
        sum.last = to;
    }
    sum.first = std::min(sum.first, from);
    sum.last = std::max(sum.last, to);
    return at->second;
}

void EventSums::add(const world::Event& event) {
    if (!is_hit(event.kind) || event.b == world::k_no_body) return;
    Running& pair = running(event.a, event.b, event.t, event.t);
    PairSum& sum = pair.sum;
    if (event.kind == world::EventKind::lasting_begin) {
        ++sum.begins;
    } else {
        ++(event.kind == world::EventKind::impact ? sum.impacts : sum.micro);
    }
    // the event's impulse is on its own a
    const double sign = event.a == sum.a ? 1.0 : -1.0;
    for (int i = 0; i < 3; ++i)
        pair.impulse[i].add(sign * event.impulse[i]);
    const double size = event.impulse.norm();
    pair.sizes.add(size);
    pair.energy.add(event.energy_lost);
    sum.largest_impulse = std::max(sum.largest_impulse, size);
}

void EventSums::add(const world::ContactForce& force, const TimeRange& range) {
    const double from = std::max(force.t0, range.from), to = std::min(force.t1, range.to);
    if (!(to > from)) return;
    Running& pair = running(force.a, force.b, from, to);
    const Vec3 impulse = (to - from) / (force.t1 - force.t0) * force.impulse;
    const double sign = force.a == pair.sum.a ? 1.0 : -1.0;
    for (int i = 0; i < 3; ++i)
        pair.lasting[i].add(sign * impulse[i]);
    pair.lasting_sizes.add(impulse.norm());
    pair.lasting_time.add(to - from);
}

std::vector<PairSum> EventSums::pairs() const {
    std::vector<PairSum> pairs;
    pairs.reserve(pairs_.size());
    for (const auto& [bodies, pair] : pairs_) {
        PairSum sum = pair.sum;
        for (int i = 0; i < 3; ++i) {
            sum.impulse[i] = pair.impulse[i].value();
            sum.lasting[i] = pair.lasting[i].value();
        }
        sum.impulse_sizes = pair.sizes.value();
        sum.lasting_sizes = pair.lasting_sizes.value();
        sum.lasting_time = pair.lasting_time.value();
        sum.energy_lost = pair.energy.value();
        pairs.push_back(sum);
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const PairSum& x, const PairSum& y) {
        return x.impulse_sizes + x.lasting_sizes > y.impulse_sizes + y.lasting_sizes;
    });
    return pairs;
}

}  // namespace carom::cli
