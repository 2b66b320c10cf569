// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as a scene that is run, for a bounded number of events, when the reader takes it.
// The run may be refused or given up with a message; it may not crash, hang, make numbers that are
// none, let bodies overlap or lose energy or momentum. No file is opened. A finding aborts.

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "carom/scene/scene.h"
#include "tests/fuzz/bounded_run.h"

using namespace carom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scene::ReadOptions options;
    options.files = false;
    options.most_bodies = fuzz::most_bodies;
    try {
        const scene::Scene scene =
            scene::read_scene_text({reinterpret_cast<const char*>(data), size}, "scene", options);
        fuzz::RunBounds bounds;
        bounds.duration = std::min(scene.duration, bounds.duration);
        world::World world = scene::make_world(scene);
        fuzz::run_bounded(world, bounds, scene.text);
    } catch (const scene::SceneError&) {
        // scene_reader_fuzz looks at what it says
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') fuzz::found("an error without a message", "");
    }
    return 0;
}
