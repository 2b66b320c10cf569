// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Steps of piles: a stack makes hops that carry its weight, nothing overlaps at the end of a step,
// the balances are those of the velocities, and what comes down hard bounces.

#include "carom/world/pile/pile_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/world/pile/pile_tolerances.h"
#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::ball;
using world_test::cube;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::kinetic_energy;
using world_test::moving;

// Of velocities, relative to g h: the solver's residual at each of the few contacts of a stack.
constexpr double k_residual = 5.0 * k_pile_tolerances.residual;

double radius_of_cube() {
    return std::sqrt(0.75);
}
// Of a stack of cubes that has not taken a step before.
double first_length() {
    return std::min(k_pile_tolerances.first, k_pile_tolerances.longest_of_few) *
           std::sqrt(radius_of_cube() / k_g);
}

// Three cubes of 1, 2 and 3 kg, the heaviest below, that come down as from the last hop.
struct Stack {
    explicit Stack(double speed) : scene(Settings{}, all_by("routh", 0.5, 0.4)) {
        for (int k = 0; k < 3; ++k)
            bodies.push_back(
                scene.add(moving(cube({0.05 * k, 0, 0.5 + k}, 3.0 - k), {0, 0, -speed})));
        floor = scene.add(floor_plane());
        pairs = {scene.hold(0, floor), scene.hold(0, 1), scene.hold(1, 2)};
    }
    GraphScene scene;
    std::vector<BodyId> bodies;
    BodyId floor;
    std::vector<std::uint32_t> pairs;
};

const PilePairOutcome& pair_of(const PileOutcome& outcome, std::uint32_t pair) {
    for (const PilePairOutcome& seen : outcome.pairs)
        if (seen.pair == pair) return seen;
    throw std::logic_error("not in the pile");
}

// One step of all that the graph has.
const PileOutcome& step(PileStepper& stepper, const std::vector<BodyId>& bodies) {
    const double h = stepper.length_of(bodies, 0.0);
    EXPECT_TRUE(stepper.look(bodies, {.h = h, .whole = h}).empty()) << "nobody sleeps";
    EXPECT_EQ(stepper.solve(), 0.0) << "nothing is left";
    return stepper.outcome();
}

TEST(PileStep, LengthsFollowTheSizeAndWhatTurns) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.4));
    const BodyId still = scene.add(cube({0, 0, 0.5}));
    const BodyId turning = scene.add(moving(cube({3, 0, 0.5}), Vec3::Zero(), {0, 0, 100}));
    scene.hold(turning, scene.add(floor_plane()));
    const StopCheck* stop = nullptr;
    const PileStepper stepper(scene.graph(), stop);
    const double unit = std::sqrt(radius_of_cube() / k_g);
    const auto close = [&](double h, double expected) { EXPECT_NEAR(h, expected, 1e-12 * unit); };
    const std::vector<BodyId> many(k_pile_tolerances.few + 1, still);
    close(stepper.length_of(many, 0.0), k_pile_tolerances.first * unit);
    close(stepper.length_of(many, 1.0), k_pile_tolerances.longest * unit);
    close(stepper.length_of({still}, 1.0), k_pile_tolerances.longest_of_few * unit);
    close(stepper.length_of({still}, 1e-9), k_pile_tolerances.shortest * unit);
    close(stepper.length_of({still}, 0.01 * unit), 0.01 * unit);
    close(stepper.length_of({still, turning}, 1.0),
          std::max(k_pile_tolerances.turn / 100.0, k_pile_tolerances.shortest * unit));
}

