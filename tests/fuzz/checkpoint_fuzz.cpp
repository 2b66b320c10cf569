// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as a checkpoint. The first byte chooses a world; when it is even the rest is a
// list of patches of a good checkpoint (patches.h), when it is odd the rest is the checkpoint.
// Whatever it is, World::restore() refuses it with std::invalid_argument or takes it; what is taken
// has finite states, and can be run for a moment. A finding aborts.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "tests/fuzz/bounded_run.h"
#include "tests/fuzz/patches.h"

namespace {

using namespace carom;

// Balls alone without gravity; a bounce; contact that lasts; a heap that falls asleep.
constexpr const char* k_scenes[] = {
    R"(
[simulation]
duration = 1.0
gravity = [0, 0, 0]
checkpoint = 0.25
[[contact]]
law = "frictionless"
e = 1.0
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
[[body]]
name = "a"
shape = { type = "sphere", radius = 0.1 }
position = [0, 0, 1]
velocity = [1, 0, -3]
[[body]]
name = "b"
shape = { type = "sphere", radius = 0.1 }
position = [0.5, 0, 1]
velocity = [-1, 0, 1]
)",
    R"(
[simulation]
duration = 1.0
checkpoint = 0.25
[[contact]]
law = "routh"
e = 0.8
mu = 0.3
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
[[body]]
name = "box"
shape = { type = "box", size = [0.1, 0.2, 0.3] }
position = [0, 0, 0.4]
axis = [1, 2, 3]
angle = 40
velocity = [1, 0, -1]
)",
    R"(
[simulation]
duration = 1.0
checkpoint = 0.25
[[contact]]
law = "routh"
e = 0.2
mu = 0.3
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.1 }
position = [0, 0, 0.1]
velocity = [1, 0, 0]
[[body]]
name = "box"
shape = { type = "box", size = [0.2, 0.2, 0.2] }
position = [0, 1, 0.1]
velocity = [0.5, 0, 0]
[[body]]
name = "on-it"
shape = { type = "box", size = [0.1, 0.1, 0.1] }
position = [0, 1, 0.25]
)"};

class Last : public world::Listener {
public:
    void on_checkpoint(double, std::span<const std::uint8_t> bytes) override {
        bytes_.assign(bytes.begin(), bytes.end());
    }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

struct Case {
    scene::Scene scene;
    std::vector<std::uint8_t> checkpoint;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> made;
        for (const char* text : k_scenes) {
            Case one{scene::read_scene_text(text, "scene"), {}};
            world::World world = scene::make_world(one.scene);
            Last last;
            world.run(0.6, &last);
            one.checkpoint = last.bytes();
            if (one.checkpoint.empty()) fuzz::found("no checkpoint to begin with", text);
            made.push_back(std::move(one));
        }
        return made;
    }();
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Case& one = cases()[(data[0] / 2) % cases().size()];
    const std::vector<std::uint8_t> bytes = fuzz::bytes_of({data, size}, one.checkpoint);
    world::World world = scene::make_world(one.scene);
    try {
        world.restore(bytes);
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') fuzz::found("an error without a message", "");
        return 0;
    }
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        if (!fuzz::is_finite(world.state(id))) fuzz::found("a state that is not finite", "");
    }
    fuzz::RunBounds bounds;
    bounds.duration = 0.1;
    bounds.judge = false;  // bodies may stand in each other, which no run would have brought about
    fuzz::run_bounded(world, bounds, "");
    return 0;
}
