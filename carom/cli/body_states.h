// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>
#include <vector>

#include "carom/cli/json_out.h"
#include "carom/record/recording.h"
#include "carom/world/world.h"

namespace carom::cli {

// Where a body is and how it moves at one time, in the world frame: position and orientation of the
// shape's frame, as in the scene, and the velocity of the centre of mass.
struct BodyState {
    std::string body;
    shape::Pose pose;
    Vec3 velocity, angular_velocity;
    bool asleep = false;
};

// Of all bodies, in the order of the scene: now, or at the time to which the recording is
// committed. `world` is that of the recording's scene.
std::vector<BodyState> states_of(const world::World& world);
std::vector<BodyState> states_of(const record::Recording& recording, const world::World& world);

// As a list of objects: body, position, orientation, velocity, angular_velocity, asleep.
void write_states(JsonOut& out, const std::vector<BodyState>& states);

// The same for people.
std::string states_text(const std::vector<BodyState>& states);

}  // namespace carom::cli
