// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>
#include <stdexcept>

#include "carom/motion/state.h"

namespace carom::world {

// The largest coordinate of a position or a velocity: volumes of boxes that hold such places are
// still numbers.
inline constexpr double k_largest_restored = 1e100;

inline bool can_be_restored(const Vec3& v) {
    return v.allFinite() && v.cwiseAbs().maxCoeff() <= k_largest_restored;
}

// A state from a checkpoint: of numbers that can be computed with, and an orientation of unit
// length to within rounding that has added up over a long run. Throws std::invalid_argument.
inline void check_restored(const motion::State& state) {
    constexpr double k_unit =
        1e-6;  // of the squared length; ten times larger lets more damage pass
    const bool numbers = can_be_restored(state.position) && can_be_restored(state.velocity) &&
                         can_be_restored(state.angular_velocity);
    if (!numbers || !(std::abs(state.orientation.squaredNorm() - 1.0) <= k_unit))
        throw std::invalid_argument("the checkpoint holds a state that no run can have");
}

// A time from a checkpoint of the same run: at most `latest`. Throws std::invalid_argument.
inline void check_restored_time(double t, double latest) {
    if (!(t >= 0.0 && t <= latest && std::isfinite(t)))
        throw std::invalid_argument("the checkpoint holds a time that no run can have");
}

}  // namespace carom::world
