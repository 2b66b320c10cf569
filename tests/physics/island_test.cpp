// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Lasting contact by islands: blocks, stacks and heaps, against closed forms and balances.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

world::Settings lasting(bool sleep = true) {
    world::Settings s = settings();
    s.contact = world::ContactMode::lasting;
    s.sleep = sleep;
    return s;
}

struct Ramp {
    Ramp(const world::Settings& s, double mu, double angle)
        : normal(-std::sin(angle), 0.0, std::cos(angle)),
          down(-std::cos(angle), 0.0, -std::sin(angle)),
          world(s, contacts(0.3, mu)) {
        block = world.add(
            {.name = "block",
             .shape = shared(shape::make_box({0.2, 0.1, 0.06})),
             .pose = {0.03 * normal, Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), normal)},
             .mass = 1.0});
        world.add({.name = "ramp", .shape = shared(shape::make_half_space(normal)), .fixed = true});
    }
    double way() const { return (world.state(block).position - 0.03 * normal).dot(down); }
    Vec3 normal, down;
    World world;
    BodyId block = 0;
};

TEST(Island, ABlockSticksOnARamp) {
    for (const bool sleep : {true, false}) {
        Ramp ramp(lasting(sleep), 0.5, 20.0 * pi / 180.0);
        ramp.world.run(10.0);
        const Vec3 moved = ramp.world.state(ramp.block).position - 0.03 * ramp.normal;
        expect_below("creep", moved.norm(), 1e-9);
        EXPECT_EQ(ramp.world.asleep(ramp.block), sleep);
    }
}

TEST(Island, ABlockSlidesDownARamp) {
    const double angle = 20.0 * pi / 180.0, mu = 0.2, t = 2.0;
    Ramp ramp(lasting(), mu, angle);
    ramp.world.run(t);
    const double a = k_gravity * (std::sin(angle) - mu * std::cos(angle));
    expect_close("way", ramp.way(), 0.5 * a * t * t, 1e-6);
    expect_close("speed", ramp.world.state(ramp.block).velocity.dot(ramp.down), a * t, 1e-6);
    EXPECT_EQ(ramp.world.tally().micro, 0U);
    expect_below("overlap", ramp.world.audit().max_overlap, 3e-8);
}

TEST(Island, ABlockSlidesToAStop) {
    const double v = 1.5, mu = 0.4;
    World world(lasting(), contacts(0.3, mu));
    const BodyId block = world.add({.name = "block",
                                    .shape = shared(shape::make_box({0.2, 0.1, 0.06})),
                                    .pose = at({0, 0, 0.03}),
                                    .velocity = {v, 0, 0},
                                    .mass = 3.0});
    add_floor(world);
    world.run(3.0);
    expect_close("way", world.state(block).position.x(), v * v / (2.0 * mu * k_gravity), 1e-6);
    EXPECT_TRUE(world.asleep(block));
}

// Sticks to a turning table as long as mu g > W^2 r.
TEST(Island, ABlockGoesRoundWithATable) {
    const double W = 2.0, r = 0.3;
    World world(lasting(), contacts(0.1, 0.5));
    const BodyId block = world.add({.name = "block",
                                    .shape = shared(shape::make_box({0.06, 0.06, 0.04})),
                                    .pose = at({r, 0, 0.02}),
                                    .velocity = {0, W * r, 0},
                                    .angular_velocity = {0, 0, W},
                                    .mass = 1.0});
    world.add({.name = "table",
               .shape = shared(shape::make_cylinder(1.0, 0.1)),
               .pose = at({0, 0, -0.05}),
               .angular_velocity = {0, 0, W},
               .fixed = true});
    world.run(2.0 * pi / W);
    EXPECT_LE((world.state(block).position - Vec3(r, 0, 0.02)).norm(), 0.02 * r);
}

World stack(const world::Settings& s, int count) {
    World world(s, contacts(0.2, 0.5));
    for (int i = 0; i < count; ++i) {
        world.add({.name = "box" + std::to_string(i),
                   .shape = shared(shape::make_box({0.1, 0.1, 0.1})),
                   .pose = at({0, 0, 0.05 + 0.1 * i}),
                   .mass = 1.0});
    }
    add_floor(world);
    return world;
}

