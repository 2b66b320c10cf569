// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as a mesh file that a scene names. The first byte chooses the format, the rest is
// the file. Whatever it is, the scene is refused with a message or makes a world that can be run
// for a moment. A finding aborts.

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "carom/scene/scene.h"
#include "tests/fuzz/bounded_run.h"

// Assimp loses a few hundred bytes of each broken STL file it gives up on.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libassimp\n";
}

using namespace carom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* k_formats[] = {"obj", "stl", "ply", "gltf", "glb"};
    static const std::filesystem::path folder = [] {
        const std::filesystem::path memory = "/dev/shm";
        const auto place =
            (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()) /
            ("carom-fuzz-mesh-" + std::to_string(getpid()));
        std::filesystem::create_directories(place);
        return place;
    }();
    if (size == 0) return 0;
    const std::string name = std::string("mesh.") + k_formats[data[0] % std::size(k_formats)];
    std::ofstream(folder / name, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(data + 1), static_cast<long>(size - 1));
    const std::string text =
        "[simulation]\nduration = 0.2\n[[contact]]\nlaw = \"routh\"\ne = 0.5\n"
        "mu = 0.3\n[[body]]\nname = \"floor\"\nshape = { type = \"plane\" }\n"
        "position = [0, 0, -3]\nfixed = true\n[[body]]\nname = \"mesh\"\n"
        "shape = { type = \"mesh\", file = \"" +
        name + "\" }\nmass = 1.0\n";
    try {
        scene::ReadOptions options;
        options.folder = folder;
        const scene::Scene scene = scene::read_scene_text(text, "scene", options);
        world::World world = scene::make_world(scene);
        fuzz::RunBounds bounds;
        bounds.duration = 0.2;
        bounds.events = 50;
        fuzz::run_bounded(world, bounds, text);
    } catch (const scene::SceneError& error) {
        if (error.problems().empty()) fuzz::found("an error without a problem", text);
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') fuzz::found("an error without a message", text);
    }
    std::filesystem::remove(folder / name);
    return 0;
}
