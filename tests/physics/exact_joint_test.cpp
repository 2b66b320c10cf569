// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Level joints that nothing feels, slow bodies that do not sleep, sleepers that are as good as
// awake, and what stays at its place for long.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/physics/exact_contact.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

class ExactJoint : public ExactContact {
protected:
    enum class Floor { tiles, compound, slanted, sunk };
    // Level at z = 0 from x = -0.5 to 2.5, with joints.
    void add_joined(World& world, Floor kind) const {
        if (kind == Floor::sunk) {  // a slab whose top is level with the ground around it
            add_plane(world, Vec3::UnitZ());
            add(world, {.name = "slab",
                        .shape = shared(shape::make_box({0.5, 0.7, 0.1})),
                        .pose = at({0.7, 0.1, -0.05}, Vec3::UnitZ(), 0.3),
                        .fixed = true});
            return;
        }
        std::vector<shape::Placed> parts;
        for (int k = 0; k < 10; ++k) {
            const double left = -0.5 + 0.3 * k, lean = kind == Floor::slanted ? 0.2 : 0.0;
            std::vector<Vec3> points;
            for (const double z : {-0.1, 0.0})
                for (const double y : {-1.0, 1.0})
                    for (const double x : {left, left + 0.3})
                        points.push_back({x + lean * y, y, z});
            parts.push_back({shape::make_hull(points), at({0, 0, 0})});
        }
        if (kind == Floor::compound) {
            add(world,
                {.name = "floor", .shape = shared(shape::make_compound(parts)), .fixed = true});
            return;
        }
        for (std::size_t k = 0; k < parts.size(); ++k)
            add(world, {.name = "tile" + std::to_string(k),
                        .shape = shared(parts[k].shape),
                        .fixed = true});
    }
    static constexpr Floor k_floors[] = {Floor::tiles, Floor::compound, Floor::slanted,
                                         Floor::sunk};
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactJoint, testing::Values(0.0, 0.0713), name_of_yaw);

TEST_P(ExactJoint, WhatRollsDoesNotFeelIt) {
    const double r = 0.05, v = 1.3, t = 1.3;
    for (const Floor floor : k_floors) {
        for (const auto& [name, round] : {std::pair("ball", shape::make_sphere(r)),
                                          std::pair("cylinder", shape::make_cylinder(r, 0.2)),
                                          std::pair("capsule", shape::make_capsule(r, 0.2))}) {
            SCOPED_TRACE(std::string(name) + " " + std::to_string(static_cast<int>(floor)));
            if (floor == Floor::tiles && std::string(name) != "ball") continue;
            World world = make(0.5, 0.3);
            add_joined(world, floor);
            const BodyId body = add(world, {.name = "roller",
                                            .shape = shared(round),
                                            .pose = at({0, 0, r}, Vec3::UnitX(), 0.5 * pi),
                                            .velocity = {v, 0, 0},
                                            .angular_velocity = {0, v / r, 0},
                                            .mass = 0.5});
            Log log;
            world.run(t, &log);
            const motion::State s = state(world, body);
            expect_below("place", (s.position - Vec3(v * t, 0, r)).norm(), 1e-9);
            expect_below("speed", (s.velocity - Vec3(v, 0, 0)).norm() / v, 1e-9);
            expect_below("spin", (s.angular_velocity - Vec3(0, v / r, 0)).norm() * r / v, 1e-9);
        }
    }
}

