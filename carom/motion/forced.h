// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/motion/integrated.h"

namespace carom::motion {

// The motion of a body under force fields, cushions among them, from t0 on.
//
// A cushion pushes from when the centre of mass comes below its plane until its force
//     -(stiffness x + damping dx/dt)
// would pull. Both times are located on the polynomials of the motion, to rounding, and the motion
// is good until the first of them, or t1. So no step is taken across a jump of the force.
struct ForcedMotion {
    Integrated motion;
    double until;
};
ForcedMotion forced_motion(const State& state, double mass, const PrincipalInertia& inertia,
                           const std::vector<ForceField>& fields, double t0, double t1);

}  // namespace carom::motion
