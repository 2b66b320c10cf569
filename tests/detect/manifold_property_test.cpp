// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <map>

#include "tests/detect/manifold_checks.h"
#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using detect::Manifold;
using detect::PairMemory;
using shape::Convex;
using shape::Pose;
using shape::Quat;

constexpr double k_within = 1e-4;

Convex random_box(Random& random) {
    const double x = random.uniform(0.05, 0.2);
    const double y = random.uniform(0.05, 0.2);
    return only_part(shape::make_box({x, y, random.uniform(0.05, 0.2)}));
}

Convex random_hull(Random& random) {
    std::vector<Vec3> points;
    const int count = 8 + static_cast<int>(random.bits() % 40);
    for (int i = 0; i < count; ++i)
        points.emplace_back(Vec3(0.1, 0.08, 0.06).cwiseProduct(random.direction()));
    return only_part(shape::make_hull(points));
}

Convex random_round(Random& random) {
    const double radius = random.uniform(0.03, 0.1);
    const double length = random.uniform(0.05, 0.2);
    switch (random.bits() % 4) {
        case 0:
            return only_part(shape::make_cylinder(radius, length));
        case 1:
            return only_part(shape::make_cone(radius, length));
        case 2:
            return only_part(shape::make_capsule(radius, length));
        default:
            return only_part(shape::make_sphere(radius));
    }
}

Pose random_pose(Random& random) {
    return {random.normal3(), Quat(random.rotation())};
}

// Two bodies at a wanted distance: B beside A, then brought to it along the normal, which by
// convexity changes the distance by just as much.
struct Meeting {
    Convex A, B;
    Pose pose_A, pose_B;
};
Meeting meeting(Random& random, const Convex& A, const Convex& B, double gap) {
    Meeting m{A, B, random_pose(random), random_pose(random)};
    m.pose_B.position = m.pose_A.position + 0.5 * random.direction();
    PairMemory memory;
    const auto s = detect::separation(m.A, m.pose_A, m.B, m.pose_B, memory);
    m.pose_B.position += (s.distance - gap) * s.normal;
    return m;
}

double distance_of(const Meeting& m) {
    PairMemory memory;
    return detect::separation(m.A, m.pose_A, m.B, m.pose_B, memory).distance;
}

class RandomManifolds : public testing::Test {
protected:
    // Two bodies of a kind that changes with the number.
    Meeting next(int i, double gap) {
        const Convex A = i % 3 == 0 ? random_box(random_) : some_hull();
        const Convex B = i % 2 == 0 ? random_box(random_) : some_hull();
        return meeting(random_, A, B, gap);
    }
    // One of a few, since they take long to make.
    const Convex& some_hull() {
        static const std::vector<Convex> hulls = [] {
            Random random(5);
            std::vector<Convex> out;
            for (int i = 0; i < 20; ++i)
                out.push_back(random_hull(random));
            return out;
        }();
        return hulls[random_.bits() % hulls.size()];
    }
    Random random_{20260816};
};

TEST_F(RandomManifolds, LieOnBothSurfacesAndHoldTheClosestPoints) {
    for (int i = 0; i < 1500; ++i) {
        const double gap =
            std::array{6e-5, 1e-9, 0.0, -1e-9, -2e-6}[static_cast<std::size_t>(i % 5)];
        const Meeting m = next(i, gap);
        SCOPED_TRACE(i);
        const Manifold found = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within);
        // corners that nearly touch are inside to k_border of the size
        expect_sound(m.A, m.pose_A, m.B, m.pose_B, k_within, found, gap > 1e-6 ? 1e-12 : 1e-9);
        ASSERT_GE(found.count, 1);
        const double distance = distance_of(m);
        EXPECT_GE(least_gap(found), distance - detect::k_face * k_within);
        EXPECT_LE(least_gap(found), distance + detect::k_face * k_within);
        if (HasFailure()) return;
    }
}

