// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/body_contact.h"
#include "carom/math/types.h"

namespace carom::detect {

// A box that holds a moving body at every time of [t0, t1], for the broad phase.
//
// Two bounds, of which the box is the common part: the box of the centre of mass over the time,
// grown by the largest distance of a point of the body from it; and the box of the body at t0,
// grown along each axis by how far its points can go (motion/bounds.h). The first is better over
// long times, the second over short ones. Rounding is on the safe side. Not for half-spaces, which
// the broad phase keeps as such: std::invalid_argument.
Aabb swept_box(const MovingPart& part, double t0, double t1);
Aabb swept_box(const MovingBody& body, double t0, double t1);

}  // namespace carom::detect
