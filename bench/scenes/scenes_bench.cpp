// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// How long the built-in scenes take, from start to end, on one core without a recording.
//     bench_scenes --benchmark_filter=bowling

#include <benchmark/benchmark.h>

#include <string>

#include "carom/scene/built_in.h"
#include "carom/scene/scene.h"

namespace {

void run_scene(benchmark::State& state, const std::string& name) {
    const carom::scene::Scene scene = carom::scene::read_built_in(name);
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
    for (const auto& scene : carom::scene::built_in_scenes()) {
        const std::string name(scene.name);
        benchmark::RegisterBenchmark(name.c_str(), [name](benchmark::State& state) {
            run_scene(state, name);
        })->Unit(benchmark::kMillisecond);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
