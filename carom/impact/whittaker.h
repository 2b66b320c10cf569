// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/principal.h"
#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// Whittaker's law (also Kane and Levinson's): kinematic restitution, and friction against the final
// slip.
//
//     u_z becomes -e u_z, and either the slip becomes zero with |p_t| <= mu p_z,
//     or p_t = -mu p_z c with c the direction of the final slip.
//
// Slip in closed form: p_z = -(1 + e) u_z / h(th), where th is a zero of
// (s.u_t) h(th) - (1 + e) u_z f(th), s = (-sin th, cos th), a trigonometric polynomial of degree
// two with at most four roots; those with h > 0 and a final slip along c count. Stick wins where it
// is admissible, else the smallest p_z. Can gain energy when K couples normal and tangents. Cannot
// reverse the slip. Range: 0 <= e <= 1, mu >= 0.
// Source: Whittaker 1944; Chatterjee and Ruina section 4.2.2 with its misprint mended.
struct WhittakerParameters {
    Required<double> e;
    Required<double> mu;
};

Solution whittaker(const Contact& contact, const WhittakerParameters& parameters);

// The same in principal axes, for laws that build on it. rise = -(1 + e) u_z > 0 is the change of
// the normal velocity that is asked for.
struct PrincipalImpulse {
    double x, y, z;
    bool sticks;
    double x_after, y_after;  // the slip after
};
PrincipalImpulse whittaker_principal(const Principal& K, double x, double y, double rise,
                                     double mu);

}  // namespace carom::impact
