// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// Brach's three-parameter law: a kinematic restitution and two impulse ratios.
//
//     q = mu2 a2 + mu3 a3,  a2 = -u_t/|u_t|,  a3 = n x a2,
//     p_z = -(1 + e) u_z / (K_zz + b.q),  p_t = p_z q.
//
// The ratios are free numbers, not friction coefficients: the answer may leave the permissible
// region, which is reported, not corrected. Without slip there is no a2 and q = 0. The law has no
// answer where K_zz + b.q <= 0 (no pushing impulse then gives u_z = -e u_z).
// Source: Brach 1991 as stated by Chatterjee and Ruina section 4.1.
struct BrachParameters {
    Required<double> e;
    Required<double> mu2;
    Required<double> mu3;
};

// Whether a pushing impulse with these ratios can reverse the normal velocity: K_zz + b.q > 0.
bool brach_applies(const Contact& contact, const BrachParameters& parameters);

// Pre: brach_applies(contact, parameters).
Solution brach(const Contact& contact, const BrachParameters& parameters);

}  // namespace carom::impact
