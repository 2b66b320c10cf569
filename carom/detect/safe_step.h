// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/moving_part.h"
#include "carom/detect/separation.h"

namespace carom::detect {

// Two parts at one time and how they may move from there. The angular velocities are those of the
// shapes: see shape_spin().
struct PairState {
    const MovingPart* a;
    const MovingPart* b;
    motion::State state_a, state_b;
    Separation apart;
};

// How a part's shape turns, given its body's angular velocity w. A part that is round about an axis
// does not change by turning about it, so that w less its component along the axis moves it as
// well: much slower for a wheel, and nothing for a turning platter. That holds where the size of
// this difference is constant, as in steady rotation and for a symmetric top; else w itself is
// returned.
struct ShapeSpin {
    Vec3 w;
    bool reduced;
};
ShapeSpin shape_spin(const MovingPart& part, const motion::State& state);

// How the gap along the normal changes at first, and how much it may curve.
struct Approach {
    double speed;      // at which the gap closes, m/s; negative when it opens
    double curvature;  // a bound on how fast that speed grows, m/s^2
};

// A time for which two parts can not touch, from where they are.
//
// Let n be the unit normal from B to A and C the way from B's centre of mass to A's. In a frame
// that turns with any constant rate W (so that n turns with it), a body with angular velocity w
// turns by w - W, and for the time d from now
//
//     gap(d) >= n.C + d (n.V + (W x n).C) + min over A of r.(n + d n x (w_A - W))
//               - max over B of r.(n + d n x (w_B - W)) - radii - Q d^2 / 2,
//
// r being the core's points from their centre of mass as they stand now. The linear terms are
// exact; Q holds what is left: for each body reach (|w - W|^2 + |dw/dt - W x w|), for the centres
// what gravity and the turning frame make of C. The two extremes are support points of the cores;
// each is concave in d, so that its chord bounds it from below over a step. With W chosen so that
// the features at the contact stay perpendicular to n (that of a face's body, or the rate at which
// the common normal of two edges turns) the bound is exact to first order, and repeated steps
// converge quadratically to the contact; with W = 0 it is better from afar.
//
// With W = 0 there is a sharper bound. Let e(s) be the extremes with n turned by -w s in place of
// n + s n x w: those of the cores as they have turned after s if w stays. On the way from 0 to d an
// extreme is above its chord less what the arc of n differs from the chord of n by, reach (|w|^2 +
// |dw/dt|) s (d - s) / 2, and the end is known to reach |dw/dt| d^2 / 2. With a the acceleration of
// C along n and B, D the sums of reach (|w|^2 + |dw/dt|) and of reach |dw/dt|, for 0 <= s <= d
//
//     gap(s) >= gap + s (n.V + (e(d) - e(0)) / d - (B + D) d / 2) + (a + B) s^2 / 2.
//
// In either form bodies that part need a step so short that the points which part are still the
// extreme ones at its end: the chord to others that come down by then says next to nothing.
//
// Beyond that, two balls
// about the centres of mass that hold the parts can not touch for a time that follows from C alone.
//
// Pre: apart.lower >= 0. Returns at most horizon.
double safe_step(const PairState& now, double t, double horizon);

// The approach along the normal, following the features; the curvature holds for a short horizon.
Approach approach(const PairState& now, double t, double horizon);

// The gap along the normal after d to first order, of whichever points are then the closest: of
// nearly parallel faces others than now may be first.
double gap_after(const PairState& now, double t, double d);

}  // namespace carom::detect
