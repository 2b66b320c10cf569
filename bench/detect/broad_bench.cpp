// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The broad phase: a gas of moving balls at one density, 10^3 to 10^5 of them; a mixture of sizes
// 1 : 10^4; fast balls with long boxes. Sweep and prune and the comparison of all with all beside
// it, in one run:
//     build/release/bench/bench_broad
// "per_body" is the time of an iteration over the number of bodies, or of updates.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "carom/detect/swept_hash.h"
#include "tests/support/random_problems.h"

namespace {

using namespace carom;
using carom::Aabb;
using detect::SweptHash;
using Id = SweptHash::Id;
using Pairs = std::vector<SweptHash::Pair>;

struct Ball {
    Vec3 at, velocity;
    double radius;
};

// The box of a ball over a frame.
Aabb swept(const Ball& ball, double frame) {
    const Vec3 end = ball.at + frame * ball.velocity;
    const Vec3 reach = Vec3::Constant(ball.radius);
    return {ball.at.cwiseMin(end) - reach, ball.at.cwiseMax(end) + reach};
}

struct Crowd {
    std::vector<Ball> balls;
    double width = 0.0;
    double frame = 0.5;  // with speeds of about one radius

    std::vector<SweptHash::Entry> entries() const {
        std::vector<SweptHash::Entry> all;
        for (Id id = 0; id < balls.size(); ++id)
            all.push_back({id, swept(balls[id], frame)});
        return all;
    }
};

// Balls that fill a given part of a cube, as many in each octave of sizes up to the ratio. One in
// `fast` moves a hundred times as fast along an axis.
Crowd make_crowd(std::size_t n, double filled, double ratio = 1.0, unsigned fast = 0) {
    tests::Random random(77001 + n);
    Crowd crowd;
    double volume = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double radius = random.log_uniform(0.5, 0.5 * ratio);
        volume += 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
        Ball ball{Vec3::Zero(), 0.5 * random.normal3(), radius};
        if (fast != 0 && i % fast == 0) {
            ball.velocity[static_cast<int>(i / fast % 3)] += 100.0;
        }
        crowd.balls.push_back(ball);
    }
    crowd.width = std::cbrt(volume / filled);
    for (Ball& ball : crowd.balls) {
        for (int k = 0; k < 3; ++k)
            ball.at[k] = random.uniform(0.0, crowd.width);
    }
    return crowd;
}

