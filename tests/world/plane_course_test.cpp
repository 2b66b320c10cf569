// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The way of a sphere on a plane, in closed form: when it rolls, how it goes on, when it rests, and
// where there is no such way.

#include "carom/world/island/plane_course.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::ball;
using world_test::cube;
using world_test::fixed;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::moving;
using world_test::shared;

constexpr double k_mu = 0.3, k_ball_radius = 0.25;
constexpr double k_close = 1e-12;  // closed forms in doubles, relative

std::optional<PlaneCourse> course_of(GraphScene& scene, BodyId first, double t = 0.0) {
    Component component;
    scene.graph().find_component(first, component);
    return find_plane_course(scene.graph(), component, t);
}

// Follows a course to its end, where the next one begins.
std::optional<PlaneCourse> next_course(GraphScene& scene, const PlaneCourse& course) {
    scene.graph().track(course.segment.body).go(course.segment, scene.gravity());
    return course_of(scene, course.segment.body, course.segment.lasting.t1);
}

// Velocity and slip of the sphere at t, seen with the plane's axes.
struct Seen {
    Vec3 velocity, slip;
};
Seen seen_at(const GraphScene& scene, const PlaneCourse& course, double t,
             const motion::Quat& tilt = motion::Quat::Identity()) {
    const motion::Motion motion =
        make_motion(scene.body(course.segment.body), course.segment, scene.gravity());
    const motion::State s = motion::at(motion, t);
    const Vec3 arm = -k_ball_radius * (tilt * Vec3::UnitZ());
    return {tilt.conjugate() * s.velocity,
            tilt.conjugate() * Vec3(s.velocity + s.angular_velocity.cross(arm))};
}

// A sphere that slides with v0 rolls from 2 v0 / (7 mu g) on, with 5/7 v0.
TEST(PlaneCourse, ASlidingSphereRollsAfterTwoSeventhsOfItsStoppingTime) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, k_mu));
    const BodyId sphere = scene.add(moving(ball({0, 0, k_ball_radius}), {2, 0, 0}));
    scene.hold(sphere, scene.add(floor_plane()));
    const auto course = course_of(scene, sphere);
    ASSERT_TRUE(course);
    EXPECT_FALSE(course->rests);
    EXPECT_EQ(course->segment.kind, SegmentKind::on_plane);
    EXPECT_LT((course->normal - Vec3::UnitZ()).norm(), k_close);
    EXPECT_LT(course->point.norm(), k_close);
    const double rolls = 2.0 * 2.0 / (7.0 * k_mu * k_g);
    EXPECT_NEAR(course->segment.lasting.t1, rolls, k_close * rolls) << "a course of its own";
    const Seen before = seen_at(scene, *course, 0.5 * rolls);
    EXPECT_LT((before.velocity - Vec3(2.0 * (1.0 - 1.0 / 7.0), 0, 0)).norm(), k_close * 2.0);
    EXPECT_LT((before.slip - Vec3(1, 0, 0)).norm(), k_close * 2.0);
    const auto rolling = next_course(scene, *course);
    ASSERT_TRUE(rolling);
    for (const double later : {0.0, 10.0}) {
        const Seen after = seen_at(scene, *rolling, rolling->segment.t0 + later);
        EXPECT_LT((after.velocity - Vec3(10.0 / 7.0, 0, 0)).norm(), k_close * 2.0);
        EXPECT_LT(after.slip.norm(), k_close * 2.0);
    }
}

// Down a slope the slip shrinks by 7/2 mu g cos - g sin; from then on it rolls with 5/7 g sin.
TEST(PlaneCourse, ASlidingSphereRollsDownASlope) {
    const double angle = 0.2;
    const motion::Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    GraphScene scene(Settings{}, all_by("routh", 0.5, k_mu));
    const BodyId sphere =
        scene.add(moving(ball(tilt * Vec3(0, 0, k_ball_radius)), tilt * Vec3(2, 0, 0)));
    BodySpec slope = floor_plane();
    slope.shape = shared(shape::make_half_space(tilt * Vec3::UnitZ()));
    scene.hold(sphere, scene.add(slope));
    const auto course = course_of(scene, sphere);
    ASSERT_TRUE(course);
    const double along = k_g * std::sin(angle), into = k_g * std::cos(angle);
    const double rolls = 2.0 / (3.5 * k_mu * into - along);
    EXPECT_NEAR(course->segment.lasting.t1, rolls, k_close * rolls);
    const auto rolling = next_course(scene, *course);
    ASSERT_TRUE(rolling);
    const double v = 2.0 + (along - k_mu * into) * rolls;
    for (const double later : {0.0, 0.5}) {
        const Seen after = seen_at(scene, *rolling, rolling->segment.t0 + later, tilt);
        EXPECT_LT((after.velocity - Vec3(v + 5.0 / 7.0 * along * later, 0, 0)).norm(), k_close * v);
        EXPECT_LT(after.slip.norm(), k_close * v);
    }
}

TEST(PlaneCourse, AStillSphereOnTheLevelRests) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, k_mu));
    const BodyId sphere = scene.add(ball({0, 0, k_ball_radius}));
    scene.hold(sphere, scene.add(floor_plane()));
    const auto course = course_of(scene, sphere);
    ASSERT_TRUE(course);
    EXPECT_TRUE(course->rests);
}

// A face ends: the sphere leaves a block of 1 m where the place under it comes to the edge.
TEST(PlaneCourse, AFaceEndsAtItsEdge) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.0));
    const BodyId sphere = scene.add(moving(ball({0, 0, 0.5 + k_ball_radius}), {2, 0, 0}));
    scene.hold(sphere, scene.add(fixed(cube({0, 0, 0}))));
    const auto course = course_of(scene, sphere);
    ASSERT_TRUE(course);
    EXPECT_NEAR(course->segment.lasting.t1, 0.25, 1e-9);
}

TEST(PlaneCourse, NoneForASphereThatLifts) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, k_mu));
    const BodyId sphere = scene.add(moving(ball({0, 0, k_ball_radius}), {2, 0, 0.01}));
    scene.hold(sphere, scene.add(floor_plane()));
    EXPECT_FALSE(course_of(scene, sphere));
}

TEST(PlaneCourse, NoneUnderACeiling) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, k_mu));
    const BodyId sphere = scene.add(ball({0, 0, -k_ball_radius}));
    BodySpec ceiling = floor_plane();
    ceiling.shape = shared(shape::make_half_space(-Vec3::UnitZ()));
    scene.hold(sphere, scene.add(ceiling));
    EXPECT_FALSE(course_of(scene, sphere));
}

TEST(PlaneCourse, NoneForABoxOrForTwoBodies) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, k_mu));
    const BodyId box = scene.add(cube({0, 0, 0.5}));
    const BodyId sphere = scene.add(ball({5, 0, k_ball_radius}));
    const BodyId other = scene.add(ball({5.5, 0, k_ball_radius}));
    const BodyId floor = scene.add(floor_plane());
    scene.hold(box, floor);
    scene.hold(sphere, floor);
    scene.hold(sphere, other);
    EXPECT_FALSE(course_of(scene, box));
    EXPECT_FALSE(course_of(scene, sphere));
}

}  // namespace
}  // namespace carom::world
