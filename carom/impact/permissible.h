// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/impact/problem.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The permissible region of impulse space (Chatterjee and Ruina section 3): what any law may
// answer.
//
// Four conditions on an impulse p, as signed margins that are >= 0 where it holds:
//     energy      -(u.p + p.K p/2) / E0            no kinetic energy is made
//     separation  (u_z + K_z.p) / |u|              the bodies do not approach afterwards
//     normal      p_z / |p|                        they push, never pull
//     cone        (mu p_z - |p_t|) / ((1 + mu) |p|)  Coulomb's friction
// each divided by its own scale, so that Tolerances::permissible applies to all. E0 = u.K^-1 u/2 is
// the contact kinetic energy before.
struct Permissible {
    double energy_margin;
    double separation_margin;
    double normal_margin;
    double cone_margin;

    bool energy() const;
    bool separation() const;
    bool normal() const;
    bool cone() const;
    bool all() const { return energy() && separation() && normal() && cone(); }
};

Permissible check_permissible(const Contact& contact, double mu, const Vec3& p);

// The restitution an impulse actually shows; empty where it has no meaning (no approach, no
// compression).
//     kinematic  -u_z(after)/u_z(before)
//     kinetic    normal impulse of restitution / of compression
//     energetic  sqrt(work of restitution / work of compression)
// The last two need the way the impulse grew. Laws that have one report it; for the others it is
// the straight line from 0 to p, on which all three are the same number.
struct Restitution {
    std::optional<double> kinematic;
    std::optional<double> kinetic;
    std::optional<double> energetic;
};

Restitution shown_restitution(const Contact& contact, const Solution& solution);

// The landmarks of the region.
struct RegionLandmarks {
    Vec3 P_I;                    // perfectly plastic, frictionless
    Vec3 P_II;                   // perfectly plastic, sticking: centre of the energy ellipsoid
    double contact_energy;       // E0
    double largest_kinematic_e;  // over the whole region; zero without approach
    Vec3 P_largest_e;            // an impulse that shows it
};

// Pre: u_z < 0.
RegionLandmarks region_landmarks(const Contact& contact, double mu);

}  // namespace carom::impact
