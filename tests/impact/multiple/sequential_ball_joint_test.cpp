// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/impact/multiple/sequential.h"
#include "tests/impact/multiple/multi_contact_graphs.h"

namespace carom::tests {
namespace {

using namespace impact;

// Rods of length 1 and mass 1 along x, hinged end to end; the first to a fixed body if anchored.
MultiContactProblem rods(std::size_t count, bool anchored) {
    MultiContactProblem problem;
    const auto body_of = [&](std::size_t i) { return static_cast<std::uint32_t>(i); };
    for (std::size_t i = 0; i < count; ++i) {
        MultiContactBody rod;
        rod.inverse_mass = 1.0;
        rod.inverse_inertia = Vec3(1e4, 12.0, 12.0).asDiagonal();
        rod.position = {static_cast<double>(i) + 0.5, 0, 0};
        problem.bodies.push_back(rod);
        if (i > 0) {
            problem.contacts.push_back(
                hinge_of(body_of(i), body_of(i - 1), {static_cast<double>(i), 0, 0}));
        }
    }
    if (anchored) {
        problem.bodies.push_back({});
        problem.contacts.push_back(hinge_of(0, body_of(count), Vec3::Zero()));
    }
    return problem;
}

// All hinges at once: W p = -U, whose velocities are unique.
std::vector<MultiContactBody> all_hinges_at_once(const MultiContactProblem& problem) {
    const MultiContactSystem system = make_multi_contact_system(problem);
    const Eigen::VectorXd p = system.W.completeOrthogonalDecomposition().solve(-system.U);
    std::vector<Vec3> impulses;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        impulses.push_back(system.R_CW[i].transpose() *
                           p.segment<3>(static_cast<Eigen::Index>(3 * i)));
    }
    return apply_impulses(problem, impulses);
}

void expect_same_velocities(const std::vector<MultiContactBody>& bodies,
                            const std::vector<MultiContactBody>& expected, double tolerance) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        EXPECT_LT((bodies[b].v - expected[b].v).norm(), tolerance) << "body " << b;
        EXPECT_LT((bodies[b].w - expected[b].w).norm(), tolerance) << "body " << b;
    }
}

// Alternating projections converge to the projection on all constraints: with hinges alone the
// sequence ends where they hold all at once.
TEST(SequentialHinges, ConvergeToAllConstraintsAtOnce) {
    Random random(531);
    for (const std::size_t count : {2U, 3U, 6U}) {
        for (const bool anchored : {false, true}) {
            MultiContactProblem problem = rods(count, anchored);
            for (std::size_t i = 0; i < count; ++i) {
                problem.bodies[i].v = random.normal3();
                problem.bodies[i].w = random.normal3();
            }
            SequentialSettings settings;
            settings.tolerance = 1e-12;
            const MultiContactSolution solution = resolve_sequential(problem, settings);
            EXPECT_LE(solution.approach_left,
                      1e-12 * largest_residual(problem.bodies, problem.contacts));
            EXPECT_LT(solution.rounds, settings.most_rounds);
            expect_same_velocities(apply_impulses(problem, solution.impulses_W),
                                   all_hinges_at_once(problem), 1e-10);
        }
    }
}

// A rod hinged at one end is a physical pendulum: struck across at a distance d by a particle, it
// turns at w = (1 + e) m v d / (I + m d^2) with I = 1/3, and the hinge takes the rest.
TEST(SequentialHinges, APendulumIsStruck) {
    const double m = 0.4, speed = 2.0, e = 0.5;
    for (const double d : {0.3, 2.0 / 3.0, 1.0}) {
        MultiContactProblem problem = rods(1, true);
        problem.bodies.push_back(ball(m, 0.1, {d, 0.1, 0}, {0, -speed, 0}));
        problem.contacts.push_back(
            contact_of(2, 0, {d, 0, 0}, Vec3::UnitY(), LawId::frictionless, e, 0.0));
        SequentialSettings settings;
        settings.tolerance = 1e-13;
        const MultiContactSolution solution = resolve_sequential(problem, settings);
        const auto after = apply_impulses(problem, solution.impulses_W);
        // in sequence: the rod is struck free, the hinge acts, the ball may be met again
        EXPECT_LE(largest_residual(after, problem.contacts), 1e-12);
        // about the hinge the moment of momentum is kept, whatever the sequence
        const double turning = after[0].w.z() / 3.0 + m * d * after[2].v.y();
        EXPECT_NEAR(turning, -m * d * speed, 1e-12);
        EXPECT_GE(energy_lost(problem, solution.impulses_W), 0.0);
        // struck at the centre of percussion the hinge feels nothing: the single law's answer
        if (d == 2.0 / 3.0) {
            const double w = -(1.0 + e) * m * speed * d / (1.0 / 3.0 + m * d * d);
            EXPECT_NEAR(after[0].w.z(), w, 1e-12);
            EXPECT_LT(solution.impulses_W[0].norm(), 1e-12);
            EXPECT_EQ(solution.rounds, 1);
        }
    }
}

// What is left at the end is what the settings say, and a cut-off sequence says so.
TEST(SequentialHinges, ACutOffSequenceSaysWhatIsLeft) {
    MultiContactProblem problem = rods(8, true);
    problem.bodies[7].v = {0, 1, 0};
    SequentialSettings settings;
    double before = 2.0;
    for (const long most : {10L, 40L, 80L}) {
        settings.most_rounds = most;
        const MultiContactSolution solution = resolve_sequential(problem, settings);
        const auto after = apply_impulses(problem, solution.impulses_W);
        EXPECT_EQ(solution.rounds, most);
        EXPECT_NEAR(solution.approach_left, largest_residual(after, problem.contacts), 1e-14);
        EXPECT_LT(solution.approach_left, before);
        before = solution.approach_left;
    }
    EXPECT_GT(before, 1e-12);
}

// A hinge pulls as well as it pushes, and speeds of extreme size are speeds.
TEST(SequentialHinges, PullAtAnySpeed) {
    for (const double speed : {1e-200, 1.0, 1e150}) {
        MultiContactProblem problem = chain({1, 3}, {0, speed}, 0.0);
        problem.contacts[0] = hinge_of(1, 0, {1, 0, 0});
        const auto speeds = speeds_after(problem, resolve_sequential(problem));
        EXPECT_NEAR(speeds[0] / speed, 0.75, 1e-15);
        EXPECT_NEAR(speeds[1] / speed, 0.75, 1e-15);
    }
}

}  // namespace
}  // namespace carom::tests
