// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/manifold.h"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "tests/detect/manifold_checks.h"

namespace carom::tests {
namespace {

using detect::Manifold;
using detect::PairMemory;
using shape::Convex;
using shape::Pose;

constexpr double k_pi = std::numbers::pi;
constexpr double k_reach = 1e-4;

const Convex k_box = only_part(shape::make_box({0.2, 0.2, 0.2}));
const Convex k_table = only_part(shape::make_box({2.0, 2.0, 0.2}));  // its top at z = 0.1
const Convex k_plane = only_part(shape::make_half_space(Vec3::UnitZ()));
const Convex k_cylinder = only_part(shape::make_cylinder(0.1, 0.3));
const Convex k_cone = only_part(shape::make_cone(0.1, 0.3));
const Convex k_capsule = only_part(shape::make_capsule(0.05, 0.3));
const Convex k_ball = only_part(shape::make_sphere(0.1));

TEST(ManifoldBoxes, ShiftedShareARectangle) {
    const Pose above = pose_at({0.05, -0.03, 0.2 + 2e-5});
    const Manifold m = manifold_of(k_box, above, k_box, Pose{}, k_reach);
    expect_sound(k_box, above, k_box, Pose{}, k_reach, m);
    EXPECT_EQ(m.normal, Vec3(0, 0, 1));
    const double z = 0.1 + 2e-5;
    expect_points(m, {{-0.05, -0.1, z}, {0.1, -0.1, z}, {0.1, 0.07, z}, {-0.05, 0.07, z}}, 1e-15);
    for (const auto& p : points_of(m))
        EXPECT_NEAR(p.gap, 2e-5, 1e-16);
}

// Two equal squares at 45 degrees share a regular octagon.
TEST(ManifoldBoxes, TurnedShareAnOctagon) {
    for (const double gap : {5e-5, 0.0, -5e-5}) {
        const Pose above = pose_at({0, 0, 0.2 + gap}, k_pi / 4.0);
        const Manifold m = manifold_of(k_box, above, k_box, Pose{}, k_reach);
        expect_sound(k_box, above, k_box, Pose{}, k_reach, m);
        const double near = 0.1 * (std::numbers::sqrt2 - 1.0);
        const double z = 0.1 + gap;
        std::vector<Vec3> wanted;
        for (const double s : {-1.0, 1.0}) {
            for (const double t : {-1.0, 1.0}) {
                wanted.emplace_back(0.1 * s, near * t, z);
                wanted.emplace_back(near * s, 0.1 * t, z);
            }
        }
        expect_points(m, wanted, 1e-15);
        EXPECT_NEAR((m.normal - Vec3::UnitZ()).norm(), 0.0, 1e-15);
        EXPECT_NEAR(least_gap(m), gap, 1e-15);
    }
}

// A box that rocks on one edge: the far corners are there with their gaps as long as these are in
// reach, and are gone when they are not.
TEST(ManifoldBoxes, ATiltedBoxKeepsItsFarCornersInReach) {
    const double size = 0.2;
    for (const Convex& under : {k_table, k_plane}) {
        const double top = std::holds_alternative<shape::HalfSpace>(under) ? 0.0 : 0.1;
        PairMemory memory;
        for (const double angle : {0.0, 1e-9, 1e-6, 1e-4, 4.9e-4, 5.1e-4, 1e-2}) {
            // the edge at y = 0 stays on the ground
            const Vec3 centre(0, 0.5 * size, 0.5 * size);
            Pose tilted = pose_at({0, 0, top}, angle, Vec3::UnitX());
            tilted.position += tilted.orientation * centre;
            const Manifold m = manifold_of(k_box, tilted, under, Pose{}, k_reach, memory);
            expect_sound(k_box, tilted, under, Pose{}, k_reach, m);
            const bool in_reach = size * std::sin(angle) <= k_reach;
            ASSERT_EQ(m.count, in_reach ? 4 : 2) << angle;
            for (const auto& p : points_of(m)) {
                const bool far = p.a.y() > 0.5 * size;
                EXPECT_NEAR(p.gap, far ? size * std::sin(angle) : 0.0, 1e-15) << angle;
            }
        }
    }
}

// Corner above corner, to rounding: the line between the corners says nothing. The normal and the
// names stay, above, at and below contact.
TEST(ManifoldBoxes, AnAlignedStackIsSteady) {
    std::set<std::uint32_t> names;
    for (const double aside : {0.0, 1e-13, -1e-13, 3e-11, -3e-11}) {
        PairMemory memory;
        for (const double gap : {1e-5, 1e-9, 1e-13, 1e-16, 0.0, -1e-16, -1e-13, -1e-9, -1e-5}) {
            const Pose above = pose_at({aside, -aside, 0.2 + gap});
            for (PairMemory fresh; PairMemory * used : {&memory, &fresh}) {
                const Manifold m = manifold_of(k_box, above, k_box, Pose{}, k_reach, *used);
                ASSERT_EQ(m.count, 4) << aside << ' ' << gap;
                EXPECT_EQ(m.normal, Vec3(0, 0, 1)) << aside << ' ' << gap;
                EXPECT_NEAR(least_gap(m), gap, 1e-16);
                if (names.empty()) names = ids_of(m);
                EXPECT_EQ(ids_of(m), names);
            }
        }
    }
}

TEST(ManifoldBoxes, AnEdgeOnAFaceGivesTwoPointsACornerOne) {
    const double half_diagonal = 0.1 * std::numbers::sqrt2;
    const Pose on_edge = pose_at({0.0, 0.0, 0.1 + half_diagonal}, k_pi / 4.0, Vec3::UnitX());
    expect_points(manifold_of(k_box, on_edge, k_table, Pose{}, k_reach),
                  {{-0.1, 0, 0.1}, {0.1, 0, 0.1}}, 1e-15);
    // half over the side of a smaller box
    const Manifold half = manifold_of(k_box, on_edge, k_box, pose_at({0.05, 0, 0}), k_reach);
    expect_points(half, {{-0.05, 0, 0.1}, {0.1, 0, 0.1}}, 1e-15);
    const Pose on_corner = pose_at({0, 0, 0.1 + 0.1 * std::numbers::sqrt3},
                                   std::acos(1.0 / std::numbers::sqrt3), Vec3(1, -1, 0));
    expect_points(manifold_of(k_box, on_corner, k_table, Pose{}, k_reach), {{0, 0, 0.1}}, 1e-15);
}

// Two crossed edges, above, at and below contact: the normal is across both, and does not flip.
TEST(ManifoldBoxes, CrossedEdgesGiveOnePoint) {
    const double high = 0.2 * std::numbers::sqrt2;
    const Pose below = pose_at({0, 0, 0}, k_pi / 4.0, Vec3::UnitY());
    PairMemory memory;
    for (const double gap : {1e-5, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -9e-5, 1e-5}) {
        const Pose above = pose_at({0.01, 0.02, high + gap}, k_pi / 4.0, Vec3::UnitX());
        for (PairMemory fresh; PairMemory * used : {&memory, &fresh}) {
            const Manifold m = manifold_of(k_box, above, k_box, below, k_reach, *used);
            ASSERT_EQ(m.count, 1) << gap;
            EXPECT_LE((m.normal - Vec3::UnitZ()).norm(), 1e-11) << gap;
            EXPECT_NEAR(m.points[0].gap, gap, 2e-15);
            EXPECT_LE((m.points[0].a - Vec3(0.0, 0.02, 0.5 * high + gap)).norm(), 1e-11) << gap;
        }
    }
}

TEST(ManifoldBoxes, NothingBeyondReach) {
    const Manifold m = manifold_of(k_box, pose_at({0, 0, 0.2 + 1.1e-4}), k_box, Pose{}, k_reach);
    EXPECT_EQ(m.count, 0);
    EXPECT_EQ(manifold_of(k_box, pose_at({0, 0, 0.2}), k_box, Pose{}, 0.0).count, 4);
}

TEST(ManifoldBalls, OnePointOnTheLineOfCentres) {
    const Vec3 n = Vec3(1, 2, 2) / 3.0;
    const Pose ball = pose_at(n * (0.2 + 3e-5));
    const Manifold m = manifold_of(k_ball, ball, k_ball, Pose{}, k_reach);
    expect_sound(k_ball, ball, k_ball, Pose{}, k_reach, m);
    ASSERT_EQ(m.count, 1);
    EXPECT_LE((m.normal - n).norm(), 1e-15);
    EXPECT_NEAR(m.points[0].gap, 3e-5, 1e-16);
    for (const Convex& under : {k_table, k_plane}) {
        const double top = std::holds_alternative<shape::HalfSpace>(under) ? 0.0 : 0.1;
        const Pose above = pose_at({0.3, 0.2, top + 0.1 - 1e-6});
        const Manifold on = manifold_of(k_ball, above, under, Pose{}, k_reach);
        expect_points(on, {{0.3, 0.2, top - 1e-6}}, 1e-15);
        EXPECT_NEAR(on.points[0].gap, -1e-6, 1e-16);
        const Manifold turned = manifold_of(under, Pose{}, k_ball, above, k_reach);
        EXPECT_EQ(turned.normal, Vec3(0, 0, -1));
    }
}

TEST(ManifoldLines, ALyingCapsuleHasTwoEnds) {
    const double tilt = 2e-4;  // end to end 0.3 sin(2e-4) = 6e-5
    for (const double lean : {0.0, tilt}) {
        const Pose lying = pose_at({0, 0, 0.15 + 1e-5}, k_pi / 2.0 - lean, Vec3::UnitY());
        const Manifold m = manifold_of(k_capsule, lying, k_table, Pose{}, k_reach);
        expect_sound(k_capsule, lying, k_table, Pose{}, k_reach, m);
        ASSERT_EQ(m.count, 2);
        for (const auto& p : points_of(m)) {
            // the lower end is a ball; the upper one ends the straight part
            const double up = 0.15 * std::sin(lean);
            const double round = 0.05 * (1.0 - std::cos(lean));
            EXPECT_NEAR(p.gap, 1e-5 + (p.a.x() > 0.0 ? up + round : -up), 1e-15);
        }
    }
    // over the side of the table, which ends at x = 1
    const Pose over = pose_at({0.95, 0.3, 0.15}, k_pi / 2.0, Vec3::UnitY());
    expect_points(manifold_of(k_capsule, over, k_table, Pose{}, k_reach),
                  {{0.8, 0.3, 0.1}, {1.0, 0.3, 0.1}}, 1e-15);
}

TEST(ManifoldLines, ParallelCapsulesShareTwoPointsCrossedOnesOne) {
    const Pose below = pose_at(Vec3::Zero(), k_pi / 2.0, Vec3::UnitY());
    const Pose beside = pose_at({0.1, 0, 0.1 + 1e-5}, k_pi / 2.0, Vec3::UnitY());
    const Manifold m = manifold_of(k_capsule, beside, k_capsule, below, k_reach);
    expect_sound(k_capsule, beside, k_capsule, below, k_reach, m);
    expect_points(m, {{-0.05, 0, 0.05 + 1e-5}, {0.15, 0, 0.05 + 1e-5}}, 1e-15);
    const Pose across = pose_at({0.1, 0, 0.1}, k_pi / 2.0, Vec3::UnitX());
    expect_points(manifold_of(k_capsule, across, k_capsule, below, k_reach), {{0.1, 0, 0.05}},
                  1e-15);
    // cylinders side by side
    const Pose next = pose_at({0.2 + 1e-5, 0, 0.1});
    const Manifold sides = manifold_of(k_cylinder, next, k_cylinder, Pose{}, k_reach);
    expect_sound(k_cylinder, next, k_cylinder, Pose{}, k_reach, sides);
    expect_points(sides, {{0.1 + 1e-5, 0, -0.05}, {0.1 + 1e-5, 0, 0.15}}, 1e-12);
}

TEST(ManifoldLines, LyingCylindersAndCones) {
    for (const Convex& under : {k_table, k_plane}) {
        const double top = std::holds_alternative<shape::HalfSpace>(under) ? 0.0 : 0.1;
        const Pose lying = pose_at({0, 0, top + 0.1}, k_pi / 2.0, Vec3::UnitY());
        const Manifold m = manifold_of(k_cylinder, lying, under, Pose{}, k_reach);
        expect_points(m, {{-0.15, 0, top}, {0.15, 0, top}}, 1e-15);
        // the cone turned about y until its side is level: rim and apex on the ground
        const double lean = std::atan2(0.1, 0.3);
        Pose cone = pose_at({0, 0, 0}, k_pi / 2.0 + lean, Vec3::UnitY());
        cone.position.z() = top - (cone.orientation * Vec3(0, 0, 0.225)).z();
        const Manifold on = manifold_of(k_cone, cone, under, Pose{}, k_reach);
        expect_sound(k_cone, cone, under, Pose{}, k_reach, on);
        ASSERT_EQ(on.count, 2);
        EXPECT_NEAR((on.points[0].a - on.points[1].a).norm(), std::hypot(0.1, 0.3), 1e-15);
        for (const auto& p : points_of(on))
            EXPECT_NEAR(p.gap, 0.0, 1e-15);
    }
}

// A standing disc is held all round; tilted, its lowest place is exact.
TEST(ManifoldCaps, StandingAndTilted) {
    for (const Convex& under : {k_table, k_plane}) {
        const double top = std::holds_alternative<shape::HalfSpace>(under) ? 0.0 : 0.1;
        for (const double tilt : {0.0, 1e-10, 1e-7, 1e-5, 4e-4, 1e-2, 0.5}) {
            const Vec3 axis = Vec3(0.3, 1.0, 0.0).normalized();
            // the lowest place of the rim is 1e-6 above the ground
            Pose pose = pose_at({0.2, 0, 0}, tilt, axis);
            pose.position.z() = top + 1e-6 + 0.15 * std::cos(tilt) + 0.1 * std::sin(tilt);
            const Manifold m = manifold_of(k_cylinder, pose, under, Pose{}, k_reach);
            expect_sound(k_cylinder, pose, under, Pose{}, k_reach, m);
            const double reach = 0.2 * std::sin(tilt);
            if (reach < 9e-5) {
                EXPECT_GE(m.count, 5) << tilt;
            }
            ASSERT_GE(m.count, 1);
            EXPECT_NEAR(least_gap(m), 1e-6, detect::k_deeper * k_reach + 1e-15) << tilt;
            if (tilt > 1e-7) {
                EXPECT_NEAR(least_gap(m), 1e-6, 1e-15) << tilt;
            }
            if (tilt > 1e-2) {
                EXPECT_EQ(m.count, 1);
            }
        }
        const Pose upright = pose_at({0, 0, top + 0.075});
        const Manifold cone = manifold_of(k_cone, upright, under, Pose{}, k_reach);
        expect_sound(k_cone, upright, under, Pose{}, k_reach, cone);
        EXPECT_EQ(cone.count, 6);
    }
}

TEST(ManifoldCaps, CutByTheSideOfATable) {
    // the table ends at x = 1; the axis is 0.02 inside: the chord is at 0.02 from the middle
    const Pose over = pose_at({0.98, 0, 0.25});
    const Manifold m = manifold_of(k_cylinder, over, k_table, Pose{}, k_reach);
    expect_sound(k_cylinder, over, k_table, Pose{}, k_reach, m);
    const double chord = std::sqrt(0.1 * 0.1 - 0.02 * 0.02);
    int on_border = 0;
    for (const auto& p : points_of(m)) {
        EXPECT_LE(p.a.x(), 1.0 + 1e-15);
        if (std::abs(p.a.x() - 1.0) > 1e-15) continue;
        ++on_border;
        EXPECT_NEAR(std::abs(p.a.y()), chord, 1e-15);
    }
    EXPECT_EQ(on_border, 2);
    // a narrow post under the middle: its corners
    const Convex post = only_part(shape::make_box({0.06, 0.06, 0.2}));
    const Pose above = pose_at({0.01, 0, 0.25 - 1e-6});
    expect_points(manifold_of(k_cylinder, above, post, Pose{}, k_reach),
                  {{0.03, 0.03, 0.1 - 1e-6},
                   {0.03, -0.03, 0.1 - 1e-6},
                   {-0.03, 0.03, 0.1 - 1e-6},
                   {-0.03, -0.03, 0.1 - 1e-6}},
                  1e-15);
}

// Two coins share a lens, whose tips are where the rims cross.
TEST(ManifoldCaps, CoinOnCoin) {
    const Convex coin = only_part(shape::make_cylinder(0.012, 0.002));
    const Pose above = pose_at({0.007, 0.0, 0.002 + 1e-6}, 0.4);
    const Manifold m = manifold_of(coin, above, coin, Pose{}, k_reach);
    expect_sound(coin, above, coin, Pose{}, k_reach, m);
    const double tip = std::sqrt(0.012 * 0.012 - 0.0035 * 0.0035);
    for (const double s : {-1.0, 1.0}) {
        EXPECT_TRUE(std::any_of(m.points.begin(), m.points.begin() + m.count, [&](const auto& p) {
            return (p.b - Vec3(0.0035, s * tip, 0.001)).norm() < 1e-15;
        })) << s;
    }
    for (const auto& p : points_of(m))
        EXPECT_NEAR(p.gap, 1e-6, 1e-15);
    // on its rim against a coin's side, a little in: the normal of the sides
    PairMemory memory;
    for (const double gap : {1e-5, -1e-5}) {
        const Pose beside = pose_at({0.024 + gap, 0, 0.001});
        const Manifold sides = manifold_of(coin, beside, coin, Pose{}, k_reach, memory);
        EXPECT_LE((sides.normal - Vec3::UnitX()).norm(), 1e-8) << gap;
        EXPECT_NEAR(least_gap(sides), gap, 1e-14) << gap;
    }
}

// A prism with more corners than a manifold holds keeps the extent of its base and its deepest
// corner.
TEST(ManifoldHulls, ManyCornersKeepTheirSupport) {
    std::vector<Vec3> corners;
    constexpr int k_corners = 20;
    for (int i = 0; i < k_corners; ++i) {
        const double angle = 2.0 * k_pi * i / k_corners;
        for (const double z : {0.0, 0.1})
            corners.emplace_back(0.1 * std::cos(angle), 0.1 * std::sin(angle), z);
    }
    const Convex prism = only_part(shape::make_hull(corners));
    for (int turn = 0; turn < 40; ++turn) {
        const double way = 2.0 * k_pi * turn / 40.0;
        Pose pose = pose_at(Vec3::Zero(), 1e-4, Vec3(std::cos(way), std::sin(way), 0.0));
        const Manifold m = manifold_of(prism, pose, k_plane, Pose{}, k_reach);
        expect_sound(prism, pose, k_plane, Pose{}, k_reach, m);
        double lowest = 1.0;
        for (const Vec3& c : corners)
            lowest = std::min(lowest, pose.apply(c).z());
        EXPECT_NEAR(least_gap(m), lowest, detect::k_deeper * k_reach + 1e-15);
        // in every direction the points reach at least as far as a regular heptagon
        for (int k = 0; k < 36; ++k) {
            const Vec3 to(std::cos(0.1745 * k), std::sin(0.1745 * k), 0.0);
            double reach = 0.0;
            for (const auto& p : points_of(m))
                reach = std::max(reach, p.a.dot(to));
            EXPECT_GT(reach, 0.08) << turn << ' ' << k;
        }
    }
}

TEST(Manifold, RefusesWhatHasNoAnswer) {
    PairMemory memory;
    Manifold m;
    const double nan = std::nan("");
    EXPECT_THROW(find_manifold(k_box, Pose{}, k_box, Pose{}, -1e-4, memory, m),
                 std::invalid_argument);
    EXPECT_THROW(find_manifold(k_box, Pose{}, k_box, Pose{}, nan, memory, m),
                 std::invalid_argument);
    EXPECT_THROW(find_manifold(k_box, pose_at({nan, 0, 0}), k_box, Pose{}, 1e-4, memory, m),
                 std::invalid_argument);
    EXPECT_THROW(find_manifold(k_plane, Pose{}, k_plane, Pose{}, 1e-4, memory, m),
                 std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
