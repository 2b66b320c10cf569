// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Faces that are level with others, and faces that meet.

#include <cmath>
#include <random>
#include <string>

#include "tests/physics/exact_contact.h"

namespace carom::tests {
namespace {

class ExactFaces : public ExactContact {};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactFaces, k_yaws, name_of_yaw);

// A row of flush tiles is one floor: nothing is felt where one ends and the next begins.
TEST_P(ExactFaces, TilesAreOneFloor) {
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
TEST_P(ExactFaces, EqualFacesThatMeetTakeNoSpin) {
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

}  // namespace
}  // namespace carom::tests
