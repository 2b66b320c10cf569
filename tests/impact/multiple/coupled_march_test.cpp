// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/impact/multiple/coupled_march.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/impact/multiple/multi_contact_graphs.h"

// Coupled impacts in steps, taken where the path is given up: the same answers to about a per cent,
// energy that never rises, and an end of the work.
namespace carom::tests {
namespace {

using impact::CoupledSettings;
using impact::LawId;
using impact::MultiContactPoint;
using impact::MultiContactProblem;
using impact::MultiContactSolution;
using impact::resolve_coupled;

// The path is given up at once.
CoupledSettings in_steps(double rest) {
    CoupledSettings settings;
    settings.path_work = 1e-9;
    settings.rest = rest;
    return settings;
}

double largest_of(const std::vector<Vec3>& impulses) {
    double largest = 0.0;
    for (const Vec3& p : impulses)
        largest = std::max(largest, p.norm());
    return largest;
}

// A box on four corners with a second one on it, thrown down askew: eight contacts that hold each
// other, with friction.
MultiContactProblem two_boxes(double e, double mu, LawId law) {
    MultiContactProblem problem;
    problem.bodies.push_back({});
    for (int k = 0; k < 2; ++k) {
        impact::MultiContactBody box =
            ball(1.0, 0.05, {0.0, 0.0, 0.05 + 0.1 * k}, {0.3, 0.1, -1.0});
        box.w = {0.5, -0.2, 0.1};
        problem.bodies.push_back(box);
        for (const double x : {-0.05, 0.05}) {
            for (const double y : {-0.05, 0.05}) {
                const auto below = static_cast<std::uint32_t>(k);
                problem.contacts.push_back(
                    contact_of(below + 1, below, {x, y, 0.1 * k}, Vec3::UnitZ(), law, e, mu));
            }
        }
    }
    return problem;
}

TEST(CoupledMarch, FiveBallsAsInTheTable) {
    const MultiContactProblem problem = chain({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, 1.0);
    const MultiContactSolution solution = resolve_coupled(problem, in_steps(1e-10));
    EXPECT_TRUE(solution.ended);
    const std::vector<double> speeds = speeds_after(problem, solution);
    const std::array<double, 5> expected{-0.0711, -0.0303, -0.0145, 0.1270, 0.9888};
    for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(speeds[k], expected[k], 3e-3) << k;
}

TEST(CoupledMarch, KeepsAllEnergyAtFullRestitution) {
    for (const MultiContactProblem& problem :
         {chain({1, 2, 1, 3, 1}, {1, 0, 0, 0, 0}, 1.0), two_boxes(1.0, 0.0, LawId::frictionless)}) {
        const MultiContactSolution solution = resolve_coupled(problem, in_steps(1e-10));
        EXPECT_TRUE(solution.ended);
        EXPECT_NEAR(impact::energy_lost(problem, solution.impulses_W), 0.0,
                    1e-12 * kinetic_energy(problem.bodies));
    }
}

// One contact is its own law, to the length of the steps.
TEST(CoupledMarch, OneContactIsItsOwnLaw) {
    Random random(81);
    for (int i = 0; i < 60; ++i) {
        MultiContactProblem problem;
        const double e = i % 9 == 0 ? 0.0 : random.uniform(0.2, 1.0);
        problem.bodies = {ball(1.0, 1.0, Vec3::Zero(), random.normal3()), {}};
        problem.bodies[0].v.z() = -1.0;
        problem.bodies[0].w = random.normal3();
        problem.contacts = {contact_of(0, 1, {0, 0, -1}, Vec3::UnitZ(), LawId::routh, e,
                                       random.uniform(0.05, 1.0))};
        const std::vector<Vec3> path = resolve_coupled(problem).impulses_W;
        const std::vector<Vec3> steps = resolve_coupled(problem, in_steps(1e-8)).impulses_W;
        EXPECT_LT((path[0] - steps[0]).norm(), 1e-2 * path[0].norm()) << i;
    }
}

// Redundant contacts with friction, on which the path gets nowhere: ended, energy lost, impulses in
// their cones.
TEST(CoupledMarch, RedundantContactsEnd) {
    for (const double e : {0.0, 0.1, 0.3, 0.7, 1.0}) {
        const MultiContactProblem problem = two_boxes(e, 0.5, LawId::routh);
        const MultiContactSolution solution = resolve_coupled(problem, in_steps(1e-3));
        EXPECT_TRUE(solution.ended) << e;
        EXPECT_LT(solution.rounds, 20000) << e;
        EXPECT_LT(solution.approach_left, 1.1e-3 * 1.1) << e;
        EXPECT_GT(impact::energy_lost(problem, solution.impulses_W), 0.0) << e;
        const double largest = largest_of(solution.impulses_W);
        for (const Vec3& p : solution.impulses_W) {
            EXPECT_GE(p.z(), -1e-12 * largest);
            EXPECT_LE(p.head<2>().norm(), 0.5 * p.z() + 1e-12 * largest);
        }
    }
}

// Random graphs: energy never rises, whether it comes to an end or not.
TEST(CoupledMarch, NeverRaisesEnergy) {
    Random random(82);
    for (int i = 0; i < 30; ++i) {
        const std::size_t contacts = 1 + random.bits() % 30;
        const MultiContactProblem problem =
            random_graph(random, contacts, [&](MultiContactPoint& contact, Random& r) {
                contact.law = &impact::law_info(LawId::routh);
                contact.parameters.e = r.uniform() < 0.2 ? 0.0 : r.uniform(0.0, 1.0);
                contact.parameters.mu = r.uniform(0.0, 1.2);
                contact.power = r.uniform() < 0.5 ? 1.0 : 1.5;
                contact.stiffness = r.log_uniform(0.1, 10.0);
            });
        CoupledSettings settings = in_steps(1e-3);
        settings.step_work = 5e6;
        const MultiContactSolution solution = resolve_coupled(problem, settings);
        ASSERT_GE(impact::energy_lost(problem, solution.impulses_W),
                  -1e-10 * kinetic_energy(problem.bodies))
            << i << show(problem);
    }
}

// The bound: a ball between two walls at e = 1 never ends, and is told so, with its energy.
TEST(CoupledMarch, TheBoundIsTold) {
    MultiContactProblem problem;
    problem.bodies = {ball(1.0, 1.0, Vec3::Zero(), {1, 0, 0}), {}, {}};
    problem.contacts = {contact_of(0, 1, {1, 0, 0}, -Vec3::UnitX(), LawId::frictionless, 1.0, 0.0),
                        contact_of(0, 2, {-1, 0, 0}, Vec3::UnitX(), LawId::frictionless, 1.0, 0.0)};
    CoupledSettings settings = in_steps(1e-10);
    settings.step_work = 1e5;
    const MultiContactSolution solution = resolve_coupled(problem, settings);
    EXPECT_FALSE(solution.ended);
    EXPECT_LT(solution.rounds, 1e5);
    EXPECT_GE(impact::energy_lost(problem, solution.impulses_W), -1e-12);
    settings.path_work = 1e9;
    settings.most_pieces = 100;
    EXPECT_FALSE(resolve_coupled(problem, settings).ended);
    settings.step_work = 0.0;
    EXPECT_THROW(resolve_coupled(problem, settings), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
