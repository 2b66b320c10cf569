// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "carom/impact/multiple/multiple.h"
#include "tests/impact/multiple/multi_contact_graphs.h"

// What must hold for any graph of contacts, however it is resolved.
namespace carom::tests {
namespace {

using namespace impact;

class AnyMultiple : public testing::TestWithParam<MultipleId> {
protected:
    MultiContactSolution solve(const MultiContactProblem& problem) const {
        MultipleSettings settings;
        // what is cut off must hold all of it too
        settings.sequential.most_rounds = 2000;
        settings.coupled.most_pieces = 400;
        return resolve_multiple(GetParam(), problem, settings);
    }
};

INSTANTIATE_TEST_SUITE_P(Each, AnyMultiple,
                         testing::Values(MultipleId::sequential, MultipleId::coupled,
                                         MultipleId::simultaneous),
                         [](const auto& tested) {
                             return std::string(multiple_info(tested.param).name);
                         });

// The laws that all of them take.
void give_law(MultiContactPoint& contact, Random& random) {
    constexpr LawId k_common[] = {LawId::frictionless, LawId::routh, LawId::compliant};
    contact.law = &law_info(k_common[random.bits() % 3]);
    contact.parameters = random_parameters(random);
    contact.parameters.mu = random.uniform(0.0, 0.8);
    contact.stiffness = random.log_uniform(0.2, 5.0);
    contact.power = random.bits() % 2 == 0 ? 1.0 : 1.5;
}

double largest_impulse(const MultiContactSolution& solution) {
    double most = 0.0;
    for (const Vec3& p : solution.impulses_W)
        most = std::max(most, p.norm());
    return most;
}

TEST_P(AnyMultiple, LosesEnergyPushesAndSeparates) {
    Random random(561);
    for (int round = 0; round < 24; ++round) {
        const std::size_t count = round % 6 == 5 ? 30 : 1 + random.bits() % 10;
        const MultiContactProblem problem = random_graph(random, count, give_law);
        const MultiContactSolution solution = solve(problem);
        ASSERT_EQ(solution.impulses_W.size(), count);
        const auto after = apply_impulses(problem, solution.impulses_W);
        const double energy = kinetic_energy(problem.bodies);
        const double size = 1.0 + largest_impulse(solution);
        EXPECT_GE(energy_lost(problem, solution.impulses_W), -1e-8 * energy) << show(problem);
        EXPECT_LE(largest_residual(after, problem.contacts), solution.approach_left + 1e-8 * size)
            << show(problem);
        for (std::size_t i = 0; i < count; ++i) {
            const MultiContactPoint& c = problem.contacts[i];
            const Vec3& p = solution.impulses_W[i];
            const double push = p.dot(c.normal);
            const double mu = c.law->id == LawId::frictionless ? 0.0 : *c.parameters.mu;
            EXPECT_GE(push, -1e-9 * size) << i << show(problem);
            EXPECT_LE((p - push * c.normal).norm(), mu * push + 1e-8 * size) << i << show(problem);
        }
    }
}

TEST_P(AnyMultiple, GivesTheSameBitsTwice) {
    Random random(562);
    for (int round = 0; round < 6; ++round) {
        const MultiContactProblem problem = random_graph(random, 2 + random.bits() % 8, give_law);
        const MultiContactSolution one = solve(problem);
        const MultiContactSolution two = solve(problem);
        EXPECT_EQ(one.impulses_W, two.impulses_W);
        EXPECT_EQ(one.rounds, two.rounds);
        EXPECT_EQ(one.approach_left, two.approach_left);
    }
}

// Bodies that nothing approaches are left alone.
TEST_P(AnyMultiple, LeavesSeparatingBodiesAlone) {
    const MultiContactProblem problem = chain({1, 2, 3, 4}, {-2, -1, 0, 1}, 0.7);
    const MultiContactSolution solution = solve(problem);
    EXPECT_EQ(solution.impulses_W, std::vector<Vec3>(3, Vec3::Zero()));
    EXPECT_EQ(solution.approach_left, 0.0);
}

// A chain seen from the other side is the same chain: its bodies and contacts in reverse order,
// every contact with its bodies swapped, and everything turned about.
TEST_P(AnyMultiple, AMirroredChainGivesTheMirroredAnswer) {
    const std::vector<double> masses{1.0, 2.5, 0.7, 3.0}, speeds{1.0, 0.2, 0.1, -0.6};
    std::vector<double> masses_back(masses.rbegin(), masses.rend()), speeds_back;
    for (auto v = speeds.rbegin(); v != speeds.rend(); ++v)
        speeds_back.push_back(-*v);
    const MultiContactProblem there = chain(masses, speeds, 0.8);
    const MultiContactProblem back = chain(masses_back, speeds_back, 0.8);
    const auto v = speeds_after(there, solve(there));
    const auto w = speeds_after(back, solve(back));
    for (std::size_t i = 0; i < v.size(); ++i)
        EXPECT_NEAR(v[i], -w[v.size() - 1 - i], 1e-9);
}

// One frictionless contact: all of them are Newton's restitution.
TEST_P(AnyMultiple, OneContactIsRestitution) {
    const MultiContactProblem problem = chain({1, 3}, {2, -1}, 0.4);
    const auto speeds = speeds_after(problem, solve(problem));
    // p = 1.4 * 3 * 3/4
    EXPECT_NEAR(speeds[0], 2.0 - 3.15, 1e-9);
    EXPECT_NEAR(speeds[1], -1.0 + 1.05, 1e-9);
}

TEST_P(AnyMultiple, RefusesAProblemThatIsNone) {
    MultiContactProblem problem = chain({1, 1}, {1, 0}, 0.5);
    problem.contacts[0].normal *= 3.0;
    try {
        solve(problem);
        FAIL() << "not refused";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(), "contacts[0].normal must have length 1");
    }
}

// The table of docs/theory/multiple.md. Linear springs: an independent integration. Simultaneous:
// the last four stay together, so that momentum and energy leave (1 - 4) / 5 to the first.
TEST(Multiples, FiveBallsInALine) {
    struct Case {
        MultipleId id;
        double power;
        std::vector<double> speeds;
        double tolerance;
    };
    const Case cases[] = {
        {MultipleId::sequential, 1.5, {0, 0, 0, 0, 1}, 1e-15},
        {MultipleId::coupled, 1.0, {-0.132279, -0.075329, -0.031011, 0.296218, 0.942402}, 1e-6},
        {MultipleId::coupled, 1.5, {-0.0711, -0.0303, -0.0145, 0.1270, 0.9888}, 1e-4},
        {MultipleId::simultaneous, 1.5, {-0.6, 0.4, 0.4, 0.4, 0.4}, 1e-12},
    };
    for (const Case& c : cases) {
        MultiContactProblem problem = chain({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0}, 1.0);
        for (MultiContactPoint& contact : problem.contacts)
            contact.power = c.power;
        const auto speeds = speeds_after(problem, resolve_multiple(c.id, problem));
        for (std::size_t i = 0; i < speeds.size(); ++i)
            EXPECT_NEAR(speeds[i], c.speeds[i], c.tolerance)
                << multiple_info(c.id).name << " " << i;
    }
}

TEST(Multiples, HaveNamesThatFindThem) {
    std::set<std::string_view> names;
    for (const MultipleInfo& info : multiples()) {
        EXPECT_EQ(find_multiple(info.name), &info);
        EXPECT_EQ(&multiple_info(info.id), &info);
        names.insert(info.name);
    }
    EXPECT_EQ(names, (std::set<std::string_view>{"sequential", "coupled", "simultaneous"}));
    EXPECT_EQ(find_multiple("Coupled"), nullptr);
    EXPECT_EQ(find_multiple(""), nullptr);
}

}  // namespace
}  // namespace carom::tests
