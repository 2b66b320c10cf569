// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::body;
using world_test::Log;

std::string message_of(const auto& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(World, ABodySaysWhatIsWrongWithIt) {
    World world({}, all_by("routh", 0.5, 0.5));
    BodySpec plane = world_test::floor_plane();
    plane.fixed = false;
    EXPECT_EQ(message_of([&] { world.add(plane); }),
              "body 'floor': a plane has no mass; make it fixed = true");
    BodySpec spinning = world_test::floor_plane();
    spinning.angular_velocity = {0, 0, 1};
    EXPECT_NE(message_of([&] { world.add(spinning); }).find("must not turn"), std::string::npos);
    BodySpec both = body("x", shape::make_sphere(1), at({0, 0, 0}));
    both.density = 3.0;
    EXPECT_NE(message_of([&] { world.add(both); }).find("either mass or density"),
              std::string::npos);
    EXPECT_NE(message_of([&] { world.add({.name = "empty", .shape = {}}); }).find("no shape"),
              std::string::npos);
}

TEST(World, RefusesOverlapAtTheStart) {
    World world({}, all_by("routh", 0.5, 0.5));
    world.add(body("ball", shape::make_sphere(0.1), at({0, 0, 0.09})));
    world.add(world_test::floor_plane());
    EXPECT_NE(message_of([&] { world.run(1.0); }).find("'ball' and 'floor' overlap by 0.01"),
              std::string::npos);
}

TEST(World, FindsOverlapsDeepestFirst) {
    World world({}, all_by("routh", 0.5, 0.5));
    world.add(body("a", shape::make_sphere(0.1), at({0, 0, 0})));
    world.add(body("b", shape::make_sphere(0.1), at({0.19, 0, 0})));
    world.add(body("c", shape::make_box({0.2, 0.2, 0.2}), at({0, 0.15, 0})));
    world.add(body("d", shape::make_sphere(0.1), at({5, 0, 0})));
    const std::vector<Overlap> found = find_overlaps(world.bodies());
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].a, 0U);
    EXPECT_EQ(found[0].b, 2U);
    EXPECT_NEAR(found[0].depth, 0.05, 1e-9);
    EXPECT_EQ(found[1].b, 1U);
    EXPECT_NEAR(found[1].depth, 0.01, 1e-12);
}

// Two balls that go for each other stand still while a third is hit: only those of an event are
// touched, so the third's segment never changes.
TEST(World, OnlyTheBodiesOfAnEventGetNewSegments) {
    Settings settings;
    settings.gravity.setZero();
    World world(settings, all_by("frictionless", 1.0, 0.0));
    BodySpec left = body("left", shape::make_box({0.2, 0.2, 0.2}), at({-1, 0, 0}));
    left.velocity = {1, 0, 0};
    world.add(left);
    world.add(body("right", shape::make_box({0.2, 0.2, 0.2}), at({1, 0, 0})));
    BodySpec away = body("away", shape::make_box({0.2, 0.2, 0.2}), at({0, 3, 0}));
    away.angular_velocity = {1, 2, 3};
    world.add(away);
    Log log;
    world.run(4.0, &log);
    ASSERT_EQ(log.events.size(), 1U);
    EXPECT_NEAR(log.events[0].t, 1.8, 1e-14);
    ASSERT_EQ(log.segments.size(), 5U);
    EXPECT_NEAR((world.state(0).velocity).norm(), 0.0, 1e-15);
    EXPECT_NEAR((world.state(1).velocity - Vec3(1, 0, 0)).norm(), 0.0, 1e-15);
}

// A box that falls flat is hit in the middle of its face and does not begin to turn.
TEST(World, AFlatFallDoesNotTurn) {
    World world({}, all_by("routh", 0.5, 0.5));
    world.add(body("box", shape::make_box({0.2, 0.1, 0.06}), at({0.3, 0.1, 0.5})));
    world.add(world_test::floor_plane());
    Log log;
    world.run(0.35, &log);
    ASSERT_GE(log.events.size(), 1U);
    EXPECT_NEAR((log.events[0].point - Vec3(0.3, 0.1, 0.0)).norm(), 0.0, 1e-12);
    EXPECT_NEAR(world.state(0).angular_velocity.norm(), 0.0, 1e-9);
}

