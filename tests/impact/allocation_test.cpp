// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <vector>

#include "tests/impact/any_law.h"
#include "tests/support/counted_new.h"

namespace carom::tests {
namespace {

class Allocation : public testing::TestWithParam<impact::LawInfo> {};

INSTANTIATE_TEST_SUITE_P(Laws, Allocation,
                         testing::ValuesIn(impact::laws().begin(), impact::laws().end()),
                         law_test_name);

TEST(AllocationCounter, Counts) {
    const long before = allocations.load();
    std::vector<double> something(100);
    something[3] = 1.0;
    EXPECT_GT(allocations.load(), before);
    EXPECT_EQ(something[3], 1.0);
}

TEST_P(Allocation, NoneWithoutATrace) {
    Random random(2201);
    double sum = 0.0;
    for (int i = 0; i < 1500; ++i) {
        LawProblem problem = random_problem(GetParam(), random);
        if (i % 3 == 0) problem.contact.u.z() *= 1e-3;
        if (i % 5 == 0) problem.contact.u *= 1e150;
        problem.parameters.termination = static_cast<impact::Termination>(i % 4);
        const long before = allocations.load();
        const auto outcome = impact::resolve(GetParam(), problem.contact, problem.parameters);
        const long after_it = allocations.load();
        ASSERT_EQ(after_it, before) << i << show(problem);
        sum += outcome.solution.p.z();
    }
    EXPECT_GT(sum, 0.0);
}

TEST_P(Allocation, OnlyIncrementalLawsFillATrace) {
    Random random(2202);
    const LawProblem problem = random_problem(GetParam(), random);
    impact::Trace trace;
    const auto outcome = impact::resolve(GetParam(), problem.contact, problem.parameters, &trace);
    ASSERT_EQ(outcome.refusal, nullptr);
    if (!GetParam().incremental) {
        EXPECT_TRUE(trace.samples.empty());
    } else if (outcome.solution.path.last() != impact::Mode::reverse) {
        EXPECT_GT(trace.samples.size(), 1U) << show(problem);
    }
}

}  // namespace
}  // namespace carom::tests
