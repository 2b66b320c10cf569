// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Faces that are level with others, and several free bodies that hold each other, against closed
// forms.

#include <cmath>
#include <random>
#include <string>
#include <tuple>

#include "tests/physics/exact_contact.h"

namespace carom::tests {
namespace {

class ExactSeveral : public ExactContact {};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactSeveral, k_yaws, name_of_yaw);

// A row of flush tiles is one floor: nothing is felt where one ends and the next begins.
TEST_P(ExactSeveral, TilesAreOneFloor) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(0.0, 1.0);
    for (int k = 0; k < 12; ++k) {
        SCOPED_TRACE(k);
        const double yaw = k == 0 ? 0.0 : 3.0 * any(random);
        const double v = 0.5 + 2.0 * any(random), aside = k < 2 ? 0.0 : 0.2 * any(random);
        const bool disc = k % 3 == 2;
        World world = make(0.0, 0.3);
        const auto tile = shared(shape::make_box({0.25, 2.0, 0.1}));
        for (int i = -2; i < 10; ++i)
            add(world, {.name = "tile" + std::to_string(i),
                        .shape = tile,
                        .pose = at({0.25 * i, 0, -0.05}),
                        .fixed = true});
        const BodyId body = add(world, {.name = "body",
                                        .shape = disc ? shared(shape::make_cylinder(0.05, 0.05))
                                                      : shared(shape::make_box({0.1, 0.08, 0.05})),
                                        .pose = {Vec3(0, 0, 0.025), turned_by(yaw, Vec3::UnitZ())},
                                        .velocity = {v, aside, 0},
                                        .angular_velocity = {0, 0, k < 4 ? 0.0 : 2.0 * any(random)},
                                        .mass = 1.0});
        const double spin = world.state(body).angular_velocity.z();
        Log log;
        const double t = 1.6 / v;
        world.run(t, &log);
        const motion::State s = state(world, body);
        expect_below("place", (s.position - Vec3(v * t, aside * t, 0.025)).norm(), 1e-9);
        expect_below("speed", (s.velocity - Vec3(v, aside, 0)).norm() / v, 1e-9);
        expect_below("spin", (s.angular_velocity - Vec3(0, 0, spin)).norm(), 1e-9);
    }
}

// Equal outlines that meet face to face: the middle of what they share is the middle of both.
TEST_P(ExactSeveral, EqualFacesThatMeetTakeNoSpin) {
    for (const auto& [shape, half] :
         {std::pair(shared(shape::make_cylinder(0.05, 0.01)), 0.005),
          std::pair(shared(shape::make_box({0.06, 0.08, 0.02})), 0.01),
          std::pair(shared(shape::make_cylinder(0.013, 0.07)), 0.035)}) {
        for (const double turn : {0.0, 0.3, 1.1}) {
            SCOPED_TRACE(turn);
            world::Settings settings;
            settings.gravity = Vec3::Zero();
            World world(settings, contacts(0.5, 0.3));
            const BodyId a = add(world, {.name = "a",
                                         .shape = shape,
                                         .pose = {Vec3(0, 0, 0.3), turned_by(turn, Vec3::UnitZ())},
                                         .velocity = {0, 0, -1},
                                         .mass = 1.0});
            const BodyId b = add(world, {.name = "b", .shape = shape, .mass = 1.0});
            Log log;
            world.run(1.0, &log);
            for (const BodyId id : {a, b}) {
                const motion::State s = state(world, id);
                expect_below("spin", s.angular_velocity.norm(), 1e-12);
                expect_below("aside", s.velocity.head<2>().norm(), 1e-12);
            }
            const double contact = 0.3 - 2.0 * half;
            EXPECT_NEAR(state(world, a).position.z(), 0.3 - contact - 0.25 * (1.0 - contact),
                        1e-12);
        }
    }
}

