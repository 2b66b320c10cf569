// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The work of reported contact forces: closed forms for forces and motions written by hand, and
// whole runs, in which it has to be what the motions say.

#include "carom/world/force_work.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::ball;
using world_test::body;
using world_test::cube;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::moving;

// A fixed floor (0), a cube of 2 kg (1) and another of 3 kg (2).
struct Bench {
    Bench() : scene(Settings{}, all_by("routh", 0.5, 0.3)) {
        scene.add(floor_plane());
        scene.add(cube({0, 0, 0.5}, 2.0));
        scene.add(cube({0, 0, 1.5}, 3.0));
    }
    ForceWork work() { return {scene.input().bodies, scene.gravity()}; }
    Segment held(BodyId id, const Vec3& v, const Vec3& w, const Vec3& a, const Vec3& alpha) {
        Segment segment{1.0, id, SegmentKind::held, scene.body(id).first};
        segment.state.velocity = v;
        segment.state.angular_velocity = w;
        segment.lasting.a = a;
        segment.lasting.alpha = alpha;
        segment.lasting.t1 = 3.0;
        return segment;
    }
    GraphScene scene;
};

ContactForce force_on(BodyId a, BodyId b, const Vec3& impulse, const Vec3& point) {
    ContactForce force;
    force.t0 = 1.0;
    force.t1 = 3.0;
    force.a = a;
    force.b = b;
    force.impulse = impulse;
    force.point = force.point_end = point;
    return force;
}

// A block that is braked from 5 m/s at 2 m/s^2 for 2 s goes 6 m: -m a s.
TEST(ForceWork, FrictionOverAWay) {
    Bench bench;
    ForceWork work = bench.work();
    work.begin(bench.held(1, {5, 0, 0}, Vec3::Zero(), {-2, 0, 0}, Vec3::Zero()), nullptr);
    const ContactForce force = force_on(1, 0, {-8, 0, 2 * 2 * k_g}, {0, 0, 0});
    EXPECT_NEAR(work.of(force).on_free, -2.0 * 2.0 * 6.0, 1e-13);
    EXPECT_NEAR(work.of(force).size, 24.0, 1e-13);
}

// The second cube goes along with half the speed: the force between them does -F (s1 - s2).
TEST(ForceWork, BetweenTwoBodiesItIsThatOfTheSlip) {
    Bench bench;
    ForceWork work = bench.work();
    work.begin(bench.held(1, {4, 0, 0}, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()), nullptr);
    work.begin(bench.held(2, {2, 0, 0}, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()), nullptr);
    const ContactForce force = force_on(1, 2, {-6, 0, 0}, {0, 0, 1});
    EXPECT_NEAR(work.of(force).on_free, -3.0 * (8.0 - 4.0), 1e-13);
    EXPECT_NEAR(work.of(seen_from_other(force)).on_free, -3.0 * (8.0 - 4.0), 1e-13);
}

// About a centre that rests, w = w0 + alpha d and p - c = r + d s: with F = J / 2 s and the couple
// C the power is F . (w x p) + C . w / 2 s, a cubic whose integral over 2 s is written out.
TEST(ForceWork, ATurningBodyAndAPointOnItsWay) {
    Bench bench;
    ForceWork work = bench.work();
    work.begin(bench.held(1, Vec3::Zero(), {0, 0, 3}, Vec3::Zero(), {0, 0, -1}), nullptr);
    ContactForce force = force_on(1, 0, {0, 4, 0}, Vec3(0.2, 0, 0.5));
    force.point_end = Vec3(0.8, 0, 0.5);
    force.couple = {0, 0, -0.5};
    // power = 2 (3 - d) (0.2 + 0.3 d) - 0.25 (3 - d)
    const double expected = 2.0 * (1.2 + 0.7 * 2.0 - 0.3 * 8.0 / 3.0) - 0.25 * 4.0;
    EXPECT_NEAR(work.of(force).on_free, expected, 1e-13);
}

// An impulse at one instant: the kinetic energy after less that before.
TEST(ForceWork, AnImpulseGivesKineticEnergy) {
    Bench bench;
    ForceWork work = bench.work();
    const Body& cube = bench.scene.body(1);
    motion::State before = cube.first;
    before.velocity = {1, 2, -3};
    before.angular_velocity = {0.5, -1, 2};
    const Vec3 J(0.3, -0.4, 5), C(0.1, 0.2, -0.3), point(0.4, 0.3, 0);
    Segment after{1.0, 1, SegmentKind::flight, before};
    after.state.velocity += cube.inverse_mass * J;
    after.state.angular_velocity +=
        cube.inverse_inertia * (Vec3(point - before.position).cross(J) + C);
    work.begin(after, &before);
    ContactForce force = force_on(1, 0, J, point);
    force.couple = C;
    force.acts = ForceCourse::at_start;
    const double gained =
        energy(cube, after.state, Vec3::Zero()) - energy(cube, before, Vec3::Zero());
    EXPECT_NEAR(work.of(force).on_free, gained, 1e-13);
}

