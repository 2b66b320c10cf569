// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The plane two-stage law of Pfeiffer and Glocker with tangential restitution.
//
// Compression: whittaker with e = 0 in the plane gives p_C and u_C. Expansion: p_Ez = e p_Cz, and
// along the tangent, counted so that p_Cx > 0, the stored impulse L = e et p_Cx is given back
// unless Coulomb's law or the wished rebound velocity vs = nu et |u_x| says otherwise: with v the
// slip after the normal expansion alone, s0 = -v/Kxx (slip to zero), s1 = (vs - v)/Kxx (slip to
// vs),
//     p_Ex = min(s0, mu p_Ez) if s0 >= L;  L if s0 < L <= s1;  max(s1, -mu p_Ez) else.
// If u_z would be negative at the end, p_Ez is raised until it is zero. et = 0 is plain Coulomb.
//
// The source at hand describes the 1996 law in words only: these equations are a reconstruction
// with its properties, not a verified statement of it. Range: 0 <= e <= 1, mu >= 0, 0 <= nu < 1,
// -1 <= et <= 1. Source: Chatterjee and Ruina section 4.2.4 on Pfeiffer and Glocker 1996.
struct PfeifferGlockerParameters {
    Required<double> e;
    Required<double> mu;
    Required<double> nu;
    Required<double> et;
};

// The impulse is (p_x, 0, p_z) in the plane's axes.
Solution pfeiffer_glocker(const PlaneContact& contact, const PfeifferGlockerParameters& parameters);

}  // namespace carom::impact
