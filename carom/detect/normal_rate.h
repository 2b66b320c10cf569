// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"

namespace carom::detect {

struct PairState;

// The angular velocity with which the normal between two parts turns while their closest features
// stay what they are.
//
// A face keeps its normal: its body's angular velocity. A straight line e at the contact (an edge,
// a generator of a cylinder or cone, the core of a capsule) keeps the normal perpendicular to it:
// dn/dt . e = -n.(w x e). Two lines determine dn/dt, one leaves it free along the other way, none
// leaves it zero. Round features follow by themselves.
Vec3 normal_rate(const PairState& now);

}  // namespace carom::detect