// What comes down with g h / 2 leaves with g h / 2: the impulse is the weight of all above, for h.
TEST(PileStep, ImpulsesCarryTheWeight) {
    const double h = first_length();
    Stack stack(0.5 * k_g * h);
    const StopCheck* stop = nullptr;
    PileStepper stepper(stack.scene.graph(), stop);
    const PileOutcome& outcome = step(stepper, stack.bodies);
    EXPECT_NEAR(outcome.h, h, 1e-12 * h);
    const double weights[] = {6.0, 3.0, 1.0};
    for (std::size_t k = 0; k < 3; ++k) {
        const PilePairOutcome& seen = pair_of(outcome, stack.pairs[k]);
        EXPECT_TRUE(seen.touches && seen.covered);
        EXPECT_NEAR(seen.pressure, weights[k] * k_g * h, k_residual * 6.0 * k_g * h) << k;
        EXPECT_NEAR(seen.gap, 0.0, 1e-12);
        EXPECT_EQ(seen.rebound, 0.0);
    }
    ASSERT_EQ(outcome.bodies.size(), 3U);
    for (const auto& [id, state] : outcome.bodies) {
        EXPECT_LT((state.velocity - Vec3(0, 0, 0.5 * k_g * h)).norm(), k_residual * k_g * h) << id;
        EXPECT_EQ(state.position, stack.scene.body(id).first.position);
    }
}

// From rest half of it: the hop has yet to begin.
TEST(PileStep, AStackAtRestBeginsToHop) {
    const double h = first_length();
    Stack stack(0.0);
    const StopCheck* stop = nullptr;
    PileStepper stepper(stack.scene.graph(), stop);
    const PileOutcome& outcome = step(stepper, stack.bodies);
    EXPECT_NEAR(pair_of(outcome, stack.pairs[0]).pressure, 3.0 * k_g * h,
                k_residual * 6.0 * k_g * h);
    for (const auto& [id, state] : outcome.bodies)
        EXPECT_LT((state.velocity - Vec3(0, 0, 0.5 * k_g * h)).norm(), k_residual * k_g * h) << id;
}

// The lowest corner of a cube, and the highest.
double edge_of(const motion::State& s, double sign) {
    const Mat3 R = s.orientation.toRotationMatrix();
    return s.position.z() + sign * 0.5 * R.row(2).cwiseAbs().sum();
}

TEST(PileStep, NeighboursDoNotOverlapAtTheEnd) {
    for (const double speed : {0.0, 0.02, 0.3}) {
        Stack stack(speed);
        const StopCheck* stop = nullptr;
        PileStepper stepper(stack.scene.graph(), stop);
        const PileOutcome& outcome = step(stepper, stack.bodies);
        double below = 0.0;
        for (const auto& [id, state] : outcome.bodies) {
            const Segment segment{0.0, id, SegmentKind::flight, state};
            const motion::Motion flight =
                make_motion(stack.scene.body(id), segment, stack.scene.gravity());
            const motion::State end = motion::at(flight, outcome.h);
            const double allowed =
                PileStepper::k_most_left * k_pile_tolerances.gap * radius_of_cube();
            EXPECT_GE(edge_of(end, -1.0) - below, -allowed) << speed << ", body " << id;
            below = edge_of(end, 1.0);
        }
    }
}

// A heap that is pushed and turns: momentum, energy and the work of the floor are those of the
// velocities before and after the impulses.
void expect_balance(const Vec3& floor_velocity) {
    GraphScene scene(Settings{}, all_by("routh", 0.3, 0.4));
    std::vector<BodyId> bodies;
    bodies.push_back(scene.add(moving(cube({0, 0, 0.5}, 3.0), {1, 0, -0.1})));
    bodies.push_back(scene.add(moving(cube({0.1, 0, 1.5}, 1.0), {0, 0.5, -0.2}, {0, 0, 1})));
    bodies.push_back(scene.add(moving(ball({0.2, 0.1, 2.25}, 2.0), {-1, 0, -0.5}, {0, 3, 0})));
    const BodyId floor = scene.add(moving(floor_plane(), floor_velocity));
    scene.hold(0, floor);
    scene.hold(0, 1);
    scene.hold(1, 2);
    const StopCheck* stop = nullptr;
    PileStepper stepper(scene.graph(), stop);
    const PileOutcome& outcome = step(stepper, bodies);
    double before = 0.0, after = 0.0;
    Vec3 gained = Vec3::Zero();
    for (const auto& [id, state] : outcome.bodies) {
        const Body& body = scene.body(id);
        const motion::State& first = body.first;
        before += kinetic_energy(body, first.orientation, first.velocity, first.angular_velocity);
        after += kinetic_energy(body, first.orientation, state.velocity, state.angular_velocity);
        gained += body.mass * (state.velocity - first.velocity);
    }
    // the floor gives all that the pile gains, and works with its own speed
    constexpr double k_within = 1e-12;
    EXPECT_LT((outcome.given - gained).norm(), k_within * gained.norm());
    EXPECT_NEAR(outcome.driven, gained.dot(floor_velocity), k_within * before);
    EXPECT_NEAR(outcome.lost, before + outcome.driven - after, k_within * before);
    EXPECT_GT(outcome.lost, 0.0);
    const PilePairOutcome& below = pair_of(outcome, scene.pair(0, floor));
    EXPECT_LT((below.impulse - gained).norm(), k_within * gained.norm());
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < below.point_count; ++k)
        sum += outcome.h * outcome.points[below.first_point + k].force;
    EXPECT_LT((sum - below.impulse).norm(), k_within * gained.norm());
}

