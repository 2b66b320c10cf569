// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/motion.h"

namespace carom::motion {

// How far a moving body can go. Every bound holds for the motion as it is evaluated, a few ulp of
// the coordinates included; times and horizons are finite, horizons and radii are >= 0
// (std::invalid_argument otherwise), and an Integrated motion must be defined on the whole
// interval.

// For every d in [0, horizon], with c the centre of mass, v its velocity, w the angular velocity:
//     |c(t+d) - c(t) - v(t) d - a d^2 / 2| <= a_spread d^2 / 2  (+ rounding of c),
//     |w(t+d)| <= spin_max,   |dw/dt (t+d)| <= spin_rate_max.
// Ballistic: a = g, a_spread = 0, spins over all time. Prescribed: a is the centripetal
// acceleration at t, a_spread = |a| min(2, |w| horizon / 3). Integrated: a is the middle of a box
// that holds the acceleration over the interval.
struct LocalBounds {
    Vec3 a;
    double a_spread;
    double spin_max;
    double spin_rate_max;
};
LocalBounds bounds(const Motion& motion, double t, double horizon);

// The largest |x(s) - x(t)| over s in [t, t + d] and all points x of the body within radius of the
// centre of mass: at most the centre's way and the chord 2 radius sin(min(pi, spin_max d) / 2).
double displacement_bound(const Motion& motion, double t, double d, double radius);

struct Interval {
    double low, high;
};
// The range of direction . (x(s) - x(t)) over the same; direction need not be unit. The centre's
// part is exact for parabolas and circles; the rotation about an axis along direction adds nothing.
Interval displacement_along(const Motion& motion, double t, double d, const Vec3& direction,
                            double radius);

// The box of the centre of mass over [t0, t1]: exact for parabolas and circles with or without
// drift, the union of Bernstein boxes of the pieces for Integrated.
Aabb swept_centre_box(const Motion& motion, double t0, double t1);

}  // namespace carom::motion
