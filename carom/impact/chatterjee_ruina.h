// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"

namespace carom::impact {

// The algebraic law of Chatterjee and Ruina: a weighted sum of the perfectly plastic frictionless
// impulse P_I and the perfectly plastic sticking impulse P_II, cut off at the friction cone.
//
//     P_I = (0, 0, -u_z/K_zz),  P_II = -K^-1 u,
//     p = (1 + e) P_I + kappa (P_II - P_I),  kappa = 1 + et inside the cone, else the value that
//     puts p on it: mu (1 + e) P_Iz / (|P_IIt| - mu (P_IIz - P_Iz)).
//
// e is kinematic: u_z becomes -e u_z exactly. Range: 0 <= e <= 1, -1 <= et <= 1, mu >= 0. Always in
// the permissible region. Source: Chatterjee and Ruina 1998, eqs. 3, 4, 10 to 14.
struct ChatterjeeRuinaParameters {
    Required<double> e;
    Required<double> et;
    Required<double> mu;
};

Solution chatterjee_ruina(const Contact& contact, const ChatterjeeRuinaParameters& parameters);

}  // namespace carom::impact