TEST(PileStep, EnergyAndMomentumBalance) {
    expect_balance(Vec3::Zero());
}

TEST(PileStep, AFloorThatMovesDoesWork) {
    expect_balance({2, -1, 0});
}

// A ball that would be below the floor at half of the step touches it at the end, and is to part
// with e times the speed that it came with; in the next step it does.
TEST(PileStep, WhatComesDownHardBouncesInTheNextStep) {
    constexpr double k_speed = 4.0;
    const double h =
        std::min(k_pile_tolerances.first, k_pile_tolerances.longest_of_few) * std::sqrt(0.25 / k_g);
    const double gap = 0.5 * k_speed * h;
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.4));
    const BodyId falling = scene.add(moving(ball({0, 0, 0.25 + gap}), {0, 0, -k_speed}));
    const BodyId floor = scene.add(floor_plane());
    const std::uint32_t pair = scene.pair(falling, floor);
    const StopCheck* stop = nullptr;
    PileStepper stepper(scene.graph(), stop);
    const PileOutcome first = step(stepper, {falling});
    // in the middle of the flight it has the speed that brings it to the floor
    EXPECT_NEAR(first.bodies[0].second.velocity.z() - 0.5 * k_g * h, -gap / h, 1e-3 * k_speed);
    const double due = pair_of(first, pair).rebound;
    EXPECT_NEAR(due, 0.5 * k_speed, 0.5 * k_g * h);
    EXPECT_EQ(pair_of(first, pair).covered, true);

    GraphScene next(Settings{}, all_by("routh", 0.5, 0.4));
    const BodyId touching = next.add(moving(ball({0, 0, 0.25}), {0, 0, -gap / h}));
    const std::uint32_t held = next.hold(touching, next.add(floor_plane()));
    next.graph().pair(held).rebound = due;
    PileStepper again(next.graph(), stop);
    const PileOutcome second = step(again, {touching});
    EXPECT_NEAR(second.bodies[0].second.velocity.z() - 0.5 * k_g * h, due, 1e-3 * k_speed);
    EXPECT_EQ(pair_of(second, held).rebound, 0.0);
}

// What is not of the pile, and no sleeper either, is left to the law of its pair.
TEST(PileStep, StrangersAreLeftToTheirLaw) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.4));
    const BodyId lower = scene.add(cube({0, 0, 0.5}));
    const BodyId stranger = scene.add(cube({0, 0, 1.5}));
    const BodyId floor = scene.add(floor_plane());
    scene.hold(lower, floor);
    const StopCheck* stop = nullptr;
    PileStepper stepper(scene.graph(), stop);
    const PileOutcome& outcome = step(stepper, {lower});
    ASSERT_EQ(outcome.by_law.size(), 1U);
    EXPECT_EQ(outcome.by_law[0], scene.pair(lower, stranger));
    EXPECT_EQ(outcome.bodies.size(), 1U);
}

