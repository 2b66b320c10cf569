// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What world.h says of threads: distinct worlds freely, const calls of one world at once.

#include <gtest/gtest.h>

#include <thread>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::body;
using world_test::Log;

constexpr double k_end = 0.8;

// Everything that worlds share is made once: shapes and laws.
struct Shared {
    std::shared_ptr<const shape::Shape> box = world_test::shared(shape::make_box({0.2, 0.1, 0.06}));
    std::shared_ptr<const shape::Shape> ball = world_test::shared(shape::make_sphere(0.05));
    Contacts contacts = all_by("routh", 0.4, 0.3);
};

// A ball that rolls, boxes that fall on each other, one that turns in the air: flights, impacts,
// islands and closed forms. No two numbers make the same world.
World make_world(const Shared& shared, int number) {
    Settings settings;
    settings.checkpoint = 0.2;
    settings.contact = number % 3 == 2 ? ContactMode::micro : ContactMode::lasting;
    World world(settings, shared.contacts);
    BodySpec rolls{.name = "rolls", .shape = shared.ball, .pose = at({-2.0, 0.0, 0.05})};
    rolls.velocity = {1.0 + 0.1 * number, 0.0, 0.0};
    world.add(rolls);
    for (int i = 0; i < 3; ++i) {
        BodySpec box{.name = "box " + std::to_string(i),
                     .shape = shared.box,
                     .pose = at({0.01 * i * number, 0.0, 0.2 + 0.15 * i})};
        box.angular_velocity = {0.3 * number, 2.0, 1.0};
        world.add(box);
    }
    world.add(world_test::floor_plane());
    return world;
}

struct Result {
    std::vector<motion::State> states;
    std::vector<Event> events;
};

Result run(const Shared& shared, int number) {
    World world = make_world(shared, number);
    Log log;
    world.run(k_end, &log);
    Result result;
    for (BodyId id = 0; id < world.body_count(); ++id)
        result.states.push_back(world.state(id));
    result.events = log.events;
    return result;
}

TEST(Threads, DistinctWorldsGiveTheSameBitsAsOneAfterAnother) {
    constexpr int k_worlds = 6;
    const Shared shared;
    std::vector<Result> alone, together(k_worlds);
    for (int i = 0; i < k_worlds; ++i)
        alone.push_back(run(shared, i));
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < k_worlds; ++i)
            threads.emplace_back(
                [&, i] { together[static_cast<std::size_t>(i)] = run(shared, i); });
    }
    for (std::size_t i = 0; i < k_worlds; ++i) {
        SCOPED_TRACE(i);
        ASSERT_GT(alone[i].events.size(), 5U);
        ASSERT_EQ(alone[i].events.size(), together[i].events.size());
        for (std::size_t k = 0; k < alone[i].events.size(); ++k) {
            EXPECT_EQ(alone[i].events[k].t, together[i].events[k].t);
            EXPECT_EQ(alone[i].events[k].impulse, together[i].events[k].impulse);
        }
        for (std::size_t k = 0; k < alone[i].states.size(); ++k)
            EXPECT_TRUE(world_test::same_bits(alone[i].states[k], together[i].states[k])) << k;
    }
}

TEST(Threads, ConstCallsOfOneWorldAtOnce) {
    constexpr int k_threads = 4, k_times = 200;
    const Shared shared;
    World world = make_world(shared, 1);
    world.run(0.5 * k_end);
    const World& seen = world;
    std::vector<motion::State> states;
    for (BodyId id = 0; id < seen.body_count(); ++id)
        states.push_back(seen.state(id));
    const Audit audit = seen.audit();
    std::vector<int> wrong(k_threads, 0);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < k_threads; ++i) {
            threads.emplace_back([&, i] {
                for (int n = 0; n < k_times; ++n) {
                    Log log;
                    seen.tell_forces(log);
                    const Audit now = seen.audit();
                    bool same = now.energy_residual == audit.energy_residual &&
                                seen.find("rolls") == 0 && seen.time() == 0.5 * k_end &&
                                !seen.asleep(0) && seen.pose(1).position.allFinite();
                    for (BodyId id = 0; id < seen.body_count(); ++id)
                        same = same && world_test::same_bits(seen.state(id), states[id]);
                    if (!same) ++wrong[static_cast<std::size_t>(i)];
                }
            });
        }
    }
    EXPECT_EQ(wrong, std::vector<int>(k_threads, 0));
    // and nothing has changed by it
    world.run(k_end);
    const Result alone = run(shared, 1);
    for (BodyId id = 0; id < world.body_count(); ++id)
        EXPECT_TRUE(world_test::same_bits(world.state(id), alone.states[id]));
}

}  // namespace
}  // namespace carom::world
