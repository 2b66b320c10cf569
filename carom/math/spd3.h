// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"

namespace carom::math {

// Solves K x = rhs for a symmetric positive definite K by L D L^T in extended precision.
//
// With 64-bit mantissas the relative error is about cond(K) * 5e-20, so that x is good to 1e-11
// for a condition number of 1e8; where long double is no wider than double it is cond(K) * 1e-16.
// Only the lower triangle of K is read.
Vec3 solve_spd3(const Mat3& K, const Vec3& rhs);

// True when every pivot of L D L^T is larger than tolerance times the diagonal entry it came from.
bool is_positive_definite(const Mat3& K, double tolerance);

}  // namespace carom::math
