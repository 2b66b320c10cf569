// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/state.h"

namespace carom::motion {

// A planar velocity u under a constant pull s along e1 and dry friction f against itself,
//     u' = s e1 - f u/|u|,   u(0) = u0 != 0,
// exactly: sliding on a slope, and rolling on one with rolling friction.
//
// With phi the angle of u from e1 and q = |u|, q' = s cos phi - f and q phi' = -s sin phi. In the
// variable p with dt = q dp all of it is a sum of exponentials: with
//     A = q0 cos^2(phi0/2),  B = q0 sin^2(phi0/2),  C = q0 sin phi0,  E(a) = (1 - exp(-a p)) / a,
//     u1 = A exp(-(f-s) p) - B exp(-(f+s) p),   u2 = C exp(-f p),   q = A exp(..) + B exp(..),
//     t  = A E(f-s) + B E(f+s),
//     int u1 dt = A^2 E(2(f-s)) - B^2 E(2(f+s)),   int u2 dt = C (A E(2f-s) + B E(2f+s)).
// Nothing is singular at s = 0, f = 0 or f = s. For f > s the velocity vanishes at
//     T = A / (f-s) + B / (f+s),
// otherwise never (a u0 straight against the pull, which does stop, is for the caller).
// p at a time: Halley's method on log(T - t), which is convex and nearly linear in p; bracketed on
// t where T is infinite or far away. The residual is rounding of t, so that the answer is that of a
// time within a few ulp. Range: s, f >= 0, not both zero, finite; 0 <= t <= T. *Derived.*
class Hodograph {
public:
    Hodograph(const Vec2& u0, double s, double f);

    // T, or infinity.
    double end() const { return end_; }

    // The variable p at time t; infinity at the end.
    double parameter_at(double t) const;

    struct Point {
        Vec2 u;  // velocity
        Vec2 y;  // its integral from 0 to t
    };
    Point at(double t) const { return at_parameter(parameter_at(t)); }
    // to rounding of the first velocity
    Point at_parameter(double p) const;
    double time_at_parameter(double p) const;
    // to rounding of its own size
    Vec2 velocity_at_parameter(double p) const;
    // |u|, and the two parts it is the sum of
    struct Parts {
        double a, b;
    };
    Parts parts_at_parameter(double p) const;
    double pull() const { return s_; }
    double friction() const { return f_; }

private:
    double stopping_parameter(double t) const;
    double bracketed_parameter(double t) const;

    double s_, f_;
    double a_, b_, c_;
    double end_;
};

}  // namespace carom::motion
