// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Steps of islands: accelerations and forces of a few bodies in lasting contact against the
// formulas of textbooks, balance, and contacts that open.

#include "carom/world/island/island_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::cube;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::moving;
using world_test::with_gravity;

// What small islands leave of accelerations, relative to g (island_tolerances.h, exact_residual),
// for a few contacts together.
constexpr double k_exact = 1e-8;
// The same of what moves: 1e-7 of its speed in a first step of about 3 ms.
constexpr double k_moving = 1e-4;

// Takes steps and keeps what one leaves for the next.
class Stepped {
public:
    explicit Stepped(GraphScene& scene) : scene_(scene), stepper_(scene.graph(), stop_) {}

    const IslandOutcome& step(BodyId first, bool may_rest = false) {
        Graph& graph = scene_.graph();
        graph.find_component(first, component_);
        for (const std::uint32_t i : component_.pairs) {
            PersistentContact& contact = graph.pair(i).contact;
            if (contact.t1 == t_) continue;
            std::vector<PointForce> points;
            stepper_.start_points(graph.pair(i), t_, points);
            contact.forces = points;
        }
        return stepper_.step(component_, t_, may_rest);
    }
    void keep(const IslandOutcome& outcome) {
        Graph& graph = scene_.graph();
        t_ = outcome.t + outcome.h;
        for (const IslandContactOutcome& seen : outcome.contacts) {
            PersistentContact& contact = graph.pair(seen.pair).contact;
            contact.t1 = t_;
            const auto from = outcome.points.begin() + static_cast<long>(seen.first_point);
            contact.forces.assign(from, from + static_cast<long>(seen.point_count));
        }
        for (const IslandBodyOutcome& body : outcome.bodies) {
            graph.track(body.id).go(body.segment, scene_.gravity());
            graph.track(body.id).last_step = outcome.next_step;
        }
    }
    motion::State now(BodyId id) { return scene_.graph().track(id).at(t_); }
    double time() const { return t_; }

private:
    GraphScene& scene_;
    const StopCheck* stop_ = nullptr;
    IslandStepper stepper_;
    Component component_;
    double t_ = 0.0;
};

const IslandContactOutcome& contact_of(const IslandOutcome& outcome, std::uint32_t pair) {
    for (const IslandContactOutcome& contact : outcome.contacts)
        if (contact.pair == pair) return contact;
    throw std::logic_error("not in the island");
}

TEST(IslandStep, ASlidingBoxIsSlowedByMuG) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId box = scene.add(moving(cube({0, 0, 0.5}, 2.0), {1, 0, 0}));
    const std::uint32_t pair = scene.hold(box, scene.add(floor_plane()));
    Stepped stepped(scene);
    const IslandOutcome& outcome = stepped.step(box);
    ASSERT_EQ(outcome.bodies.size(), 1U);
    const Segment& segment = outcome.bodies[0].segment;
    EXPECT_EQ(segment.kind, SegmentKind::held);
    EXPECT_LT((segment.lasting.a - Vec3(-0.3 * k_g, 0, 0)).norm(), k_moving * k_g);
    EXPECT_LT(segment.lasting.alpha.norm(), k_moving * k_g);
    EXPECT_EQ(segment.lasting.power, 0.0);
    const Vec3 expected = 2.0 * k_g * Vec3(-0.3, 0, 1);
    EXPECT_LT((contact_of(outcome, pair).force - expected).norm(), k_moving * 2.0 * k_g);
}

// It stops after v^2 / (2 mu g); a step ends where the slip does, to 1e-5 of the radius.
TEST(IslandStep, ASlidingBoxStopsWhereItShould) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId box = scene.add(moving(cube({0, 0, 0.5}), {1, 0, 0}));
    scene.hold(box, scene.add(floor_plane()));
    Stepped stepped(scene);
    for (int k = 0; k < 1000 && stepped.now(box).velocity.norm() > 1e-6; ++k)
        stepped.keep(stepped.step(box));
    EXPECT_NEAR(stepped.time(), 1.0 / (0.3 * k_g), 1e-5);
    EXPECT_LT((stepped.now(box).position - Vec3(0.5 / (0.3 * k_g), 0, 0.5)).norm(), 2e-5);
    EXPECT_TRUE(stepped.step(box, true).in_balance);
}

