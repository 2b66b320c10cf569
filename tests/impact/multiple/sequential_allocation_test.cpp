// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include "carom/impact/multiple/sequential.h"
#include "tests/impact/multiple/multi_contact_graphs.h"
#include "tests/support/counted_new.h"

namespace carom::tests {
namespace {

using namespace impact;

TEST(SequentialAllocation, NoneOnceWarm) {
    MultiContactProblem problem = chain({3, 1, 2, 1, 1, 4}, {1, 0, 0, 0, 0, -1}, 0.9);
    problem.contacts.push_back(hinge_of(0, 5, Vec3::Zero()));
    problem.contacts[2].law = &law_info(LawId::routh);
    problem.contacts[2].parameters.mu = 0.5;
    SequentialSettings settings;
    settings.random_ties = true;
    SequentialSolver solver;
    const long cold = allocations.load();
    solver.solve(problem, settings);
    const long warm = allocations.load();
    EXPECT_GT(warm, cold);
    double sum = 0.0;
    for (int i = 0; i < 20; ++i) {
        problem.bodies[0].v.x() += 0.1;
        sum += solver.solve(problem, settings).impulses_W[0].x();
    }
    const long after = allocations.load();
    EXPECT_EQ(after, warm);
    EXPECT_GT(sum, 0.0);
}

// A warm solver gives what a new one gives, whatever it solved before.
TEST(SequentialAllocation, MemoryOfEarlierProblemsDoesNotShow) {
    SequentialSolver solver;
    SequentialSettings settings;
    settings.most_rounds = 300;
    Random random(541);
    for (int round = 0; round < 40; ++round) {
        const MultiContactProblem problem =
            random_graph(random, 1 + random.bits() % 20, [](MultiContactPoint& c, Random& r) {
                c.law = &law_info(LawId::routh);
                c.parameters = random_parameters(r);
            });
        const MultiContactSolution& warm = solver.solve(problem, settings);
        const MultiContactSolution fresh = resolve_sequential(problem, settings);
        EXPECT_EQ(warm.impulses_W, fresh.impulses_W);
        EXPECT_EQ(warm.rounds, fresh.rounds);
        EXPECT_EQ(warm.approach_left, fresh.approach_left);
    }
}

}  // namespace
}  // namespace carom::tests
