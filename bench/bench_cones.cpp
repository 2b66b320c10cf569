// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What the solver of many frictional contacts costs: nanoseconds for each contact in each sweep, in
// heaps of up to ten thousand contacts, and how far a given number of sweeps gets, started from
// nothing and from the last step's answer; then stacks to rounding.
//     build/release/bench/bench_cones

#include <benchmark/benchmark.h>

#include <string>

#include "carom/impact/multiple/cone_solver.h"
#include "tests/impact/multiple/cone_scenes.h"

namespace {

using namespace carom;
using impact::ConeBody;
using impact::ConeReport;
using impact::ConeSettings;
using impact::ConeSolver;
using tests::ConeScene;

constexpr double k_step_of_gravity = 9.81 / 240.0;

// Cost of sweeps alone: range(0) side of the heap, range(1) points per pair.
void sweep_cost(benchmark::State& state) {
    tests::Random random(1);
    const auto side = static_cast<std::uint32_t>(state.range(0));
    const ConeScene heap = tests::cone_heap(random, side, 8, 0.5, static_cast<int>(state.range(1)));
    const auto contacts = static_cast<double>(heap.contacts.size());
    ConeSolver solver;
    ConeScene scene = heap;
    long sweeps = 0;
    for (auto _ : state) {
        state.PauseTiming();
        scene = heap;
        state.ResumeTiming();
        sweeps += solver.solve(scene.bodies, scene.contacts, {40, 0.0}).sweeps;
    }
    state.counters["contacts"] = contacts;
    state.counters["per_contact_and_sweep"] =
        benchmark::Counter(contacts * static_cast<double>(sweeps),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Twenty steps of gravity on a heap that is held up, each from the answer of the last, with
// range(0) sweeps: the residual of the first step and of the last.
void warm_start(benchmark::State& state) {
    tests::Random random(2);
    const ConeScene heap = tests::cone_heap(random, 10, 10, 0.5, 1);
    const ConeSettings settings{static_cast<int>(state.range(0)), 1e-9};
    ConeSolver solver;
    ConeReport first, last;
    for (auto _ : state) {
        ConeScene scene = heap;
        for (ConeBody& body : scene.bodies)
            body.w.setZero();
        first = solver.solve(scene.bodies, scene.contacts, settings);
        for (int i = 0; i < 19; ++i) {
            for (std::size_t k = 1; k < scene.bodies.size(); ++k)
                scene.bodies[k].v.z() -= k_step_of_gravity;
            last = solver.solve(scene.bodies, scene.contacts, settings);
        }
    }
    state.counters["first"] = first.residual;
    state.counters["last"] = last.residual;
}

// A stack of range(0) boxes with a mass of range(1) on top, from nothing to 1e-13 m/s.
void stack(benchmark::State& state) {
    const ConeScene boxes =
        tests::cone_stack(static_cast<std::size_t>(state.range(0)), 0.5,
                          static_cast<double>(state.range(1)), Vec3(0, 0, -k_step_of_gravity));
    ConeSolver solver;
    ConeReport report;
    for (auto _ : state) {
        ConeScene scene = boxes;
        report = solver.solve(scene.bodies, scene.contacts, {2000, 1e-13});
    }
    state.counters["sweeps"] = report.sweeps;
    state.counters["newton_steps"] = report.newton_steps;
    state.counters["residual"] = report.residual;
}

BENCHMARK(sweep_cost)->Args({4, 1})->Args({16, 1})->Args({10, 4})->Unit(benchmark::kMillisecond);
BENCHMARK(warm_start)->Arg(10)->Arg(20)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK(stack)->Args({10, 1})->Args({10, 100})->Args({40, 1})->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
