// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/point_solids.h"

#include <algorithm>
#include <cmath>

namespace carom::detect {
namespace {

// The point at a distance `across` from the z axis, on the side of x, at height z.
Vec3 around_axis(const Vec3& x, double distance, double across, double z) {
    if (!(distance > 0.0)) return {across, 0.0, z};
    return {x.x() * (across / distance), x.y() * (across / distance), z};
}

}  // namespace

NearestPoint nearest_in(const shape::Box& box, const Vec3& x) {
    const Vec3 nearest = x.cwiseMax(-box.half).cwiseMin(box.half);
    return {nearest, nearest == x};
}

NearestPoint nearest_in(const shape::Cylinder& cylinder, const Vec3& x) {
    const double distance = std::hypot(x.x(), x.y());
    const double z = std::clamp(x.z(), -cylinder.half_height, cylinder.half_height);
    if (distance <= cylinder.radius) return {{x.x(), x.y(), z}, z == x.z()};
    return {around_axis(x, distance, cylinder.radius, z), false};
}

NearestPoint nearest_in(const shape::Cone& cone, const Vec3& x) {
    const double distance = std::hypot(x.x(), x.y());
    const double base = -0.25 * cone.height;
    // from the apex down the side, (across, down) = (radius, height) / slant
    const double slant = std::hypot(cone.radius, cone.height);
    const double across = cone.radius / slant;
    const double down = cone.height / slant;
    const double below_apex = 0.75 * cone.height - x.z();
    const double outside = distance * down - below_apex * across;  // of the side's plane
    if (x.z() < base && distance <= cone.radius) return {{x.x(), x.y(), base}, false};
    if (outside <= 0.0 && x.z() >= base) return {x, true};
    const double along = std::clamp(distance * across + below_apex * down, 0.0, slant);
    if (along >= slant) return {around_axis(x, distance, cone.radius, base), false};
    return {around_axis(x, distance, along * across, 0.75 * cone.height - along * down), false};
}

}  // namespace carom::detect
