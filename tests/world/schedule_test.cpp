// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// When the schedule looks at whom: the order of what is due at one time, landings, what is taken
// back, and touches at the times that closed forms give.

#include "carom/world/simulate/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

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

// A schedule of all bodies of a scene, from time 0 on.
struct Scheduled {
    explicit Scheduled(GraphScene& of)
        : scene(of), ledger(of.input()), schedule(of.graph(), ledger) {
        schedule.rebuild(0.0);
    }
    // Follows the schedule to the first touch; the time is infinite where there is none by `until`.
    NextEvent find_touch(double until) {
        for (std::uint32_t i = 0; i < scene.graph().pair_count(); ++i)
            schedule.predict(i, 0.0);
        while (schedule.first_time() <= until) {
            const NextEvent next = schedule.first();
            if (next.kind == NextKind::touch) return next;
            EXPECT_TRUE(next.kind == NextKind::query || next.kind == NextKind::box_ends);
            if (next.kind == NextKind::query) {
                schedule.predict(next.pair, next.t);
            } else {
                schedule.renew_box(next.body, next.t);
            }
        }
        return {k_forever, NextKind::query, k_no_body, 0};
    }
    GraphScene& scene;
    Ledger ledger;
    Schedule schedule;
};

GraphScene three_balls() {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    for (int k = 0; k < 3; ++k)
        scene.add(ball({0.51 * k, 0, 0.26}));
    scene.add(floor_plane());
    return scene;
}

TEST(Schedule, PairsOfOneTimeComeInTheOrderOfTheirBodies) {
    GraphScene scene = three_balls();
    Scheduled of(scene);
    const std::vector<std::uint32_t> order{scene.pair(0, 1), scene.pair(0, 3), scene.pair(1, 2),
                                           scene.pair(2, 3)};
    // put in otherwise
    of.schedule.touch_at(order[2], 1e-6);
    of.schedule.query_at(order[3], 1e-6);
    of.schedule.touch_at(order[0], 1e-6);
    of.schedule.landing_at(order[1], 1e-6);
    const NextKind kinds[] = {NextKind::touch, NextKind::landing, NextKind::touch, NextKind::query};
    for (std::size_t k = 0; k < 4; ++k) {
        const NextEvent next = of.schedule.first();
        EXPECT_EQ(next.t, 1e-6);
        EXPECT_EQ(next.pair, order[k]) << k;
        EXPECT_EQ(next.kind, kinds[k]) << k;
        of.schedule.cancel(next.pair);
    }
    EXPECT_GT(of.schedule.first_time(), 1e-6);
}

TEST(Schedule, BodiesComeBeforePairs) {
    GraphScene scene = three_balls();
    Scheduled of(scene);
    const double ends = of.schedule.first_time();
    ASSERT_EQ(ends, scene.graph().track(0).box_until);
    ASSERT_EQ(ends, scene.graph().track(1).box_until);
    of.schedule.touch_at(scene.pair(0, 1), ends);
    const NextEvent next = of.schedule.first();
    EXPECT_EQ(next.kind, NextKind::box_ends);
    EXPECT_EQ(next.body, 0U);
    of.schedule.touch_at(scene.pair(0, 1), std::nextafter(ends, 0.0));
    EXPECT_EQ(of.schedule.first().kind, NextKind::touch);
}

TEST(Schedule, TellsTheEndOfAMotion) {
    GraphScene scene = three_balls();
    Segment held{0.0, 1, SegmentKind::held, scene.graph().track(1).at(0.0)};
    held.lasting.t1 = 1e-3;
    scene.graph().track(1).go(held, scene.gravity());
    Scheduled of(scene);
    EXPECT_EQ(of.schedule.first().kind, NextKind::motion_ends);
    EXPECT_EQ(of.schedule.first().body, 1U);
    EXPECT_EQ(of.schedule.first().t, 1e-3);
}

