// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// A sphere in lasting contact with a plane, in a world: its closed forms, how it gets there and
// how it leaves. Every number is held to 1e-9 of the analytic solution.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using std::numbers::pi;
constexpr double k_exact = 1e-9;

world::Settings lasting_contact() {
    world::Settings s = settings();
    s.contact = world::ContactMode::lasting;
    return s;
}

TEST(ClosedForm, SlideToRoll) {
    const double v = 3.0, mu = 0.3, R = 0.1;
    World world(lasting_contact(), contacts(0.5, mu));
    const BodyId ball = add_ball(world, "ball", R, {0, 0, R}, {v, 0, 0}, 1.0);
    add_floor(world);
    Log log;
    world.run(3.0, &log);
    const double t_roll = 2.0 * v / (7.0 * mu * k_gravity);
    const double x_roll = v * t_roll - 0.5 * mu * k_gravity * t_roll * t_roll;
    const motion::State state = world.state(ball);
    expect_close("speed", state.velocity.x(), 5.0 / 7.0 * v, k_exact);
    expect_close("distance", state.position.x(), x_roll + 5.0 / 7.0 * v * (3.0 - t_roll), k_exact);
    std::vector<double> change_overs;
    for (const world::Segment& segment : log.segments)
        if (segment.body == ball && segment.t0 > 0.0) change_overs.push_back(segment.t0);
    ASSERT_EQ(change_overs.size(), 1U);
    expect_close("change_over", change_overs[0], t_roll, k_exact);
    EXPECT_EQ(world.tally().impacts, 0U);
    EXPECT_EQ(world.tally().micro, 0U);
    expect_balanced(world);
}

// A bowling ball with side spin: a parabola while it slides, then a line along 5/7 v + 2/7 of what
// the spin drives it to.
TEST(ClosedForm, BowlingHook) {
    const double R = 0.108, mu = 0.08, v = 8.0;
    const Vec3 w0(-30.0, 10.0, 0.0);
    World world(lasting_contact(), contacts(0.3, mu));
    world::BodySpec spec{.name = "ball",
                         .shape = shared(shape::make_sphere(R)),
                         .pose = at({0, 0, R}),
                         .velocity = {v, 0, 0},
                         .angular_velocity = w0,
                         .mass = 7.0};
    const BodyId ball = world.add(spec);
    add_floor(world);
    const Vec3 slip = Vec3(v, 0, 0) + w0.cross(Vec3(0, 0, -R));
    const double t_roll = 2.0 * slip.norm() / (7.0 * mu * k_gravity);
    const Vec3 a = -mu * k_gravity * slip.normalized();
    ASSERT_GT(t_roll, 0.5);
    world.run(0.5);
    const Vec3 start(0, 0, R);
    EXPECT_LE((world.state(ball).position - (start + 0.5 * Vec3(v, 0, 0) + 0.125 * a)).norm(),
              k_exact);
    const double t_end = t_roll + 1.0;
    world.run(t_end);
    const Vec3 rolling = Vec3(v, 0, 0) + t_roll * a;
    const Vec3 there = start + t_roll * Vec3(v, 0, 0) + 0.5 * t_roll * t_roll * a + rolling;
    EXPECT_LE((world.state(ball).position - there).norm(), k_exact);
    EXPECT_GT(std::abs(world.state(ball).velocity.y()), 0.1);
}

// On a platter a rolling ball's centre circles at 2/7 of the platter's rate: ten turns.
TEST(ClosedForm, PlatterForTenTurns) {
    const double R = 0.05, W = 2.0, v = 0.3;
    World world(lasting_contact(), contacts(0.5, 1.0));
    // without slip at (0.5, 0): v + w x (0, 0, -R) = W x r
    const Vec3 w0(-(W * 0.5 - v) / R * -1.0, 0.0, 0.0);
    const BodyId ball = world.add({.name = "ball",
                                   .shape = shared(shape::make_sphere(R)),
                                   .pose = at({0.5, 0, R}),
                                   .velocity = {0, v, 0},
                                   .angular_velocity = w0,
                                   .mass = 1.0});
    world.add({.name = "platter",
               .shape = shared(shape::make_cylinder(2.0, 0.05)),
               .pose = at({0, 0, -0.025}),
               .angular_velocity = {0, 0, W},
               .fixed = true});
    const double turn = 2.0 * pi / (2.0 / 7.0 * W);
    world.run(10.0 * turn);
    EXPECT_LE((world.state(ball).position - Vec3(0.5, 0, R)).norm(), k_exact);
    EXPECT_LE((world.state(ball).velocity - Vec3(0, v, 0)).norm(), k_exact);
    world.run(10.5 * turn);
    const double radius = v / (2.0 / 7.0 * W);
    EXPECT_LE((world.state(ball).position - Vec3(0.5 - 2.0 * radius, 0, R)).norm(), k_exact);
}

// Up a ramp and down again: a parabola with 5/7 of gravity along the slope.
TEST(ClosedForm, UpAndDownARamp) {
    const double R = 0.1, angle = 0.3, v = 2.0;
    const Vec3 n(-std::sin(angle), 0.0, std::cos(angle)), up(std::cos(angle), 0, std::sin(angle));
    World world(lasting_contact(), contacts(0.3, 0.6));
    const BodyId ball = world.add({.name = "ball",
                                   .shape = shared(shape::make_sphere(R)),
                                   .pose = at(R * n),
                                   .velocity = v * up,
                                   .angular_velocity = n.cross(up) * (v / R),
                                   .mass = 2.0});
    world.add({.name = "ramp", .shape = shared(shape::make_half_space(n)), .fixed = true});
    const double a = 5.0 / 7.0 * k_gravity * std::sin(angle);
    for (const double t : {0.4, v / a, 2.0 * v / a, 2.5}) {
        world.run(t);
        const Vec3 there = R * n + (v * t - 0.5 * a * t * t) * up;
        EXPECT_LE((world.state(ball).position - there).norm(), k_exact) << t;
        EXPECT_LE((world.state(ball).velocity - (v - a * t) * up).norm(), k_exact) << t;
    }
    EXPECT_EQ(world.tally().micro, 0U);
}