TEST_F(RandomManifolds, OfRoundBodiesToo) {
    for (int i = 0; i < 1500; ++i) {
        const double gap =
            std::array{6e-5, 1e-9, 0.0, -1e-9, -2e-6}[static_cast<std::size_t>(i % 5)];
        const Convex other = i % 3 == 0   ? random_box(random_)
                             : i % 3 == 1 ? some_hull()
                                          : random_round(random_);
        const Meeting m = meeting(random_, random_round(random_), other, gap);
        SCOPED_TRACE(std::to_string(i) + " " + shape::name_of(m.A) + " " + shape::name_of(m.B));
        const Manifold found = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within);
        // lines that are nearly parallel meet beside each other, radii being at most 0.1
        const bool lines =
            shape::polyhedron_of(m.A) == nullptr && shape::polyhedron_of(m.B) == nullptr;
        const double aside = lines ? std::sqrt(2.0 * detect::k_aside * k_within * 0.2) : 0.0;
        expect_sound(m.A, m.pose_A, m.B, m.pose_B, k_within, found, 1e-8, aside);
        ASSERT_GE(found.count, 1);
        const double distance = distance_of(m);
        EXPECT_GE(least_gap(found), distance - detect::k_face * k_within);
        EXPECT_LE(least_gap(found), distance + detect::k_face * k_within);
        if (HasFailure()) return;
    }
}

// Moved along the normal all gaps change alike, and the names stay; so they do under motions of
// rounding.
TEST_F(RandomManifolds, FollowSmallMotions) {
    for (int i = 0; i < 1000; ++i) {
        const Meeting m = next(i, 5e-5);
        SCOPED_TRACE(i);
        PairMemory memory;
        const Manifold before = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within, memory);
        const double shift = 1e-6;
        const Pose moved{m.pose_A.position - shift * before.normal, m.pose_A.orientation};
        const Manifold after = manifold_of(m.A, moved, m.B, m.pose_B, k_within - shift, memory);
        // closest corners know it to the rounding of their coordinates over the gap
        EXPECT_LE((after.normal - before.normal).norm(), 1e-10);
        ASSERT_EQ(ids_of(after), ids_of(before));
        for (const auto& p : points_of(before)) {
            for (const auto& q : points_of(after)) {
                if (p.id == q.id) {
                    EXPECT_NEAR(q.gap, p.gap - shift, 1e-13);
                }
            }
        }
        const Pose nearly{
            m.pose_A.position + 1e-13 * random_.normal3(),
            Quat(m.pose_A.orientation * Quat(Eigen::AngleAxisd(1e-13, random_.direction())))};
        EXPECT_EQ(ids_of(manifold_of(m.A, nearly, m.B, m.pose_B, k_within, memory)),
                  ids_of(before));
        if (HasFailure()) return;
    }
}

TEST_F(RandomManifolds, AreTheSameWithTheBodiesSwapped) {
    for (int i = 0; i < 1000; ++i) {
        const Meeting m = next(i, 3e-5);
        SCOPED_TRACE(i);
        const Manifold one = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within);
        const Manifold two = manifold_of(m.B, m.pose_B, m.A, m.pose_A, k_within);
        EXPECT_LE((one.normal + two.normal).norm(), 1e-9);
        ASSERT_EQ(one.count, two.count);
        std::map<std::uint32_t, detect::ManifoldPoint> by_id;
        for (const auto& p : points_of(two))
            by_id[(p.id << 16U) | (p.id >> 16U)] = p;
        for (const auto& p : points_of(one)) {
            ASSERT_TRUE(by_id.contains(p.id));
            const auto& q = by_id[p.id];
            EXPECT_LE((p.a - q.b).norm() + (p.b - q.a).norm(), 1e-9);
            EXPECT_NEAR(p.gap, q.gap, 1e-12);
        }
        if (HasFailure()) return;
    }
}

