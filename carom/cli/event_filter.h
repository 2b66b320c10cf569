// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/cli/time_range.h"
#include "carom/record/recording.h"

namespace carom::cli {

// Which events and contact forces of a recording the user wants.
//
// One body (or material): the events it takes part in. Several: those between bodies that are all
// among them; what happens to one body alone (sleep) needs that one. A name may be a pattern with *
// and ?. Sizes are those of the impulse (N s), of the energy lost (J) and of the speed of approach
// (m/s); what has none, as sleep, is left out as soon as one is asked for. A force has a body, a
// material, a time and an impulse, but no kind, energy or speed.
struct EventChoice {
    std::vector<std::string> bodies, materials, kinds;
    std::optional<double> from, to;
    std::optional<double> least_impulse, least_energy, least_speed;
};

class EventFilter {
public:
    // Throws CommandError for what the recording does not have.
    EventFilter(const EventChoice& choice, const record::Recording& recording);

    const TimeRange& range() const { return range_; }
    bool passed(const world::Event& event) const { return event.t > range_.to; }
    bool takes(const world::Event& event) const;
    // Those whose time meets the range.
    bool takes(const world::ContactForce& force) const;
    // Whether any force can be taken.
    bool takes_forces() const { return takes_forces_; }

private:
    // Of some bodies: `all` when both bodies of an event must be among them.
    struct Members {
        std::vector<bool> among;  // by body; empty: anything goes
        bool all = false;
        bool takes(world::BodyId a, world::BodyId b) const;
    };
    static Members members(std::vector<std::string> wanted, const std::vector<std::string>& of_body,
                           const char* what);

    TimeRange range_;
    Members bodies_, materials_;
    std::vector<bool> kinds_;  // by EventKind
    double least_impulse_, least_energy_, least_speed_;
    bool takes_forces_;
};

// -u.n (m/s).
double approach_speed(const world::Event& event);

// Whether two bodies hit each other, if only to stay in contact: there is a normal and an impulse.
bool is_hit(world::EventKind kind);

}  // namespace carom::cli
