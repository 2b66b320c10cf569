// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "carom/world/world.h"

namespace carom::scene {

// A scene as a TOML file describes it; docs/scenes.md says what may stand in one.
struct Scene {
    std::string name;    // where it came from: a path, or the name of a built-in scene
    std::string text;    // the file as it was read
    std::string folder;  // absolute, where the files it names are looked for; k_built_in_folder
    std::string title;   // may be empty
    std::string expect;  // what should be seen, in words; may be empty
    double duration = 0.0;
    bool own_checkpoint = false;  // the file gives the interval between checkpoints
    world::Settings settings;
    world::Contacts contacts;
    std::vector<world::BodySpec> bodies;  // those of [[body]], then those of [[swarm]]
};

// So many checkpoints has the run of a scene that does not say how far apart they are.
inline constexpr double k_default_checkpoints = 20.0;

// One thing that is wrong, and where: line and column from 1, 0 where there is none.
struct Problem {
    int line = 0, column = 0;
    std::string message;
};

// Everything that is wrong with a scene, in the order of lines. what() is all of it, a line each,
// as name:line:column: message.
class SceneError : public std::runtime_error {
public:
    SceneError(std::string_view name, std::vector<Problem> problems);
    const std::vector<Problem>& problems() const { return problems_; }

private:
    std::vector<Problem> problems_;
};

// In the place of a folder: the files that are built into the program.
inline constexpr std::string_view k_built_in_folder = "<built-in>";

// The largest scene that is read, and the most problems that are told of one.
inline constexpr std::size_t k_most_scene_bytes = std::size_t{64} << 20U;
inline constexpr std::size_t k_most_problems = 1000;

struct ReadOptions {
    std::filesystem::path folder = ".";   // of the files that the scene names, or k_built_in_folder
    bool files = true;                    // without, a scene that names a file is refused
    std::size_t most_bodies = 1'000'000;  // those of swarms count too
};

// Reads and checks a scene. Files that it names are looked for beside it. Where there is no such
// file, a built-in scene of that name is taken. Throws SceneError with every problem, or for a file
// that cannot be read with one.
Scene read_scene(const std::filesystem::path& path);
// The same from memory; `name` is for messages, `folder` where the files it names are looked for.
// Scene::name, text and folder of a scene give the same scene again.
Scene read_scene_text(std::string text, std::string_view name,
                      const std::filesystem::path& folder = ".");
Scene read_scene_text(std::string text, std::string_view name, const ReadOptions& options);

// A world with the scene's bodies, at time 0.
world::World make_world(const Scene& scene);

}  // namespace carom::scene
