// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "carom/math/stop.h"
#include "carom/world/graph/graph.h"

namespace carom::world {

// When bodies of a pile fall asleep, and what wakes them.
//
// A body of a pile is at rest if it moved by less than drift (radii) during quiet
// (sqrt(L / g)). Those at rest fall asleep once the part of the pile that hangs together with them
// by contacts has settled: no more than 2 % of it are restless, neither at rest nor free of loads.
// What touches a restless one, or a body that moves as it is told, stays awake. To put single
// bodies to sleep before would hold what still has to settle, and let go of it when they wake.
//
// A sleeper wakes alone, when a force on it has been another than at rest for patience
// (sqrt(L / g)) and what does not move beside it has no answer to it within the friction cones.
class PileRest {
public:
    PileRest(const Graph& graph, const StopCheck* const& stop)
        : graph_(graph), stop_(stop), marks_(graph.body_count()) {}

    // Of the bodies of a pile, those that fall asleep now, by number.
    std::vector<BodyId> find_sleepers(const std::vector<BodyId>& pile, double t);

    // Whether the contact bore a good part of a sleeper's load when that fell asleep.
    bool held_up(const ContactPair& pair) const;
    // Whether the force on a sleeper has been another for so long that it wakes; keeps the times in
    // the contact.
    bool disturbs(ContactPair& pair, bool carries, double t);

private:
    bool is_loose(BodyId id) const;
    double most_at_rest(BodyId id) const;
    bool presses_otherwise(const ContactPair& pair) const;
    bool is_held(BodyId id);

    const Graph& graph_;
    const StopCheck* const& stop_;
    BodyIndex marks_;
    std::vector<impact::ConeContact> contacts_;
    impact::ConeSolver cones_;
};

}  // namespace carom::world
