// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::detect {

// Every tolerance of the detect room: all are relative to the bodies' coordinates or to the
// distance, none has a unit. Each line says what a value ten times larger would do.
struct Tolerances {
    // Rounding of a difference of coordinates, relative to them. Larger: contact is reported at
    // gaps of up to ten times as much, and contact times are less accurate by that over the speed.
    double rounding = 1e-15;
    // Gap between the bounds of a distance, relative to it. Larger: distances of curved pairs ten
    // times less accurate.
    double gjk = 1e-13;
    // Iterations of gjk. Larger: thin curved pairs may take longer before they give up.
    int gjk_most = 200;
    // Disagreement of a distance and its certificate, relative to the size, at which the walk over
    // features is not believed. Larger: errors of that size could pass.
    double certificate = 1e-12;
    // Distance relative to the size at which the contact time is taken from the approach speed.
    // With second-order steps the error is its square. Larger: a hundred times larger error.
    double landing = 1e-8;
};

inline constexpr Tolerances k_tolerances{};

}  // namespace carom::detect
