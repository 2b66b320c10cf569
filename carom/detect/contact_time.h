// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <limits>

#include "carom/detect/moving_part.h"
#include "carom/detect/separation.h"

namespace carom::detect {

// When two moving convex parts first touch.
//
// From t0 the pair advances by steps in which it certainly does not touch (safe_step.h), each from
// the closest points at its start. Where the gap has become small enough that the approach speed
// gives the contact to rounding, the last step lands on it; a grazing pair goes on with certain
// steps until the gap is lost in the rounding of the coordinates or opens again. So no contact is
// missed, however short, and a gap larger than rounding is never called a contact.
// A ball against a half-space or a ball, both on parabolas, is solved in closed form.
//
// Threads: the functions of this room keep nothing between calls but what the caller hands them.
// Bodies and motions may be shared by any number of threads; a PairMemory, a BodyMemory and a
// SweptHash, which remember the last answers, serve one thread at a time.
struct ContactSearch {
    // Most steps. What is left when they are used up is reported, not guessed.
    long most_steps = 1'000'000;
    // Bodies that touch at t0 and part there: false reports the contact at t0, true looks for the
    // next one.
    bool leave_first = false;
};

enum class ContactKind {
    none,      // no contact in [t0, until]
    touch,     // first contact at t
    overlap,   // the parts overlap at t0
    unsettled  // the steps were used up at t: no contact before it, unknown after it
};

struct ContactTime {
    ContactKind kind;
    double t;
    Separation apart;  // at t; with none: at until
    long steps;
    double start = 0.0;  // a distance that the parts surely have at t0; 0: not known
};

ContactTime contact_time(const MovingPart& a, const MovingPart& b, double t0, double until,
                         PairMemory& memory, const ContactSearch& search = {});

}  // namespace carom::detect
