// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// Routh's law with Stronge's termination for plane problems, in closed form.
//
// In a plane every slip is on a ray of constant sliding, so that the impact is a chain of at most
// three straight stretches. With s = sign(u_x), kx = Kxz - s mu Kxx, kz = Kzz - s mu Kxz per unit
// of normal impulse: slide on the ray until slip ends, compression ends or the work of restitution
// reaches e^2 times that of compression; at zero slip stick if |Kxz| <= mu Kxx, else slip towards
// sign(Kxz). Range: 0 <= e <= 1, mu >= 0. Never gains energy.
// Source: the correction of Mirtich's algorithm, section 5.
struct PlanarParameters {
    Required<double> e;
    Required<double> mu;
};

// The impulse is (p_x, 0, p_z) in the plane's axes.
Solution planar(const PlaneContact& contact, const PlanarParameters& parameters);

}  // namespace carom::impact
