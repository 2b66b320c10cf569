// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::world {

// Every tolerance of the world room that is no setting: all are relative. Each line says what a
// value ten times larger would do. See settings.h for those that a user may change.
struct Tolerances {
    // A gap that rounding cannot make, relative to the coordinates and sizes. Larger: bodies that
    // part are looked at again later, and a contact in that time is found that much late.
    double parted = 1e-14;
    // Parting speed, in speeds of micro-collisions, below which a lasting contact is pushed anew.
    // Larger: contacts that just open are pushed once more than needed.
    double parting = 1e-3;
    // Overlap at the start, relative to the smaller radius, that counts as touching. Larger: more
    // carelessly placed scenes are accepted.
    double placed = 1e-9;

    // Lasting contact; lengths are in radii of the smaller free body.

    // What a step may do wrong to the gap of a loaded point. Larger: steps three times longer,
    // overlaps ten times deeper.
    double island_gap = 1e-4;
    // A gap up to which a point of a lasting contact takes part in impacts, and beyond which a
    // contact that carries nothing is open. Larger: contacts open later, and take part in impacts
    // that they are not yet reached by.
    double closed_gap = 3e-4;
    // The gap at which a corner that comes down is hit. Larger: it is hit that much early.
    double landing_gap = 1e-9;
    // The speed of a corner that comes down, in that of hard impacts, below which a step does not
    // end with its landing: it cannot come far. Larger: what rolls on many sides is slowed by as
    // much.
    double slow_landing = 0.1;
    // How far from the facing pieces a patch is looked for. Larger: more points that carry nothing.
    double patch_reach = 0.1;
    // How far apart two places may be, of different features, that count as the same. Larger: what
    // has so many sides that they are shorter rolls instead of rattling.
    double same_place = 0.1;
    // The first step of an island, in sqrt(L / g). Larger: the first moments are less exact.
    double first_step = 0.01;
    // The longest, in the same. Larger: a sleeper is noticed later.
    double longest_step = 2.0;
    // The largest turn in one step, rad, and the largest way past another body. Larger: patches
    // are taken for good longer than they are, and corners come down unseen.
    double longest_turn = 0.05;
    double longest_slip = 0.2;
    // Residual of the velocities, in g h: of islands that are solved to rounding, and of larger
    // ones. Larger: more creep; fewer sweeps.
    double exact_residual = 1e-9;
    double large_residual = 1e-3;
    // Speeds in sqrt(g L) below which an island of some size is solved to rounding too, so that it
    // can come to rest. Larger: exact sooner, and slower.
    double slow = 1e-2;
    // What is enough where the solver gets stuck, in g h. Larger: as much more creep there.
    double stuck_residual = 1e-2;
    // The same in the speed of the fastest body. Larger: friction is that less exact.
    double moving_residual = 1e-7;
    // What impacts leave of the slow approach in a group, in the speed of the fastest contact.
    // Larger: as much more is left to the next step.
    double group_residual = 1e-9;
    // The approach, in that of the first impact, that is left to the next step where very many
    // contacts are reached. Larger: the crowd swallows more of an impact without restitution.
    double crowd_speed = 0.1;
    // What a step of a crowd may add to an overlap. Larger: steps three times longer, overlaps ten
    // times deeper.
    double crowd_gap = 3.3e-4;
    // Its longest, shortest and first step, in sqrt(L / g). Larger: hops a hundred times higher;
    // overlaps where much happens at once; a first step that the second has to mend.
    double crowd_longest = 0.12;
    // Its longest while one of its bodies lies under something that does not fly, into which it
    // hops. Larger: overlaps there a hundred times deeper.
    double crowd_longest_under = 0.06;
    double crowd_shortest = 0.005;
    double crowd_first = 0.05;
    // The largest turn of a body in it, rad. Larger: what turns fast overlaps.
    double crowd_turn = 0.18;
    // Residual of its velocities, in g h. Larger: heaps that creep.
    double crowd_residual = 1e-3;
    // The part of an overlap that it takes back. Larger: more restless heaps.
    double crowd_push = 0.5;
    // The way within so long a time, in sqrt(L / g), below which a body of it is at rest. Larger:
    // what rolls ten times faster is stopped; heaps that fall asleep later.
    double crowd_drift = 0.1;
    double crowd_quiet = 5.0;
    // How long, in sqrt(L / g), the force on a sleeper of it is otherwise before it wakes. Larger:
    // what has lost its hold hangs for longer.
    double crowd_patience = 0.3;
    // The acceleration, in g, below which what holds a sleeper still does. Larger: what slips
    // slowly is held.
    double held = 0.1;
    // Speeds in sqrt(g L), and accelerations in g, below which an island is in balance and sleeps
    // at once. Larger: what begins to move very slowly is held.
    double balance_speed = 1e-6;
    double balance_acceleration = 1e-6;
    // Slip after an impact, in the speed of hard impacts, whose end within a step is located.
    // Larger: less exact ways.
    double stop_slip = 1e-4;
    // The way that a step may be wrong by because a slip ends within it. Larger: less exact ways.
    double stop_way = 1e-5;
};

inline constexpr Tolerances k_tolerances{};

}  // namespace carom::world
