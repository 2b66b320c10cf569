// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/sleep/rest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::body;
using world_test::by_micro_collisions;
using world_test::Log;

motion::Quat about_y(double angle) {
    return motion::Quat(Eigen::AngleAxisd(angle, Vec3::UnitY()));
}

// A block on a slope through the origin that rises against x by `angle`.
World on_slope(double angle, double mu, bool sleep = true) {
    Settings settings;
    settings.contact = ContactMode::micro;
    settings.sleep = sleep;
    World world(settings, all_by("routh", 0.3, mu));
    const Vec3 n = about_y(angle) * Vec3::UnitZ();
    world.add(body("block", shape::make_box({0.2, 0.1, 0.06}), at(0.03 * n, about_y(angle))));
    BodySpec slope;
    slope.name = "slope";
    slope.shape = world_test::shared(shape::make_half_space(n));
    slope.fixed = true;
    world.add(slope);
    return world;
}

TEST(Rest, ABlockInsideTheConeSleepsAtOnce) {
    const double angle = std::atan(0.5);
    World world = on_slope(angle, 0.5000001);
    world.run(0.01);
    EXPECT_TRUE(world.asleep(0));
}

TEST(Rest, ABlockOutsideTheConeSlides) {
    const double angle = std::atan(0.5);
    World world = on_slope(angle, 0.4);
    world.run(1.0);
    EXPECT_FALSE(world.asleep(0));
    const Vec3 first = 0.03 * (about_y(angle) * Vec3::UnitZ());
    const double way = 0.5 * 9.81 * (std::sin(angle) - 0.4 * std::cos(angle));
    // friction comes at the end of a hop: half a hop's worth of it is missing at the start
    const double hop = 0.003 * std::sqrt(9.81 * world.body(0).radius);
    EXPECT_NEAR((world.state(0).position - first).norm(), way, 1.5 * 0.4 * hop * 1.0);
}

// A tall block whose centre of mass is beyond its edge falls over, however rough the slope.
TEST(Rest, ABlockBeyondItsBalanceFallsOver) {
    for (const double lean : {0.98, 1.02}) {
        const double angle = lean * std::atan(0.1 / 0.4);
        World world(by_micro_collisions(), all_by("routh", 0.3, 5.0));
        const Vec3 n = about_y(angle) * Vec3::UnitZ();
        world.add(body("block", shape::make_box({0.1, 0.1, 0.4}), at(0.2 * n, about_y(angle))));
        BodySpec slope;
        slope.name = "slope";
        slope.shape = world_test::shared(shape::make_half_space(n));
        slope.fixed = true;
        world.add(slope);
        world.run(lean < 1.0 ? 0.1 : 3.0);
        const double turned =
            2.0 *
            std::acos(std::min(1.0, std::abs(world.state(0).orientation.dot(about_y(angle)))));
        if (lean < 1.0) {
            EXPECT_TRUE(world.asleep(0));
        } else {
            EXPECT_GT(turned, 1.0) << "still stands";
        }
    }
}

// Without friction a level block keeps its speed and must not be stopped by sleep.
TEST(Rest, ASlidingBlockDoesNotSleep) {
    World world(by_micro_collisions(), all_by("routh", 0.3, 0.0));
    BodySpec block = body("block", shape::make_box({0.2, 0.1, 0.06}), at({0, 0, 0.03}));
    block.velocity = {0.05, 0, 0};
    world.add(block);
    world.add(world_test::floor_plane());
    world.run(3.0);
    EXPECT_FALSE(world.asleep(0));
    EXPECT_NEAR(world.state(0).position.x(), 0.15, 1e-4);
}

// A ball at rest has no area of contact: it falls asleep after the quiet time, not before.
TEST(Rest, ABallSleepsAfterTheQuietTime) {
    World world(by_micro_collisions(), all_by("routh", 0.5, 0.5));
    world.add(body("ball", shape::make_sphere(0.1), at({0, 0, 0.1})));
    world.add(world_test::floor_plane());
    Log log;
    world.run(2.0, &log);
    ASSERT_TRUE(world.asleep(0));
    ASSERT_EQ(log.events.back().kind, EventKind::sleep);
    const double quiet = k_quiet * std::sqrt(0.1 / 9.81);
    EXPECT_GT(log.events.back().t, quiet);
    EXPECT_LT(log.events.back().t, 1.01 * quiet + 0.02);
}

TEST(Rest, AHitWakesASleeperAndTheAuditCloses) {
    World world(by_micro_collisions(), all_by("routh", 0.5, 0.5));
    world.add(body("block", shape::make_box({0.2, 0.2, 0.2}), at({0, 0, 0.1})));
    BodySpec ball = body("ball", shape::make_sphere(0.05), at({-1, 0, 0.12}), 0.5);
    ball.velocity = {10, 0, 0.2};
    world.add(ball);
    world.add(world_test::floor_plane());
    Log log;
    world.run(0.5, &log);
    const auto woken = std::find_if(log.events.begin(), log.events.end(),
                                    [](const Event& e) { return e.kind == EventKind::wake; });
    ASSERT_NE(woken, log.events.end());
    EXPECT_EQ(woken->a, 0U);
    EXPECT_EQ(woken->b, 1U);
    EXPECT_GT(world.state(0).position.x(), 0.05);
    const Audit audit = world.audit();
    EXPECT_LT(std::abs(audit.energy_residual), 1e-12 * audit.energy_start);
    EXPECT_LT(audit.momentum_residual, 1e-12 * audit.momentum_scale);
}

}  // namespace
}  // namespace carom::world
