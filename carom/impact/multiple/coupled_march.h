// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/multiple/coupled.h"
#include "carom/impact/multiple/coupled_system.h"

namespace carom::impact {

// The coupled impact in plain steps: the same springs and the same friction as the collocation of
// coupled_step.h, to about a per cent instead of eleven digits, but with work that is
// bounded for every problem. It is for clusters in which rigid friction makes and breaks contact
// thousands of times: faces that stand on four corners, stacks, rows that lean on each other.
//
// A step h has two parts.
// Normal impulses, all at once: p_j = h F_j at the compression that the contact has in the middle
// of the step. With v the mean of the normal velocities before and after, the bodies lose exactly
// -p_j v_j, and that is what is put into the store of the contact (v < 0), or 1/e^2 of it taken out
// (v > 0). A contact that would give more than it has gives what it has, and opens. So kinetic and
// stored energy never rise, and at e = 1 without friction they stay, whatever the step.
// Friction: with the normal impulses known, the impulses f of all contacts that rub solve
//     min f.W f/2 + f.u,  |f_j| <= mu_j p_j,
// whose f.u + f.W f/2, the change of energy, is not positive. Contact by contact in turn.
//
// The step is a fixed part of the time in which the stiffest contact could swing. Contacts without
// friction or with friction at the contact point; tangential springs are not known here.
struct CoupledMarch {
    Eigen::VectorXd P;  // impulses in the rows of the system
    long steps = 0;
    bool ended = false;  // false: the bound of the work was reached before
};

// Whether all contacts are such that steps know them.
bool can_march(const CoupledSystem& system);

// To CoupledSettings::rest, or until step_work is done.
CoupledMarch march_coupled(const CoupledSystem& system, const CoupledSettings& settings);

}  // namespace carom::impact
