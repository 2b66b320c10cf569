// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Overlap is measured on the motions: a contact that no stepper has seen overlap, but whose bodies
// do, shows in the audit.

#include <gtest/gtest.h>

#include "carom/world/simulate/commit.h"
#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::cube;
using world_test::floor_plane;
using world_test::GraphScene;

// Two cubes, one above the other. After d of 2 seconds the upper one has sunk into the lower one by
// sink d (2 - d), in so many segments that the commit is told to begin. No stepper says anything of
// a gap.
double deepest_of(int steps, double sink) {
    GraphScene scene(Settings{}, all_by("routh", 0.5, 0.3));
    scene.add(floor_plane());
    const BodyId low = scene.add(cube({0, 0, 0.5}));
    const BodyId high = scene.add(cube({0, 0, 1.5}));
    scene.hold(low, high);
    Graph& graph = scene.graph();
    Ledger ledger(scene.input());
    Schedule schedule(graph, ledger);
    WorkList work;
    Commit commit(graph, schedule, ledger, work);
    const double h = 2.0 / steps;
    for (int k = 0; k <= steps; ++k) {
        const double d = k * h;
        for (const BodyId id : {low, high}) {
            Segment segment{d, id, SegmentKind::held, scene.body(id).first};
            segment.lasting.t1 = d + h;
            if (id == high) {
                segment.state.position.z() -= sink * d * (2.0 - d);
                segment.state.velocity.z() = -2.0 * sink * (1.0 - d);
                segment.lasting.a.z() = 2.0 * sink;
            }
            commit.begin_segment(segment);
        }
    }
    return scene.tally().overlap.depth;
}

TEST(CommitOverlap, IsSeenBetweenStepsToo) {
    const double seen = deepest_of(200, 1e-3);
    EXPECT_LE(seen, 1e-3 * (1.0 + 1e-9));
    EXPECT_GT(seen, 0.98e-3) << "of fifty looks one is near the deepest";
}

TEST(CommitOverlap, NothingIsSeenWhereNothingOverlaps) {
    EXPECT_EQ(deepest_of(200, -1e-3), 0.0);
    EXPECT_LE(deepest_of(200, 0.0), 1e-15);
}

TEST(CommitOverlap, TheSameRunLooksAtTheSameTimes) {
    EXPECT_EQ(deepest_of(37, 1e-3), deepest_of(37, 1e-3));
}

}  // namespace
}  // namespace carom::world
