// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

#include "carom/impact/problem.h"
#include "carom/impact/required.h"
#include "carom/impact/solution.h"
#include "carom/impact/trace.h"

namespace carom::impact {

// When an incremental impact ends. C and D are the stretches with u_z < 0 and u_z > 0; there may be
// several of each, and all are added up.
enum class Termination : std::uint8_t {
    stronge,        // work of D = -e^2 work of C: never gains energy
    poisson,        // normal impulse of D = e normal impulse of C
    poisson_first,  // p_z = (1 + e) p_z at the first end of compression; may end with u_z < 0
    newton          // first upward passage of u_z through -e u_z(0); can gain energy
};

const char* termination_name(Termination termination);

// Routh's incremental law (Routh 1897; Keller; Mirtich), with Coulomb friction at every instant.
//
// Normal impulse p_z plays the part of time. While the contact slips,
//     dp/dp_z = (-mu c, 1),  c = u_t/|u_t|,  du/dp_z = K dp/dp_z;
// at u_t = 0 it sticks for good if |M^-1 b| <= mu (M the tangential block of K, b its coupling to
// the normal), else it slips on along the unique diverging ray (lambda + mu M) c = b, |c| = 1.
// The end is set by the termination. At u_z = 0 there is an impact only if the slip drives the
// bodies together (h = K_zz - mu b.c < 0).
//
// Assumes rigid bodies and no tangential compliance. Solved by Taylor series while slipping
// (slide_series.h, ray_series.h) and exactly on straight stretches: relative error of p below 1e-11
// for well conditioned K. Range: 0 <= e <= 1, mu >= 0.
// Source: Mirtich and Canny 1995; the correction of Mirtich's algorithm (several phases).
struct RouthParameters {
    Required<double> e;
    Required<double> mu;
    Termination termination = Termination::stronge;
};

// With a trace, also fills in the path; the solution is the same bits with and without.
Solution routh(const Contact& contact, const RouthParameters& parameters, Trace* trace = nullptr);

}  // namespace carom::impact
