// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as a scene. Whatever they are, nothing but SceneError may leave the reader, with
// places that are in the text and messages of one line; and what is taken makes a world. No file is
// opened. A finding aborts.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "carom/scene/scene.h"

namespace {

using namespace carom;

[[noreturn]] void found(const char* what, const std::string& more) {
    std::fprintf(stderr, "%s\n%s\n", what, more.c_str());
    std::abort();
}

void check(const scene::SceneError& error, const std::string& text) {
    if (error.problems().empty()) found("an error without a problem", error.what());
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    int last = 0;
    for (const scene::Problem& problem : error.problems()) {
        if (problem.message.empty()) found("a problem without a message", error.what());
        if (problem.message.find('\n') != std::string::npos) {
            found("a message of two lines", problem.message);
        }
        // the end of the text counts as a line of its own
        if (problem.line < 0 || problem.line > lines + 1) found("no such line", problem.message);
        if (problem.line > 0 && problem.column < 1) found("no such column", problem.message);
        if (problem.line > 0 && problem.line < last) found("not in order", error.what());
        last = std::max(last, problem.line);
    }
}

void check(const scene::Scene& scene) {
    if (!(scene.duration > 0.0) || !std::isfinite(scene.duration)) found("a duration", scene.text);
    const world::World world = scene::make_world(scene);
    if (world.body_count() != scene.bodies.size()) found("bodies are lost", scene.text);
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        const motion::State state = world.state(id);
        const bool finite = state.position.allFinite() && state.velocity.allFinite() &&
                            state.orientation.coeffs().allFinite() &&
                            state.angular_velocity.allFinite();
        if (!finite) found("a state that is not finite", scene.text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    scene::ReadOptions options;
    options.files = false;
    options.most_bodies = 50;
    try {
        check(scene::read_scene_text(text, "scene", options));
    } catch (const scene::SceneError& error) {
        check(error, text);
    }
    return 0;
}
