// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Impact clusters: velocities after impacts of few bodies against closed forms, the balance of what
// the outcome says, which contacts take part, and the events that are made of it.

#include "carom/world/cluster/cluster.h"

#include <gtest/gtest.h>

#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::ball;
using world_test::cube;
using world_test::fixed;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::kinetic_energy;
using world_test::moving;
using world_test::with_gravity;

const StopCheck* const k_no_stop = nullptr;
constexpr double k_rounding = 1e-13;  // relative; impulses of a few contacts in doubles
// The plastic impulse leaves 1e-9 of the fastest contact's speed (cluster_tolerances.h); several
// contacts can add up.
constexpr double k_plastic = 1e-8;

const ClusterBody& body_of(const ClusterOutcome& outcome, BodyId id) {
    for (const ClusterBody& body : outcome.bodies)
        if (body.id == id) return body;
    throw std::logic_error("not in the cluster");
}

TEST(Cluster, TwoBallsHeadOnPartWithE) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.6, 0.3));
    const BodyId a = scene.add(moving(ball({-0.25, 0, 0}, 1.0), {3, 0, 0}));
    const BodyId b = scene.add(moving(ball({0.25, 0, 0}, 2.0), {-1, 0, 0}));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    EXPECT_TRUE(cluster.empty());
    cluster.add(scene.pair(a, b), Vec3::Zero(), -Vec3::UnitX());
    EXPECT_DOUBLE_EQ(cluster.approach_speed(), 4.0);
    cluster.resolve_by_law();
    // v_a = (m_a v_a + m_b v_b - m_b e u) / (m_a + m_b), with u the approach
    const ClusterOutcome& outcome = cluster.outcome();
    EXPECT_LT((body_of(outcome, a).v - Vec3((1.0 - 2.0 * 0.6 * 4.0) / 3.0, 0, 0)).norm(),
              k_rounding * 4.0);
    EXPECT_LT((body_of(outcome, b).v - Vec3((1.0 + 0.6 * 4.0) / 3.0, 0, 0)).norm(),
              k_rounding * 4.0);
    const double impulse = 1.6 * 4.0 * 2.0 / 3.0;  // (1 + e) u / (1 / m_a + 1 / m_b)
    ASSERT_EQ(outcome.contacts.size(), 1U);
    EXPECT_LT((outcome.contacts[0].impulse + impulse * Vec3::UnitX()).norm(), k_rounding * impulse);
}

TEST(Cluster, TheLastBallOfACradleTakesAll) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 1.0, 0.3));
    const BodyId a = scene.add(moving(ball({0, 0, 0}), {2, 0, 0}));
    const BodyId b = scene.add(ball({0.5, 0, 0}));
    const BodyId c = scene.add(ball({1.0, 0, 0}));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add(scene.pair(a, b), {0.25, 0, 0}, -Vec3::UnitX());
    cluster.resolve_by_law();
    const ClusterOutcome& outcome = cluster.outcome();
    EXPECT_LT(body_of(outcome, a).v.norm(), k_rounding);
    EXPECT_LT(body_of(outcome, b).v.norm(), k_rounding);
    EXPECT_LT((body_of(outcome, c).v - Vec3(2, 0, 0)).norm(), k_rounding * 2.0);
}

// A ball between two walls that touch it goes back and forth for ever: the springs are given up,
// and the sequence, cut off too, has lost nothing.
TEST(Cluster, WhatSpringsDoNotEndIsResolvedInSequence) {
    Settings settings = with_gravity(Vec3::Zero());
    settings.multiple = impact::MultipleId::coupled;
    GraphScene scene(settings, all_by("frictionless", 1.0, 0.0));
    const BodyId a = scene.add(moving(ball({0, 0, 0}), {2, 0, 0}));
    const BodyId left = scene.add(fixed(cube({-0.75, 0, 0})));
    const BodyId right = scene.add(fixed(cube({0.75, 0, 0})));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add(scene.pair(a, right), {0.25, 0, 0}, -Vec3::UnitX());
    cluster.add(scene.pair(a, left), {-0.25, 0, 0}, Vec3::UnitX());
    cluster.resolve_by_law();
    EXPECT_TRUE(cluster.outcome().substituted);
    EXPECT_NEAR(body_of(cluster.outcome(), a).v.norm(), 2.0, 2.0 * k_rounding);
    // one wall alone is no trouble
    cluster.begin(0.0);
    cluster.add(scene.pair(a, right), {0.25, 0, 0}, -Vec3::UnitX());
    cluster.resolve_alone();
    EXPECT_FALSE(cluster.outcome().substituted);
}

