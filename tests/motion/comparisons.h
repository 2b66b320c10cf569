// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <limits>

#include "carom/motion/state.h"

namespace carom::tests {

inline constexpr double k_inf = std::numeric_limits<double>::infinity();
inline constexpr double k_g = 9.81;  // m/s^2
inline const Vec3 k_zero = Vec3::Zero();

// The angle from one orientation to another, for small ones.
inline double angle_between(const motion::Quat& a, const motion::Quat& b) {
    return 2.0 * (a.conjugate() * b).vec().norm();
}

}  // namespace carom::tests