void per_body(benchmark::State& state, std::size_t bodies) {
    using benchmark::Counter;
    state.counters["per_body"] =
        Counter(static_cast<double>(bodies), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

// ------------------------------------------------------------------ a new frame: all boxes, all
// pairs

void rebuild_and_pairs(benchmark::State& state, const Crowd& crowd) {
    const auto entries = crowd.entries();
    SweptHash table;
    Pairs pairs;
    for (auto _ : state) {
        table.rebuild(entries);
        table.pairs(pairs);
        benchmark::DoNotOptimize(pairs.data());
    }
    per_body(state, entries.size());
    state.counters["pairs_per_body"] =
        static_cast<double>(pairs.size()) / static_cast<double>(entries.size());
}

// The baseline: sort along x, go on until the next box starts beyond the end of this one.
void sweep_and_prune(benchmark::State& state, const Crowd& crowd) {
    const auto entries = crowd.entries();
    std::vector<SweptHash::Entry> sorted;
    Pairs pairs;
    for (auto _ : state) {
        sorted = entries;
        pairs.clear();
        std::sort(sorted.begin(), sorted.end(),
                  [](const auto& a, const auto& b) { return a.box.low.x() < b.box.low.x(); });
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const Aabb& box = sorted[i].box;
            for (std::size_t j = i + 1; j < sorted.size() && sorted[j].box.low.x() <= box.high.x();
                 ++j) {
                if (detect::overlap(box, sorted[j].box)) {
                    pairs.push_back(std::minmax(sorted[i].id, sorted[j].id));
                }
            }
        }
        std::sort(pairs.begin(), pairs.end());
        benchmark::DoNotOptimize(pairs.data());
    }
    per_body(state, entries.size());
}

void all_with_all(benchmark::State& state, const Crowd& crowd) {
    const auto entries = crowd.entries();
    Pairs pairs;
    for (auto _ : state) {
        pairs.clear();
        for (std::size_t i = 0; i < entries.size(); ++i) {
            for (std::size_t j = i + 1; j < entries.size(); ++j) {
                if (detect::overlap(entries[i].box, entries[j].box)) {
                    pairs.emplace_back(entries[i].id, entries[j].id);
                }
            }
        }
        benchmark::DoNotOptimize(pairs.data());
    }
    per_body(state, entries.size());
}

// ------------------------------------------------------------------ an event: two bodies change

// Each step a random ball has moved a little, has a new velocity, and asks for its neighbours.
void update_and_overlaps(benchmark::State& state, Crowd crowd) {
    constexpr std::size_t k_batch = 1024;
    SweptHash table;
    table.rebuild(crowd.entries());
    tests::Random random(77002);
    std::vector<SweptHash::Entry> moves(k_batch);
    std::vector<Id> others;
    std::size_t found = 0, asked = 0;
    for (auto _ : state) {
        state.PauseTiming();
        for (SweptHash::Entry& move : moves) {
            move.id = static_cast<Id>(random.bits() % crowd.balls.size());
            Ball& ball = crowd.balls[move.id];
            const double speed = ball.velocity.norm();
            ball.at += std::min(0.3, speed) / speed * ball.velocity;
            for (int k = 0; k < 3; ++k) {  // comes in on the other side
                ball.at[k] -= crowd.width * std::floor(ball.at[k] / crowd.width);
            }
            if (speed < 10.0) ball.velocity = 0.5 * random.normal3();
            move.box = swept(ball, crowd.frame);
        }
        state.ResumeTiming();
        for (const SweptHash::Entry& move : moves) {
            table.update(move.id, move.box);
            table.overlaps(move.id, others);
            found += others.size();
        }
        asked += k_batch;
    }
    per_body(state, k_batch);
    state.counters["overlaps"] = static_cast<double>(found) / static_cast<double>(asked);
}

// ------------------------------------------------------------------ the scenes

Crowd crowd_of(const benchmark::State& state, double filled, double ratio = 1.0,
               unsigned fast = 0) {
    return make_crowd(static_cast<std::size_t>(state.range(0)), filled, ratio, fast);
}

void gas_frame(benchmark::State& state) {
    rebuild_and_pairs(state, crowd_of(state, 0.2));
    state.SetComplexityN(state.range(0));
}
void gas_update(benchmark::State& state) {
    update_and_overlaps(state, crowd_of(state, 0.2));
}
void dense_gas_update(benchmark::State& state) {
    update_and_overlaps(state, crowd_of(state, 0.5));
}
void thin_gas_update(benchmark::State& state) {
    update_and_overlaps(state, crowd_of(state, 0.01));
}
void gas_frame_sweep_and_prune(benchmark::State& state) {
    sweep_and_prune(state, crowd_of(state, 0.2));
    state.SetComplexityN(state.range(0));
}
void gas_frame_all_with_all(benchmark::State& state) {
    all_with_all(state, crowd_of(state, 0.2));
}

void mixture_frame(benchmark::State& state) {
    rebuild_and_pairs(state, crowd_of(state, 0.2, 1e4));
}
void mixture_update(benchmark::State& state) {
    update_and_overlaps(state, crowd_of(state, 0.2, 1e4));
}
void mixture_frame_sweep_and_prune(benchmark::State& state) {
    sweep_and_prune(state, crowd_of(state, 0.2, 1e4));
}
void fast_frame(benchmark::State& state) {
    rebuild_and_pairs(state, crowd_of(state, 0.1, 1.0, 20));
}
void fast_update(benchmark::State& state) {
    update_and_overlaps(state, crowd_of(state, 0.1, 1.0, 20));
}
void fast_frame_sweep_and_prune(benchmark::State& state) {
    sweep_and_prune(state, crowd_of(state, 0.1, 1.0, 20));
}

#define CAROM_SIZES Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMicrosecond)
BENCHMARK(gas_frame)->CAROM_SIZES->Complexity();
BENCHMARK(gas_frame_sweep_and_prune)->CAROM_SIZES->Complexity();
BENCHMARK(gas_frame_all_with_all)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(gas_update)->CAROM_SIZES;
BENCHMARK(dense_gas_update)->CAROM_SIZES;
BENCHMARK(thin_gas_update)->CAROM_SIZES;
BENCHMARK(mixture_frame)->CAROM_SIZES;
BENCHMARK(mixture_frame_sweep_and_prune)->CAROM_SIZES;
BENCHMARK(mixture_update)->CAROM_SIZES;
BENCHMARK(fast_frame)->CAROM_SIZES;
BENCHMARK(fast_frame_sweep_and_prune)->CAROM_SIZES;
BENCHMARK(fast_update)->CAROM_SIZES;

}  // namespace

BENCHMARK_MAIN();
