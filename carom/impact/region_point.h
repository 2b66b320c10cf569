// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"

namespace carom::impact {

// Ways out of the permissible region, from its standard inner point.
//
// The region is convex (half an ellipsoid cut by the friction cone), so that every point of it lies
// on one ray from an inner point. P_0 = 1.5 P_I is strictly inside for mu > 0 and u_z < 0: it shows
// e = 0.5 without friction.
Vec3 region_inner_point(const Contact& contact);

// The largest t with P_0 + t d in the region: the first of the energy ellipsoid, the plane of
// maximum compression and the friction cone. Pre: u_z < 0, d not zero.
double region_exit(const Contact& contact, double mu, const Vec3& d);

}  // namespace carom::impact
