// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"

namespace carom::motion {

using Quat = Eigen::Quaterniond;

// How a body is turned and how it turns. orientation takes body axes to world axes and is unit to
// rounding; angular_velocity is in world axes.
struct Attitude {
    Quat orientation;
    Vec3 angular_velocity;
};

// A rigid body at one time, in the world frame. Position and velocity are the centre of mass's.
struct State {
    Vec3 position;
    Quat orientation;
    Vec3 velocity;
    Vec3 angular_velocity;
};

}  // namespace carom::motion