double drift(const World& world, int count) {
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        const Vec3 there(0, 0, 0.05 + 0.1 * i);
        most = std::max(most, (world.state(static_cast<BodyId>(i)).position - there).norm());
    }
    return most;
}

TEST(Island, AStackOfTenStandsForAMinute) {
    World world = stack(lasting(false), 10);
    world.run(60.0);
    expect_below("drift", drift(world, 10), 1e-4);
    expect_below("overlap", world.audit().max_overlap, 1e-6);
}

// Taller than what becomes a pile when it moves.
TEST(Island, AStackOfTwentyStands) {
    World awake = stack(lasting(false), 20);
    awake.run(20.0);
    expect_below("drift", drift(awake, 20), 1e-6);
    World world = stack(lasting(), 20);
    world.run(1.0);
    expect_below("drift", drift(world, 20), 1e-9);
    for (BodyId i = 0; i < 20; ++i)
        EXPECT_TRUE(world.asleep(i));
}

TEST(Island, AStackOfTenFallsAsleep) {
    World world = stack(lasting(), 10);
    world.run(60.0);
    for (BodyId i = 0; i < 10; ++i)
        EXPECT_TRUE(world.asleep(i));
    expect_below("drift", drift(world, 10), 1e-4);
}

// Something falls on a sleeping stack: it wakes, and sleeps again.
TEST(Island, AStackWakesWhenItIsHit) {
    World world(lasting(), contacts(0.2, 0.5));
    for (int i = 0; i < 3; ++i) {
        world.add({.name = "box" + std::to_string(i),
                   .shape = shared(shape::make_box({0.1, 0.1, 0.1})),
                   .pose = at({0, 0, 0.05 + 0.1 * i}),
                   .mass = 1.0});
    }
    world.add({.name = "late",
               .shape = shared(shape::make_box({0.1, 0.1, 0.1})),
               .pose = at({0.01, 0, 6.0}),
               .mass = 1.0});
    add_floor(world);
    Log log;
    world.run(1.0, &log);
    for (BodyId i = 0; i < 3; ++i)
        EXPECT_TRUE(world.asleep(i));
    world.run(6.0, &log);
    EXPECT_GE(log.of(EventKind::wake).size(), 3U);
    for (BodyId i = 0; i < 4; ++i)
        EXPECT_TRUE(world.asleep(i)) << i;
    expect_below("overlap", world.audit().max_overlap, 2e-4);
}

// The forces that are told carry the weight: their impulse over any time is m g t.
TEST(Island, ForcesCarryTheWeight) {
    class Forces : public world::Listener {
    public:
        void on_force(const world::ContactForce& force) override { all.push_back(force); }
        std::vector<world::ContactForce> all;
    } forces;
    World world = stack(lasting(false), 3);
    world.run(2.0, &forces);
    world.tell_forces(forces);
    for (BodyId i = 0; i < 3; ++i) {
        Vec3 on_it = Vec3::Zero();
        for (const world::ContactForce& force : forces.all) {
            if (force.a == i) on_it += force.impulse;
            if (force.b == i) on_it -= force.impulse;
        }
        EXPECT_LE((on_it - Vec3(0, 0, k_gravity * 2.0)).norm(), 1e-6) << i;
    }
}

TEST(Island, SameBitsTwiceAndThroughCheckpoints) {
    const auto run = [](double checkpoint, const std::vector<double>& times) {
        world::Settings s = lasting();
        s.checkpoint = checkpoint;
        World world(s, contacts(0.3, 0.4));
        for (int i = 0; i < 6; ++i) {
            const bool ball = i % 2 == 0;
            world.add({.name = "b" + std::to_string(i),
                       .shape = shared(ball ? shape::make_sphere(0.05)
                                            : shape::make_box({0.1, 0.12, 0.08})),
                       .pose = at({0.03 * i, 0.02 * i, 0.1 + 0.15 * i}, {1, 2, 3}, 0.4 * i),
                       .mass = 1.0});
        }
        add_floor(world);
        for (const double t : times)
            world.run(t);
        return hash(world);
    };
    EXPECT_EQ(run(0.0, {2.0}), run(0.0, {2.0}));
    EXPECT_EQ(run(0.0, {2.0}), run(0.0, {0.3, 0.77, 2.0}));
    EXPECT_EQ(run(0.25, {2.0}), run(0.25, {0.3, 0.77, 2.0}));
}

