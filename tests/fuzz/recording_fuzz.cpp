// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Arbitrary bytes as a recording. When the first byte is even the rest is a list of patches of a
// good recording (patches.h), when it is odd the rest is the file. Whatever it is, all of it can be
// read or is refused with a message: as `carom info`, `events`, `events --sum` and `resume` do it,
// as `carom sample` does it, and as `carom view` does it. A finding aborts.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "carom/cli/command_error.h"
#include "carom/cli/event_sums.h"
#include "carom/cli/scene_source.h"
#include "carom/record/recording.h"
#include "carom/scene/scene.h"
#include "carom/serve/session.h"
#include "tests/fuzz/bounded_run.h"
#include "tests/fuzz/patches.h"

namespace {

using namespace carom;

constexpr const char* k_scene = R"(
title = "recorded"
[simulation]
duration = 0.6
checkpoint = 0.2
[[contact]]
law = "routh"
e = 0.5
mu = 0.3
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
[[body]]
name = "ball"
shape = { type = "sphere", radius = 0.1 }
position = [0, 0, 0.3]
velocity = [1, 0, 0]
[[body]]
name = "box"
shape = { type = "box", size = [0.2, 0.3, 0.2] }
position = [0, 1, 0.1]
velocity = [0.5, 0, 0]
[[body]]
name = "slow"
shape = { type = "sphere", radius = 0.1 }
position = [0, 3, 2]
forces = [{ type = "drag", linear = 0.5 }]
)";

// In memory where the system has that.
std::filesystem::path scratch(const char* name) {
    const std::filesystem::path memory = "/dev/shm";
    return (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()) /
           ("carom-fuzz-" + std::to_string(getpid()) + name);
}

const std::vector<std::uint8_t>& good() {
    static const std::vector<std::uint8_t> bytes = [] {
        const std::filesystem::path path = scratch("-good.carom");
        const scene::Scene scene = scene::read_scene_text(k_scene, "scene");
        world::World world = scene::make_world(scene);
        record::Writer writer(path, cli::header_of(scene, world, scene.duration), world, {});
        world.run(scene.duration, &writer);
        writer.finish(scene.duration, world.audit(), world.tally());
        std::ifstream in(path, std::ios::binary);
        std::vector<std::uint8_t> read{std::istreambuf_iterator<char>(in), {}};
        std::filesystem::remove(path);
        return read;
    }();
    return bytes;
}

// As `carom events --sum` adds up.
void add_up(const record::Recording& recording) {
    cli::EventSums sums;
    for (const world::Event& event : recording.events())
        sums.add(event);
    const cli::TimeRange all{0.0, recording.progress().time};
    for (const world::ContactForce& force : recording.forces())
        sums.add(force, all);
    const std::size_t bodies = recording.header().body_names.size();
    for (const cli::PairSum& pair : sums.pairs()) {
        if (pair.a >= bodies || pair.b >= bodies) fuzz::found("a sum of no two bodies", "");
    }
}

void read_all(const std::filesystem::path& path) {
    const record::Recording recording(path);
    (void)recording.digest();
    add_up(recording);
    (void)recording.last_checkpoint();
    scene::Scene scene = cli::scene_of(recording.header());
    world::World world = cli::world_of(scene, recording.header());
    const record::Sampler sampler(world, recording.segments());
    const double end = recording.progress().time;
    for (world::BodyId id = 0; id < world.body_count(); ++id) {
        for (const double t : {0.0, 0.3 * end, end}) {
            if (!fuzz::is_finite(sampler.at(id, t))) fuzz::found("a state that is not finite", "");
        }
    }
    serve::Session::of_recording(path, std::move(scene), std::move(world));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path path = scratch(".carom");
    if (size == 0) return 0;
    const std::vector<std::uint8_t> bytes = fuzz::bytes_of({data, size}, good());
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
    try {
        read_all(path);
    } catch (const record::RecordError& error) {
        if (error.what()[0] == '\0') fuzz::found("an error without a message", "");
    } catch (const scene::SceneError&) {
    } catch (const cli::CommandError&) {
    } catch (const std::invalid_argument& error) {
        if (error.what()[0] == '\0') fuzz::found("an error without a message", "");
    }
    std::filesystem::remove(path);
    return 0;
}