// A box on a slope that falls towards x, and its acceleration in the first step.
struct OnRamp {
    Vec3 acceleration, turning;
    bool in_balance;
};
OnRamp on_ramp(double angle, double mu) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, mu));
    const motion::Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    const BodyId box = scene.add(world_test::body("", shape::make_box({1.0, 1.0, 0.25}),
                                                  at(tilt * Vec3(0, 0, 0.125), tilt)));
    BodySpec slope = floor_plane();
    slope.shape = world_test::shared(shape::make_half_space(tilt * Vec3::UnitZ()));
    scene.hold(box, scene.add(slope));
    Stepped stepped(scene);
    const IslandOutcome& outcome = stepped.step(box, true);
    const LastingForm& form = outcome.bodies[0].segment.lasting;
    return {tilt.conjugate() * form.a, form.alpha, outcome.in_balance};
}

TEST(IslandStep, ABoxOnARampStaysBelowTheFrictionAngle) {
    const OnRamp seen = on_ramp(0.999 * std::atan(0.4), 0.4);
    EXPECT_TRUE(seen.in_balance);
    EXPECT_LT(seen.acceleration.norm() + seen.turning.norm(), k_exact * k_g);
}

TEST(IslandStep, ABoxOnARampSlidesAboveTheFrictionAngle) {
    const double angle = std::atan(0.5);
    const OnRamp seen = on_ramp(angle, 0.4);
    EXPECT_FALSE(seen.in_balance);
    const Vec3 expected(k_g * (std::sin(angle) - 0.4 * std::cos(angle)), 0, 0);
    EXPECT_LT((seen.acceleration - expected).norm(), k_exact * k_g);
    EXPECT_LT(seen.turning.norm(), k_exact * k_g);
}

TEST(IslandStep, ABoxAtRestIsInBalance) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId box = scene.add(cube({0, 0, 0.5}));
    scene.hold(box, scene.add(floor_plane()));
    Stepped stepped(scene);
    EXPECT_TRUE(stepped.step(box, true).in_balance);
    EXPECT_FALSE(stepped.step(box, false).in_balance) << "may not rest";
}

TEST(IslandStep, ABoxThatMovesIsNotInBalance) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId box = scene.add(moving(cube({0, 0, 0.5}), {1e-3, 0, 0}));
    scene.hold(box, scene.add(floor_plane()));
    Stepped stepped(scene);
    EXPECT_FALSE(stepped.step(box, true).in_balance);
}

TEST(IslandStep, AStackHandsItsWeightDown) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId lower = scene.add(cube({0, 0, 0.5}, 3.0));
    const BodyId upper = scene.add(cube({0.2, 0, 1.5}, 2.0));
    const BodyId floor = scene.add(floor_plane());
    const std::uint32_t between = scene.hold(lower, upper);
    const std::uint32_t below = scene.hold(lower, floor);
    Stepped stepped(scene);
    const IslandOutcome& outcome = stepped.step(upper, true);
    EXPECT_TRUE(outcome.in_balance);
    ASSERT_EQ(outcome.bodies.size(), 2U);
    // forces are on a, the lower one of both pairs
    const Vec3 upper_weight(0, 0, -2.0 * k_g), all(0, 0, 5.0 * k_g);
    EXPECT_LT((contact_of(outcome, between).force - upper_weight).norm(), k_exact * 5.0 * k_g);
    EXPECT_LT((contact_of(outcome, below).force - all).norm(), k_exact * 5.0 * k_g);
    // the centre of pressure is under the centre of mass of what lies above it
    const Vec3 under_both(0.2 * 2.0 / 5.0, 0, 0);
    EXPECT_LT((contact_of(outcome, between).point - Vec3(0.2, 0, 1)).norm(), 1e-7);
    EXPECT_LT((contact_of(outcome, below).point - under_both).norm(), 1e-7);
}

