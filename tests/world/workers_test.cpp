// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Workers: every piece once, on as many threads as asked for, stop checks on the caller's thread,
// exceptions passed on. And manifolds of many pairs have the bits of one after another.

#include "carom/world/workers.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <thread>
#include <vector>

#include "carom/world/touch/manifold_batch.h"
#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

// More threads than processors, where the machine has fewer.
class WorkersThreads : public testing::TestWithParam<int> {
    const tbb::global_control more_{tbb::global_control::max_allowed_parallelism, 8};
};

TEST_P(WorkersThreads, DoEveryPieceOnce) {
    constexpr std::size_t k_pieces = 1000;
    Workers workers(GetParam());
    EXPECT_EQ(workers.threads(), GetParam());
    for (int round = 0; round < 3; ++round) {
        // no atomics: each piece has its place
        std::vector<int> done(k_pieces, 0);
        workers.run(k_pieces, nullptr, [&](std::size_t k) { ++done[k]; });
        EXPECT_EQ(done, std::vector<int>(k_pieces, 1));
    }
    workers.run(0, nullptr, [](std::size_t) { FAIL() << "there is no piece"; });
}

TEST_P(WorkersThreads, AreAsManyAsAskedFor) {
    // a piece waits until all threads have one: it would not end with fewer
    Workers workers(GetParam());
    std::barrier all(GetParam());
    std::vector<std::thread::id> ids(static_cast<std::size_t>(GetParam()));
    workers.run(ids.size(), nullptr, [&](std::size_t k) {
        all.arrive_and_wait();
        ids[k] = std::this_thread::get_id();
    });
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST_P(WorkersThreads, AskTheStopCheckOnTheCallersThreadOnly) {
    Workers workers(GetParam());
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> elsewhere = 0, asked = 0;
    const StopCheck stop = [&] {
        elsewhere += std::this_thread::get_id() != caller ? 1 : 0;
        return ++asked > 3;
    };
    EXPECT_THROW(workers.run(100'000, &stop,
                             [](std::size_t) {
                                 // so that the caller has pieces left when it asks
                                 std::this_thread::sleep_for(std::chrono::microseconds(10));
                             }),
                 Stopped);
    EXPECT_EQ(elsewhere, 0);
    EXPECT_EQ(asked, 4);
}

TEST_P(WorkersThreads, PassExceptionsOn) {
    Workers workers(GetParam());
    EXPECT_THROW(workers.run(100, nullptr,
                             [](std::size_t k) {
                                 if (k == 57) throw std::runtime_error("this piece");
                             }),
                 std::runtime_error);
    // and can be used again
    std::vector<int> done(100, 0);
    workers.run(done.size(), nullptr, [&](std::size_t k) { ++done[k]; });
    EXPECT_EQ(done, std::vector<int>(100, 1));
}

// A lattice of balls and cubes that nearly touch: more pairs than are worth threads.
TEST_P(WorkersThreads, FindTheManifoldsOfOneAfterAnother) {
    world_test::GraphScene scene(Settings{}, world_test::all_by("routh", 0.3, 0.3));
    for (int k = 0; k < 200; ++k) {
        const Vec3 place(0.98 * (k % 5), 0.99 * (k / 5 % 5), 0.97 * (k / 25));
        scene.add(k % 3 == 0 ? world_test::ball(place) : world_test::cube(place));
    }
    Graph& graph = scene.graph();
    std::vector<motion::State> states;
    for (BodyId id = 0; id < graph.body_count(); ++id)
        states.push_back(graph.track(id).at(0.0));
    ManifoldBatch batch(GetParam());
    std::vector<detect::BodyMemory> memories(graph.pair_count());
    std::vector<std::uint32_t> numbers;
    // each pair at two distances with one memory
    for (std::uint32_t i = 0; i < graph.pair_count(); ++i) {
        const ContactPair& pair = graph.pair(i);
        for (const double within : {0.01, 0.1}) {
            numbers.push_back(
                batch.add({&graph.track(pair.a).moving, &states[pair.a],
                           &graph.track(pair.b).moving, &states[pair.b], within, &memories[i]}));
        }
    }
    ASSERT_GT(batch.size(), 600U);
    batch.find(nullptr);
    std::size_t points = 0, next = 0;
    std::vector<ManifoldPoint> alone;
    for (std::uint32_t i = 0; i < graph.pair_count(); ++i) {
        const ContactPair& pair = graph.pair(i);
        detect::BodyMemory memory;
        for (const double within : {0.01, 0.1}) {
            find_manifold(graph.track(pair.a).moving, states[pair.a], graph.track(pair.b).moving,
                          states[pair.b], within, memory, alone);
            const auto found = batch.points(numbers[next++]);
            ASSERT_EQ(found.size(), alone.size()) << i;
            points += found.size();
            for (std::size_t k = 0; k < alone.size(); ++k) {
                EXPECT_EQ(found[k].on_a, alone[k].on_a) << i;
                EXPECT_EQ(found[k].gap, alone[k].gap) << i;
                EXPECT_EQ(found[k].id, alone[k].id) << i;
            }
        }
    }
    EXPECT_GT(points, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Count, WorkersThreads, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace carom::world
