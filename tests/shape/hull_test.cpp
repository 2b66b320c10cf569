// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/shape/hull.h"

#include <cmath>
#include <limits>

#include "tests/shape/shape_checks.h"

namespace carom::tests {
namespace {

using shape::convex_hull;
using shape::Polyhedron;

// No given point outside, and every vertex among the given points, to the bit.
void check_hull(const std::vector<Vec3>& points, const Polyhedron& hull, double slack = 1e-13) {
    check_polyhedron(hull, slack);
    double out = 0.0;
    for (const Vec3& p : points) {
        for (const auto& face : hull.faces())
            out = std::max(out, face.normal.dot(p - hull.interior()) -
                                    (face.offset - face.normal.dot(hull.interior())));
    }
    EXPECT_LE(out, slack * hull.size());
    for (const Vec3& v : hull.vertices())
        EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
}

TEST(Hull, RandomPointsOnAnEllipsoidAreAllVertices) {
    Random random(911);
    for (int i = 0; i < 40; ++i) {
        const int count = static_cast<int>(random.log_uniform(4.0, 300.0));
        const std::vector<Vec3> points = random_points(random, count);
        const auto hull = convex_hull(points);
        check_hull(points, *hull);
        EXPECT_EQ(hull->vertices().size(), points.size());
    }
}

TEST(Hull, FlatBodiesAndNeedles) {
    Random random(912);
    for (const double aspect : {1e-2, 1e-4, 1e-6, 1e-8}) {
        for (const bool needle : {false, true}) {
            const Vec3 size(1.0, needle ? aspect : 1.0, aspect);
            const auto box = moved(box_corners(size), random.rotation(), Vec3::Zero());
            const auto box_hull = convex_hull(box);
            check_hull(box, *box_hull, 1e-15);
            EXPECT_EQ(box_hull->faces().size(), 6U);
            const Mat3 R = random.rotation();
            std::vector<Vec3> points;
            for (int i = 0; i < 100; ++i)
                points.emplace_back(R * size.cwiseProduct(random.direction()));
            const auto hull = convex_hull(points);
            check_hull(points, *hull, 1e-14);
            EXPECT_EQ(hull->vertices().size(), points.size());
        }
    }
}

TEST(Hull, TurnedPrismsKeepTheirFaces) {
    Random random(913);
    for (const int sides : {3, 4, 7, 64, 200}) {
        for (const double far : {0.0, 1.0, 1e3}) {
            const auto points =
                moved(prism(sides, 1.0, 0.7), random.rotation(), far * random.normal3());
            const auto hull = convex_hull(points);
            check_hull(points, *hull, 1e-14 * (1.0 + 10.0 * far));
            EXPECT_EQ(hull->faces().size(), static_cast<std::size_t>(sides) + 2);
            EXPECT_EQ(hull->edges().size(), static_cast<std::size_t>(sides) * 3);
        }
    }
}

// A cube full of lattice points has eight corners, however it is turned.
TEST(Hull, DropsInnerCoplanarAndRepeatedPoints) {
    Random random(914);
    std::vector<Vec3> lattice;
    for (int i = 0; i < 7 * 7 * 7; ++i)
        lattice.emplace_back(i % 7, i / 7 % 7, i / 49);
    for (int turn = 0; turn < 5; ++turn) {
        auto points = turn == 0 ? lattice : moved(lattice, random.rotation(), random.normal3());
        points.insert(points.end(), points.begin(), points.end());
        const auto hull = convex_hull(points);
        check_hull(points, *hull);
        EXPECT_EQ(hull->vertices().size(), 8U);
        EXPECT_EQ(hull->faces().size(), 6U);
    }
}

// Corners that are clusters of points closer and closer together, down to rounding.
TEST(Hull, NearlyEqualPoints) {
    Random random(915);
    for (const double spread : {1e-3, 1e-6, 1e-9, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16}) {
        const Mat3 R = random.rotation();
        std::vector<Vec3> points;
        for (const Vec3& corner : box_corners({1.0, 1.0, 1.0})) {
            for (int i = 0; i < 20; ++i)
                points.emplace_back(R * corner + spread * random.normal3());
        }
        const auto hull = convex_hull(points);
        check_hull(points, *hull, 1e-13);
        EXPECT_GE(hull->vertices().size(), 8U);
    }
}

TEST(Hull, AnyScale) {
    Random random(916);
    const std::vector<Vec3> points = random_points(random, 60);
    const auto unit = convex_hull(points);
    for (const int power : {-190, -100, 100, 190}) {
        std::vector<Vec3> scaled;
        for (const Vec3& p : points)
            scaled.emplace_back(std::ldexp(1.0, power) * p);
        const auto hull = convex_hull(scaled);
        ASSERT_EQ(hull->edges().size(), unit->edges().size());
        for (std::size_t e = 0; e < hull->edges().size(); ++e) {
            EXPECT_EQ(hull->edges()[e].tail, unit->edges()[e].tail);
            EXPECT_EQ(hull->edges()[e].direction, unit->edges()[e].direction);
        }
    }
}

TEST(Hull, TheSamePointsGiveTheSameBits) {
    Random random(917);
    const std::vector<Vec3> points = random_points(random, 500);
    const auto a = convex_hull(points);
    const auto b = convex_hull(points);
    ASSERT_EQ(a->edges().size(), b->edges().size());
    for (std::size_t e = 0; e < a->edges().size(); ++e) {
        EXPECT_EQ(a->edges()[e].tail, b->edges()[e].tail);
        EXPECT_EQ(a->edges()[e].head, b->edges()[e].head);
        EXPECT_EQ(a->edges()[e].left_inward, b->edges()[e].left_inward);
    }
}

TEST(Hull, SaysWhyItRefuses) {
    Random random(918);
    const auto of = [](std::vector<Vec3> points) {
        return [points = std::move(points)] { convex_hull(points); };
    };
    constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    expect_refusal(of({}), {"0 points", "at least 4"});
    expect_refusal(of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), {"3 points", "at least 4"});
    expect_refusal(of({{0, 0, 0}, {1, 0, 0}, {0, k_nan, 0}, {0, 0, 1}}), {"point 3", "finite"});
    expect_refusal(of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, k_infinity}}), {"point 4"});
    expect_refusal(of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1e61}}), {"point 4", "1e60"});
    expect_refusal(of(std::vector<Vec3>(9, Vec3(1, 2, 3))), {"equal"});
    for (int i = 0; i < 50; ++i) {
        const Mat3 R = random.rotation();
        const Vec3 shift = random.log_uniform(0.1, 1e4) * random.direction();
        std::vector<Vec3> line;
        std::vector<Vec3> plane;
        for (int k = 0; k < 10; ++k) {
            line.emplace_back(R * Vec3(random.normal(), 0.0, 0.0) + shift);
            plane.emplace_back(R * Vec3(random.normal(), random.normal(), 0.0) + shift);
        }
        expect_refusal(of(line), {"on one line"});
        expect_refusal(of(plane), {"in one plane"});
    }
    expect_refusal(of(box_corners({1.0, 1.0, 1e-13})), {"in one plane", "volume"});
    expect_refusal(of(box_corners({1.0, 1e-13, 1e-13})), {"on one line", "volume"});
    expect_refusal(of(box_corners({1e-70, 1e-70, 1e-70})), {"1e-60"});
}

TEST(Hull, FiveThousandFacets) {
    Random random(919);
    std::vector<Vec3> points;
    for (int i = 0; i < 2502; ++i)
        points.push_back(random.direction());
    const auto hull = convex_hull(points);
    EXPECT_EQ(hull->vertices().size(), 2502U);
    EXPECT_EQ(hull->faces().size(), 5000U);
}

}  // namespace
}  // namespace carom::tests
