// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <utility>
#include <vector>

#include "carom/scene/scene.h"

namespace carom::serve {

// What a drawing of a scene is to show (scene_drawing.h), as balls: centres and radii (m).
using Balls = std::vector<std::pair<Vec3, double>>;

// The free bodies, without those that are many times as far from the others as these are from each
// other: at most a quarter of them.
Balls free_bodies(const scene::Scene& scene);

// These, the places on floors below them and, where there are only one or two, the fixed bodies
// near them.
Balls framed(const scene::Scene& scene, const Balls& free);

// The middle of the box about the centres.
Vec3 box_middle(const Balls& balls);

// The half-space that a body begins with, or null.
const shape::HalfSpace* half_space_of(const world::BodySpec& body);

}  // namespace carom::serve
