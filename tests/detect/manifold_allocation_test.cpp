// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include "tests/detect/manifold_checks.h"
#include "tests/support/counted_new.h"

namespace carom::tests {
namespace {

using shape::Convex;
using shape::Pose;

// Bodies at rest on each other, asked again and again: nothing comes from the heap, above, at and
// below contact.
TEST(ManifoldAllocation, NoneForBodiesAtRest) {
    const Convex box = only_part(shape::make_box({0.2, 0.2, 0.2}));
    const Convex ball = only_part(shape::make_sphere(0.1));
    const Convex plane = only_part(shape::make_half_space(Vec3::UnitZ()));
    const Convex cylinder = only_part(shape::make_cylinder(0.1, 0.2));
    const Convex capsule = only_part(shape::make_capsule(0.1, 0.2));
    const Pose on_edge = pose_at(Vec3::Zero(), 0.7853981633974483, Vec3::UnitX());
    const Pose edge_up = pose_at(Vec3::Zero(), 0.7853981633974483, Vec3::UnitY());
    const Pose lying = pose_at(Vec3::Zero(), 1.5707963267948966, Vec3::UnitY());
    struct Rest {
        const Convex& A;
        Pose pose_A;
        double height;
        const Convex& B;
        Pose pose_B;
    };
    const double edge = 0.1 * std::sqrt(2.0);
    const Rest rests[] = {
        {box, pose_at({0.01, 0.02, 0.0}, 0.3), 0.2, box, Pose{}},
        {box, pose_at({0.01, 0.02, 0.0}, 0.3), 0.1, plane, Pose{}},
        {box, on_edge, edge + 0.1, box, Pose{}},
        {box, on_edge, 2.0 * edge, box, edge_up},
        {ball, Pose{}, 0.2, box, Pose{}},
        {ball, Pose{}, 0.2, ball, Pose{}},
        {ball, Pose{}, 0.1, plane, Pose{}},
        {cylinder, Pose{}, 0.2, box, Pose{}},
        {cylinder, Pose{}, 0.1, plane, Pose{}},
        {cylinder, lying, 0.2, box, Pose{}},
        {capsule, lying, 0.2, box, Pose{}},
        {capsule, lying, 0.1, plane, Pose{}},
    };
    for (const Rest& rest : rests) {
        detect::PairMemory memory;
        detect::Manifold m;
        for (const double gap : {1e-5, 1e-9, 0.0, -1e-9, -1e-5}) {
            Pose pose = rest.pose_A;
            pose.position.z() += rest.height + gap;
            // the first query may have to search for the pair
            if (gap == 1e-5) find_manifold(rest.A, pose, rest.B, rest.pose_B, 1e-4, memory, m);
            const long before = allocations.load();
            find_manifold(rest.A, pose, rest.B, rest.pose_B, 1e-4, memory, m);
            EXPECT_EQ(allocations - before, 0)
                << shape::name_of(rest.A) << " on " << shape::name_of(rest.B) << " at " << gap;
            EXPECT_GE(m.count, 1);
        }
    }
}

}  // namespace
}  // namespace carom::tests