TEST(World, AMovingPaddleHitsASleeper) {
    World world({}, all_by("routh", 0.0, 0.5));
    const BodyId box = world.add(body("box", shape::make_box({0.1, 0.1, 0.1}), at({0, 0, 0.05})));
    world.add(world_test::floor_plane());
    BodySpec paddle = body("paddle", shape::make_box({0.1, 0.5, 0.06}), at({-1.0, 0, 0.05}));
    paddle.mass.reset();
    paddle.fixed = true;
    paddle.velocity = {2.0, 0, 0};
    world.add(paddle);
    world.run(0.4);
    EXPECT_TRUE(world.asleep(box));
    Log log;
    world.run(0.6, &log);
    EXPECT_FALSE(world.asleep(box));
    ASSERT_GE(log.events.size(), 2U);
    EXPECT_EQ(log.events[0].kind, EventKind::wake);
    EXPECT_NEAR(log.events[0].t, 0.45, 1e-12);
    const Audit audit = world.audit();
    EXPECT_GT(audit.driven, 0.1);
    EXPECT_NEAR(audit.energy_residual, 0.0, 1e-12);
    EXPECT_LT(audit.momentum_residual, 1e-12 * audit.momentum_scale);
}

// Its law cannot solve it: said with names and time, not passed over.
TEST(World, SaysWhereALawDoesNotApply) {
    World world({}, all_by("planar", 0.5, 0.5));
    BodySpec box =
        body("box", shape::make_box({0.2, 0.1, 0.06}),
             at({0, 0, 0.5}, motion::Quat(Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()))));
    box.velocity = {1.0, 0.3, 0.0};
    world.add(box);
    world.add(world_test::floor_plane());
    const std::string message = message_of([&] { world.run(1.0); });
    EXPECT_NE(message.find("'box' and 'floor'"), std::string::npos) << message;
    EXPECT_NE(message.find("law 'planar' needs a plane problem"), std::string::npos) << message;
}

// A ball squeezed between two paddles that close: no end, so a message and no hang.
TEST(World, AJamIsReported) {
    Settings settings;
    settings.gravity.setZero();
    World world(settings, all_by("routh", 0.5, 0.5));
    world.add(body("ball", shape::make_sphere(0.1), at({0, 0, 0})));
    for (const double side : {-1.0, 1.0}) {
        BodySpec paddle =
            body(side < 0 ? "left" : "right", shape::make_box({0.1, 1, 1}), at({0.5 * side, 0, 0}));
        paddle.mass.reset();
        paddle.fixed = true;
        paddle.velocity = {-side, 0, 0};
        world.add(paddle);
    }
    const std::string message = message_of([&] { world.run(1.0); });
    EXPECT_NE(message.find("at 0.350000 s 'ball' and 'left' close on each other"),
              std::string::npos)
        << message;
}

// Numbers and times that mean nothing are told, not read beyond the end.
TEST(World, RefusesNumbersOfNoBody) {
    World world({}, all_by("routh", 0.5, 0.5));
    world.add(body("ball", shape::make_sphere(0.1), at({0, 0, 1})));
    world.add(world_test::floor_plane());
    for (const bool begun : {false, true}) {
        if (begun) world.run(0.1);
        const BodyId none = world.find("no such");
        EXPECT_EQ(none, k_no_body);
        const std::string named = message_of([&] { world.state(none); });
        EXPECT_NE(named.find("World::find"), std::string::npos) << named;
        EXPECT_NE(named.find("this world has 2 bodies"), std::string::npos) << named;
        EXPECT_NE(message_of([&] { world.state(7); }).find("there is no body 7"),
                  std::string::npos);
        EXPECT_THROW(world.state(2), std::out_of_range);
        EXPECT_THROW(world.pose(none), std::out_of_range);
        EXPECT_THROW(world.body(none), std::out_of_range);
        EXPECT_THROW(world.asleep(none), std::out_of_range);
        EXPECT_EQ(world.body(1).name, "floor");
    }
}

