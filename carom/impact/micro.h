// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The micro-collision of impulse-based simulation: static friction by exact reversal.
//
// If |u_z| < threshold and p = -2 K^-1 u lies in the friction cone, that p is applied: the contact
// velocity turns to -u, no energy is lost, and a body in lasting contact does not creep. Otherwise
// a full law takes over.
// Range: mu >= 0, threshold > 0 (m/s; infinite: always try). Source: Mirtich and Canny section 4.5.
struct MicroParameters {
    Required<double> mu;
    Required<double> threshold;
};

struct MicroReversal {
    bool applies;
    Vec3 p;
};

// The reversing impulse and whether it may be used; what to do if not is the caller's choice.
MicroReversal micro_reversal(const Contact& contact, const MicroParameters& parameters);

}  // namespace carom::impact
