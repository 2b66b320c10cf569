// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/detect/moving_part.h"

namespace carom::detect {

// The first contact of a ball with a half-space or another ball, when both centres are on parabolas
// (or straight lines) and the balls are centred at their centres of mass: closed forms.
//
//     ball, half-space:  n.(c - x0) - r = 0, quadratic in t
//     two balls:         |c_a - c_b|^2 = (r_a + r_b)^2, quadratic without relative acceleration,
//     else
//                        quartic
//
// Empty when the pair is not of that kind, or when it overlaps or touches at t0 (the general way
// then decides); infinity when there is no contact at or after t0, or only after until.
std::optional<double> ball_contact(const MovingPart& a, const MovingPart& b, double t0,
                                   double until, bool leave_first);

}  // namespace carom::detect
