// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Coming to rest, staying there, falling over, falling asleep and waking up.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

BodyId add_box(World& world, const char* name, const Vec3& size, const shape::Pose& pose,
               double density = 1000.0) {
    return world.add(
        {.name = name, .shape = shared(shape::make_box(size)), .pose = pose, .density = density});
}

// A box stood on its edge, leaning away from balance by `lean` radians.
struct Leaning {
    explicit Leaning(double lean, double width = 0.1, double height = 0.2)
        : world(settings(), contacts(0.3, 0.6)) {
        const double balance = std::atan2(width, height);
        const double tilt = balance + lean;
        // the lower right edge is at the origin
        const Eigen::Quaterniond q(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
        const Vec3 center = q * Vec3(-0.5 * width, 0.0, 0.5 * height);
        box = world.add({.name = "box",
                         .shape = shared(shape::make_box({width, 0.1, height})),
                         .pose = {center, q},
                         .density = 700.0});
        add_floor(world);
    }
    double tilt() const { return angle_between(world, box, Vec3::UnitZ(), Vec3::UnitZ()); }
    World world;
    BodyId box = 0;
};

TEST(Rest, BoxBeyondItsBalanceFallsOver) {
    for (const double lean : {0.3, 0.05, 0.005}) {
        Leaning one(lean);
        one.world.run(4.0);
        EXPECT_NEAR(one.tilt(), 0.5 * pi, 1e-3) << lean;
        EXPECT_TRUE(one.world.asleep(one.box)) << lean;
        expect_balanced(one.world);
    }
}

TEST(Rest, BoxWithinItsBalanceFallsBack) {
    for (const double lean : {-0.3, -0.05, -0.005}) {
        Leaning one(lean);
        one.world.run(4.0);
        EXPECT_NEAR(one.tilt(), 0.0, 1e-3) << lean;
        EXPECT_TRUE(one.world.asleep(one.box)) << lean;
        expect_balanced(one.world);
    }
}

// On its tip, off the vertical by 1e-3 rad: a cylinder on a cone.
TEST(Rest, PencilOnItsTipFalls) {
    World world(settings(), contacts(0.3, 0.4));
    const double r = 0.004, length = 0.15, tip = 0.02, tilt = 1e-3;
    const std::array parts{
        shape::Placed{shape::make_cylinder(r, length), at({0, 0, tip + 0.5 * length})},
        shape::Placed{shape::make_cone(r, tip), at({0, 0, 0.75 * tip}, Vec3::UnitX(), pi)}};
    const BodyId pencil = world.add({.name = "pencil",
                                     .shape = shared(shape::make_compound(parts)),
                                     .pose = at(Vec3::Zero(), Vec3::UnitY(), tilt),
                                     .density = 600.0});
    add_floor(world);
    Log log;
    world.run(0.3, &log);
    EXPECT_TRUE(log.of(EventKind::sleep).empty());
    // the fall from a small angle grows as cosh(k t), k^2 = m g h / I about the tip, nearly
    const double tilted = angle_between(world, pencil, Vec3::UnitZ(), Vec3::UnitZ());
    EXPECT_GT(tilted, 3.0 * tilt);
    EXPECT_LT(tilted, 0.5);
    world.run(3.0, &log);
    EXPECT_NEAR(angle_between(world, pencil, Vec3::UnitZ(), Vec3::UnitZ()), 0.5 * pi, 0.1);
    expect_balanced(world);
}

TEST(Rest, StackOfThreeStands) {
    World world(settings(), contacts(0.2, 0.5));
    std::array<BodyId, 3> ids{};
    const auto place = [](std::size_t i) {
        const double n = static_cast<double>(i);
        return Vec3(0.001 * n, 0.0, 0.05 + 0.1 * n);
    };
    for (std::size_t i = 0; i < 3; ++i)
        ids[i] = add_box(world, ("box-" + std::to_string(i)).c_str(), {0.1, 0.1, 0.1}, at(place(i)),
                         500.0);
    add_floor(world);
    world.run(3.0);
    for (std::size_t i = 0; i < 3; ++i) {
        expect_below(("moved_" + std::to_string(i + 1)).c_str(),
                     (world.state(ids[i]).position - place(i)).norm(), 1e-4);
        EXPECT_TRUE(world.asleep(ids[i])) << i;
    }
    expect_balanced(world);
}

// A box dropped flat and one dropped on its corner both end on a face, asleep.
TEST(Rest, DroppedBoxesComeToRestOnAFace) {
    for (int i = 0; i < 6; ++i) {
        World world(settings(), contacts(0.4, 0.4));
        const BodyId box =
            add_box(world, "box", {0.1, 0.1, 0.1}, at({0, 0, 0.4}, {1.0, 0.3 * i, 0.2}, 0.35 * i));
        add_floor(world);
        world.run(4.0);
        EXPECT_TRUE(world.asleep(box)) << i;
        expect_below("height", world.state(box).position.z() - 0.05, 1e-3 * 0.05);
        expect_balanced(world);
    }
}

TEST(Rest, SleeperWakesWhenHit) {
    World world(settings(), contacts(0.4, 0.4));
    const BodyId box = add_box(world, "box", {0.1, 0.1, 0.1}, at({0, 0, 0.05}));
    add_ball(world, "ball", 0.02, {-1.0, 0, 0.08}, {2, 0, 1.9}, 0.5);
    add_floor(world);
    Log log;
    world.run(0.1, &log);
    ASSERT_TRUE(world.asleep(box));
    world.run(0.6, &log);
    const auto wakes = log.of(EventKind::wake);
    ASSERT_GE(wakes.size(), 1U);
    EXPECT_EQ(wakes[0].a, box);
    EXPECT_EQ(world.body(wakes[0].b).name, "ball");
    EXPECT_GT(world.state(box).position.x(), 1e-3);
    expect_balanced(world);
}

// A box on a post; a ball knocks the post away.
TEST(Rest, SleeperWakesWhenItsSupportGoes) {
    World world(settings(), contacts(0.2, 0.3));
    const BodyId post = add_box(world, "post", {0.03, 0.03, 0.2}, at({0, 0, 0.1}), 200.0);
    const BodyId top = add_box(world, "top", {0.08, 0.08, 0.04}, at({0, 0, 0.22}), 200.0);
    add_ball(world, "ball", 0.05, {-8.0, 0, 0.05}, {4, 0, 0}, 2.0);
    add_floor(world);
    world.run(1.5);
    ASSERT_TRUE(world.asleep(post));
    ASSERT_TRUE(world.asleep(top));
    expect_below("top_before", world.state(top).position.z() - 0.22, 1e-4);
    world.run(4.0);
    EXPECT_LT(world.state(top).position.z(), 0.15);
    EXPECT_GT((world.state(post).position - Vec3(0, 0, 0.1)).norm(), 0.05);
    expect_balanced(world);
}

// What a sleeper leaves behind is in the accounts: nothing is lost without a word.
TEST(Rest, FallingAsleepIsAccounted) {
    World world(settings(), contacts(0.5, 0.3));
    add_box(world, "box", {0.1, 0.08, 0.06}, at({0, 0, 0.2}, {1, 2, 0}, 0.4));
    add_floor(world);
    Log log;
    world.run(5.0, &log);
    double lost = 0.0;
    for (const Event& event : log.events)
        lost += event.energy_lost;
    expect_close("energy_lost", lost, world.audit().energy_lost, 1e-12);
    EXPECT_EQ(log.of(EventKind::sleep).size(), log.of(EventKind::wake).size() + 1);
    expect_balanced(world);
}

}  // namespace
}  // namespace carom::tests
