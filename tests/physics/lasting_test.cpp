// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Sliding, rolling and sticking by micro-collisions alone, against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

// A ball set sliding without spin rolls when its speed has fallen to 5/7 of the first, at
// t = 2 v / 7 mu g.
TEST(Lasting, SlideToRoll) {
    const double v = 3.0, mu = 0.3, R = 0.1, t_end = 3.0;
    World world(settings(), contacts(0.5, mu));
    const BodyId ball = add_ball(world, "ball", R, {0, 0, R}, {v, 0, 0}, 1.0);
    add_floor(world);
    const double t_roll = 2.0 * v / (7.0 * mu * k_gravity);
    const double x_roll = v * t_roll - 0.5 * mu * k_gravity * t_roll * t_roll;
    world.run(0.5 * t_roll);
    expect_close("speed_while_sliding", world.state(ball).velocity.x(),
                 v - 0.5 * mu * k_gravity * t_roll, 1e-3);
    world.run(t_end);
    const motion::State state = world.state(ball);
    expect_close("speed", state.velocity.x(), 5.0 / 7.0 * v, 1e-3);
    expect_close("rolling", state.angular_velocity.y() * R, state.velocity.x(), 1e-3);
    expect_close("distance", state.position.x(), x_roll + 5.0 / 7.0 * v * (t_end - t_roll), 1e-3);
    expect_below("height", state.position.z() - R, 1e-4 * R);
    EXPECT_EQ(world.tally().impacts, 0U);
    expect_balanced(world);
}

// A block on a ramp of 20 degrees, its face on it from the start.
struct OnRamp {
    OnRamp(const world::Settings& s, double mu, double e = 0.3)
        : angle(20.0 * pi / 180.0),
          normal(-std::sin(angle), 0.0, std::cos(angle)),
          world(s, contacts(e, mu)) {
        start = 0.03 * normal;
        block =
            world.add({.name = "block",
                       .shape = shared(shape::make_box({0.2, 0.1, 0.06})),
                       .pose = {start, Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), normal)},
                       .mass = 1.0});
        world.add({.name = "ramp", .shape = shared(shape::make_half_space(normal)), .fixed = true});
    }
    double moved() const { return (world.state(block).position - start).norm(); }

    double angle;
    Vec3 normal;
    World world;
    Vec3 start = Vec3::Zero();
    BodyId block = 0;
};

TEST(Lasting, BlockSticksOnARampAndSleeps) {
    OnRamp on(settings(), 0.5);
    on.world.run(10.0);
    expect_below("creep", on.moved(), 1e-6);
    EXPECT_TRUE(on.world.asleep(on.block));
    expect_balanced(on.world);
}

// The same with hops all the time.
TEST(Lasting, BlockSticksOnARampWithoutSleep) {
    world::Settings s = settings();
    s.sleep = false;
    OnRamp on(s, 0.5);
    on.world.run(10.0);
    // a hop is micro^2 L / 2 high; what counts is the way along the ramp
    const Vec3 way = on.world.state(on.block).position - on.start;
    expect_below("creep", (way - on.normal * on.normal.dot(way)).norm(), 1e-6);
    EXPECT_FALSE(on.world.asleep(on.block));
    EXPECT_GT(on.world.tally().micro, 1000U);
    expect_balanced(on.world);
}

TEST(Lasting, BlockSlidesDownARamp) {
    const double mu = 0.2, t_end = 2.0;
    OnRamp on(settings(), mu);
    on.world.run(t_end);
    const double a = k_gravity * (std::sin(on.angle) - mu * std::cos(on.angle));
    expect_close("distance", on.moved(), 0.5 * a * t_end * t_end, 1e-3);
    expect_close("speed", on.world.state(on.block).velocity.norm(), a * t_end, 1e-3);
    expect_below("tilt", angle_between(on.world, on.block, Vec3::UnitZ(), on.normal), 1e-2);
    EXPECT_FALSE(on.world.asleep(on.block));
    expect_balanced(on.world);
}

