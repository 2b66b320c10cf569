// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One run has the same bits with 1, 2, 4 and 8 threads: all that is told, and where all bodies end.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <functional>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::body;
using world_test::floor_plane;
using world_test::Log;

struct ThreadScene {
    const char* name;
    double duration;  // s
    void (*set)(Settings& settings);
    void (*fill)(World& world);
};

// Bodies in columns above (x, 0), turned and shifted so that nothing lies exactly on anything.
void add_heap(World& world, int count, int across, double x,
              const std::function<shape::Shape(int)>& shape_of) {
    for (int k = 0; k < count; ++k) {
        const int i = k % across, j = k / across % across, layer = k / across / across;
        const Vec3 place(x + 0.13 * i + 0.004 * (layer % 5), 0.13 * j + 0.003 * (layer % 3),
                         0.07 + 0.125 * layer);
        const motion::Quat turn(
            Eigen::AngleAxisd(0.05 * (k % 9), Vec3(1.0, 2.0, 0.5).normalized()));
        BodySpec spec =
            body("heap " + std::to_string(world.body_count()), shape_of(k), at(place, turn));
        spec.velocity = {0.0, 0.0, -1.0};  // soon a pile
        world.add(spec);
    }
}

shape::Shape ball_or_box(int k) {
    return k % 2 == 0 ? shape::make_sphere(0.05) : shape::make_box({0.09, 0.1, 0.08});
}

shape::Shape of_all_kinds(int k) {
    switch (k % 4) {
        case 0:
            return shape::make_cylinder(0.04, 0.09);
        case 1:
            return shape::make_capsule(0.03, 0.05);
        case 2:
            return shape::make_box({0.1, 0.06, 0.06});
        default:
            return shape::make_sphere(0.045);
    }
}

const ThreadScene k_scenes[] = {
    {"heap", 0.1, [](Settings&) {},
     [](World& world) { add_heap(world, 160, 4, 0.0, ball_or_box); }},
    {"heap_of_all_kinds_with_checkpoints", 0.12,
     [](Settings& settings) { settings.checkpoint = 0.05; },
     [](World& world) { add_heap(world, 100, 4, 0.0, of_all_kinds); }},
    {"heap_by_law", 0.12, [](Settings& settings) { settings.pile_impacts = PileImpacts::law; },
     [](World& world) { add_heap(world, 80, 3, 0.0, ball_or_box); }},
    {"two_heaps", 0.1, [](Settings&) {},
     [](World& world) {
         add_heap(world, 80, 3, 0.0, ball_or_box);
         add_heap(world, 80, 3, 5.0, ball_or_box);
     }},
    {"many_alone_by_micro_collisions", 0.3,
     [](Settings& settings) {
         settings.contact = ContactMode::micro;
         settings.micro = 0.02;
         settings.checkpoint = 0.1;
     },
     [](World& world) {
         for (int k = 0; k < 40; ++k)
             world.add(body("alone " + std::to_string(k), of_all_kinds(k),
                            at({0.3 * (k % 7), 0.3 * (k / 7), 0.1 + 0.01 * k})));
     }},
};

class ThreadCount : public testing::TestWithParam<ThreadScene> {};

struct Told {
    Log log;
    std::vector<motion::State> states;
    Audit audit;
    std::uint64_t checks = 0;
};

Told run(const ThreadScene& scene, int threads) {
    Settings settings;
    settings.threads = threads;
    scene.set(settings);
    World world(settings, all_by("routh", 0.3, 0.4));
    scene.fill(world);
    world.add(floor_plane());
    Told told;
    world.run(scene.duration, &told.log);
    for (BodyId id = 0; id < world.body_count(); ++id)
        told.states.push_back(world.state(id));
    told.audit = world.audit();
    told.checks = world.tally().checks;
    return told;
}

TEST_P(ThreadCount, GivesTheSameBits) {
    // more threads than processors, where the machine has fewer
    const tbb::global_control more(tbb::global_control::max_allowed_parallelism, 8);
    const Told one = run(GetParam(), 1);
    EXPECT_GT(one.log.events.size(), 20U);
    for (const int threads : {2, 4, 8}) {
        SCOPED_TRACE(threads);
        const Told many = run(GetParam(), threads);
        ASSERT_EQ(one.log.events.size(), many.log.events.size());
        for (std::size_t k = 0; k < one.log.events.size(); ++k) {
            ASSERT_EQ(one.log.events[k].t, many.log.events[k].t) << k;
            ASSERT_EQ(one.log.events[k].impulse, many.log.events[k].impulse) << k;
        }
        ASSERT_EQ(one.log.forces.size(), many.log.forces.size());
        for (std::size_t k = 0; k < one.log.forces.size(); ++k)
            ASSERT_EQ(one.log.forces[k].impulse, many.log.forces[k].impulse) << k;
        EXPECT_EQ(one.log.segments.size(), many.log.segments.size());
        for (std::size_t k = 0; k < one.states.size(); ++k)
            EXPECT_TRUE(world_test::same_bits(one.states[k], many.states[k])) << k;
        EXPECT_EQ(one.log.checkpoints, many.log.checkpoints);
        EXPECT_EQ(one.audit.energy_lost, many.audit.energy_lost);
        EXPECT_EQ(one.audit.max_overlap, many.audit.max_overlap);
        EXPECT_EQ(one.checks, many.checks);
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, ThreadCount, testing::ValuesIn(k_scenes),
                         [](const auto& scene) { return std::string(scene.param.name); });

}  // namespace
}  // namespace carom::world
