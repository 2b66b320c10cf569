// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <cstring>

#include "carom/impact/multiple/coupled.h"
#include "tests/impact/multiple/multi_contact_graphs.h"

// What must hold for any problem of many contacts: random graphs of up to 30 contacts with mixed
// laws, restitutions, frictions, powers and stiffnesses.
namespace carom::tests {
namespace {

using impact::CoupledSettings;
using impact::LawId;
using impact::MultiContactPoint;
using impact::MultiContactProblem;
using impact::MultiContactSolution;
using impact::resolve_coupled;

void give_spring(MultiContactPoint& contact, Random& random) {
    const double pick = random.uniform();
    contact.power = pick < 0.4 ? 1.0 : pick < 0.8 ? 1.5 : random.uniform(1.0, 2.5);
    contact.stiffness = random.log_uniform(0.1, 10.0);
}

void give_parameters(MultiContactPoint& contact, Random& random, LawId law, double e) {
    contact.law = &impact::law_info(law);
    contact.parameters.e = e;
    contact.parameters.mu = random.uniform(0.0, 1.2);
    contact.parameters.eta2 = random.uniform(1.0, 1.5);
    give_spring(contact, random);
}

// Impulses push, stay in the cone and never raise the energy; the bodies part.
void expect_right(const MultiContactProblem& problem, const MultiContactSolution& solution, int i) {
    const double energy = kinetic_energy(problem.bodies);
    const double lost = impact::energy_lost(problem, solution.impulses_W);
    ASSERT_GE(lost, -1e-10 * energy) << i << show(problem);
    ASSERT_LE(lost, energy * (1.0 + 1e-12)) << i << show(problem);
    double largest = 0.0;
    for (const Vec3& p : solution.impulses_W)
        largest = std::max(largest, p.norm());
    for (std::size_t j = 0; j < problem.contacts.size(); ++j) {
        const MultiContactPoint& contact = problem.contacts[j];
        if (contact.kind == impact::ContactKind::ball_joint) continue;
        const double normal = solution.impulses_W[j].dot(contact.normal);
        const Vec3 friction = solution.impulses_W[j] - normal * contact.normal;
        ASSERT_GE(normal, -1e-12 * largest) << i << show(problem);
        ASSERT_LE(friction.norm(), *contact.parameters.mu * normal + 1e-8 * largest)
            << i << " contact " << j << show(problem);
    }
    const double left =
        largest_residual(impact::apply_impulses(problem, solution.impulses_W), problem.contacts);
    ASSERT_LE(left, solution.approach_left + 1e-12) << i << show(problem);
}

void try_graphs(std::uint64_t seed, int count, const std::vector<LawId>& laws, double least_e,
                double hinges) {
    Random random(seed);
    int finished = 0;
    for (int i = 0; i < count; ++i) {
        const std::size_t contacts = 1 + random.bits() % 30;
        const MultiContactProblem problem =
            random_graph(random, contacts, [&](MultiContactPoint& contact, Random& r) {
                const LawId law = laws[r.bits() % laws.size()];
                const double e = r.uniform() < 0.1 && least_e < 1.0 ? 0.0 : r.uniform(least_e, 1.0);
                give_parameters(contact, r, law, e);
                if (r.uniform() < hinges) {
                    contact.kind = impact::ContactKind::ball_joint;
                    contact.law = nullptr;
                }
            });
        CoupledSettings settings;
        settings.most_pieces = 1500;
        MultiContactSolution solution;
        try {
            solution = resolve_coupled(problem, settings);
        } catch (const std::invalid_argument& refusal) {
            ASSERT_NE(std::strstr(refusal.what(), "the hinges leave"), nullptr) << refusal.what();
            continue;
        }
        expect_right(problem, solution, i);
        if (testing::Test::HasFatalFailure()) return;
        if (solution.rounds == settings.most_pieces) continue;
        ++finished;
        const double fastest = largest_residual(problem.bodies, problem.contacts);
        ASSERT_LE(solution.approach_left, 1e-7 * fastest) << i << show(problem);
    }
    // graphs that cannot part go on for long; the others must be among them
    EXPECT_GE(finished, count / 4);
}

}  // namespace

TEST(CoupledGraphs, WithoutFriction) {
    try_graphs(901, 16, {LawId::frictionless}, 0.2, 0.0);
}
TEST(CoupledGraphs, WithFrictionBehindSprings) {
    try_graphs(902, 5, {LawId::compliant}, 0.2, 0.0);
}
TEST(CoupledGraphs, WithRigidFriction) {
    try_graphs(903, 4, {LawId::routh}, 0.2, 0.0);
}
TEST(CoupledGraphs, WithAllOfThemAndHinges) {
    try_graphs(904, 8, {LawId::frictionless, LawId::routh, LawId::compliant}, 0.0, 0.15);
}

// e = 1: no energy is lost, and it comes to an end wherever the bodies can part: trees of contacts
// always can.
TEST(CoupledGraphs, ElasticTreesEnd) {
    Random random(905);
    for (int i = 0; i < 40; ++i) {
        const std::size_t contacts = 1 + random.bits() % 30;
        MultiContactProblem problem;
        for (std::size_t b = 0; b <= contacts; ++b) {
            impact::MultiContactBody body =
                ball(random.log_uniform(0.3, 3.0), 0.5, 2.0 * random.normal3(), random.normal3());
            body.w = random.normal3();
            problem.bodies.push_back(body);
            if (b == 0) continue;
            const auto parent = static_cast<std::uint32_t>(random.bits() % b);
            MultiContactPoint contact =
                contact_of(static_cast<std::uint32_t>(b), parent, body.position + random.normal3(),
                           random.direction(), LawId::frictionless, 1.0, 0.0);
            give_spring(contact, random);
            problem.contacts.push_back(contact);
        }
        const MultiContactSolution solution = resolve_coupled(problem);
        EXPECT_LT(solution.rounds, 3000) << i;
        EXPECT_LT(solution.approach_left, 1e-8) << i;
        EXPECT_NEAR(impact::energy_lost(problem, solution.impulses_W), 0.0,
                    1e-10 * kinetic_energy(problem.bodies))
            << i;
    }
}

// A ball between two walls cannot part from both: cut off, and said so.
TEST(CoupledGraphs, WhatCannotEndIsCutOffHonestly) {
    MultiContactProblem problem;
    problem.bodies = {ball(1.0, 1.0, Vec3::Zero(), {1, 0, 0}), {}, {}};
    problem.contacts = {contact_of(0, 1, {1, 0, 0}, -Vec3::UnitX(), LawId::frictionless, 1.0, 0.0),
                        contact_of(0, 2, {-1, 0, 0}, Vec3::UnitX(), LawId::frictionless, 1.0, 0.0)};
    CoupledSettings settings;
    settings.most_pieces = 300;
    const MultiContactSolution solution = resolve_coupled(problem, settings);
    EXPECT_EQ(solution.rounds, 300);
    EXPECT_LE(std::abs(impact::energy_lost(problem, solution.impulses_W)), 0.5 + 1e-12);
    EXPECT_NEAR(solution.approach_left,
                std::abs(impact::apply_impulses(problem, solution.impulses_W)[0].v.x()), 1e-12);
}

TEST(CoupledGraphs, TheSameBitsTwiceAndScalesWithSpeed) {
    Random random(906);
    int compared = 0;
    for (int i = 0; i < 5; ++i) {
        const MultiContactProblem problem =
            random_graph(random, 8, [](MultiContactPoint& contact, Random& r) {
                give_parameters(contact, r, LawId::compliant, r.uniform(0.3, 1.0));
                contact.power = 1.5;
            });
        CoupledSettings settings;
        settings.most_pieces = 1500;
        const MultiContactSolution first = resolve_coupled(problem, settings);
        const MultiContactSolution second = resolve_coupled(problem, settings);
        MultiContactProblem slower = problem;
        for (impact::MultiContactBody& body : slower.bodies) {
            body.v *= 1e-3;
            body.w *= 1e-3;
        }
        const MultiContactSolution third = resolve_coupled(slower, settings);
        const bool ended = first.rounds < settings.most_pieces;
        compared += ended;
        double largest = 0.0;
        for (const Vec3& p : first.impulses_W)
            largest = std::max(largest, p.norm());
        for (std::size_t j = 0; j < problem.contacts.size(); ++j) {
            EXPECT_EQ(first.impulses_W[j], second.impulses_W[j]);
            // one power at all contacts: only ratios of stiffness matter
            if (!ended) continue;
            EXPECT_LT((1e3 * third.impulses_W[j] - first.impulses_W[j]).norm(), 1e-9 * largest);
        }
    }
    EXPECT_GE(compared, 4);
}

}  // namespace carom::tests