TEST(Cluster, ABoxThatLandsFlatIsStill) {
    GraphScene scene(Settings{}, all_by("routh", 0.0, 0.3));
    const BodyId box = scene.add(moving(cube({0, 0, 0.5}), {0, 0, -2}));
    const BodyId floor = scene.add(floor_plane());
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(box, floor), 1e-6);
    cluster.resolve_plastic();
    const ClusterBody& after = body_of(cluster.outcome(), box);
    EXPECT_LT(after.v.norm() + after.w.norm(), k_plastic * 2.0);
    EXPECT_TRUE(after.changed());
}

// Friction takes mu times what is taken downwards, and the pressure moves to the front of the face
// so that the box does not turn.
TEST(Cluster, ABoxThatLandsFlatWhileSlidingIsSlowedByMu) {
    GraphScene scene(Settings{}, all_by("routh", 0.0, 0.3));
    const BodyId box = scene.add(moving(cube({0, 0, 0.5}), {5, 0, -2}));
    const BodyId floor = scene.add(floor_plane());
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(box, floor), 1e-6);
    cluster.resolve_plastic();
    const ClusterBody& after = body_of(cluster.outcome(), box);
    EXPECT_LT((after.v - Vec3(5.0 - 0.3 * 2.0, 0, 0)).norm(), k_plastic * 5.0);
    EXPECT_LT(after.w.norm(), k_plastic * 5.0);
}

TEST(Cluster, ARowOfBlocksGoesOnTogetherWithoutRestitution) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.0, 0.0));
    const BodyId a = scene.add(moving(cube({-1, 0, 0}), {3, 0, 0}));
    const BodyId b = scene.add(cube({0, 0, 0}));
    scene.add(cube({1, 0, 0}));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(a, b), 1e-6);
    cluster.expand();
    cluster.resolve_plastic();
    ASSERT_EQ(cluster.outcome().bodies.size(), 3U);
    for (const ClusterBody& body : cluster.outcome().bodies)
        EXPECT_LT((body.v - Vec3(1, 0, 0)).norm(), k_plastic * 3.0) << body.id;
}

// A block between two others that is hit along their faces, without friction: they feel nothing.
TEST(Cluster, BlocksBesideOneThatIsHitStayWithoutFriction) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.5, 0.0));
    const BodyId hit = scene.add(cube({0, 0, 0}));
    const BodyId left = scene.add(cube({-1, 0, 0}));
    const BodyId right = scene.add(cube({1, 0, 0}));
    const BodyId from_above = scene.add(moving(ball({0, 0, 0.75}), {0, 0, -1}));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add(scene.pair(hit, from_above), {0, 0, 0.5}, -Vec3::UnitZ());
    cluster.resolve_by_law();
    const ClusterOutcome& outcome = cluster.outcome();
    EXPECT_LT((body_of(outcome, hit).v - Vec3(0, 0, -0.75)).norm(), k_rounding);
    EXPECT_FALSE(body_of(outcome, left).changed());
    EXPECT_FALSE(body_of(outcome, right).changed());
}

// A ball that comes down aslant on the end of a board, which lies on the floor beside a block.
ClusterOutcome board_and_block(GraphScene& scene) {
    const BodyId board =
        scene.add(world_test::body("", shape::make_box({2.0, 1.0, 0.5}), at({0, 0, 0.25}), 3.0));
    scene.add(cube({1.5, 0, 0.5}, 2.0));
    const BodyId hitting = scene.add(moving(ball({0.75, 0.25, 0.75}), {2, 1, -4}, {3, 2, 1}));
    scene.add(floor_plane());
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add(scene.pair(board, hitting), {0.75, 0.25, 0.5}, -Vec3::UnitZ());
    cluster.resolve_by_law();
    return cluster.outcome();
}

