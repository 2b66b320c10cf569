// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::world {

// What counts as touching. Lengths are relative to the radius of the smaller free body of a pair
// unless a line says otherwise; each says what ten times larger does.
struct TouchTolerances {
    // Largest gap that rounding can make, relative to coordinates plus sizes. Larger: bodies that
    // part are queried again later, and a contact in that time is found that much late.
    double parted = 1e-14;
    // Overlap at the start that counts as touching. Larger: less carefully placed scenes pass.
    double placed = 1e-9;
    // Way over the border of a face after which bodies that pass each other along it are looked at
    // again. Larger: a face that begins there carries that much late.
    double passing = 1e-6;
    // Gap up to which a point of an active contact takes part in impacts; beyond it a contact that
    // carries nothing is open. Larger: contacts open later, and feel impacts that do not reach
    // them.
    double closed_gap = 3e-4;
    // The same of a contact that is not loose (PersistentContact::loose). Larger: points that are
    // still above are held.
    double exact_gap = 1e-8;
    // By how much, in L, bodies that overlap may become deeper before they are looked at again.
    // Larger: a rim that turns sinks in by as much.
    double deeper = 1e-5;
    // The overlap, in L, near which that is next to nothing. Larger: rims that roll on without
    // parting are as deep in what they roll on.
    double deepest = 3e-4;
    // Gap at which a point that comes down is down. Larger: it is hit that much early.
    double landing_gap = 1e-9;
    // Gap up to which points belong to a manifold. Larger: more points that carry nothing.
    double manifold_reach = 0.1;
    // Distance up to which points of different features count as the same place. Larger: a body
    // with sides shorter than that rolls instead of rattling.
    double same_place = 0.1;
};
inline constexpr TouchTolerances k_touch_tolerances{};

}  // namespace carom::world
