// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <carom/scene/scene.h>

// A scene that is part of the library, and one with a fault.
int main() {
    using namespace carom;
    const scene::Scene scene = scene::read_scene("superball");
    world::World world = scene::make_world(scene);
    world.run(0.5 * scene.duration);
    if (world.tally().impacts == 0) return 1;
    try {
        scene::read_scene_text("[[body]]\nmass = -1\n", "wrong");
    } catch (const scene::SceneError& error) {
        return error.problems().empty() ? 1 : 0;
    }
    return 1;
}
