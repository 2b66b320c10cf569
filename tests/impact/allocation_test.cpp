// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "tests/impact/any_law.h"

// Every operator new of this program counts.
namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
void* counted(std::size_t size, std::align_val_t alignment) {
    ++allocations;
    const auto step = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
    throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return counted(size, alignment);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace carom::tests {
namespace {

class Allocation : public testing::TestWithParam<impact::LawInfo> {};

INSTANTIATE_TEST_SUITE_P(Laws, Allocation,
                         testing::ValuesIn(impact::laws().begin(), impact::laws().end()),
                         law_test_name);

TEST(AllocationCounter, Counts) {
    const long before = allocations;
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
        const long before = allocations;
        const auto outcome = impact::resolve(GetParam(), problem.contact, problem.parameters);
        const long after_it = allocations;
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