TEST_P(ExactJoint, WhatSlidesWithFrictionDoesNotFeelIt) {
    const double v = 1.9, mu = 0.15;
    const auto glued = [] {
        const shape::Shape half = shape::make_box({0.1, 0.12, 0.06});
        const std::vector<shape::Placed> parts{{half, at({-0.05, 0, 0})}, {half, at({0.05, 0, 0})}};
        return shape::make_compound(parts);
    };
    for (const Floor floor : k_floors) {
        for (const auto& [name, flat] :
             {std::pair("box", shape::make_box({0.2, 0.12, 0.06})),
              std::pair("disk", shape::make_cylinder(0.1, 0.06)), std::pair("glued", glued())}) {
            for (const double yaw : {0.0, 0.4}) {
                SCOPED_TRACE(std::string(name) + " " + std::to_string(static_cast<int>(floor)) +
                             " " + std::to_string(yaw));
                World world = make(mu, 0.3);
                add_joined(world, floor);
                const BodyId body = add(world, {.name = "body",
                                                .shape = shared(flat),
                                                .pose = at({0, 0, 0.03}, Vec3::UnitZ(), yaw),
                                                .velocity = {v, 0, 0},
                                                .mass = 0.5});
                const double stop = v / (mu * k_gravity), half = 0.5 * stop;
                const double way = v * half - 0.5 * mu * k_gravity * half * half;
                Log log;
                world.run(half, &log);
                motion::State s = state(world, body);
                expect_below("speed half way", (s.velocity - Vec3(0.5 * v, 0, 0)).norm() / v, 1e-9);
                expect_below("half way", (s.position - Vec3(way, 0, 0.03)).norm(), 1e-9);
                expect_below("turning", s.angular_velocity.norm(), 1e-9);
                world.run(stop + 0.1, &log);
                s = state(world, body);
                if (floor == Floor::tiles) continue;
                const Vec3 end(0.5 * v * stop, 0, 0.03);
                expect_below("stop", (s.position - end).norm() / end.x(), 1e-8);
                EXPECT_TRUE(world.asleep(body));
            }
        }
    }
}

TEST_P(ExactJoint, SlowBodiesOnIceSlideOn) {
    const double v = 0.005;
    const std::vector<Vec3> prism{{-0.06, -0.05, -0.03}, {0.06, -0.05, -0.03}, {0, 0.1, -0.03},
                                  {-0.06, -0.05, 0.03},  {0.06, -0.05, 0.03},  {0, 0.1, 0.03}};
    for (const auto& [name, flat] :
         {std::pair("disk", shape::make_cylinder(0.05, 0.06)),
          std::pair("prism", shape::make_hull(prism)), std::pair("ball", shape::make_sphere(0.03)),
          std::pair("box", shape::make_box({0.1, 0.1, 0.06}))}) {
        for (const int count : {1, 2}) {
            SCOPED_TRACE(name);
            if (count == 2 && std::string(name) == "ball") continue;
            const double t = count == 1 ? 200.0 : 10.0;
            World world = make(0.0, 0.4);
            add_plane(world, Vec3::UnitZ());
            std::vector<BodyId> bodies;
            for (int k = 0; k < count; ++k)
                bodies.push_back(add(world, {.name = "b" + std::to_string(k),
                                             .shape = shared(flat),
                                             .pose = at({0, 0, 0.03 + 0.06 * k}),
                                             .velocity = {v, 0, 0},
                                             .mass = 0.5}));
            const Vec3 start = state(world, bodies[0]).position;
            Log log;
            world.run(t, &log);
            for (const BodyId id : bodies) {
                const motion::State s = state(world, id);
                expect_below("speed", (s.velocity - Vec3(v, 0, 0)).norm() / v, 1e-9);
                expect_below("way", (s.position - start - Vec3(v * t, 0, 0)).head<2>().norm(),
                             1e-8);
                EXPECT_FALSE(world.asleep(id));
            }
            expect_balanced(world);
        }
    }
}

TEST_P(ExactJoint, ABlockStaysOnATurntableForAHundredSeconds) {
    const double W = 2.0, r = 0.3, t = 100.0;
    World world = make(0.8);
    const BodyId body = add(world, {.name = "block",
                                    .shape = shared(shape::make_box({0.06, 0.08, 0.04})),
                                    .pose = at({r, 0, 0.02}),
                                    .velocity = {0, W * r, 0},
                                    .angular_velocity = {0, 0, W},
                                    .mass = 1.0});
    add(world, {.name = "table",
                .shape = shared(shape::make_cylinder(1.0, 0.1)),
                .pose = at({0, 0, -0.05}),
                .angular_velocity = {0, 0, W},
                .fixed = true});
    Log log;
    world.run(t, &log);
    const motion::State s = state(world, body);
    const motion::Quat by = turned_by(W * t, Vec3::UnitZ());
    expect_below("off", (s.position - by * Vec3(r, 0, 0.02)).norm() / r, 1e-9);
    expect_below("twisted", s.orientation.angularDistance(by), 1e-8);
    expect_exact(world, log);
}