// Cubes that are dropped one above the other come to rest and stay there.
TEST_P(ExactSeveral, AStackThatIsDroppedRests) {
    for (const auto& [count, gap, e] :
         {std::tuple(2, 0.01, 0.3), std::tuple(4, 0.01, 0.0), std::tuple(8, 0.01, 0.3)}) {
        SCOPED_TRACE(count);
        World world = make(0.5, e);
        add_plane(world, Vec3::UnitZ());
        std::vector<BodyId> cubes;
        for (int k = 0; k < count; ++k)
            cubes.push_back(add(world, {.name = "c" + std::to_string(k),
                                        .shape = shared(shape::make_box({0.1, 0.1, 0.1})),
                                        .pose = at({0, 0, 0.05 + gap + k * (0.1 + gap)}),
                                        .mass = 1.0}));
        Log log;
        world.run(10.0, &log);
        for (int k = 0; k < count; ++k) {
            const motion::State s = state(world, cubes[static_cast<std::size_t>(k)]);
            expect_below("place", (s.position - Vec3(0, 0, 0.05 + 0.1 * k)).norm(), 1e-7);
            EXPECT_EQ(s.velocity.norm() + s.angular_velocity.norm(), 0.0);
        }
        expect_balanced(world);
    }
}

// Blocks of length 1, each over the one below by 1/2, 1/4, 1/6, ... from the top: as far out as
// they stand.
TEST_P(ExactSeveral, AnOverhangingStackAtItsBound) {
    for (const int count : {2, 4, 6}) {
        for (const double part : {1.0 - 1e-6, 1.0 + 1e-6}) {
            SCOPED_TRACE(part < 1.0 ? "stands" : "falls");
            SCOPED_TRACE(count);
            World world = make(0.5);
            add(world, {.name = "base",
                        .shape = shared(shape::make_box({1.0, 1.0, 0.2})),
                        .pose = at({0, 0, -0.1}),
                        .fixed = true});
            double x = 0.0;
            std::vector<BodyId> blocks;
            for (int k = count; k >= 1; --k) {
                x += part * 0.5 / k;
                const double z = 0.1 + 0.2 * (count - k);
                blocks.push_back(add(world, {.name = "b" + std::to_string(k),
                                             .shape = shared(shape::make_box({1.0, 1.0, 0.2})),
                                             .pose = at({x, 0, z}),
                                             .mass = 1.0}));
            }
            Log log;
            world.run(2.0, &log);
            const motion::State top = state(world, blocks.back());
            const double speed = top.velocity.norm() + top.angular_velocity.norm();
            if (part < 1.0) {
                EXPECT_EQ(speed, 0.0);
                EXPECT_EQ(top.position, state(world, blocks.back()).position);
            } else {
                EXPECT_GT(speed, 1e-6);
            }
            expect_balanced(world);
        }
    }
}

// Two boards that lean on each other like the sides of a roof, their upper edges together. Each
// presses the other with N w tan / 2 where they meet, and stands while mu is at least tan(angle
// from upright) / 2, for boards without thickness.
TEST_P(ExactSeveral, TwoBoardsThatLeanOnEachOther) {
    const double length = 1.0, width = 0.01, lean = 20.0 * k_degree;
    // forces of a board of thickness w about its lower corner: the weight acts at
    // (L sin / 2 - w cos / 2) from it towards the middle, the other pushes at the height L cos
    const double sin = std::sin(lean), cos = std::cos(lean);
    const double bound = (0.5 * length * sin - 0.5 * width * cos) / (length * cos);
    for (const double part : {1.0 - 1e-3, 1.0 + 1e-3}) {
        SCOPED_TRACE(part < 1.0 ? "slides" : "stands");
        World world = make(part * bound);
        add_plane(world, Vec3::UnitZ());
        std::vector<BodyId> boards;
        for (const double side : {-1.0, 1.0}) {
            // its inner upper edge is at x = 0, its inner lower edge on the floor
            const Vec3 along(-side * sin, 0, cos), out(side * cos, 0, sin);
            const Vec3 inner(0, 0, length * cos);
            const Vec3 centre = inner - 0.5 * length * along + 0.5 * width * out;
            boards.push_back(add(world, {.name = side < 0.0 ? "left" : "right",
                                         .shape = shared(shape::make_box({width, 0.3, length})),
                                         .pose = {centre, turned_by(-side * lean, Vec3::UnitY())},
                                         .mass = 1.0}));
        }
        Log log;
        world.run(1.0, &log);
        const motion::State s = state(world, boards[0]);
        if (part < 1.0) {
            EXPECT_GT(s.velocity.norm(), 1e-4);
        } else {
            EXPECT_EQ(s.velocity.norm() + s.angular_velocity.norm(), 0.0);
        }
    }
}

}  // namespace
}  // namespace carom::tests
