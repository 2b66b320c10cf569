// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/multiple/coupled_events.h"

namespace carom::impact {

// How modes follow each other in a coupled impact.

// The contact closes now, with no force yet.
void close_contact(const CoupledSystem& system, CoupledState& state, std::size_t i);
// The contact opens now.
void open_contact(CoupledState& state, std::size_t i);
// Changes the mode of the event's contact; the step is the one in which it happened.
void apply_event(const CoupledSystem& system, const CoupledStep& step, const CoupledEvent& event,
                 CoupledState& state);
// What a step without events decides: touching contacts that have gone one way, rigid slip that has
// come to its end. Contacts to be decided by decide_grips get the mode undecided.
void settle(const CoupledSystem& system, const CoupledStep& step, CoupledState& state);

// Rigid contacts without slip: who sticks and who begins to slip, and in which direction.
//
// The normal forces are known, so that friction f of these contacts solves one convex problem,
//     min f.W f/2 + f.a,  |f_j| <= mu_j F_j,
// a the accelerations by all other forces: its solution holds every contact that can be held and
// lets the others accelerate against their friction. Accelerations are unique even where W is
// singular. Found by exact solution contact by contact in turn, to k_grip_residual.
void decide_grips(const CoupledSystem& system, const CoupledStep& step, CoupledState& state);

// Makes rigid contacts undecided whose slip has begun but not moved; false if there are none.
bool doubt_slip(const CoupledSystem& system, CoupledState& state);

// Duration (in units of the quickest contact's) of a step in which friction that starts at no force
// and no slip is left out. Larger: p wrong by its square.
inline constexpr double k_undecided_time = 1e-7;
// Slip, relative to the approach speed, at which rigid sliding has come to its end. Larger: p wrong
// by as much, relative.
inline constexpr double k_slip_end = 1e-12;

}  // namespace carom::impact
