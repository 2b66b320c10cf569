// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace carom::world {

// Steps of piles. L is the radius of the smallest body of a pile or of a pair; each line says what
// ten times larger does.
struct PileTolerances {
    // What a step may add to an overlap, in L. Larger: steps three times longer, overlaps ten times
    // deeper.
    double gap = 3.3e-4;
    // Longest, shortest and first step, in sqrt(L / g). Larger: micro-bounces a hundred times
    // higher; overlaps where much happens at once; a first step that the second has to mend.
    double longest = 0.12;
    double shortest = 0.005;
    double first = 0.05;
    // Longest step while a body of the pile lies under one that does not fly, into which it
    // bounces. Larger: overlaps there a hundred times deeper.
    double longest_under = 0.06;
    // Longest step of so few bodies. Larger: micro-bounces of few bodies, which have the energy
    // m g L longest^2 / 8, are a hundred times higher.
    std::size_t few = 24;
    double longest_of_few = 0.03;
    // Largest turn of a body in a step, rad. Larger: what turns fast overlaps.
    double turn = 0.18;
    // Energy that steps have lost and later ones may give back, in the kinetic energy of a pile
    // with rims that can roll: straight ways along what bends take some and give it back. Larger:
    // as much larger rises of energy, none above what there was before; smaller: rims that roll
    // sink in.
    double credit = 1e-4;
    // Overlap, in L, that piles of many bodies keep where to lift it would add energy. Larger: as
    // deep, beyond the 1e-3 that is promised.
    double deepest = 7e-4;
    // Residual of the velocities, in g h. Larger: heaps that creep.
    double residual = 1e-3;
    // Part of an overlap that one step takes back. Larger: more restless heaps.
    double push = 0.5;
    // A body of a pile is at rest if it moved less than drift (L) during quiet (sqrt(L / g)).
    // Larger: what rolls ten times faster is stopped; heaps fall asleep later.
    double drift = 0.1;
    double quiet = 5.0;
    // Most bodies of a pile whose impacts are by law unless the settings say otherwise, and most
    // steps that impacts may cut short one after the other before one takes them up itself. Larger:
    // each impact costs a step of so many bodies; heaps that rattle take longer.
    std::size_t law_bodies = 100;
    std::uint32_t law_cuts = 100;
    // How long, in sqrt(L / g), the force on a sleeper is another than at rest before it wakes.
    // Larger: what has lost its hold hangs for longer.
    double patience = 0.3;
    // Acceleration, in g, below which a sleeper counts as held. Larger: what slips slowly is held.
    double held = 0.1;
};
inline constexpr PileTolerances k_pile_tolerances{};

}  // namespace carom::world
