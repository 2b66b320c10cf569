// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/feature.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// On which feature of a body a contact lies, told by the contact's normal, which is good to
// rounding where the point need not be: `outward` is unit, out of this body, in its frame. The
// point tells the ends of a capsule from its side.
Feature surface_feature(const shape::Convex& convex, const Vec3& point, const Vec3& outward);

}  // namespace carom::detect
