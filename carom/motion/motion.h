// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <variant>

#include "carom/motion/accelerated.h"
#include "carom/motion/ballistic.h"
#include "carom/motion/integrated.h"
#include "carom/motion/prescribed.h"
#include "carom/motion/sphere_on_plane.h"
#include "carom/motion/state.h"

namespace carom::motion {

// What a body does between two events: its state at any absolute time (s), evaluated directly. See
// bounds.h for how far it can go in an interval. Cheap to copy: large tables are shared.
//
// Threads: a motion does not change once it is made, nor do the tables that copies share. Any
// number of threads may ask the same one at once; everything else in this room is a function
// without memory.
using Motion = std::variant<Prescribed, Ballistic, Integrated, SphereOnPlane, Accelerated>;

// t must be finite, and within the motion's times: std::invalid_argument otherwise.
State at(const Motion& motion, double t);
Vec3 position_at(const Motion& motion, double t);
Attitude attitude_at(const Motion& motion, double t);

// The times for which the motion is defined: all of them except for Integrated,
// SphereOnPlane and Accelerated.
double valid_from(const Motion& motion);
double valid_until(const Motion& motion);

}  // namespace carom::motion
