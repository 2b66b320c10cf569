// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// Smith's law: kinematic restitution, and friction along a mean of the first and the final slip.
//
//     u_z becomes -e u_z,   p_t = -mu p_z w,
//     w = (a |a| + v |v|) / (|a|^2 + |v|^2),  a the slip before, v the slip after.
//
// |w| <= 1, and w shrinks when the slip reverses, so that it loses energy always and turns the slip
// of a spinning ball. A nonlinear system with a solution always and no proof of only one: the one
// meant is that reached from p_z = 0 with p_z growing. Without slip it falls back to whittaker.
// Solved by Newton; the way from p_z = 0 is followed where Newton has doubts.
// Range: 0 <= e <= 1, mu >= 0. Source: Smith 1991; Chatterjee and Ruina eq. 8.
struct SmithParameters {
    Required<double> e;
    Required<double> mu;
};

Solution smith(const Contact& contact, const SmithParameters& parameters);

// The same by following the solution from p_z = 0 all the way: slower, and what smith() means.
Solution smith_by_continuation(const Contact& contact, const SmithParameters& parameters);

}  // namespace carom::impact