TEST(Cluster, ImpulsesAccountForAllMomentum) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.4));
    const ClusterOutcome outcome = board_and_block(scene);
    ASSERT_EQ(outcome.bodies.size(), 4U);
    for (const ClusterBody& body : outcome.bodies) {
        const Body& what = scene.body(body.id);
        if (what.fixed) continue;
        Vec3 push = Vec3::Zero(), turn = Vec3::Zero();
        double size = 0.0;
        for (const ClusterContact& contact : outcome.contacts) {
            const ContactPair& pair = scene.graph().pair(contact.pair);
            if (pair.a != body.id && pair.b != body.id) continue;
            const Vec3 on_it = pair.a == body.id ? contact.impulse : Vec3(-contact.impulse);
            push += on_it;
            turn += (contact.point - body.before.position).cross(on_it);
            size += on_it.norm();
        }
        ASSERT_GT(size, 0.0);
        const Vec3 dv = body.v - body.before.velocity;
        const Vec3 dw = body.w - body.before.angular_velocity;
        EXPECT_LT((what.mass * dv - push).norm(), k_rounding * size) << body.id;
        // all stand along the world's axes
        EXPECT_LT((what.inverse_inertia.inverse() * dw - turn).norm(), k_rounding * size)
            << body.id;
    }
}

TEST(Cluster, EnergyLostIsTheSumOverContacts) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.4));
    const ClusterOutcome outcome = board_and_block(scene);
    double before = 0.0, after = 0.0, lost = 0.0;
    for (const ClusterBody& body : outcome.bodies) {
        const Body& what = scene.body(body.id);
        const motion::State& s = body.before;
        before += kinetic_energy(what, s.orientation, s.velocity, s.angular_velocity);
        after += kinetic_energy(what, s.orientation, body.v, body.w);
    }
    for (const ClusterContact& contact : outcome.contacts)
        lost -= 0.5 * contact.impulse.dot(contact.u + contact.u_after);
    EXPECT_GT(lost, 0.0);
    EXPECT_NEAR(before - after, lost, k_rounding * before);
    double told = 0.0;
    for (const Event& event : events_of(outcome, scene.graph(), 0.0, EventKind::impact))
        told += event.energy_lost;
    EXPECT_NEAR(told, lost, k_rounding * before);
}

// Without friction the middle of the impulses is the centre of pressure.
TEST(Cluster, FourCornersAreOneEventInTheirMiddle) {
    GraphScene scene(Settings{}, all_by("routh", 0.0, 0.0));
    const BodyId box = scene.add(moving(cube({3, 0, 0.5}, 2.0), {0, 0, -2}));
    const BodyId floor = scene.add(floor_plane());
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(box, floor), 1e-6);
    cluster.resolve_plastic();
    ASSERT_EQ(cluster.outcome().contacts.size(), 4U);
    const auto events = events_of(cluster.outcome(), scene.graph(), 1.5, EventKind::lasting_begin);
    ASSERT_EQ(events.size(), 1U);
    const Event& event = events[0];
    EXPECT_EQ(event.kind, EventKind::lasting_begin);
    EXPECT_EQ(event.t, 1.5);
    EXPECT_EQ(event.a, box);
    EXPECT_EQ(event.b, floor);
    EXPECT_LT((event.impulse - Vec3(0, 0, 4)).norm(), k_plastic * 4.0);
    EXPECT_LT((event.u - Vec3(0, 0, -2)).norm(), k_rounding * 2.0);
    EXPECT_NEAR(event.restitution, 0.0, k_plastic);
    EXPECT_NEAR(event.energy_lost, 4.0, k_plastic * 4.0);
    EXPECT_LT((event.point - Vec3(3, 0, 0)).norm(), k_plastic);
}

TEST(Cluster, EventsHaveTheRestitutionOfTheirLaw) {
    GraphScene scene(Settings{}, all_by("routh", 0.7, 0.0));
    const BodyId falling = scene.add(moving(ball({0, 0, 0.25}), {1, 0, -2}));
    const BodyId floor = scene.add(floor_plane());
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add(scene.pair(falling, floor), Vec3::Zero(), Vec3::UnitZ());
    cluster.resolve_by_law();
    const auto events = events_of(cluster.outcome(), scene.graph(), 0.0, EventKind::impact);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_NEAR(events[0].restitution, 0.7, k_rounding);
    EXPECT_NEAR(events[0].energy_lost, 0.5 * 4.0 * (1.0 - 0.49), 10.0 * k_rounding);
}

