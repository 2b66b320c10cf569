// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a run adds up: each entry of the ledger in its sums, and what listeners are told.

#include "carom/world/simulate/ledger.h"

#include <gtest/gtest.h>

#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::ball;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::Log;
using world_test::moving;

// A floor that moves (0), and two balls of 2 kg (1, 2).
struct Booked {
    Booked() : scene(Settings{}, all_by("routh", 0.5, 0.3)), ledger(make()) {
        ledger.report_to(&log);
    }
    EngineInput make() {
        scene.add(moving(floor_plane(), {3, 0, 0}));
        scene.add(moving(ball({0, 0, 1}, 2.0), {1, 0, -4}, {0, 5, 0}));
        scene.add(ball({5, 0, 1}, 2.0));
        return scene.input();
    }
    // An impulse at one point.
    void add(const Event& event, const motion::State& a, const motion::State& b) {
        ledger.add_impulse(event);
        ledger.add_push(event.a, event.b, event.point, event.impulse, a, b);
    }
    Vec3 given() {
        const Tally& tally = scene.tally();
        return {tally.given[0].value(), tally.given[1].value(), tally.given[2].value()};
    }
    GraphScene scene;
    Log log;
    Ledger ledger;
};

Event impact_of(BodyId a, BodyId b, const Vec3& impulse, double lost) {
    Event event;
    event.a = a;
    event.b = b;
    event.normal = Vec3::UnitZ();
    event.impulse = impulse;
    event.u = {1, 0, -4};
    event.energy_lost = lost;
    return event;
}

TEST(Ledger, ImpulsesAreCountedByTheirKind) {
    Booked booked;
    Event event = impact_of(1, 2, {0, 3, 4}, 2.0);
    const motion::State a = booked.scene.body(1).first, b = booked.scene.body(2).first;
    booked.add(event, a, b);
    event.kind = EventKind::micro;
    event.energy_lost = -0.5;
    booked.add(event, a, b);
    event.kind = EventKind::lasting_begin;
    booked.add(event, a, b);
    const Tally& tally = booked.scene.tally();
    EXPECT_EQ(tally.events, 3U);
    EXPECT_EQ(tally.impacts, 1U);
    EXPECT_EQ(tally.micro, 1U);
    EXPECT_DOUBLE_EQ(tally.energy_lost.value(), 1.0);
    EXPECT_DOUBLE_EQ(tally.pushed.value(), 15.0);
    EXPECT_EQ(booked.given(), Vec3::Zero()) << "between free bodies";
    EXPECT_EQ(tally.driven.value(), 0.0);
    EXPECT_EQ(booked.log.events.size(), 3U);
}

// The floor is a of its pair: listeners see it from the ball. It gives momentum and, as it moves,
// works with its own speed.
TEST(Ledger, WhatAFixedBodyGivesIsBooked) {
    Booked booked;
    const Event event = impact_of(0, 1, {-2, 0, -6}, 1.0);  // on the floor
    booked.add(event, booked.scene.body(0).first, booked.scene.body(1).first);
    EXPECT_EQ(booked.given(), Vec3(2, 0, 6));
    EXPECT_DOUBLE_EQ(booked.scene.tally().driven.value(), 2.0 * 3.0);
    ASSERT_EQ(booked.log.events.size(), 1U);
    const Event& told = booked.log.events[0];
    EXPECT_EQ(told.a, 1U);
    EXPECT_EQ(told.b, 0U);
    EXPECT_EQ(told.impulse, Vec3(2, 0, 6));
    EXPECT_EQ(told.normal, Vec3(0, 0, -1));
    EXPECT_EQ(told.u, Vec3(-1, 0, 4));
}

TEST(Ledger, OnlyGainsAreGains) {
    Booked booked;
    booked.ledger.add_balance(2.0);
    EXPECT_EQ(booked.scene.tally().energy_gained.value(), 0.0);
    booked.ledger.add_balance(-0.25);
    booked.ledger.add_balance(-0.5);
    EXPECT_DOUBLE_EQ(booked.scene.tally().energy_gained.value(), 0.75);
    EXPECT_EQ(booked.scene.tally().energy_lost.value(), 0.0) << "that is booked by events";
}

