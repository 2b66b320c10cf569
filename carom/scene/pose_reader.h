// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/scene/fields.h"
#include "carom/shape/pose.h"

namespace carom::scene {

// position = [x, y, z]; orientation = [w, x, y, z], or axis = [x, y, z] with angle in degrees. What
// is missing or wrong is taken as zero. A quaternion has to be of length 1 to 1e-3, and is
// normalised; an axis may have any length but zero.
shape::Pose read_pose(Fields& fields);

}  // namespace carom::scene