// What follows from a contact that begins to last is a micro-collision; what gets no impulse is no
// event at all.
TEST(Cluster, OnlyPairsWithAnImpulseAreEvents) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.0, 0.0));
    const BodyId a = scene.add(moving(cube({-1, 0, 0}), {3, 0, 0}));
    const BodyId b = scene.add(cube({0, 0, 0}));
    const BodyId c = scene.add(cube({1, 0, 0}));
    scene.add(ball({0, 0, 0.75}));  // on b, and without friction not concerned
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(a, b), 1e-6);
    cluster.expand();
    cluster.resolve_plastic();
    const auto events = events_of(cluster.outcome(), scene.graph(), 0.0, EventKind::lasting_begin);
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].kind, EventKind::lasting_begin);
    EXPECT_EQ(events[1].kind, EventKind::micro);
    EXPECT_EQ(events[1].a, b);
    EXPECT_EQ(events[1].b, c);
    const auto impacts = events_of(cluster.outcome(), scene.graph(), 0.0, EventKind::impact);
    EXPECT_EQ(impacts[1].kind, EventKind::impact);
}

// A gap of 1e-5 m is open, unless the contact is loose: 3e-4 radii then count as closed. Sleepers
// that touch take part, but for those of a pile, which its steps wake.
TEST(Cluster, ExpandTakesWhatTouches) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId hitting = scene.add(moving(ball({-0.5, 0, 0}), {1, 0, 0}));
    const BodyId hit = scene.add(ball({0, 0, 0}));
    const BodyId touching = scene.add(ball({0.5, 0, 0}));
    const BodyId apart = scene.add(ball({0, 0.5 + 1e-5, 0}));
    const BodyId held = scene.add(ball({0, -0.5 - 1e-5, 0}));
    const BodyId asleep = scene.add(ball({0, 0, 0.5}));
    const BodyId of_pile = scene.add(ball({0, 0, -0.5}));
    scene.graph().pair(scene.hold(hit, held)).contact.loose = true;
    scene.put_to_sleep(asleep);
    scene.put_to_sleep(of_pile);
    scene.graph().track(of_pile).slept_in_pile = true;
    ASSERT_LT(scene.pair(hit, apart), scene.graph().pair_count());
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add(scene.pair(hitting, hit), {-0.25, 0, 0}, -Vec3::UnitX());
    cluster.expand();
    std::vector<std::uint32_t> pairs;
    for (const ClusterContact& contact : cluster.outcome().contacts)
        pairs.push_back(contact.pair);
    const std::vector<std::uint32_t> expected{scene.pair(hitting, hit), scene.pair(hit, touching),
                                              scene.pair(hit, held), scene.pair(hit, asleep)};
    EXPECT_EQ(pairs, expected);
}

// Walls that close on a block from both sides leave it no velocity.
TEST(Cluster, ClosingWallsLeaveAnApproach) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.0, 0.3));
    const BodyId block = scene.add(cube({0, 0, 0}));
    const BodyId left = scene.add(moving(fixed(cube({-1, 0, 0})), {1, 0, 0}));
    scene.add(moving(fixed(cube({1, 0, 0})), {-1, 0, 0}));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(block, left), 1e-6);
    cluster.expand();
    cluster.resolve_plastic();
    const Cluster::Left rest = cluster.approach_left();
    EXPECT_TRUE(rest.driven);
    EXPECT_DOUBLE_EQ(rest.before, 1.0);
    // the walls close with 2 m/s: on one side at least 1 m/s of it is left
    EXPECT_GE(rest.speed, 1.0 - k_plastic);
}

TEST(Cluster, OneMovingWallLeavesNone) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.0, 0.3));
    const BodyId block = scene.add(cube({0, 0, 0}));
    const BodyId left = scene.add(moving(fixed(cube({-1, 0, 0})), {1, 0, 0}));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(block, left), 1e-6);
    cluster.resolve_plastic();
    EXPECT_TRUE(cluster.approach_left().driven);
    EXPECT_LT(cluster.approach_left().speed, k_plastic);
    EXPECT_LT((body_of(cluster.outcome(), block).v - Vec3(1, 0, 0)).norm(), k_plastic);
}

TEST(Cluster, AStillWallIsNotDriven) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.0, 0.3));
    const BodyId block = scene.add(moving(cube({0, 0, 0}), {-1, 0, 0}));
    const BodyId wall = scene.add(fixed(cube({-1, 0, 0})));
    Cluster cluster(scene.graph(), k_no_stop);
    cluster.begin(0.0);
    cluster.add_manifold(scene.pair(block, wall), 1e-6);
    EXPECT_FALSE(cluster.approach_left().driven);
    EXPECT_DOUBLE_EQ(cluster.approach_left().speed, 1.0);
}

}  // namespace
}  // namespace carom::world