// The same with the ramp added first: the order of bodies must not matter.
TEST(Lasting, RampBeforeTheBlock) {
    const double mu = 0.2, t_end = 1.0, angle = 20.0 * pi / 180.0;
    const Vec3 normal(-std::sin(angle), 0.0, std::cos(angle));
    World world(settings(), contacts(0.3, mu));
    world.add({.name = "ramp", .shape = shared(shape::make_half_space(normal)), .fixed = true});
    const BodyId block = world.add(
        {.name = "block",
         .shape = shared(shape::make_box({0.2, 0.1, 0.06})),
         .pose = {0.03 * normal, Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), normal)},
         .mass = 1.0});
    world.run(t_end);
    const double a = k_gravity * (std::sin(angle) - mu * std::cos(angle));
    expect_close("distance", (world.state(block).position - 0.03 * normal).norm(),
                 0.5 * a * t_end * t_end, 1e-3);
    expect_balanced(world);
}

// A ball rolling on a table that turns at W goes round a circle at 2 W / 7.
TEST(Lasting, BallOnATurningPlatter) {
    const double W = 2.0, R = 0.05, v = 0.3;
    const Vec3 start(0.5, 0.0, R);
    World world(settings(), contacts(0.5, 1.0));
    const BodyId ball = world.add({.name = "ball",
                                   .shape = shared(shape::make_sphere(R)),
                                   .pose = at(start),
                                   .velocity = {0, v, 0},
                                   .angular_velocity = {(W * start.x() - v) / R, 0, 0},
                                   .mass = 1.0});
    world.add({.name = "platter",
               .shape = shared(shape::make_cylinder(2.0, 0.05)),
               .pose = at({0, 0, -0.025}),
               .angular_velocity = {0, 0, W},
               .fixed = true});
    const double rate = 2.0 * W / 7.0;
    const double radius = v / rate;
    const Vec3 center = start - Vec3(radius, 0, 0);
    for (int quarter = 1; quarter <= 4; ++quarter) {
        const double phi = 0.5 * pi * quarter;
        world.run(phi / rate);
        const Vec3 exact = center + radius * Vec3(std::cos(phi), std::sin(phi), 0.0);
        expect_below(("quarter_" + std::to_string(quarter)).c_str(),
                     (world.state(ball).position - exact).head<2>().norm() / radius, 0.01);
    }
    expect_balanced(world);
}

// A ball that rolls down a plane: 5/7 g sin a.
TEST(Lasting, BallRollsDownARamp) {
    const double angle = 10.0 * pi / 180.0, R = 0.05, t_end = 1.5;
    const Vec3 normal(-std::sin(angle), 0.0, std::cos(angle));
    World world(settings(), contacts(0.5, 0.4));
    const BodyId ball = add_ball(world, "ball", R, R * normal, Vec3::Zero(), 1.0);
    world.add({.name = "ramp", .shape = shared(shape::make_half_space(normal)), .fixed = true});
    world.run(t_end);
    const double a = 5.0 / 7.0 * k_gravity * std::sin(angle);
    expect_close("distance", (world.state(ball).position - R * normal).norm(),
                 0.5 * a * t_end * t_end, 1e-3);
    expect_balanced(world);
}

// A puck slides v^2 / 2 mu g and stays there.
TEST(Lasting, PuckStops) {
    const double v = 1.0, mu = 0.25;
    World world(settings(), contacts(0.2, mu));
    const BodyId puck = world.add({.name = "puck",
                                   .shape = shared(shape::make_box({0.1, 0.1, 0.02})),
                                   .pose = at({0, 0, 0.01}),
                                   .velocity = {v, 0, 0},
                                   .mass = 0.3});
    add_floor(world);
    world.run(1.0);
    expect_close("distance", world.state(puck).position.x(), v * v / (2.0 * mu * k_gravity), 1e-3);
    EXPECT_TRUE(world.asleep(puck));
    expect_balanced(world);
}

}  // namespace
}  // namespace carom::tests