// Side spin on felt: it decays by spinning friction at mu_spin m g / I while the ball rolls
// straight, and rolling friction brings it to rest after v^2 / 2a.
TEST(ClosedForm, SideSpinOnFelt) {
    const double R = 0.028, m = 0.17, v = 1.0, roll = 2e-4, spin = 3e-4;
    world::ContactLaw law = impact::law::routh({.e = 0.5, .mu = 0.3});
    law.rolling_friction = roll;
    law.spinning_friction = spin;
    world::Contacts felt;
    felt.set("*", "*", law);
    world::Settings s = lasting_contact();
    World world(s, felt);
    const BodyId ball = world.add({.name = "ball",
                                   .shape = shared(shape::make_sphere(R)),
                                   .pose = at({0, 0, R}),
                                   .velocity = {v, 0, 0},
                                   .angular_velocity = {0, v / R, 40.0},
                                   .mass = m});
    add_floor(world);
    const double I = 0.4 * m * R * R;
    const double brake = spin * m * k_gravity / I;
    world.run(0.5);
    expect_close("spin", world.state(ball).angular_velocity.z(), 40.0 - 0.5 * brake, k_exact);
    expect_below("off_line", std::abs(world.state(ball).position.y()), k_exact);
    // of the centre: torque roll m g over I + m R^2 at the contact
    const double a = roll * m * k_gravity * R / (I + m * R * R);
    expect_close("speed", world.state(ball).velocity.x(), v - 0.5 * a, k_exact);
    world.run(v / a + 1.0);
    expect_close("way", world.state(ball).position.x(), 0.5 * v * v / a, k_exact);
    EXPECT_TRUE(world.asleep(ball));
}

// Ever smaller bounces end in rolling; nothing goes on for ever.
TEST(ClosedForm, ARowOfBouncesEndsInRolling) {
    World world(lasting_contact(), contacts(0.5, 0.3));
    const BodyId ball = add_ball(world, "ball", 0.1, {0, 0, 0.5}, {1, 0, 0}, 1.0);
    add_floor(world);
    Log log;
    world.run(5.0, &log);
    EXPECT_EQ(log.of(EventKind::lasting_begin).size(), 1U);
    EXPECT_EQ(log.of(EventKind::micro).size(), 0U);
    EXPECT_EQ(log.segments.back().kind, world::SegmentKind::on_plane);
    const motion::State state = world.state(ball);
    EXPECT_EQ(state.velocity.z(), 0.0);
    expect_close("height", state.position.z(), 0.1, 1e-12);
    expect_close("rolling", state.angular_velocity.y() * 0.1, state.velocity.x(), 1e-12);
    expect_balanced(world);
}

// Over the edge of a table: it leaves the face where it ends, and falls past it.
TEST(ClosedForm, LeavesAtTheEdge) {
    const double R = 0.05;
    World world(lasting_contact(), contacts(0.2, 0.5));
    const BodyId ball = world.add({.name = "ball",
                                   .shape = shared(shape::make_sphere(R)),
                                   .pose = at({0, 0, R}),
                                   .velocity = {2.0, 0, 0},
                                   .angular_velocity = {0, 2.0 / R, 0},
                                   .mass = 1.0});
    world.add({.name = "table",
               .shape = shared(shape::make_box({1.0, 1.0, 0.1})),
               .pose = at({0, 0, -0.05}),
               .fixed = true});
    Log log;
    world.run(0.6, &log);
    std::vector<world::Segment> own;
    for (const world::Segment& segment : log.segments)
        if (segment.body == ball) own.push_back(segment);
    ASSERT_GE(own.size(), 3U);
    const auto on_plane = [](const world::Segment& x) {
        return x.kind == world::SegmentKind::on_plane;
    };
    const auto left = std::find_if_not(own.begin() + 1, own.end(), on_plane);
    ASSERT_NE(left, own.end());
    // the centre is over the edge at x = 0.5
    expect_close("edge_time", left->t0, 0.25, k_exact);
    EXPECT_LT(world.state(ball).position.z(), -0.2);
    EXPECT_GT(world.state(ball).position.x(), 0.9);
}

// Hit by another ball while it rests: it goes on by the law of impact, then in closed form again.
TEST(ClosedForm, IsHitAndRollsOn) {
    const double R = 0.05;
    World world(lasting_contact(), contacts(0.5, 0.2));
    const BodyId cue = world.add({.name = "cue",
                                  .shape = shared(shape::make_sphere(R)),
                                  .pose = at({-0.5, 0, R}),
                                  .velocity = {2.0, 0, 0},
                                  .angular_velocity = {0, 2.0 / R, 0},
                                  .mass = 1.0});
    const BodyId target = add_ball(world, "target", R, {0.5, 0, R}, {0, 0, 0}, 1.0);
    add_floor(world);
    Log log;
    world.run(3.0, &log);
    const auto hits = log.between(cue, target, EventKind::impact);
    ASSERT_FALSE(hits.empty());
    expect_close("hit_time", hits[0].t, 0.45, k_exact);
    EXPECT_GT(world.state(target).velocity.x(), world.state(cue).velocity.x());
    for (const BodyId ball : {cue, target}) {
        const motion::State state = world.state(ball);
        expect_close("height", state.position.z(), R, 1e-9);
    }
    expect_balanced(world);
}

}  // namespace
}  // namespace carom::tests
