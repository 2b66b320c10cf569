// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The permissible region parameterised by the impulse itself: a wished impulse P is taken as it is
// when it is permissible, else moved towards the inner point P_0 = 1.5 P_I until it is:
//
//     p = P_0 + min(1, t_max) (P - P_0).
//
// Range: mu >= 0, P any finite impulse (contact frame, N s).
// Source: Chatterjee and Ruina section 4.1, second way; P_0 is our choice.
struct RegionProjectedParameters {
    Required<double> mu;
    Required<Vec3> P;
};

Solution region_projected(const Contact& contact, const RegionProjectedParameters& parameters);

}  // namespace carom::impact
