// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Queries of the graph: who hangs together by contacts, who is near whom, who wakes and sleeps with
// whom, names of piles, and the scale of accelerations.

#include "carom/world/graph/graph.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::ball;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::moving;
using world_test::with_gravity;

using Ids = std::vector<BodyId>;
using Pairs = std::vector<std::uint32_t>;

// Six balls in a row on the floor, each touching the next; the floor is number 6.
constexpr BodyId k_floor = 6;
GraphScene row_of_balls(const Settings& settings = {}) {
    GraphScene scene(settings, all_by("routh", 0.5, 0.3));
    for (int k = 0; k < 6; ++k)
        scene.add(ball({0.5 * k, 0, 0.25}));
    scene.add(floor_plane());
    return scene;
}

Component component_of(GraphScene& scene, BodyId first) {
    Component out;
    scene.graph().find_component(first, out);
    return out;
}

TEST(BodyIndex, IsEmptyAfterClear) {
    BodyIndex index(3);
    EXPECT_FALSE(index.has(0));
    index.set(1, 7);
    EXPECT_TRUE(index.has(1));
    EXPECT_FALSE(index.has(2));
    EXPECT_EQ(index[1], 7U);
    index.clear();
    EXPECT_FALSE(index.has(1));
    index.set(1, 0);
    EXPECT_EQ(index[1], 0U);
    index.resize(5);
    EXPECT_TRUE(index.has(1));
    EXPECT_FALSE(index.has(4));
}

TEST(Graph, ComponentsAreMadeOfActiveContacts) {
    GraphScene scene = row_of_balls();
    const std::uint32_t far = scene.hold(1, 2);
    const std::uint32_t near = scene.hold(0, 1);
    const std::uint32_t below = scene.hold(0, k_floor);
    scene.hold(4, k_floor);  // the floor connects nobody
    for (const BodyId first : {0U, 1U, 2U}) {
        const Component seen = component_of(scene, first);
        EXPECT_EQ(seen.bodies, (Ids{0, 1, 2})) << first;
        EXPECT_EQ(seen.pairs, (Pairs{near, below, far})) << first;
        EXPECT_EQ(seen.sleeper, k_no_body);
        EXPECT_FALSE(seen.touches_pile);
    }
    EXPECT_EQ(component_of(scene, 3).bodies, (Ids{3}));
    EXPECT_TRUE(component_of(scene, 3).pairs.empty());
    EXPECT_EQ(component_of(scene, 4).bodies, (Ids{4}));
}

TEST(Graph, AComponentTellsASleeper) {
    GraphScene scene = row_of_balls();
    scene.hold(0, 1);
    scene.put_to_sleep(1);
    const Component seen = component_of(scene, 0);
    EXPECT_EQ(seen.sleeper, 1U);
    EXPECT_EQ(seen.bodies, (Ids{0, 1}));
    EXPECT_FALSE(seen.touches_pile);
    EXPECT_TRUE(scene.graph().touches_sleeper(0));
    EXPECT_FALSE(scene.graph().touches_sleeper(2));
}

TEST(Graph, SleepersOfAPileAreLeftOut) {
    GraphScene scene = row_of_balls();
    scene.hold(0, 1);
    scene.hold(1, 2);
    scene.put_to_sleep(1);
    scene.graph().track(1).slept_in_pile = true;
    const Component seen = component_of(scene, 0);
    EXPECT_EQ(seen.bodies, (Ids{0}));
    EXPECT_TRUE(seen.pairs.empty());
    EXPECT_TRUE(seen.touches_pile);
    EXPECT_EQ(seen.sleeper, k_no_body);
}

TEST(Graph, AComponentTellsThatItTouchesAPile) {
    GraphScene scene = row_of_balls();
    scene.hold(0, 1);
    scene.graph().track(1).pile = 3;
    EXPECT_TRUE(component_of(scene, 0).touches_pile);
    EXPECT_FALSE(component_of(scene, 2).touches_pile);
}

TEST(Graph, NearComponentsAreMadeOfPairs) {
    GraphScene scene = row_of_balls();
    Ids found;
    scene.graph().find_near_component(2, found);
    EXPECT_EQ(found, (Ids{0, 1, 2, 3, 4, 5}));
    // a sleeper divides them
    scene.put_to_sleep(3);
    scene.graph().find_near_component(1, found);
    EXPECT_EQ(found, (Ids{0, 1, 2}));
    scene.graph().find_near_component(5, found);
    EXPECT_EQ(found, (Ids{4, 5}));
}

TEST(Graph, WhatCannotLastIsNoNearComponent) {
    GraphScene scene = row_of_balls(world_test::by_micro_collisions());
    Ids found;
    scene.graph().find_near_component(2, found);
    EXPECT_EQ(found, (Ids{2}));
}

TEST(Graph, SleepersWakeWithAllThatTheySleptWith) {
    GraphScene scene = row_of_balls();
    Graph& graph = scene.graph();
    for (const BodyId id : {0U, 1U, 2U, 4U})
        scene.put_to_sleep(id);
    graph.track(0).slept_with = {0, 1};
    graph.track(1).slept_with = {1, 2, 3};  // 3 is awake by now
    graph.track(2).slept_with = {2};
    EXPECT_EQ(graph.sleepers_with(0), (Ids{0, 1, 2}));
    EXPECT_EQ(graph.sleepers_with(2), (Ids{2}));
    EXPECT_EQ(graph.sleepers_with(4), (Ids{4}));
}