// The memory makes it fast; apart it does not change the answer.
TEST_F(RandomManifolds, DoNotDependOnTheMemory) {
    for (int i = 0; i < 1000; ++i) {
        const Meeting m = next(i, 3e-5);
        SCOPED_TRACE(i);
        const Manifold fresh = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within);
        PairMemory other;
        other.normal_A = random_.direction();
        const auto vertices = shape::polyhedron_of(m.A)->vertices().size();
        other.features.a = {detect::FeatureKind::vertex,
                            static_cast<shape::Index>(random_.bits() % vertices)};
        const Manifold found = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within, other);
        const Manifold again = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within, other);
        for (const Manifold& one : {found, again}) {
            EXPECT_LE((one.normal - fresh.normal).norm(), 1e-9);
            EXPECT_EQ(ids_of(one), ids_of(fresh));
        }
        if (HasFailure()) return;
    }
}

// Down to contact and through it: the normal keeps pushing the bodies back to where they came from,
// and no overlap is shown that is deeper than the way they went.
TEST_F(RandomManifolds, PassFromGapToOverlap) {
    for (int i = 0; i < 1000; ++i) {
        Meeting m = next(i, 8e-5);
        SCOPED_TRACE(i);
        PairMemory memory;
        const Vec3 first = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within, memory).normal;
        for (int step = 1; step <= 30; ++step) {
            m.pose_A.position -= 5e-6 * first;
            const Manifold now = manifold_of(m.A, m.pose_A, m.B, m.pose_B, k_within, memory);
            const double gap = 8e-5 - 5e-6 * step;
            ASSERT_GE(now.count, 1) << step;
            EXPECT_GT(now.normal.dot(first), 0.0) << step;
            EXPECT_GE(least_gap(now), std::min(gap, 0.0) - detect::k_face * k_within) << step;
            if (gap > 0.0) {
                EXPECT_LE((now.normal - first).norm(), 1e-6) << step << ' ' << gap;
            }
        }
        if (HasFailure()) return;
    }
}

// The corners that two rectangles share: corners of each inside the other, crossings of their
// sides. Found by trying all.
struct Rectangle {
    double x, y, angle, half_x, half_y;
    Vec2 corner(int k) const {
        const double u = k == 1 || k == 2 ? half_x : -half_x;
        const double v = k >= 2 ? half_y : -half_y;
        return {x + u * std::cos(angle) - v * std::sin(angle),
                y + u * std::sin(angle) + v * std::cos(angle)};
    }
    bool holds(const Vec2& p) const {
        const double dx = p.x() - x;
        const double dy = p.y() - y;
        return std::abs(dx * std::cos(angle) + dy * std::sin(angle)) <= half_x &&
               std::abs(dy * std::cos(angle) - dx * std::sin(angle)) <= half_y;
    }
};
std::vector<Vec3> shared_corners(const Rectangle& a, const Rectangle& b, double z) {
    std::vector<Vec3> out;
    for (int k = 0; k < 4; ++k) {
        if (b.holds(a.corner(k))) out.emplace_back(a.corner(k).x(), a.corner(k).y(), z);
        if (a.holds(b.corner(k))) out.emplace_back(b.corner(k).x(), b.corner(k).y(), z);
        const Vec2 p = a.corner(k);
        const Vec2 u = a.corner((k + 1) % 4) - p;
        for (int j = 0; j < 4; ++j) {
            const Vec2 q = b.corner(j);
            const Vec2 v = b.corner((j + 1) % 4) - q;
            const double cross = u.x() * v.y() - u.y() * v.x();
            const Vec2 d = q - p;
            const double s = (d.x() * v.y() - d.y() * v.x()) / cross;
            const double t = (d.x() * u.y() - d.y() * u.x()) / cross;
            if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
                out.emplace_back(p.x() + s * u.x(), p.y() + s * u.y(), z);
            }
        }
    }
    return out;
}

