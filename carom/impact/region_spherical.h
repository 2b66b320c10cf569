// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The whole permissible region in spherical coordinates about its inner point P_0 = 1.5 P_I:
//
//     p = P_0 + rho t_max d,  d = (sin psi1 cos psi2, sin psi1 sin psi2, cos psi1),
//
// with t_max the distance to the boundary along d. Every permissible impulse has a set of
// parameters, and no set gives an impermissible one. Range: mu >= 0, any angles psi1 and psi2
// (radians, psi2 from the contact frame's x axis), 0 <= rho <= 1.
// Source: Chatterjee and Ruina section 4.1, first way; P_0 is our choice.
struct RegionSphericalParameters {
    Required<double> mu;
    Required<double> psi1;
    Required<double> psi2;
    Required<double> rho;
};

Solution region_spherical(const Contact& contact, const RegionSphericalParameters& parameters);

}  // namespace carom::impact