TEST(Schedule, KnowsLandings) {
    GraphScene scene = three_balls();
    Scheduled of(scene);
    const std::uint32_t pair = scene.pair(0, 3);
    EXPECT_EQ(of.schedule.landing_of(pair), k_forever);
    of.schedule.landing_at(pair, 0.5);
    EXPECT_EQ(of.schedule.landing_of(pair), 0.5);
    // it stays while the contact is active, whatever is predicted
    scene.hold(0, 3);
    of.schedule.predict(pair, 0.0);
    EXPECT_EQ(of.schedule.landing_of(pair), 0.5);
    of.schedule.touch_at(pair, 0.5);
    EXPECT_EQ(of.schedule.landing_of(pair), k_forever) << "a touch is none";
    of.schedule.landing_at(pair, 0.5);
    of.schedule.cancel(pair);
    EXPECT_EQ(of.schedule.landing_of(pair), k_forever);
}

TEST(Schedule, LeavesActiveContactsToTheirSteps) {
    GraphScene scene = three_balls();
    Scheduled of(scene);
    const std::uint32_t pair = scene.hold(0, 3);
    of.schedule.touch_at(pair, 1e-6);
    of.schedule.predict(pair, 0.0);
    EXPECT_GT(of.schedule.first_time(), 1e-6);
}

TEST(Schedule, AFallingBallTouchesAtItsTime) {
    for (const double height : {1e-6, 0.1, 10.0, 2000.0}) {
        GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
        scene.add(ball({3, 0, 0.25 + height}));
        scene.add(floor_plane());
        Scheduled of(scene);
        const double fall = std::sqrt(2.0 * height / k_g);
        const NextEvent touch = of.find_touch(2.0 * fall);
        // the height itself is known to rounding of 0.25 + height
        const double rounding = 1e-15 * (0.25 + height) / (k_g * fall);
        EXPECT_NEAR(touch.t, fall, 1e-13 * fall + rounding) << height;
        EXPECT_LT((scene.graph().pair(touch.pair).normal - Vec3::UnitZ()).norm(), 1e-12);
    }
}

// Two balls thrown at each other meet after (distance - 2 r) / u, gravity or not.
TEST(Schedule, BallsMeetAtTheirTime) {
    for (const double g : {0.0, k_g}) {
        GraphScene scene(with_gravity({0, 0, -g}), all_by("routh", 0.5, 0.3));
        scene.add(moving(ball({0, 0, 0}), {2, 0, 7}));
        scene.add(moving(ball({10, 0, 0}), {-3, 0, 7}));
        Scheduled of(scene);
        const NextEvent touch = of.find_touch(10.0);
        EXPECT_NEAR(touch.t, 9.5 / 5.0, 1e-13) << g;
    }
}

TEST(Schedule, BallsThatMissEachOtherDoNotTouch) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.5, 0.3));
    scene.add(moving(ball({0, 0, 0}), {2, 0, 0}));
    scene.add(moving(ball({10, 0.5 + 1e-9, 0}), {-3, 0, 0}));
    Scheduled of(scene);
    EXPECT_EQ(of.find_touch(100.0).t, k_forever);
}

// A ball that leaves the floor with v is back after 2 v / g; one so slow that rounding knows no
// height is back at once.
TEST(Schedule, WhatLeavesAPlaneComesBackAtItsTime) {
    for (const double speed : {1e-16, 1e-3, 1.0}) {
        GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
        scene.add(moving(ball({0, 0, 0.25}), {0, 0, speed}));
        scene.add(floor_plane());
        Scheduled of(scene);
        const double back = 2.0 * speed / k_g;
        const NextEvent touch = of.find_touch(back + 1e-3);
        // a height of a few 1e-16 is nothing beside that of the ball
        EXPECT_NEAR(touch.t, back, 1e-13 * back + 1e-7) << speed;
    }
}

// A pair that a step of a pile keeps apart is not looked at before its end.
TEST(Schedule, CoveredPairsWait) {
    GraphScene scene = three_balls();
    Scheduled of(scene);
    const std::uint32_t pair = scene.pair(0, 1);
    of.schedule.query_at(pair, 1e-9);
    scene.graph().track(0).pile = 0;
    scene.graph().pair(pair).covered_until = 1.0;
    of.schedule.predict(pair, 0.0);
    EXPECT_GT(of.schedule.first_time(), 1e-9);
}

}  // namespace
}  // namespace carom::world
