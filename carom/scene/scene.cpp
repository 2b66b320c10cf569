// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/scene.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "carom/scene/built_in.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& name, std::string message) {
    throw SceneError(name, {{0, 0, std::move(message)}});
}

// Also pipes, so that a scene can come from another program.
std::string read_file(const fs::path& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    const auto fail = [&path] {
        refuse(path.string(), "cannot be read: " + std::generic_category().message(errno));
    };
    if (!file) fail();
    std::string text;
    std::string block(std::size_t{1} << 16U, '\0');
    while (true) {
        const std::size_t count = std::fread(block.data(), 1, block.size(), file.get());
        text.append(block, 0, count);
        if (text.size() > k_most_scene_bytes) {
            refuse(path.string(), "is larger than " + std::to_string(k_most_scene_bytes >> 20U) +
                                      " MiB, the most that a scene may have");
        }
        if (count < block.size()) break;
    }
    if (std::ferror(file.get()) != 0) fail();
    return text;
}

std::string unknown_name(const std::string& name) {
    std::vector<std::string_view> names;
    for (const BuiltIn& scene : built_in_scenes())
        names.push_back(scene.name);
    return "there is no such file, and no built-in scene of that name" +
           did_you_mean(nearest(name, names)) + " (built in are " + listed(names) + ")";
}

}  // namespace

Scene read_scene(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    const bool there = fs::exists(status);
    if (there && !fs::is_directory(status)) {
        ReadOptions options;
        options.folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
        return read_scene_text(read_file(path), path.string(), options);
    }
    const std::string name = path.string();
    if (find_built_in(name) != nullptr) return read_built_in(name);
    refuse(name, there ? "is a folder; it must be a scene file" : unknown_name(name));
}

world::World make_world(const Scene& scene) {
    world::World world(scene.settings, scene.contacts);
    for (const world::BodySpec& body : scene.bodies)
        world.add(body);
    return world;
}

}  // namespace carom::scene
