// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <string>

#include "carom/record/recording.h"
#include "carom/scene/scene.h"

namespace carom::cli {

// Fits the scene to a run of this many seconds: the interval between checkpoints, unless the scene
// itself gives one, is a twentieth of it.
void set_run_time(scene::Scene& scene, double duration);

// The interval between checkpoints (s) out of a recording's settings; nothing if it is not there.
std::optional<double> recorded_checkpoint(const std::string& settings);

// What a recording says of the scene it is made of.
record::Header header_of(const scene::Scene& scene, const world::World& world, double duration);

// The scene that a recording was made of, from the text in it. Throws SceneError when files that
// the scene names are no longer there.
scene::Scene scene_of(const record::Header& header);

// Its world, at time 0. Throws CommandError when its bodies are not those of the recording: files
// that the scene names have changed.
world::World world_of(const scene::Scene& scene, const record::Header& header);

}  // namespace carom::cli
