// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// Newton's law without friction.
//
// The impulse is along the normal and reverses the normal velocity up to e:
//     p_z = -(1 + e) u_z / K_zz,   p_x = p_y = 0,   so that u_z becomes -e u_z.
// Range: 0 <= e <= 1. Loses (1 - e^2) u_z^2 / (2 K_zz) of energy, never gains any.
// Source: classical; particle notes section 3.1.
struct FrictionlessParameters {
    Required<double> e;
};

Solution frictionless(const Contact& contact, const FrictionlessParameters& parameters);

}  // namespace carom::impact