// A hard hit on a sleeper wakes it; a slow one does not.
TEST(PileStep, HardHitsWakeSleepers) {
    for (const double speed : {0.01, 2.0}) {
        GraphScene scene(Settings{}, all_by("routh", 0.5, 0.4));
        const BodyId sleeper = scene.add(cube({0, 0, 0.5}));
        const BodyId falling = scene.add(moving(cube({0, 0, 1.501}), {0, 0, -speed}));
        scene.add(floor_plane());
        scene.put_to_sleep(sleeper);
        const StopCheck* stop = nullptr;
        PileStepper stepper(scene.graph(), stop);
        const auto wakes = stepper.look({falling}, {.h = first_length(), .whole = first_length()});
        ASSERT_EQ(wakes.size(), speed > 1.0 ? 1U : 0U);
        if (wakes.empty()) continue;
        EXPECT_EQ(wakes[0].body, sleeper);
        EXPECT_EQ(wakes[0].by, falling);
    }
}

// A ball that comes down hard: by law the step leaves it alone, and it flies on as it is; else the
// step takes it up, and counts it. One that touches already is hit before the step.
TEST(PileStep, ByLawHardApproachesAreLeftToTheirTime) {
    constexpr double k_speed = 4.0;
    const double h =
        std::min(k_pile_tolerances.first, k_pile_tolerances.longest_of_few) * std::sqrt(0.25 / k_g);
    for (const bool touches : {false, true}) {
        for (const bool by_law : {false, true}) {
            GraphScene scene(Settings{}, all_by("routh", 0.5, 0.4));
            const double gap = touches ? 0.0 : 0.5 * k_speed * h;
            const BodyId falling = scene.add(moving(ball({0, 0, 0.25 + gap}), {0, 0, -k_speed}));
            const std::uint32_t pair = scene.pair(falling, scene.add(floor_plane()));
            const StopCheck* stop = nullptr;
            PileStepper stepper(scene.graph(), stop);
            stepper.look({falling}, {.h = h, .whole = h, .by_law = by_law});
            ASSERT_EQ(stepper.hits().size(), by_law && touches ? 1U : 0U);
            if (touches) continue;
            stepper.solve();
            const PileOutcome& outcome = stepper.outcome();
            EXPECT_EQ(outcome.restitutions, by_law ? 0U : 1U);
            EXPECT_EQ(pair_of(outcome, pair).covered, !by_law);
            EXPECT_EQ(pair_of(outcome, pair).pressure > 0.0, !by_law);
            if (!by_law) continue;
            // but for the rounding of half a fall, added and taken off
            EXPECT_NEAR(outcome.bodies[0].second.velocity.z(), -k_speed, 1e-15 * k_speed);
        }
    }
}

// Columns of cubes that overlap, which parting them would lift: what a step gives is at most the
// energy of its micro-bounces, (g h / 2)^2 / 2 a kilogram, and nothing if the pile has had it.
TEST(PileStep, AddsNoMoreThanItsMicroBounces) {
    for (const int count : {5, 40}) {
        for (const double speed : {0.0, 0.05, 2.0}) {
            GraphScene scene(Settings{}, all_by("routh", 0.9, 0.4));
            std::vector<BodyId> bodies;
            for (int k = 0; k < count; ++k)
                bodies.push_back(scene.add(moving(cube({0, 0, 0.5 + 0.99 * k}), {0, 0, -speed})));
            const BodyId floor = scene.add(floor_plane());
            scene.hold(0, floor);
            for (BodyId k = 0; k + 1 < bodies.size(); ++k)
                scene.hold(k, k + 1);
            const StopCheck* stop = nullptr;
            PileStepper stepper(scene.graph(), stop);
            const double h = first_length();
            const double bounces = 0.125 * count * k_g * k_g * h * h;
            const double rounding = 1e-9 * (bounces + count * speed * speed);
            for (const double debt : {0.0, bounces}) {
                stepper.look(bodies, {.h = h, .whole = h});
                stepper.solve();
                if (stepper.adds_energy(debt)) {
                    stepper.look(bodies, {.h = h, .whole = h});
                    stepper.solve_without_gain(debt);
                }
                EXPECT_FALSE(stepper.adds_energy(debt));
                EXPECT_LE(-stepper.outcome().lost, bounces - debt + rounding)
                    << count << " cubes, " << speed << " m/s, debt " << debt;
            }
        }
    }
}

}  // namespace
}  // namespace carom::world
