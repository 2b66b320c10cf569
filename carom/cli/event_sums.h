// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "carom/record/recording.h"

namespace carom::cli {

// What two bodies have given each other. a is the one that comes first in the scene.
struct PairSum {
    world::BodyId a = 0, b = 0;
    std::uint64_t impacts = 0, micro = 0;
    Vec3 impulse = Vec3::Zero();   // on a, all added up, N s
    double impulse_sizes = 0.0;    // their sizes added up
    double largest_impulse = 0.0;  // size of the largest
    double energy_lost = 0.0;      // J
    double first = 0.0, last = 0.0;
};

// Contact statistics: hits added up by pair of bodies. Other events do not count.
class EventSums {
public:
    void add(const world::Event& event);
    // Those with the largest sum of sizes first.
    std::vector<PairSum> pairs() const;

private:
    struct Running {
        PairSum sum;
        world::Sum impulse[3], sizes, energy;
    };
    std::map<std::pair<world::BodyId, world::BodyId>, Running> pairs_;
};

}  // namespace carom::cli