TEST(World, RefusesTimesItCannotRunTo) {
    World world({}, all_by("routh", 0.5, 0.5));
    world.add(body("ball", shape::make_sphere(0.1), at({0, 0, 1})));
    EXPECT_THROW(world.run(-1.0), std::invalid_argument);
    world.run(0.5);
    const std::string past = message_of([&] { world.run(0.25); });
    EXPECT_NE(past.find("World::run to 0.25 s"), std::string::npos) << past;
    EXPECT_NE(past.find("not before now, which is 0.5 s"), std::string::npos) << past;
    EXPECT_THROW(world.run(0.25), std::invalid_argument);
    EXPECT_THROW(world.run(std::nan("")), std::invalid_argument);
    EXPECT_THROW(world.run(std::numeric_limits<double>::infinity()), std::invalid_argument);
    world.run(0.5);
    EXPECT_EQ(world.time(), 0.5);
}

TEST(World, RefusesTwoBodiesOfOneName) {
    World world({}, all_by("routh", 0.5, 0.5));
    world.add(body("ball", shape::make_sphere(0.1), at({0, 0, 1})));
    const BodySpec again = body("ball", shape::make_sphere(0.1), at({0, 0, 2}));
    EXPECT_EQ(message_of([&] { world.add(again); }),
              "body 'ball': there is another body of this name; give it its own");
    EXPECT_EQ(world.body_count(), 1U);
    world.add(body("", shape::make_sphere(0.1), at({0, 0, 3})));
    world.add(body("", shape::make_sphere(0.1), at({0, 0, 4})));
    EXPECT_EQ(world.body_count(), 3U);
}

// A free body is a, whichever was added first: normals point to it and impulses are on it.
TEST(World, TellsOfAFreeBodyOnAFixedOne) {
    for (const bool floor_first : {true, false}) {
        for (const ContactMode mode : {ContactMode::micro, ContactMode::lasting}) {
            Settings settings;
            settings.contact = mode;
            World world(settings, all_by("routh", 0.3, 0.5));
            if (floor_first) world.add(world_test::floor_plane());
            BodySpec box = body("box", shape::make_box({0.2, 0.1, 0.06}), at({0, 0, 0.2}));
            box.velocity = {0.5, 0, 0};
            world.add(box);
            BodySpec ball = body("ball", shape::make_sphere(0.05), at({1, 0, 0.2}));
            ball.velocity = {0.5, 0, 0};
            world.add(ball);
            if (!floor_first) world.add(world_test::floor_plane());
            Log log;
            world.run(0.9, &log);
            world.tell_forces(log);
            const BodyId floor = world.find("floor");
            std::size_t hits = 0;
            for (const Event& event : log.events) {
                if (event.kind == EventKind::sleep || event.kind == EventKind::wake) continue;
                ++hits;
                EXPECT_NE(event.a, floor);
                EXPECT_EQ(event.b, floor);
                EXPECT_GT(event.normal.z(), 0.9);
                EXPECT_GE(event.impulse.z(), -1e-8);
                if (event.kind == EventKind::impact) {
                    EXPECT_LT(event.u.z(), 0.0);
                    EXPECT_GT(event.u_after.z(), -1e-9);
                }
            }
            EXPECT_GT(hits, 4U);
            for (const ContactForce& force : log.forces) {
                EXPECT_EQ(force.b, floor);
                EXPECT_GT(force.normal.z(), 0.9);
                EXPECT_GE(force.impulse.z(), 0.0);
            }
            EXPECT_EQ(log.forces.empty(), mode == ContactMode::micro);
        }
    }
}

}  // namespace
}  // namespace carom::world
