// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// How long the built-in scenes take, from start to end, on one core without a recording: as they
// are, with contact that lasts in either mode, and both also with the default of `micro` where the
// scene has its own.
//     bench_scenes --benchmark_filter=bowling

#include <benchmark/benchmark.h>

#include <string>

#include "carom/scene/built_in.h"
#include "carom/scene/scene.h"

namespace {

using carom::scene::Scene;
using carom::world::ContactMode;

void run_scene(benchmark::State& state, const Scene& scene) {
    carom::world::Tally tally;
    for (auto _ : state) {
        state.PauseTiming();
        carom::world::World world = carom::scene::make_world(scene);
        state.ResumeTiming();
        world.run(scene.duration);
        tally = world.tally();
    }
    state.counters["simulated_s"] = scene.duration;
    state.counters["impacts"] = static_cast<double>(tally.impacts);
    state.counters["micro"] = static_cast<double>(tally.micro);
    state.counters["checks"] = static_cast<double>(tally.checks);
}

}  // namespace

int main(int argc, char** argv) {
    const auto add = [](const std::string& name, const Scene& scene) {
        benchmark::RegisterBenchmark(name.c_str(), [scene](benchmark::State& state) {
            run_scene(state, scene);
        })->Unit(benchmark::kMillisecond);
    };
    for (const auto& built_in : carom::scene::built_in_scenes()) {
        const std::string name(built_in.name);
        Scene scene = carom::scene::read_built_in(name);
        add(name, scene);
        const double own = scene.settings.micro;
        const double usual = carom::world::Settings{}.micro;
        for (const bool lasting : {false, true}) {
            scene.settings.contact = lasting ? ContactMode::lasting : ContactMode::micro;
            const std::string mode = name + (lasting ? "/lasting" : "/micro");
            scene.settings.micro = own;
            add(mode, scene);
            scene.settings.micro = usual;
            if (own != usual) add(mode + "/default", scene);
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