// All that touched each other lately, if all have been quiet for ten sqrt(r / g): 1.6 s.
TEST(Graph, QuietOnesAreFoundTogether) {
    GraphScene scene = row_of_balls();
    Graph& graph = scene.graph();
    constexpr double k_now = 5.0;
    for (const BodyId id : {0U, 1U, 2U, 3U})
        graph.track(id).quiet.begin(1.0, graph.track(id).at(0.0));
    graph.pair(scene.pair(0, 1)).last_impact = k_now;
    graph.pair(scene.pair(1, 2)).last_impact = k_now;
    graph.pair(scene.pair(1, k_floor)).last_impact = k_now;
    graph.pair(scene.pair(2, 3)).last_impact = 1.0;  // long ago
    Ids found;
    EXPECT_TRUE(graph.find_quiet(1, k_now, found));
    EXPECT_EQ(found, (Ids{1, 0, 2}));
    graph.track(2).quiet.begin(4.0, graph.track(2).at(0.0));
    EXPECT_FALSE(graph.find_quiet(0, k_now, found)) << "not for long enough";
    EXPECT_FALSE(graph.find_quiet(5, k_now, found)) << "not quiet at all";
}

TEST(Graph, WhatTouchesAMovingFloorIsNotQuiet) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId sphere = scene.add(ball({0, 0, 0.25}));
    const BodyId belt = scene.add(moving(floor_plane(), {1, 0, 0}));
    Graph& graph = scene.graph();
    graph.track(sphere).quiet.begin(0.0, graph.track(sphere).at(0.0));
    graph.pair(scene.pair(sphere, belt)).last_impact = 5.0;
    Ids found;
    EXPECT_FALSE(graph.find_quiet(sphere, 5.0, found));
    graph.pair(scene.pair(sphere, belt)).last_impact = 0.0;
    EXPECT_TRUE(graph.find_quiet(sphere, 5.0, found));
}

TEST(Graph, PilesTakeTheLowestFreeName) {
    GraphScene scene = row_of_balls();
    Graph& graph = scene.graph();
    EXPECT_EQ(graph.free_pile_name(), 0U);
    for (const PileId name : {0U, 1U, 3U})
        graph.piles()[name] = {};
    EXPECT_EQ(graph.free_pile_name(), 2U);
    graph.piles()[2] = {};
    EXPECT_EQ(graph.free_pile_name(), 4U);
    graph.piles().erase(0);
    EXPECT_EQ(graph.free_pile_name(), 0U);
}

TEST(Graph, AccelerationsAreMeasuredByGravity) {
    GraphScene scene = row_of_balls();
    EXPECT_DOUBLE_EQ(scene.graph().acceleration_scale(std::array<BodyId, 2>{0, 1}), k_g);
    EXPECT_DOUBLE_EQ(scene.graph().gravity(), k_g);
}

// Without gravity: |w|^2 r + |v - mean v|^2 / r of the fastest, with r = 1/4 m, and r / (1000 s)^2
// of what does not move.
TEST(Graph, AccelerationsAreMeasuredByTheMotionWithoutGravity) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.5, 0.3));
    const BodyId still = scene.add(ball({0, 0, 0}));
    const BodyId left = scene.add(moving(ball({1, 0, 0}), {-3, 5, 0}));
    const BodyId right = scene.add(moving(ball({2, 0, 0}), {1, 5, 0}, {0, 0, 2}));
    const BodyId wall = scene.add(moving(world_test::fixed(ball({5, 0, 0})), {100, 0, 0}));
    const auto scale = [&](const Ids& ids) { return scene.graph().acceleration_scale(ids); };
    EXPECT_DOUBLE_EQ(scale({still}), 0.25e-6);
    EXPECT_DOUBLE_EQ(scale({left}), 0.25e-6) << "alone it is at rest in its own frame";
    EXPECT_DOUBLE_EQ(scale({right}), 4.0 * 0.25);
    EXPECT_DOUBLE_EQ(scale({left, right}), 4.0 * 0.25 + 4.0 / 0.25);
    EXPECT_DOUBLE_EQ(scale({left, right, wall}), scale({left, right})) << "fixed ones do not count";
}

TEST(Graph, ActivePairsAreInTheOrderOfTheirBodies) {
    GraphScene scene = row_of_balls();
    const Pairs expected{scene.hold(0, 1), scene.hold(0, k_floor), scene.hold(1, 2),
                         scene.hold(4, 5)};
    EXPECT_EQ(scene.graph().active_pairs(), expected);
    EXPECT_TRUE(scene.graph().has_active_contact(2));
    EXPECT_FALSE(scene.graph().has_active_contact(3));
    EXPECT_TRUE(scene.graph().before(expected[0], expected[1]));
    EXPECT_FALSE(scene.graph().before(expected[2], expected[1]));
}

TEST(Graph, ContactOfBodiesWithForcesCannotLast) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId plain = scene.add(ball({0, 0, 0.25}));
    BodySpec pushed = ball({0.5, 0, 0.25});
    pushed.forces.push_back(motion::Drag{.linear = 0.1});
    const BodyId driven = scene.add(pushed);
    const BodyId floor = scene.add(floor_plane());
    EXPECT_TRUE(scene.graph().can_last(scene.graph().pair(scene.pair(plain, floor))));
    EXPECT_FALSE(scene.graph().can_last(scene.graph().pair(scene.pair(driven, floor))));
    EXPECT_FALSE(scene.graph().can_last(scene.graph().pair(scene.pair(plain, driven))));
}

}  // namespace
}  // namespace carom::world
