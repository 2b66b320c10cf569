// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "carom/math/types.h"

namespace carom::world {

// A pair of bodies in lasting contact, within one step.
struct ConstrainedContact {
    std::uint32_t pair = 0;
    std::uint32_t a = 0, b = 0;        // bodies of the system
    std::size_t first = 0, count = 0;  // points of the system
    // On a: over the step, and at its start and end.
    Vec3 impulse = Vec3::Zero(), force_start = Vec3::Zero(), force_end = Vec3::Zero();
    Vec3 couple_start = Vec3::Zero(), couple_end = Vec3::Zero();
    Vec3 point_start = Vec3::Zero(), point_end = Vec3::Zero(), normal = Vec3::UnitZ();
    Vec3 correction = Vec3::Zero();  // impulse on a that took slow approach off, N s
    bool carries = false, open = false;
};

}  // namespace carom::world
