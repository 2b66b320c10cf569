// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "tests/impact/multiple/cone_scenes.h"

// Every operator new of this program counts.
namespace {
long allocations = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    ++allocations;
    const auto unit = static_cast<std::size_t>(alignment);
    const std::size_t whole = (size + unit - 1) / unit * unit;
    if (void* memory = std::aligned_alloc(unit, whole > 0 ? whole : unit)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
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

TEST(ConeSolverAllocation, NoneOnceWarmInRoughSweeps) {
    Random random(5202);
    const ConeScene heap = cone_heap(random, 3, 3, 0.5, 4);
    ConeScene scene = heap;
    ConeSolver solver;
    ConeSettings settings{60, 1e-9};
    settings.newton = false;
    settings.local = 1e-3;
    const auto work = [&] {
        solver.solve(scene.bodies, scene.contacts, settings);
        for (ConeContact& c : scene.contacts)
            c.least = 0.01;
        solver.resume(scene.bodies, scene.contacts, settings);
    };
    const long cold = allocations;
    work();
    const long warm = allocations;
    EXPECT_GT(warm, cold);
    scene.bodies = heap.bodies;
    scene.contacts = heap.contacts;
    const long before = allocations;
    work();
    const long after = allocations;
    EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace carom::tests
