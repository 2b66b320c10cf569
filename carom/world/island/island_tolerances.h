// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::world {

// Steps of islands. L is the radius of the smaller free body of a contact, or of the body; each
// line says what ten times larger does.
struct IslandTolerances {
    // Error of the gap of a loaded point at the end of a step, in L. Larger: steps three times
    // longer, overlaps ten times deeper.
    double gap = 1e-4;
    // The overlap, in L, beyond which a step may add nothing; with what the last one added it stays
    // below the 1e-3 that is promised. Larger: as much deeper.
    double deepest = 8e-4;
    // Approach speed, in restitution thresholds, below which a step does not end with a point's
    // landing. Larger: what rolls on many sides is slowed by as much.
    double slow_landing = 0.1;
    // First and longest step, in sqrt(L / g). Larger: the first moments are less exact; rest is
    // noticed later.
    double first_step = 0.01;
    double longest_step = 2.0;
    // Largest turn (rad) and largest slip past a bounded body (L) in one step. Larger: manifolds
    // are used for longer than they are right, and points come down unseen.
    double longest_turn = 0.05;
    double longest_slip = 0.2;
    // Residual of the velocities, in g h: of islands that are solved to rounding, and of larger
    // ones. Larger: more creep, fewer sweeps.
    double exact_residual = 1e-9;
    double large_residual = 1e-3;
    // Speed, in sqrt(g L), below which islands of some size are solved to rounding too. Larger:
    // exact sooner, and slower.
    double slow = 1e-2;
    // Residual, in g h, that is accepted where the solver gets stuck. Larger: as much more creep.
    double stuck_residual = 1e-2;
    // Residual relative to the speed of the fastest body. Larger: friction is that less exact.
    double moving_residual = 1e-7;
    // Speed, in sqrt(g L), and acceleration, in g, below which an island is in balance and falls
    // asleep at once. Larger: what begins to move very slowly is held.
    double balance_speed = 1e-6;
    double balance_acceleration = 1e-6;
    // Slip after an impact, in restitution thresholds, whose end within a step is located, and the
    // distance (L) by which a step may be wrong because a slip ends within it. Larger: less exact
    // distances.
    double stop_slip = 1e-4;
    double stop_way = 1e-5;
};
inline constexpr IslandTolerances k_island_tolerances{};

}  // namespace carom::world
