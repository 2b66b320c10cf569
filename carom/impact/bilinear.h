// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The bilinear law of spheres and disks (Walton; Chatterjee and Ruina eq. 9).
//
//     p_z = -(1 + e) u_z / K_zz,   p_t = -t min(mu p_z, (1 + et) |u_t| / (t.K t)),   t = u_t/|u_t|.
//
// It holds only where the normal and the slip direction are eigenvectors of K, as for spheres and
// disks. Range: 0 <= e <= 1, -1 <= et <= 1, mu >= 0. Never gains energy.
struct BilinearParameters {
    Required<double> e;
    Required<double> et;
    Required<double> mu;
};

// Whether K has the normal and the slip direction as eigenvectors (within Tolerances::plane).
bool bilinear_applies(const Contact& contact);

// Pre: bilinear_applies(contact).
Solution bilinear(const Contact& contact, const BilinearParameters& parameters);

}  // namespace carom::impact