// A rod stands on one edge and falls about it; its far end comes down in the middle of a step, at
// the end of one or just before, wherever steps happen to end. It is hit when it is down, not
// later, and with the speed that the fall has given it.
TEST(Island, AFarEndThatComesDownIsHitWhenItIsDown) {
    const double length = 0.4, height = 0.04;
    const Vec3 size(length, 0.04, height);
    const double squared = length * length + height * height;
    double deepest = 0.0, wrong = 0.0;
    for (int k = 0; k < 200; ++k) {
        const double tilt = 0.02 + 0.002 * k;
        World world(lasting(), contacts(0.2, 0.8));
        const Mat3 R = Eigen::AngleAxisd(tilt, Vec3::UnitY()).toRotationMatrix();
        const Vec3 corner = R * Vec3(0.5 * length, 0.0, -0.5 * height);
        const BodyId rod = world.add({.name = "rod",
                                      .shape = shared(shape::make_box(size)),
                                      .pose = at({0, 0, -corner.z()}, Vec3::UnitY(), tilt),
                                      .mass = 1.0});
        const BodyId floor = add_floor(world);
        Log log;
        world.run(1.0, &log);
        const std::vector<Event> hits = log.between(rod, floor, EventKind::impact);
        ASSERT_FALSE(hits.empty()) << tilt;
        const double fallen = -corner.z() - 0.5 * height;
        const double spin = std::sqrt(6.0 * k_gravity * fallen / squared);
        // of the middle of what is hit, seen from the edge
        const double arm = corner.x() - hits[0].point.x();
        const double speed = std::abs(hits[0].u.dot(hits[0].normal));
        wrong = std::max(wrong, std::abs(speed / (spin * arm) - 1.0));
        deepest = std::max(deepest, world.audit().max_overlap);
    }
    expect_below("overlap, in radii", deepest / (0.5 * size.norm()), 4.5e-4);
    expect_below("speed of the hit", wrong, 1e-2);
}

// A prism of n sides rolls over its edges. Without restitution each of them, a = 2 pi / n further,
// leaves (I + m r^2 cos a) / (I + m r^2) of the spin; between two of them nothing is lost. What
// lands slowly is no impact, and loses as much.
TEST(Island, APrismRollsAsFarAsItsEdgesLetIt) {
    constexpr double k_radius = 0.05, k_length = 0.1;
    for (const int sides : {40, 80}) {
        const double step = 2.0 * pi / sides;
        std::vector<Vec3> corners;
        for (int i = 0; i < sides; ++i)
            for (const double y : {-0.5 * k_length, 0.5 * k_length})
                corners.emplace_back(k_radius * std::sin(step * (i + 0.5)), y,
                                     -k_radius * std::cos(step * (i + 0.5)));
        const double flat = k_radius * std::cos(0.5 * step);  // from the axis to a side
        for (const double micro : {0.003, 0.02}) {
            world::Settings s = lasting();
            s.micro = micro;
            World world(s, contacts(0.0, 0.8));
            const double v0 = 0.4;
            const BodyId prism = world.add({.name = "prism",
                                            .shape = shared(shape::make_hull(corners)),
                                            .pose = at({0, 0, flat}),
                                            .velocity = {v0, 0, 0},
                                            .angular_velocity = {0, v0 / flat, 0},
                                            .mass = 1.0});
            add_floor(world);
            // the first side is set down flat: it begins with the turn about its front edge
            world.run(0.05);
            const auto spin = [&] { return world.state(prism).angular_velocity.y(); };
            const auto way = [&] { return world.state(prism).position.x(); };
            const double spin_0 = spin(), way_0 = way();
            world.run(1.0);
            const double inertia = world.body(prism).inertia->tensor()(1, 1);
            const double left =
                (inertia + k_radius * k_radius * std::cos(step)) / (inertia + k_radius * k_radius);
            const double edges = (way() - way_0) / (2.0 * k_radius * std::sin(0.5 * step));
            EXPECT_GT(edges, 10.0);
            const double loss = std::log(spin_0 / spin());
            expect_close("loss at edges", loss, -edges * std::log(left), 0.05);
        }
    }
}

}  // namespace
}  // namespace carom::tests
