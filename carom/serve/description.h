// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

#include "carom/record/recording.h"
#include "carom/scene/scene.h"
#include "carom/world/world.h"

namespace carom::serve {

// What never changes while a run goes on, as a JSON object: title, scene_name, scene_text, version,
// duration, gravity, settings, contacts, colours (of materials), shapes, bodies.
// settings and contacts are the JSON texts that stand in recordings. Shapes that several bodies
// have stand once, in `shapes`, and the bodies say {"ref": k}. A fixed body that moves has `given`:
// it turns with angular_velocity about an axis through pivot (where it is at time 0), which moves
// with velocity.
std::string describe_run(const scene::Scene& scene, const world::World& world,
                         const record::Header& header, const std::string& settings,
                         const std::string& contacts);

}  // namespace carom::serve
