// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/built_in.h"

#include <filesystem>
#include <vector>

#include "carom/scene/words.h"

namespace carom::scene {
namespace {

const BuiltIn* find(std::span<const BuiltIn> all, std::string_view name) {
    for (const BuiltIn& one : all) {
        if (one.name == name) return &one;
    }
    return nullptr;
}

}  // namespace

const BuiltIn* find_built_in(std::string_view name) {
    return find(built_in_scenes(), name);
}

const BuiltIn* find_built_in_file(std::string_view name) {
    return find(built_in_files(), name);
}

std::string built_in_names() {
    std::string text;
    for (const BuiltIn& scene : built_in_scenes()) {
        if (!text.empty()) text += ", ";
        text += scene.name;
    }
    return text;
}

Scene read_built_in(std::string_view name) {
    const BuiltIn* scene = find_built_in(name);
    if (scene == nullptr) {
        throw SceneError(
            name,
            {{0, 0, "there is no built-in scene of that name; there are " + built_in_names()}});
    }
    return read_scene_text(std::string(scene->text), name,
                           std::filesystem::path(k_built_in_folder));
}

}  // namespace carom::scene
