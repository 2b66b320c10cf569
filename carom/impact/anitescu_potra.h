// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The two-stage law of Anitescu and Potra: Whittaker's friction in compression and again in
// expansion, with Poisson's restitution between.
//
//     compression: whittaker with e = 0 gives p_C and u_C;
//     expansion: p_z = e p_Cz, the friction against the slip at its end (friction_for_normal);
//     if u_z would then be negative, p_z is raised until it is zero.
//
// Each stage loses energy, so the whole does. No tangential restitution. Range: 0 <= e <= 1,
// mu >= 0. Source: Anitescu and Potra 1997 as described by Chatterjee and Ruina section 4.2.4; the
// raising of p_z is our reading of its complementarity condition.
struct AnitescuPotraParameters {
    Required<double> e;
    Required<double> mu;
};

Solution anitescu_potra(const Contact& contact, const AnitescuPotraParameters& parameters);

}  // namespace carom::impact
