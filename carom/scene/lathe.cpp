// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/lathe.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "carom/shape/describe.h"

namespace carom::scene {
namespace {

void check(std::span<const ProfilePoint> profile, std::int64_t sides) {
    if (sides < k_least_sides || sides > k_most_sides) {
        throw std::invalid_argument("sides is " + std::to_string(sides) + "; it has to be from " +
                                    std::to_string(k_least_sides) + " to " +
                                    std::to_string(k_most_sides));
    }
    if (profile.size() < 2) {
        throw std::invalid_argument("profile has fewer than 2 points [radius, z]");
    }
    for (std::size_t i = 0; i < profile.size(); ++i) {
        if (profile[i].radius >= 0.0) continue;
        throw std::invalid_argument("profile[" + std::to_string(i) + "] has the radius " +
                                    shape::describe(profile[i].radius) +
                                    "; it must not be negative");
    }
    const auto on_axis = [](const ProfilePoint& point) { return point.radius == 0.0; };
    if (std::all_of(profile.begin(), profile.end(), on_axis)) {
        throw std::invalid_argument(
            "profile lies on the axis; at least one radius has to be larger than 0");
    }
    if (profile.size() > k_most_lathe_corners / static_cast<std::size_t>(sides)) {
        throw std::invalid_argument("profile has " + std::to_string(profile.size()) +
                                    " points, with " + std::to_string(sides) + " sides more than " +
                                    std::to_string(k_most_lathe_corners) +
                                    " corners; give fewer of one or the other");
    }
}

}  // namespace

std::vector<Vec3> lathe_corners(std::span<const ProfilePoint> profile, std::int64_t sides) {
    check(profile, sides);
    std::vector<Vec3> corners;
    for (const ProfilePoint& point : profile) {
        if (point.radius == 0.0) {
            corners.emplace_back(0.0, 0.0, point.z);
            continue;
        }
        for (std::int64_t k = 0; k < sides; ++k) {
            const double angle =
                2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(sides);
            corners.emplace_back(point.radius * std::cos(angle), point.radius * std::sin(angle),
                                 point.z);
        }
    }
    return corners;
}

}  // namespace carom::scene
