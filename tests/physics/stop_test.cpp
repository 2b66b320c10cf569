// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Runs end soon after they are asked to, also inside one long event, and go on with the same bits.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

// Boxes of 0.1 m above each other, 1 mm apart; each has `ratio` times the mass of the one below.
World tower(impact::MultipleId multiple, int boxes, double ratio, double e) {
    world::Settings settings;
    settings.multiple = multiple;
    World world(settings, contacts(e, 0.4));
    add_floor(world);
    double mass = 1.0;
    for (int i = 0; i < boxes; ++i) {
        world.add({.name = "box " + std::to_string(i),
                   .shape = shared(shape::make_box({0.1, 0.1, 0.1})),
                   .pose = at({0.0, 0.0, 0.051 + 0.101 * i}),
                   .mass = mass});
        mass *= ratio;
    }
    return world;
}

// A block of touching cubes, n along each edge.
World block(int n) {
    World world({}, contacts(0.3, 0.4));
    add_floor(world);
    for (int i = 0; i < n * n * n; ++i) {
        world.add({.name = "cube " + std::to_string(i),
                   .shape = shared(shape::make_box({0.1, 0.1, 0.1})),
                   .pose = at({0.1 * (i % n), 0.1 * (i / n % n), 0.05 + 0.1 * (i / n / n)}),
                   .mass = 1.0});
    }
    return world;
}

// A ball between two walls that close.
World jam() {
    world::Settings settings;
    settings.gravity.setZero();
    settings.most_at_once = 1'000'000'000;
    World world(settings, contacts(0.2, 0.5));
    add_ball(world, "ball", 0.05, Vec3::Zero(), Vec3::Zero(), 1.0);
    for (const double side : {-1.0, 1.0}) {
        world.add({.name = side < 0.0 ? "left" : "right",
                   .shape = shared(shape::make_box({0.1, 1.0, 1.0})),
                   .pose = at({0.2 * side, 0.0, 0.0}),
                   .velocity = {-0.1 * side, 0.0, 0.0},
                   .fixed = true});
    }
    return world;
}

struct Long {
    const char* name;
    std::function<World()> make;
    double duration;
};

class Stopping : public testing::TestWithParam<Long> {};

// Asked from another thread while it is at work.
TEST_P(Stopping, EndsWithinASecond) {
    for (const double wait : {0.05, 0.5, 1.5}) {
        World world = GetParam().make();
        std::atomic<bool> asked = false;
        std::atomic<bool> over = false;
        Clock::time_point then;
        std::jthread other([&] {
            const Clock::time_point began = Clock::now();
            while (!over && seconds_since(began) < wait)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            then = Clock::now();
            asked = true;
        });
        bool there = false;
        try {
            there = world.run(GetParam().duration, nullptr, [&] { return asked.load(); });
        } catch (const Stopped&) {
            there = false;
        } catch (const std::runtime_error&) {
            there = true;  // told why it cannot go on
        }
        over = true;
        other.join();
        EXPECT_LT(seconds_since(then), 1.0) << "asked after " << wait << " s";
        EXPECT_TRUE(there || asked);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Stopping,
    testing::Values(
        Long{"coupled", [] { return tower(impact::MultipleId::coupled, 3, 1.0, 0.3); }, 1.0},
        Long{"simultaneous", [] { return tower(impact::MultipleId::simultaneous, 12, 10.0, 0.3); },
             1.0},
        Long{"sequential", [] { return tower(impact::MultipleId::sequential, 6, 10.0, 0.2); }, 3.0},
        Long{"pile", [] { return block(4); }, 0.5}, Long{"jam", [] { return jam(); }, 3.0}),
    [](const auto& one) { return one.param.name; });

// Asked at each of its first questions, and at some later ones, it ends at once: before an event it
// can go on, and then has the same bits as one that was never stopped.
TEST(StoppingAtAnyQuestion, LosesNothing) {
    const scene::Scene scene = [] {
        scene::Scene read = read_scene("dice", world::ContactMode::lasting);
        read.duration = 0.7;
        read.settings.checkpoint = 0.05;
        return read;
    }();
    World whole = scene::make_world(scene);
    Log log;
    long questions = 0;
    EXPECT_TRUE(whole.run(scene.duration, &log, [&] {
        ++questions;
        return false;
    }));
    ASSERT_GT(questions, 1000);
    int between = 0, inside = 0;
    for (long n = 1; n < questions; n += 1 + questions / 40) {
        World world = scene::make_world(scene);
        Log stopped;
        long asked = 0;
        try {
            EXPECT_FALSE(world.run(scene.duration, &stopped, [&] { return ++asked == n; })) << n;
            EXPECT_EQ(asked, n);
            ++between;
        } catch (const Stopped&) {
            EXPECT_EQ(asked, n);
            ++inside;
            continue;
        }
        EXPECT_LT(world.time(), scene.duration);
        EXPECT_TRUE(world.run(scene.duration, &stopped));
        EXPECT_EQ(hash(stopped), hash(log)) << n;
        EXPECT_EQ(hash(world), hash(whole)) << n;
    }
    EXPECT_GT(between, 3);
    EXPECT_GT(inside, 3);
}

// Balls without gravity have an engine of their own.
TEST(StoppingAtAnyQuestion, OfAGas) {
    const scene::Scene scene = read_scene("gas", world::ContactMode::lasting);
    World whole = scene::make_world(scene), world = scene::make_world(scene);
    whole.run(0.05);
    long asked = 0;
    int pieces = 1;
    while (!world.run(0.05, nullptr, [&] { return ++asked % 3 == 0; }))
        ++pieces;
    EXPECT_GT(pieces, 3);
    EXPECT_EQ(hash(world), hash(whole));
}

}  // namespace
}  // namespace carom::tests
