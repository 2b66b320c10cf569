// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"
#include "carom/impact/trace.h"

namespace carom::impact {

// Impact with tangential compliance (Stronge's springs in three dimensions, after Jia).
//
// The contact point of A hangs on a massless particle by a normal spring of stiffness k and two
// tangential ones of stiffness kt = k0/eta2; the particle sticks or slips on B by Coulomb's law.
// k = k0 while u_z < 0 and k0/e^2 while u_z > 0 (Stronge's energetic restitution). With d the
// tangential stretch and F the normal force,
//     p_t' = -kt d,  p_z' = F,  F' = -k u_z,  u' = K p';
//     stick: d' = u_t while kt |d| < mu F;
//     slip:  d = (mu F/kt) e_, and e_ turns towards u_t at the rate (u_t.e_perp)/|d|, while the
//            particle's velocity v_s = u_t.e_ + mu (k/kt) u_z stays positive.
// It starts in slip iff |u_t| >= mu eta2 |u_z|, and ends at F = 0 (at u_z = 0 for e = 0). k0 only
// scales time. Slip in restitution keeps |F_t| = mu F, as the equations say; the numbers printed
// with them follow e mu there (see the theory page).
//
// Gives back tangential energy, so that the slip can turn round as superballs do. Loses energy
// always. Range: 0 <= e <= 1, mu >= 0, eta2 > 0; for a punch on a half space of Poisson's ratio nu,
// eta2 = (2 - nu)/(2 - 2 nu). Relative error of p below 1e-9 for well conditioned K.
// Source: Jia, Modeling of tangential compliance in 3D impact; Stronge 2000.
struct CompliantParameters {
    Required<double> e;
    Required<double> mu;
    Required<double> eta2;
};

// Johnson's ratio of normal to tangential stiffness for Poisson's ratio nu.
constexpr double eta2_of_poisson_ratio(double nu) {
    return (2.0 - nu) / (2.0 - 2.0 * nu);
}

// The work on one impact is bounded (CompliantState::k_most_effort), to about 2 ms: p is not a
// number if the impact has not ended by then, and resolve() turns that into a refusal. It takes
// springs of very different stiffness (eta2 above 1e4), which swing many thousand times before the
// bodies part, restitution of about 1e-9, or enormous friction (above 1e8) in an impact that hardly
// approaches.
Solution compliant(const Contact& contact, const CompliantParameters& parameters,
                   Trace* trace = nullptr);

}  // namespace carom::impact
