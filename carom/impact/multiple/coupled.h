// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/multiple/multi_contact_problem.h"
#include "carom/impact/solution.h"
#include "carom/math/stop.h"

namespace carom::impact {

// Many contacts at one instant, all at once, driven by the energies stored at each.
//
// Every contact j has a normal spring F = k x^eta (eta its power: 1 linear, 3/2 Hertz) while the
// bodies are rigid and do not move: only velocities change. With W the Delassus matrix, v_j the
// normal velocity, p the impulses,
//     U' = W F,   p' = F,   x_j' = -v_j while v_j < 0,  -v_j/e_j^2 while v_j > 0.
// x is the compression that belongs to the stored energy E = k x^(eta+1)/(eta+1): all work done on
// the contact is stored, and each part of the work it gives back takes 1/e^2 of that out of the
// store. So a contact gives back e^2 of what it has taken in, however often it is compressed again
// on the way, and energy is never made. This is dE_j = -v_j dp_j, -v_j dp_j/e_j^2 with
// dp_j/dp_i = F_j/F_i, the law of distributed energies, in the form that is regular at E = 0.
// e = 0 is the limit of small e: at greatest compression the force falls at once, to as far below
// that which would hold the contact still as it was above, or to nothing.
// A contact opens at x = 0. By default it closes again when its gap has closed; the gap grows at
// v_j, counted from the shape it has when it opens. See CoupledSettings.
//
// Friction, by the contact's law:
// - frictionless: none;
// - routh (stronge): Coulomb's at the contact point. Where contacts do not slip, who sticks is
//   decided for all of them at once (coupled_modes.h);
// - compliant: tangential springs of stiffness F'(x)/eta2 with Coulomb's friction behind them, as
//   in compliant.h for eta = 1. For eta > 1 the tangential stiffness follows the normal one as in
//   Mindlin's theory: forces stay while it grows and fall with it, so that energy is not made.
// Other laws, and routh with other terminations, are refused: they have no forces.
// A hinge is rigid, pulls and pushes, and holds through the whole impact; relative velocity that it
// has before is taken away at once, without restitution, before the springs begin.
//
// Stiffness: where all powers are equal only ratios matter. Else they are N/m^eta with masses in kg
// and velocities in m/s. One contact gives the answer of its own law for any power without
// tangential springs, and for power 1 with them.
// A contact with v_j = 0 and no other contact pushing it has no impact, also where slip would jam
// it (routh at u_z = 0).
// Sources: Stronge 2000; Liu, Zhao and Brogliato 2008; Jia 2010.
struct CoupledSettings {
    enum class Reclose : std::uint8_t {
        gap,      // when the gap has closed: what springs do
        approach  // as soon as the contact approaches, as in the impulse form, which has no gaps
    };
    Reclose reclose = Reclose::gap;
    // Error of one step, relative to the scales of velocity, force and compression. Ten times
    // larger: a digit less and a fifth fewer steps.
    double tolerance = 1e-11;
    // Approach velocity at open contacts, relative to the fastest at first, with which it may end.
    // Larger: infinite sequences of ever smaller impacts are cut off earlier.
    double rest = 1e-10;
    // Pieces of the path after which it is cut off, with what is left in approach_left.
    long most_pieces = 20000;
    // Multiplications, about, after which the path is given up, and the impact is resolved anew in
    // steps of bounded work (coupled_march.h), to about a per cent. 3e9 are a second or
    // so. Larger: redundant contacts with friction may take as much longer before that.
    double path_work = 3e9;
    // The same for the steps: then it is cut off, and MultiContactSolution::ended is false. 5e8 are
    // half a second. Larger: clusters that rattle for long come nearer to their end.
    double step_work = 5e8;
    const StopCheck* stop = nullptr;  // asked before each step; Stopped is thrown
};

MultiContactSolution resolve_coupled(const MultiContactProblem& problem,
                                     const CoupledSettings& settings = {});

// One contact at one instant of the path.
struct CoupledTraceContact {
    Vec3 impulse_W = Vec3::Zero();   // so far, on a
    Vec3 velocity_W = Vec3::Zero();  // without the tangential part where there is no friction
    double force = 0.0;              // normal
    double energy = 0.0;             // stored in the normal spring
    Mode mode = Mode::separating;
};

// The path: time is in seconds where the stiffness is in N/m^power. contacts leave out hinges,
// whose index in the problem is told by `contact`.
struct CoupledTrace {
    struct Sample {
        double time = 0.0;
        std::vector<CoupledTraceContact> contacts;
    };
    std::vector<std::size_t> contact;  // index in the problem of each contact of a sample
    std::vector<Sample> samples;
};

// The same bits, and the path.
MultiContactSolution resolve_coupled(const MultiContactProblem& problem,
                                     const CoupledSettings& settings, CoupledTrace& trace);

}  // namespace carom::impact
