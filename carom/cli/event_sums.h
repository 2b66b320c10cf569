// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "carom/cli/time_range.h"
#include "carom/record/recording.h"

namespace carom::cli {

// What two bodies have given each other. a and b are those of their events and forces: of a free
// and a fixed body a is the free one.
struct PairSum {
    world::BodyId a = 0, b = 0;
    std::uint64_t impacts = 0, micro = 0;
    std::uint64_t begins = 0;      // of lasting contact
    Vec3 impulse = Vec3::Zero();   // on a, that of all these hits added up, N s
    double impulse_sizes = 0.0;    // their sizes added up
    double largest_impulse = 0.0;  // size of the largest
    double energy_lost = 0.0;      // J
    Vec3 lasting = Vec3::Zero();   // the impulse on a while they were in lasting contact, N s
    double lasting_sizes = 0.0;    // the sizes of its parts added up
    double lasting_time = 0.0;     // s, that they were
    double first = 0.0, last = 0.0;
};

// Contact statistics: hits and contact forces added up by pair of bodies. Other events do not
// count, and what has no second body does not.
class EventSums {
public:
    void add(const world::Event& event);
    // Of a force that acts in the range for a part of its time only, that part of the impulse.
    void add(const world::ContactForce& force, const TimeRange& range);
    // Those with the largest sum of sizes first.
    std::vector<PairSum> pairs() const;

private:
    struct Running {
        PairSum sum;
        world::Sum impulse[3], sizes, energy;
        world::Sum lasting[3], lasting_sizes, lasting_time;
    };
    // Of two bodies that touched from one time to the other.
    Running& running(world::BodyId a, world::BodyId b, double from, double to);

    std::map<std::pair<world::BodyId, world::BodyId>, Running> pairs_;
};

}  // namespace carom::cli
