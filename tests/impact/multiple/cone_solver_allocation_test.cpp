// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include "tests/impact/multiple/cone_scenes.h"
#include "tests/support/counted_new.h"

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
    const long cold = allocations.load();
    EXPECT_GT(solver.solve(first.bodies, first.contacts, {500, 1e-13}).newton_steps, 0);
    solver.solve(second.bodies, second.contacts, {500, 1e-13});
    const long warm = allocations.load();
    EXPECT_GT(warm, cold);
    first = heap;
    second = stack;
    solver.solve(second.bodies, second.contacts, {500, 1e-13});
    solver.solve(first.bodies, first.contacts, {500, 1e-13});
    const long after = allocations.load();
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
    const long cold = allocations.load();
    work();
    const long warm = allocations.load();
    EXPECT_GT(warm, cold);
    scene.bodies = heap.bodies;
    scene.contacts = heap.contacts;
    const long before = allocations.load();
    work();
    const long after = allocations.load();
    EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace carom::tests