TEST(ForceWork, SleepersAndFixedBodiesTakeNone) {
    Bench bench;
    ForceWork work = bench.work();
    work.begin({0.5, 1, SegmentKind::asleep, bench.scene.body(1).first}, nullptr);
    const ForceWork::Work found = work.of(force_on(1, 0, {0, 0, 2 * 2 * k_g}, {0, 0, 0}));
    EXPECT_EQ(found.on_free, 0.0);
    EXPECT_EQ(found.size, 0.0);
}

Audit audit_of(const std::vector<BodySpec>& bodies, double mu, double until,
               const Settings& settings = {}) {
    World world(settings, all_by("routh", 0.0, mu));
    for (const BodySpec& spec : bodies)
        world.add(spec);
    world.run(until);
    return world.audit();
}

// A ball that slides until it rolls loses 2/7 of m v^2 / 2: the closed form, its forces and its
// energy agree to rounding.
TEST(ForceWork, ASlidingBall) {
    const Audit audit =
        audit_of({floor_plane(), moving(ball({0, 0, 0.25}, 2.0), {3, 1, 0})}, 0.2, 3);
    EXPECT_NEAR(audit.energy_lost, 2.0 / 7.0 * 10.0, 1e-9);
    EXPECT_GE(audit.force_work_scale, 2.8);
    EXPECT_NEAR(audit.force_work_residual, 0.0, 1e-12);
}

// A cube that slides to rest: all of m v^2 / 2 is the work of friction.
TEST(ForceWork, ASlidingCube) {
    const Audit audit =
        audit_of({floor_plane(), moving(cube({0, 0, 0.5}, 2.0), {2, 0, 0})}, 0.4, 2);
    EXPECT_NEAR(audit.energy_lost, 4.0, 1e-6);
    EXPECT_NEAR(audit.force_work_residual, 0.0, 1e-6 * 4.0);
}

// One that turns on the spot: the force does nothing, the couple takes all.
TEST(ForceWork, ACubeThatTurnsOnTheSpot) {
    const Audit audit =
        audit_of({floor_plane(), moving(cube({0, 0, 0.5}, 2.0), Vec3::Zero(), {0, 0, 3})}, 0.4, 2);
    const double had = 0.5 * (2.0 / 6.0) * 9.0;
    EXPECT_NEAR(audit.energy_lost, had, 1e-3 * had);
    EXPECT_NEAR(audit.force_work_residual, 0.0, 1e-3 * had);
}

// A belt takes a cube along: m v^2 / 2 to the cube, as much to friction.
TEST(ForceWork, ABelt) {
    BodySpec belt = body("belt", shape::make_box({20, 4, 1}), at({0, 0, -0.5}));
    belt.fixed = true;
    belt.mass.reset();
    const Audit audit = audit_of({moving(belt, {2, 0, 0}), cube({0, 0, 0.5}, 2.0)}, 0.4, 2);
    EXPECT_NEAR(audit.driven, 8.0, 1e-3);
    EXPECT_NEAR(audit.force_work_residual, 0.0, 1e-5 * 8.0);
}

// A pile of forty-five cubes: its impulses are exact.
TEST(ForceWork, APile) {
    std::vector<BodySpec> bodies{floor_plane()};
    for (int k = 0; k < 45; ++k) {
        const int i = k % 3, j = k / 3 % 3, layer = k / 9;
        bodies.push_back(
            moving(cube({1.02 * i + 0.3 * layer, 1.02 * j + 0.3 * layer, 0.5 + 1.0 * layer}),
                   {1.0 * layer, 0, 0}));
        bodies.back().name = "b" + std::to_string(k);
    }
    Settings settings;
    settings.checkpoint = 0.05;
    const Audit audit = audit_of(bodies, 0.5, 0.3, settings);
    EXPECT_GT(audit.force_work_scale, 50.0);
    EXPECT_NEAR(audit.force_work_residual, 0.0, 1e-9 * audit.force_work_scale);
}

}  // namespace
}  // namespace carom::world
