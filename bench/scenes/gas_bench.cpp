// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Gases of equal elastic balls in a box of six walls: impacts a second on one core, and memory.
//     build/release/bench/scenes/bench_gas
// The balls start on a face-centred cubic lattice with random velocities and have had eight impacts
// each before the clock starts. Wall hits are impacts too; ball_ball leaves them out, by their
// share in a stretch after the timed one. all_bytes is the resident memory of a ball, its Body
// included; engine_bytes is that of the engine alone.

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "carom/world/gas/ball_engine.h"
#include "tests/world/ball_scenes.h"

namespace {

using namespace carom;
using tests::BallRun;
using tests::BallScene;

double resident_bytes() {
    malloc_trim(0);
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0.0;
    long total = 0, resident = 0;
    const int read = std::fscanf(file, "%ld %ld", &total, &resident);
    std::fclose(file);
    return read == 2 ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE))
                     : 0.0;
}

struct WallCount : world::Listener {
    world::BodyId first_wall = 0;
    std::uint64_t all = 0, walls = 0;
    void on_event(const world::Event& event) override {
        ++all;
        if (event.b >= first_wall) ++walls;
    }
};

void run_until_impacts(BallRun& run, std::uint64_t impacts, double step,
                       world::Listener* listener = nullptr) {
    while (run.tally.impacts < impacts)
        run.engine.run(run.engine.time() + step, listener);
}

void gas(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const double phi = 0.01 * static_cast<double>(state.range(1));
    const double balls = static_cast<double>(count);
    const double start = resident_bytes();
    const auto [scene, width] = tests::gas(count, phi, tests::frictionless_law(1.0), 31);
    const double before = resident_bytes();
    BallRun run(scene);
    // a small part of a flight, so that counts are met closely
    const double step = 200.0 / balls;
    run_until_impacts(run, 4 * count, step);

    const std::uint64_t first = run.tally.impacts, first_checks = run.tally.checks;
    for (auto _ : state)
        run_until_impacts(run, run.tally.impacts + 100'000, step);
    const auto impacts = static_cast<double>(run.tally.impacts - first);
    const double end = resident_bytes();

    WallCount walls;
    walls.first_wall = static_cast<world::BodyId>(count);
    run_until_impacts(run, run.tally.impacts + 20'000, step, &walls);
    const double share = static_cast<double>(walls.walls) / static_cast<double>(walls.all);
    using benchmark::Counter;
    state.counters["impacts"] = Counter(impacts, Counter::kIsRate);
    state.counters["ball_ball"] = Counter(impacts * (1.0 - share), Counter::kIsRate);
    state.counters["checks"] = static_cast<double>(run.tally.checks - first_checks) / impacts;
    state.counters["engine_bytes"] = (end - before) / balls;
    state.counters["all_bytes"] = (end - start) / balls;
}

}  // namespace

BENCHMARK(gas)
    ->ArgNames({"N", "phi%"})
    ->ArgsProduct({{1'000, 10'000, 100'000}, {20, 40}})
    ->Unit(benchmark::kMillisecond)
    ->MinTime(1.0);

BENCHMARK_MAIN();
