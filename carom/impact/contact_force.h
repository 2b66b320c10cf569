// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"

namespace carom::impact {

// Particles against planes, as in the particle notes: impulse, contact force and friction force.
// All vectors in the world frame; n is the unit normal towards the legal side.

// Impulse (N s) on a particle of mass m and velocity v that hits the plane with restitution e and
// friction mu: j n - min(mu j, m |v_t|) t, j = -(1 + e) m n.v; zero when it does not approach.
// With reversal the tangential part is mu j whatever the slip (the notes' literal rule).
Vec3 particle_plane_impulse(double mass, const Vec3& v, const Vec3& n, double e, double mu,
                            bool reversal = false);

// Normal force (N) that keeps a particle from being pushed through the plane by the force F:
// max(0, -n.F); a sticky plane also holds it back, -n.F of either sign.
double contact_force(const Vec3& F, const Vec3& n, bool sticky = false);

// Friction force (N) on a particle in lasting contact under the force F. Sliding with velocity v:
// -mu fc t against the slip. At rest: what cancels the tangential part of F, cut at mu fc.
Vec3 friction_force(const Vec3& F, const Vec3& v, const Vec3& n, double mu);

}  // namespace carom::impact