// m v^2 / 2 + I w^2 / 2 with I = 2/5 m r^2; where it lies stays as it is.
TEST(Ledger, SleepTakesWhatABodyStillHas) {
    Booked booked;
    const motion::State& state = booked.scene.body(1).first;
    const motion::State rest = booked.ledger.add_sleep(1, state, 2.5);
    EXPECT_EQ(rest.position, state.position);
    EXPECT_EQ(rest.velocity, Vec3::Zero());
    EXPECT_EQ(rest.angular_velocity, Vec3::Zero());
    const double had = 0.5 * 2.0 * 17.0 + 0.5 * 0.4 * 2.0 * 0.0625 * 25.0;
    EXPECT_NEAR(booked.scene.tally().energy_lost.value(), had, 1e-12 * had);
    EXPECT_EQ(booked.given(), Vec3(-2, 0, 8));
    ASSERT_EQ(booked.log.events.size(), 1U);
    EXPECT_EQ(booked.log.events[0].kind, EventKind::sleep);
    EXPECT_EQ(booked.log.events[0].t, 2.5);
    EXPECT_EQ(booked.log.events[0].impulse, Vec3(-2, 0, 8));
}

TEST(Ledger, WakingIsAnEventAndNothingElse) {
    Booked booked;
    booked.ledger.add_wake(1, 2, 3.0);
    ASSERT_EQ(booked.log.events.size(), 1U);
    EXPECT_EQ(booked.log.events[0].kind, EventKind::wake);
    EXPECT_EQ(booked.log.events[0].a, 1U);
    EXPECT_EQ(booked.log.events[0].b, 2U);
    EXPECT_EQ(booked.scene.tally().events, 1U);
    EXPECT_EQ(booked.scene.tally().pushed.value(), 0.0);
}

// A flight of 0.5 s: gravity gives m g t.
TEST(Ledger, AFlightIsWeighed) {
    Booked booked;
    const Body& body = booked.scene.body(1);
    const Segment segment{1.0, 1, SegmentKind::flight, body.first};
    booked.ledger.begin_segment(segment);
    EXPECT_EQ(booked.log.segments.size(), 1U);
    booked.ledger.end_segment(segment, make_motion(body, segment, booked.scene.gravity()), 1.5);
    const Tally& tally = booked.scene.tally();
    EXPECT_EQ(tally.weighed[0].value(), 0.0);
    EXPECT_NEAR(tally.weighed[2].value(), -2.0 * k_g * 0.5, 1e-14 * k_g);
    EXPECT_EQ(tally.energy_lost.value(), 0.0);
    EXPECT_EQ(tally.driven.value(), 0.0);
}

TEST(Ledger, ForcesQueriesAndOverlaps) {
    Booked booked;
    ContactForce force;
    force.a = 1;
    force.b = 2;
    force.impulse = {0, 3, 4};
    booked.ledger.add_force(force);
    booked.ledger.count_query();
    booked.ledger.count_queries(7);
    // the deepest, and the deepest beside the size of its pair, are of different pairs
    booked.ledger.note_overlap(1e-5, 0.1);
    booked.ledger.note_overlap(3e-5, 1.0);
    booked.ledger.note_overlap(DeepestOverlap{2e-5, 2e-6});
    booked.ledger.add_lost(1.5);
    EXPECT_DOUBLE_EQ(booked.scene.tally().pushed.value(), 5.0);
    EXPECT_EQ(booked.scene.tally().checks, 8U);
    EXPECT_EQ(booked.scene.tally().overlap.depth, 3e-5);
    EXPECT_DOUBLE_EQ(booked.scene.tally().overlap.relative, 1e-4);
    EXPECT_EQ(booked.scene.tally().energy_lost.value(), 1.5);
    EXPECT_EQ(booked.log.forces.size(), 1U);
}

TEST(Ledger, NobodyNeedsToListen) {
    Booked booked;
    booked.ledger.report_to(nullptr);
    booked.ledger.add(Event{.a = 1});
    booked.ledger.add_force({});
    booked.ledger.begin_segment({});
    EXPECT_EQ(booked.scene.tally().events, 1U);
    EXPECT_TRUE(booked.log.events.empty());
}

}  // namespace
}  // namespace carom::world
