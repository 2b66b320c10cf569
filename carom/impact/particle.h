// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The simplified Coulomb law of the particle notes: a frictionless bounce, and beside it a
// tangential impulse of mu times the normal one against the first slip.
//
//     p_z = -(1 + e) u_z / K_zz,   p_t = -t min(mu p_z, |u_t| / (t.K t)),   t = u_t / |u_t|,
//
// and p_t = 0 without slip. For a particle of mass m, K = I/m and this is j = -(1 + e) m v_N. The
// minimum is ours: it stops the slip instead of reversing it. With reversal = true the notes are
// taken literally, p_t = -mu p_z t, which can drive the particle backwards and even raise the
// energy.
// It holds only where the normal and the slip direction are eigenvectors of K, as for particles and
// balls: elsewhere friction also changes the normal velocity, the bodies would not part as e says,
// and energy would be gained. Range: 0 <= e <= 1, mu >= 0. Without reversal it never gains energy.
// Source: particle notes section 3.1.
struct ParticleParameters {
    Required<double> e;
    Required<double> mu;
    bool reversal = false;
};

// Whether K has the normal and the slip direction as eigenvectors, as bilinear_applies.
bool particle_applies(const Contact& contact);

// Pre: particle_applies(contact).
Solution particle(const Contact& contact, const ParticleParameters& parameters);

}  // namespace carom::impact