// A slender box tips over its lower edge: with d from the edge to the centre of mass, at phi from
// the vertical, the moment about the edge is 4/3 m d^2 and the angular acceleration
// 3 g sin(phi) / (4 d), which is 3/2 g sin(phi) / L of a thin rod.
TEST(IslandStep, ARodTipsAboutItsEnd) {
    const double tilt = 0.3;
    const Vec3 size(0.02, 0.02, 1.0);
    GraphScene scene(Settings{}, all_by("routh", 0.0, 1.0));
    const motion::Quat turned(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
    const Vec3 centre = turned * Vec3(-0.5 * size.x(), 0, 0.5 * size.z());  // from the edge
    const BodyId rod = scene.add(world_test::body("", shape::make_box(size), at(centre, turned)));
    const std::uint32_t pair = scene.hold(rod, scene.add(floor_plane()));
    Stepped stepped(scene);
    const IslandOutcome& outcome = stepped.step(rod, true);
    EXPECT_FALSE(outcome.in_balance);
    const double d = centre.norm();
    const double phi = std::atan2(centre.x(), centre.z());
    const double alpha = 3.0 * k_g * std::sin(phi) / (4.0 * d);
    EXPECT_NEAR(alpha, 1.5 * k_g * std::sin(phi) / 1.0, 1e-3 * alpha) << "a thin rod";
    // the mean of a step from rest differs by what the rod turns in it: alpha h^2 / 2 / tan(phi)
    const double error = alpha * outcome.h * outcome.h + k_exact;
    const LastingForm& form = outcome.bodies[0].segment.lasting;
    EXPECT_LT((form.alpha - alpha * Vec3::UnitY()).norm(), error * alpha);
    EXPECT_LT((form.a - alpha * Vec3::UnitY().cross(centre)).norm(), error * alpha);
    const Vec3 force = alpha * Vec3::UnitY().cross(centre) + Vec3(0, 0, k_g);
    EXPECT_LT((contact_of(outcome, pair).force - force).norm(), error * k_g);
}

TEST(IslandStep, ABoxThatRisesOpensItsContact) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId box = scene.add(moving(cube({0, 0, 0.5}), {0, 0, 1}));
    const std::uint32_t pair = scene.hold(box, scene.add(floor_plane()));
    Stepped stepped(scene);
    const IslandOutcome& outcome = stepped.step(box);
    EXPECT_TRUE(contact_of(outcome, pair).open);
    EXPECT_EQ(contact_of(outcome, pair).force, Vec3::Zero());
    EXPECT_FALSE(outcome.bodies[0].held);
    EXPECT_EQ(outcome.bodies[0].segment.kind, SegmentKind::flight);
    EXPECT_EQ(outcome.bodies[0].segment.state.velocity, Vec3(0, 0, 1));
}

// Without gravity two boxes face to face stay as they are.
TEST(IslandStep, NothingHappensToWhatNothingPresses) {
    GraphScene scene(with_gravity(Vec3::Zero()), all_by("routh", 0.5, 0.3));
    const BodyId a = scene.add(cube({0, 0, 0}));
    const BodyId b = scene.add(cube({1, 0, 0}));
    const std::uint32_t pair = scene.hold(a, b);
    Stepped stepped(scene);
    const IslandOutcome& outcome = stepped.step(a, true);
    EXPECT_TRUE(outcome.in_balance);
    EXPECT_EQ(contact_of(outcome, pair).force, Vec3::Zero());
    EXPECT_FALSE(contact_of(outcome, pair).open);
    for (const IslandBodyOutcome& body : outcome.bodies) {
        EXPECT_EQ(body.segment.lasting.a, Vec3::Zero());
        EXPECT_EQ(body.segment.lasting.alpha, Vec3::Zero());
    }
}

// A floor that moves as it is told takes a box along; its work is told as power.
TEST(IslandStep, ABeltTakesABoxAlong) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    const BodyId box = scene.add(cube({0, 0, 0.5}, 2.0));
    const BodyId belt = scene.add(moving(floor_plane(), {2, 0, 0}));
    scene.hold(box, belt);
    Stepped stepped(scene);
    const IslandOutcome& outcome = stepped.step(box);
    const LastingForm& form = outcome.bodies[0].segment.lasting;
    EXPECT_LT((form.a - Vec3(0.3 * k_g, 0, 0)).norm(), k_moving * k_g);
    const double power = 0.3 * 2.0 * k_g * 2.0;  // friction times the belt's speed
    EXPECT_NEAR(form.power, power, k_moving * power);
}

}  // namespace
}  // namespace carom::world
