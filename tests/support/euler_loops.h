// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/compliant.h"
#include "carom/impact/routh.h"

namespace carom::tests {

// The loops of the papers, with their fixed step: baselines for speed and crude oracles, never part
// of the library.

// The corrected Mirtich loop (Stronge's termination): Euler steps of size pz_step while slipping.
Vec3 routh_euler(const impact::Contact& contact, const impact::RouthParameters& parameters,
                 double pz_step);

// Jia's impulse loop, with the two errors of its pseudo-code mended without which it does not end:
// the normal energy is multiplied by e^2 where restitution starts, and D starts with the right
// sign. As printed it does not converge: in slip it never puts the springs back on the friction
// cone, and the relative error of the first steps stays. held mends that too.
Vec3 compliant_euler(const impact::Contact& contact, const impact::CompliantParameters& parameters,
                     double pz_step, bool held);

}  // namespace carom::tests
