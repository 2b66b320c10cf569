// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "carom/scene/scene.h"

namespace carom::scene {

// The scenes of the folder scenes/ and the mesh files in scenes/meshes/, which are part of the
// program so that it finds them from anywhere. embed.cmake puts them there when it is built.

struct BuiltIn {
    std::string_view name;  // scenes: without folder and extension; files: as "meshes/pin.obj"
    std::string_view text;
};

// Both in the order of names.
std::span<const BuiltIn> built_in_scenes();
std::span<const BuiltIn> built_in_files();

// Null when there is none of that name.
const BuiltIn* find_built_in(std::string_view name);
const BuiltIn* find_built_in_file(std::string_view name);

// "bounce, bowling, ...", for messages.
std::string built_in_names();

// Throws SceneError when there is none of that name.
Scene read_built_in(std::string_view name);

}  // namespace carom::scene
