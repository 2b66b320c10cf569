// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

#include "carom/record/recording.h"
#include "carom/scene/scene.h"

namespace carom::cli {

// Recordings and scenes as commands take them, and a clear word when one is given for the other.

// Whether this is a file that begins as HDF5 files do, and so as recordings do.
bool looks_like_recording(const std::string& path);

// Whether this is a TOML file with the tables of a scene, or a name that no file has but a built-in
// scene.
bool looks_like_scene(const std::string& path);

// How a command takes it that takes both: a file that is neither is a recording unless it is called
// .toml, and a name that no file has is a scene unless it ends as recordings do.
bool is_taken_as_recording(const std::string& path);

// "is a recording, not a scene; 'carom resume x.carom' goes on with it, ...": the end of a message
// about a file that is a recording.
std::string recording_not(const std::string& path, std::string_view wanted);
// The same for a scene: "is a scene, not a recording; 'carom run x.toml' makes one of it".
std::string scene_not(const std::string& path, std::string_view wanted);

// As record::Recording(path) and scene::read_scene(path). Throw CommandError for the other kind.
record::Recording open_recording(const std::string& path);
scene::Scene open_scene(const std::string& path);

}  // namespace carom::cli