// Two boxes, one lying on the other.
struct Lying {
    Rectangle above, below;
    Convex A, B;
    Pose pose(double gap) const { return pose_at({above.x, above.y, 0.2 + gap}, above.angle); }
};
Lying random_lying(Random& random) {
    const auto half = [&] { return random.uniform(0.05, 0.2); };
    const double x = random.uniform(-0.1, 0.1);
    const double y = random.uniform(-0.1, 0.1);
    const double angle = random.uniform(0.0, 3.0);
    Lying out{{x, y, angle, half(), half()}, {0.0, 0.0, 0.0, half(), half()}, {}, {}};
    out.A = only_part(shape::make_box({2.0 * out.above.half_x, 2.0 * out.above.half_y, 0.2}));
    out.B = only_part(shape::make_box({2.0 * out.below.half_x, 2.0 * out.below.half_y, 0.2}));
    return out;
}

TEST_F(RandomManifolds, OfLyingBoxesAreWhatRectanglesShare) {
    for (int i = 0; i < 1000; ++i) {
        const Lying boxes = random_lying(random_);
        const double gap = std::array{4e-5, 0.0, -3e-5}[static_cast<std::size_t>(i % 3)];
        const std::vector<Vec3> wanted = shared_corners(boxes.above, boxes.below, 0.1 + gap);
        if (wanted.size() < 3) continue;
        SCOPED_TRACE(i);
        PairMemory memory;
        const Manifold m = manifold_of(boxes.A, boxes.pose(gap), boxes.B, Pose{}, k_within, memory);
        expect_points(m, wanted, 1e-12);
        for (const auto& p : points_of(m))
            EXPECT_NEAR(p.gap, gap, 1e-15);
        Pose nearly = boxes.pose(gap);
        nearly.position += 1e-11 * random_.normal3();
        nearly.orientation =
            Quat(Eigen::AngleAxisd(1e-10, random_.direction())) * nearly.orientation;
        EXPECT_EQ(ids_of(manifold_of(boxes.A, nearly, boxes.B, Pose{}, k_within, memory)),
                  ids_of(m));
        if (HasFailure()) return;
    }
}

// Tilted a little and touching somewhere, above, in contact and in overlap: no corner of the patch
// is lost, and its lowest place is where the bodies are closest.
TEST_F(RandomManifolds, OfTiltedBoxesAreStillWhole) {
    for (int i = 0; i < 1000; ++i) {
        const Lying boxes = random_lying(random_);
        const std::vector<Vec3> flat = shared_corners(boxes.above, boxes.below, 0.1);
        if (flat.size() < 3) continue;
        SCOPED_TRACE(i);
        const double tilt = random_.log_uniform(1e-9, 1e-4);
        const double way = random_.uniform(0.0, 6.0);
        const Quat turn(Eigen::AngleAxisd(tilt, Vec3(std::cos(way), std::sin(way), 0.0)));
        Pose pose = boxes.pose(0.0);
        pose.orientation = turn * pose.orientation;
        // the height of the tilted face above the shared corners, the lowest to be at `gap`
        double lowest = 1.0;
        for (const Vec3& c : flat) {
            const Vec3 up = turn * Vec3::UnitZ();
            const Vec3 on = pose.position - 0.1 * up;
            lowest = std::min(
                lowest, on.z() - (up.x() * (c.x() - on.x()) + up.y() * (c.y() - on.y())) / up.z());
        }
        const double gap = std::array{1e-5, 0.0, -1e-5}[static_cast<std::size_t>(i % 3)];
        pose.position.z() += 0.1 + gap - lowest;
        const Manifold m = manifold_of(boxes.A, pose, boxes.B, Pose{}, k_within);
        EXPECT_LE((m.normal - Vec3::UnitZ()).norm(), 1.1 * tilt);
        EXPECT_NEAR(least_gap(m), gap, 1e-8);
        EXPECT_EQ(static_cast<std::size_t>(m.count), flat.size());
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace carom::tests
