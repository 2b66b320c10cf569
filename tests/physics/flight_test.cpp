// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Free flight and single impacts against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

TEST(Flight, FiveBouncesOfABall) {
    const double height = 1.0;
    const double e = 0.8;
    World world(settings(), contacts(e, 0.3));
    const BodyId ball = add_ball(world, "ball", 0.05, {0, 0, 0.05 + height}, Vec3::Zero(), 1.0);
    add_floor(world);
    Log log;
    const double fall = std::sqrt(2.0 * height / k_gravity);
    const double sum = fall * (1.0 + 2.0 * (e + std::pow(e, 2) + std::pow(e, 3) + std::pow(e, 4)));
    world.run(sum + fall * std::pow(e, 5), &log);
    ASSERT_EQ(log.events.size(), 5U);
    double t = fall;
    double parted = e;  // in units of the first speed
    for (int i = 0; i < 5; ++i) {
        const Event& event = log.events[static_cast<std::size_t>(i)];
        SCOPED_TRACE(i);
        expect_close(("time_" + std::to_string(i + 1)).c_str(), event.t, t, 1e-10);
        // the height of the next apex, from the segment that the bounce began
        const world::Segment& segment = log.segments[static_cast<std::size_t>(i) + 2];
        ASSERT_EQ(segment.body, ball);
        const double up = segment.state.velocity.z();
        const double apex = segment.state.position.z() - 0.05 + up * up / (2.0 * k_gravity);
        expect_close(("apex_" + std::to_string(i + 1)).c_str(), apex, height * parted * parted,
                     1e-10);
        t += 2.0 * fall * parted;
        parted *= e;
    }
    // the run ends at the top of the fifth
    expect_close("last_apex", world.state(ball).position.z() - 0.05, height * std::pow(e, 10),
                 1e-10);
    expect_balanced(world);
}

// Free rotation of an asymmetric body about the axis of middle inertia, which is unstable.
void tumble(const Vec3& gravity, double t_end) {
    world::Settings s;
    s.gravity = gravity;
    World world(s, contacts(1.0, 0.0));
    const Vec3 w0(3.0, 0.01, 0.02);
    const Vec3 v0(0.1, -0.2, 0.3);
    const BodyId box = world.add({.name = "box",
                                  .shape = shared(shape::make_box({0.2, 0.3, 0.1})),
                                  .velocity = v0,
                                  .angular_velocity = w0,
                                  .mass = 2.0});
    const Vec3 moments = 2.0 / 12.0 * Vec3(0.09 + 0.01, 0.04 + 0.01, 0.04 + 0.09);
    const Vec3 L0 = moments.cwiseProduct(w0);
    const double T0 = 0.5 * w0.dot(L0);
    bool turned = false;
    for (double t = 0.5; t <= t_end; t += 0.5) {
        world.run(t);
        const motion::State state = world.state(box);
        const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
        const Vec3 L = state.orientation * Vec3(moments.cwiseProduct(w));
        turned = turned || w.x() < -2.9;
        ASSERT_LE((L - L0).norm(), 1e-12 * L0.norm()) << t;
        ASSERT_NEAR(0.5 * w.dot(moments.cwiseProduct(w)), T0, 1e-12 * T0) << t;
    }
    EXPECT_TRUE(turned) << "the unstable axis never turned over";
    const motion::State state = world.state(box);
    const Vec3 c = v0 * t_end + 0.5 * gravity * t_end * t_end;
    expect_below("place", (state.position - c).norm() / c.norm(), 1e-12);
    const Vec3 w = state.orientation.conjugate() * state.angular_velocity;
    expect_below("momentum",
                 (state.orientation * Vec3(moments.cwiseProduct(w)) - L0).norm() / L0.norm(),
                 1e-12);
    expect_close("energy", 0.5 * w.dot(moments.cwiseProduct(w)), T0, 1e-12);
    expect_balanced(world);
}

TEST(Flight, TumbleOf100Seconds) {
    tumble(Vec3::Zero(), 100.0);
}

TEST(Flight, TumbleOf100SecondsWhileFalling) {
    tumble(Vec3(0.0, 0.0, -k_gravity), 100.0);
}

// Equal moments but in one direction: the symmetric top precesses as the textbook says.
TEST(Flight, SymmetricTopPrecesses) {
    World world(weightless(), contacts(1.0, 0.0));
    const Vec3 w0(0.5, 0.0, 4.0);
    const double r = 0.1, h = 0.05;
    const BodyId disk = world.add({.name = "disk",
                                   .shape = shared(shape::make_cylinder(r, h)),
                                   .angular_velocity = w0,
                                   .mass = 1.0});
    const double along = 0.5 * r * r;
    const double across = 0.25 * r * r + h * h / 12.0;
    const Vec3 L = Vec3(across * w0.x(), 0.0, along * w0.z());
    const double rate = L.norm() / across;  // the axis goes round L so fast
    const double period = 2.0 * std::numbers::pi / rate;
    world.run(7.25 * period);
    const Vec3 axis = world.state(disk).orientation * Vec3::UnitZ();
    const Vec3 exact =
        Eigen::AngleAxisd(0.5 * std::numbers::pi, L.normalized()) * Vec3(Vec3::UnitZ());
    expect_below("axis", (axis - exact).norm(), 1e-12);
}

TEST(Flight, PelletBouncesOffAThinPlate) {
    const double e = 0.5;
    World world(settings(), contacts(e, 0.3));
    const BodyId pellet =
        add_ball(world, "pellet", 0.0025, {0.01, -0.02, 0.5}, {0, 0, -200}, 0.0005);
    world.add({.name = "plate", .shape = shared(shape::make_box({1, 1, 0.001})), .fixed = true});
    Log log;
    world.run(0.004, &log);
    ASSERT_EQ(log.events.size(), 1U);
    const double fallen = 0.5 - 0.0025 - 0.0005;
    const double fast = std::sqrt(200.0 * 200.0 + 2.0 * k_gravity * fallen);
    expect_close("impact_time", log.events[0].t, (fast - 200.0) / k_gravity, 1e-12);
    expect_close("impact_speed", -log.events[0].u.z(), fast, 1e-12);
    expect_close("rebound", log.events[0].u_after.z(), e * fast, 1e-12);
    EXPECT_GT(world.state(pellet).position.z(), 0.003);
    expect_balanced(world);
}

// A hundred directions and speeds up to 2 km/s: nothing gets through.
TEST(Flight, NothingGetsThroughThePlate) {
    for (int i = 0; i < 100; ++i) {
        World world(settings(), contacts(0.3, 0.2));
        const double slant = 0.9 * i / 100.0;
        const Vec3 way(slant, 0.3 * std::sin(i), -1.0);
        const Vec3 target(0.2 * std::sin(3.0 * i), 0.2 * std::cos(5.0 * i), 0.0);
        const BodyId pellet =
            add_ball(world, "pellet", 0.0025, target - 0.3 * way, 20.0 * (i + 1) * way, 0.0005);
        world.add(
            {.name = "plate", .shape = shared(shape::make_box({4, 4, 0.001})), .fixed = true});
        world.run(0.4 / (20.0 * (i + 1)));
        ASSERT_GE(world.tally().impacts, 1U) << i;
        EXPECT_GT(world.state(pellet).position.z(), 0.0029) << i;
        expect_balanced(world);
    }
}

}  // namespace
}  // namespace carom::tests
