// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/math/types.h"

namespace carom::scene {

// The fewest and the most sides of a lathe, and the most corners it may have in all.
inline constexpr std::int64_t k_least_sides = 3;
inline constexpr std::int64_t k_most_sides = 10'000;
inline constexpr std::size_t k_most_lathe_corners = 200'000;

// A point of a profile: its distance from the axis z, and its place along it.
struct ProfilePoint {
    double radius, z;
};

// The corners of a body of revolution with flat sides: each point of the profile at the angles
// 2 pi k / sides from the x axis; a point on the axis only once. The body is their convex hull, so
// that the polygon of a ring lies inside its circle, and what is hollow in the profile is filled.
// Throws std::invalid_argument, with the key in front, when the profile has fewer than two points,
// a negative radius, or none that is larger than zero, and for sides or corners out of range.
std::vector<Vec3> lathe_corners(std::span<const ProfilePoint> profile, std::int64_t sides);

}  // namespace carom::scene
