// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <cmath>

#include "carom/impact/multiple/sequential.h"
#include "tests/impact/multiple/multi_contact_graphs.h"

// What must hold for any graph of contacts.
namespace carom::tests {
namespace {

using namespace impact;

// Laws that answer any contact.
constexpr LawId k_any[] = {LawId::frictionless,
                           LawId::routh,
                           LawId::whittaker,
                           LawId::smith,
                           LawId::anitescu_potra,
                           LawId::region_spherical,
                           LawId::region_projected,
                           LawId::chatterjee_ruina,
                           LawId::composite,
                           LawId::compliant,
                           LawId::micro};
// Those of them that never create energy with the terminations drawn here.
constexpr LawId k_lossy[] = {LawId::frictionless,
                             LawId::routh,
                             LawId::smith,
                             LawId::anitescu_potra,
                             LawId::region_spherical,
                             LawId::region_projected,
                             LawId::chatterjee_ruina,
                             LawId::compliant};

template <std::size_t N>
auto one_of(const LawId (&laws)[N]) {
    return [&laws](MultiContactPoint& contact, Random& random) {
        contact.law = &law_info(laws[random.bits() % N]);
        contact.parameters = random_parameters(random);
    };
}

SequentialSettings few_rounds() {
    SequentialSettings settings;
    settings.most_rounds = 2000;
    return settings;
}

TEST(SequentialProperties, WhatIsLeftIsWhatItSays) {
    Random random(551);
    int ended = 0, cut_off = 0;
    for (int round = 0; round < 150; ++round) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 30, one_of(k_any));
        ASSERT_EQ(check_multi_contact_problem(problem), "");
        const SequentialSettings settings = few_rounds();
        const MultiContactSolution solution = resolve_sequential(problem, settings);
        const auto after = apply_impulses(problem, solution.impulses_W);
        const double before = largest_residual(problem.bodies, problem.contacts);
        const double left = largest_residual(after, problem.contacts);
        double pushed = 0.0;
        for (const Vec3& p : solution.impulses_W)
            pushed = std::max(pushed, p.norm());
        EXPECT_NEAR(solution.approach_left, left, 1e-12 * (1.0 + before + pushed)) << show(problem);
        if (solution.rounds < settings.most_rounds) {
            EXPECT_LE(solution.approach_left, settings.tolerance * before + 1e-13) << show(problem);
            ++ended;
        } else {
            ++cut_off;
        }
    }
    // both kinds are among them
    EXPECT_GT(ended, 50);
    EXPECT_GT(cut_off, 3);
}

TEST(SequentialProperties, ImpulsesPushAndFrictionStaysInItsCone) {
    Random random(552);
    for (int round = 0; round < 100; ++round) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 30, one_of(k_lossy));
        const MultiContactSolution solution = resolve_sequential(problem, few_rounds());
        for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
            const MultiContactPoint& c = problem.contacts[i];
            const Vec3& p = solution.impulses_W[i];
            const double normal = p.dot(c.normal);
            EXPECT_GE(normal, 0.0) << i << show(problem);
            const double mu = c.law->id == LawId::frictionless ? 0.0 : *c.parameters.mu;
            EXPECT_LE((p - normal * c.normal).norm(), mu * normal * (1.0 + 1e-9) + 1e-14 * normal)
                << i << " " << c.law->name << show(problem);
        }
    }
}

TEST(SequentialProperties, EnergyNeverRises) {
    Random random(553);
    for (int round = 0; round < 150; ++round) {
        MultiContactProblem problem = random_graph(random, 1 + random.bits() % 30, one_of(k_lossy));
        // some of the joints are hinges
        for (MultiContactPoint& contact : problem.contacts) {
            if (random.uniform() > 0.1) continue;
            contact.kind = ContactKind::ball_joint;
            contact.law = nullptr;
        }
        ASSERT_EQ(check_multi_contact_problem(problem), "");
        const double before = kinetic_energy(problem.bodies);
        double lost = 0.0;
        for (const long most : {1L, 3L, 10L, 100L, 1000L}) {
            SequentialSettings settings;
            settings.most_rounds = most;
            const MultiContactSolution solution = resolve_sequential(problem, settings);
            const double now = energy_lost(problem, solution.impulses_W);
            EXPECT_GE(now, lost - 1e-10 * before) << most << show(problem);
            EXPECT_LE(now, before * (1.0 + 1e-10));
            lost = now;
        }
    }
}

// Elastic contacts without friction end, wherever a motion opens all of them: here each normal is
// turned so that one given motion does. Otherwise what is left is reported.
TEST(SequentialProperties, ElasticGraphsEnd) {
    Random random(554);
    const auto elastic = [](MultiContactPoint& contact, Random&) {
        contact.law = &law_info(LawId::frictionless);
        contact.parameters.e = 1.0;
    };
    long most = 0;
    for (int round = 0; round < 200; ++round) {
        MultiContactProblem problem = random_graph(random, 1 + random.bits() % 30, elastic);
        std::vector<MultiContactBody> opening = problem.bodies;
        for (MultiContactBody& body : opening) {
            if (body.fixed()) continue;
            body.v = random.normal3();
            body.w = random.normal3();
        }
        for (MultiContactPoint& contact : problem.contacts) {
            const Vec3 u = contact_velocity(opening, contact);
            if (u.dot(contact.normal) < 0.0) contact.normal = -contact.normal;
            contact.normal = (contact.normal + 0.2 * u.normalized()).normalized();
        }
        const MultiContactSolution solution = resolve_sequential(problem);
        EXPECT_LT(solution.rounds, 100'000) << show(problem);
        EXPECT_NEAR(energy_lost(problem, solution.impulses_W), 0.0,
                    1e-11 * (1.0 + kinetic_energy(problem.bodies)));
        most = std::max(most, solution.rounds);
    }
    EXPECT_GT(most, 30);
}

TEST(SequentialProperties, TheSameProblemGivesTheSameBits) {
    Random random(555);
    for (int round = 0; round < 40; ++round) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 30, one_of(k_any));
        const MultiContactSolution first = resolve_sequential(problem, few_rounds());
        const MultiContactSolution second = resolve_sequential(problem, few_rounds());
        EXPECT_EQ(first.impulses_W, second.impulses_W) << show(problem);
        EXPECT_EQ(first.rounds, second.rounds);
    }
}

// Numbering the bodies and the contacts backwards changes nothing but rounding, nor does swapping
// the two bodies of every contact.
TEST(SequentialProperties, TheOrderOfBodiesDoesNotMatter) {
    Random random(556);
    for (int round = 0; round < 60; ++round) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 12, one_of(k_lossy));
        MultiContactProblem other = problem;
        std::reverse(other.bodies.begin(), other.bodies.end());
        std::reverse(other.contacts.begin(), other.contacts.end());
        const auto last = static_cast<std::uint32_t>(problem.bodies.size() - 1);
        for (MultiContactPoint& contact : other.contacts) {
            contact.a = last - contact.a;
            contact.b = last - contact.b;
        }
        SequentialSettings settings;
        settings.most_rounds = 20;
        const MultiContactSolution one = resolve_sequential(problem, settings);
        const MultiContactSolution two = resolve_sequential(other, settings);
        ASSERT_EQ(one.rounds, two.rounds) << show(problem);
        for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
            const Vec3& p = one.impulses_W[i];
            const Vec3& q = two.impulses_W[problem.contacts.size() - 1 - i];
            EXPECT_LT((p - q).norm(), 1e-8 * (1.0 + p.norm())) << i << show(problem);
        }
    }
}

}  // namespace
}  // namespace carom::tests
