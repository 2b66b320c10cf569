// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/world/graph/graph.h"

namespace carom::world {

// The way of a sphere that has nothing but a flat piece of a fixed body under it, in closed form
// (motion/sphere_on_plane.h).
struct PlaneCourse {
    Segment segment;
    Vec3 normal;  // from b to a of its pair
    Vec3 point;   // of contact at the start
    bool rests;   // and will, on a static body
};

// Empty where the component is no such sphere, where nothing presses it onto the face, or where it
// lifts off.
std::optional<PlaneCourse> find_plane_course(const Graph& graph, const Component& component,
                                             double t);

}  // namespace carom::world
