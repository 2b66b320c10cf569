// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <vector>

#include "carom/detect/body_contact.h"
#include "carom/motion/sphere_on_plane.h"
#include "carom/world/body.h"

namespace carom::world {

// The flat piece of a fixed body that a sphere is on: a half-space, a face of a box or hull, a cap
// of a cylinder or cone.
struct PlaneUnder {
    motion::SupportPlane plane;
    // Its border in the frame of the fixed body's state: corners in order, or a circle; neither for
    // a half-space.
    std::vector<Vec3> corners;
    Vec3 middle = Vec3::Zero();
    double radius = 0.0;
    Vec3 normal = Vec3::UnitZ();  // in that frame

    // The time at which the place under the sphere comes to the border, located by steps in which
    // it surely does not, down to 1e-12 of the sphere's radius; at most where the course ends, and
    // at most k_most_steps of them, after which the sphere has to be looked at again.
    static constexpr int k_most_steps = 1000;
    double leaves(const motion::SphereOnPlane& course, const Body& fixed, double t) const;
    // How far a place of that frame is inside the border, seen along the normal.
    double inside(const Vec3& place) const;
};

// Empty when the body is no sphere about its centre of mass, when what is under it is not flat or
// does not move with a constant velocity and a turn about its normal, or when the place under the
// sphere is not inside its border.
std::optional<PlaneUnder> plane_under(const Body& sphere, const motion::State& state,
                                      const Body& fixed, const detect::MovingBody& fixed_moving,
                                      double t);

}  // namespace carom::world
