// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::body;
using world_test::Log;

BodySpec particle(const Vec3& position, const Vec3& velocity, const motion::ForceField& force) {
    BodySpec spec = body("particle", shape::make_sphere(0.01), at(position), 0.5);
    spec.velocity = velocity;
    spec.forces = {force};
    return spec;
}

Settings weightless() {
    Settings settings;
    settings.gravity.setZero();
    return settings;
}

// The restitution of a linear spring and damper that lets go when it would pull:
//     e = exp(-(b/w) (pi - atan(2 b w / (w^2 - b^2)))),  b = c/2m, w^2 = k/m - b^2 > b^2.
// Source: Schwager and Poeschel, Granular Matter 9 (2007) 465.
TEST(Forces, ADampedCushionHasItsRestitution) {
    for (const double damping : {0.0, 1.0, 5.0, 20.0}) {
        const double m = 0.5;
        const double k = 2000.0;
        World world(weightless(), all_by("routh", 0.5, 0.5));
        world.add(particle({0.2, 0.0, 0.3}, {0.7, 0.0, -2.0},
                           motion::Cushion{Vec3::UnitZ(), 0.0, k, damping}));
        world.run(2.0);
        const double b = damping / (2.0 * m);
        const double w = std::sqrt(k / m - b * b);
        const double e =
            std::exp(-b / w * (std::numbers::pi - std::atan2(2.0 * b * w, w * w - b * b)));
        EXPECT_NEAR(world.state(0).velocity.z(), 2.0 * e, 1e-10) << damping;
        EXPECT_EQ(world.state(0).velocity.x(), 0.7);
        const Audit audit = world.audit();
        EXPECT_NEAR(audit.energy_residual, 0.0, 1e-13);
        EXPECT_NEAR(audit.driven, m * 2.0 * (e * e - 1.0), 1e-9);
    }
}

// A damper whose force fades a billion times a second cannot be followed through one; the world
// says so instead of trying, and names the body and its force.
TEST(Forces, OnesThatAreTooStiffAreTold) {
    for (const motion::ForceField& force :
         {motion::ForceField(motion::Cushion{Vec3::UnitZ(), 0.0, 1e5, 1e9}),
          motion::ForceField(motion::Drag{1e9, 0.0, 0.0})}) {
        World world({}, all_by("routh", 0.5, 0.5));
        try {
            world.add(particle({0.0, 0.0, 0.1}, Vec3::Zero(), force));
            world.run(1.0);
            FAIL() << "no computer takes a billion steps in a test";
        } catch (const std::invalid_argument& refused) {
            const std::string what = refused.what();
            EXPECT_NE(what.find("body 'particle'"), std::string::npos) << what;
            EXPECT_NE(what.find(motion::name_of(force)), std::string::npos) << what;
            EXPECT_NE(what.find("softer forces"), std::string::npos) << what;
        }
    }
}

// With a stiffer and stiffer cushion its bounces become those of an impulse with e = 1.
TEST(Forces, AStiffCushionBouncesAsAnImpulse) {
    double before = 1.0;
    for (const double k : {1e5, 1e7, 1e9}) {
        World world({}, all_by("routh", 1.0, 0.0));
        BodySpec ball =
            particle({0.0, 0.0, 1.0}, Vec3::Zero(), motion::Cushion{Vec3::UnitZ(), 0.0, k, 0.0});
        world.add(ball);
        world.run(1.3);
        // three quarters up again after the second bounce would be at
        const double fall = std::sqrt(2.0 / 9.81);
        const double since = 1.3 - fall;
        const double height = since * (9.81 * fall) - 0.5 * 9.81 * since * since;
        const double off = std::abs(world.state(0).position.z() - height);
        // the contact takes pi sqrt(m/k)
        EXPECT_LT(off, 4.5 * std::numbers::pi * std::sqrt(0.5 / k));
        EXPECT_LT(off, before);
        before = off;
    }
}

// Falls to its terminal speed sqrt(m g / c): v = v_t tanh(g t / v_t).
TEST(Forces, DragLeadsToTheTerminalSpeed) {
    World world({}, all_by("routh", 0.5, 0.5));
    const double c = 0.2;
    world.add(particle({0, 0, 100}, Vec3::Zero(), motion::Drag{.linear = 0.0, .quadratic = c}));
    const double terminal = std::sqrt(0.5 * 9.81 / c);
    for (const double t : {0.3, 1.7, 4.0}) {
        world.run(t);
        EXPECT_NEAR(world.state(0).velocity.z(), -terminal * std::tanh(9.81 * t / terminal), 1e-10);
    }
    const double t = 4.0;
    const double fallen = terminal * terminal / 9.81 * std::log(std::cosh(9.81 * t / terminal));
    const double v = terminal * std::tanh(9.81 * t / terminal);
    const Audit audit = world.audit();
    EXPECT_NEAR(audit.energy_residual, 0.0, 1e-11);
    EXPECT_NEAR(audit.driven, 0.5 * (0.5 * v * v) - 0.5 * 9.81 * fallen, 1e-9);
}

// A ball on a spring hits a wall at its middle: half a period between impacts, e = 1.
TEST(Forces, ImpactsUnderAForceAreExactInTime) {
    World world(weightless(), all_by("frictionless", 1.0, 0.0));
    BodySpec ball = particle(
        {0.01, 0, 0}, {1.0, 0, 0},
        motion::Spring{.body_point = Vec3::Zero(), .anchor = {0.01, 0, 0}, .stiffness = 50.0});
    world.add(ball);
    BodySpec wall = world_test::floor_plane();
    wall.shape = world_test::shared(shape::make_half_space(Vec3::UnitX()));
    world.add(wall);
    Log log;
    world.run(2.0, &log);
    const double half = std::numbers::pi * std::sqrt(0.5 / 50.0);
    ASSERT_EQ(log.events.size(), static_cast<std::size_t>(2.0 / half));
    for (std::size_t i = 0; i < log.events.size(); ++i)
        EXPECT_NEAR(log.events[i].t, half * static_cast<double>(i + 1), 1e-10);
}

TEST(Forces, SegmentsTellTheSameMotion) {
    World world({}, all_by("routh", 0.5, 0.5));
    world.add(particle({0, 0, 0.5}, {1, 0, 0}, motion::Cushion{Vec3::UnitZ(), 0.0, 3000.0, 2.0}));
    Log log;
    world.run(2.5, &log);
    ASSERT_GT(log.segments.size(), 4U);
    const Segment& last = log.segments.back();
    EXPECT_EQ(last.kind, SegmentKind::forced);
    const motion::State again =
        motion::at(make_motion(world.body(0), last, world.settings().gravity), 2.5);
    EXPECT_TRUE(world_test::same_bits(again, world.state(0)));
}

TEST(Forces, AreForFreeBodies) {
    World world({}, all_by("routh", 0.5, 0.5));
    BodySpec floor = world_test::floor_plane();
    floor.forces = {motion::Drag{.linear = 1.0}};
    EXPECT_THROW(world.add(floor), std::invalid_argument);
}

}  // namespace
}  // namespace carom::world
