// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "tests/impact/multiple/cone_scenes.h"

// Every operator new of this program counts; nothing here asks for more than the usual alignment.
namespace {
long allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace carom::tests {
namespace {

using namespace impact;

TEST(ConeSolverAllocation, NoneOnceWarm) {
    Random random(5201);
    const ConeScene heap = cone_heap(random, 3, 3, 0.5, 4);
    const ConeScene stack = cone_stack(10, 0.5, 100.0, Vec3(0, 0, -0.04));
    ConeScene first = heap;
    ConeScene second = stack;
    ConeSolver solver;
    const long cold = allocations;
    EXPECT_GT(solver.solve(first.bodies, first.contacts, {500, 1e-13}).newton_steps, 0);
    solver.solve(second.bodies, second.contacts, {500, 1e-13});
    const long warm = allocations;
    EXPECT_GT(warm, cold);
    first = heap;
    second = stack;
    solver.solve(second.bodies, second.contacts, {500, 1e-13});
    solver.solve(first.bodies, first.contacts, {500, 1e-13});
    const long after = allocations;
    EXPECT_EQ(after, warm);
}

}  // namespace
}  // namespace carom::tests