// A sleeper that is hit moves on as if it had been awake, whatever the method.
class ExactSleeper : public ExactContact {
protected:
    enum class What { row, rack, stack, block };
    // All bodies right after the ball has hit, the ball last.
    std::vector<motion::State> hit(What what, impact::MultipleId multiple, bool sleep,
                                   double e) const {
        world::Settings settings;
        settings.multiple = multiple;
        settings.sleep = sleep;
        World world(settings, contacts(e, what == What::row ? 0.0 : 0.3));
        add_plane(world, Vec3::UnitZ());
        const double r = 0.05;
        std::vector<BodyId> resting;
        const auto put = [&](const shape::Shape& shape, const Vec3& place) {
            resting.push_back(add(world, {.name = "b" + std::to_string(resting.size()),
                                          .shape = shared(shape),
                                          .pose = at(place),
                                          .mass = 0.5}));
        };
        if (what == What::row)
            for (int k = 0; k < 4; ++k)
                put(shape::make_sphere(r), {2.0 * r * k, 0, r});
        if (what == What::rack)
            for (const auto& [x, y] : {std::pair(0.0, 0.0), std::pair(std::sqrt(3.0), 1.0),
                                       std::pair(std::sqrt(3.0), -1.0)})
                put(shape::make_sphere(r), {r * x, r * y, r});
        if (what == What::stack)
            for (int k = 0; k < 3; ++k)
                put(shape::make_box({0.1, 0.1, 0.1}), {0.05, 0, 0.05 + 0.1 * k});
        if (what == What::block) put(shape::make_box({0.1, 0.3, 0.1}), {0.05, 0, 0.05});
        // it flies, and comes after the others have long been at rest
        const double meet = 0.5, speed = 2.0, height = what == What::stack ? 0.17 : 0.06;
        const Vec3 end(-r - 1e-3, what == What::block ? 0.08 : 0.0, height);
        const BodyId ball = add(world, {.name = "ball",
                                        .shape = shared(shape::make_sphere(r)),
                                        .pose = at(end - Vec3(speed * meet, 0, 0)),
                                        .velocity = {speed, 0, 0.5 * k_gravity * meet},
                                        .mass = 0.7});
        world.run(0.9 * meet);
        for (const BodyId id : resting)
            EXPECT_EQ(world.asleep(id), sleep);
        Log log;
        while (log.of(EventKind::impact).empty() && world.time() < 2.0 * meet)
            world.run(world.time() + 1e-5, &log);
        std::vector<motion::State> after;
        for (const BodyId id : resting)
            after.push_back(world.state(id));
        after.push_back(world.state(ball));
        return after;
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactSleeper, testing::Values(0.0, 0.0713), name_of_yaw);

TEST_P(ExactSleeper, IsHitAsIfItWereAwake) {
    using impact::MultipleId;
    for (const What what : {What::row, What::rack, What::stack, What::block}) {
        for (const MultipleId multiple :
             {MultipleId::sequential, MultipleId::coupled, MultipleId::simultaneous}) {
            if (what == What::block && multiple == MultipleId::coupled) continue;
            for (const double e : {0.0, 0.8}) {
                SCOPED_TRACE(std::to_string(static_cast<int>(what)) + " " +
                             std::to_string(static_cast<int>(multiple)) + " " + std::to_string(e));
                const auto asleep = hit(what, multiple, true, e);
                const auto awake = hit(what, multiple, false, e);
                double off = 0.0, moved = 0.0;
                for (std::size_t k = 0; k < asleep.size(); ++k) {
                    off =
                        std::max({off, (asleep[k].velocity - awake[k].velocity).norm(),
                                  (asleep[k].position - awake[k].position).norm(),
                                  (asleep[k].angular_velocity - awake[k].angular_velocity).norm()});
                    if (k + 1 < asleep.size()) moved = std::max(moved, asleep[k].velocity.norm());
                }
                EXPECT_GT(moved, 0.1);
                // those awake have rested with the rounding of their motion, which hits magnify
                expect_below("off", off, 1e-6);
            }
        }
    }
}

}  // namespace
}  // namespace carom::tests
