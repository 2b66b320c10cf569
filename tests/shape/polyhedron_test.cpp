// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/shape/polyhedron.h"

#include <cmath>

#include "carom/shape/hull.h"
#include "tests/shape/shape_checks.h"

namespace carom::tests {
namespace {

using shape::Index;
using shape::make_hull;
using shape::PolygonMesh;
using shape::Polyhedron;

PolygonMesh triangulated_box(const Vec3& size) {
    PolygonMesh mesh;
    mesh.vertices = box_corners(size);
    const std::vector<std::vector<Index>> sides = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& s : sides) {
        mesh.add_face({s[0], s[1], s[2]});
        mesh.add_face({s[0], s[2], s[3]});
    }
    return mesh;
}

TEST(Polyhedron, BoxHasTheFeaturesOfABox) {
    const auto box = shape::make_box_polyhedron({1.0, 2.0, 3.0});
    check_polyhedron(*box);
    ASSERT_EQ(box->vertices().size(), 8U);
    ASSERT_EQ(box->edges().size(), 12U);
    ASSERT_EQ(box->faces().size(), 6U);
    double length = 0.0;
    for (const auto& edge : box->edges())
        length += edge.length;
    EXPECT_EQ(length, 4.0 * (2.0 + 4.0 + 6.0));
    // -x, +x, -y, +y, -z, +z
    for (int k = 0; k < 3; ++k) {
        for (const int side : {0, 1}) {
            const auto& face = box->face(static_cast<Index>(2 * k + side));
            EXPECT_EQ(face.normal, Vec3((side == 1 ? 1.0 : -1.0) * Vec3::Unit(k)));
            EXPECT_EQ(face.offset, k + 1.0);
        }
    }
    EXPECT_EQ(box->vertex(5), Vec3(1.0, -2.0, 3.0));
}

TEST(Polyhedron, MergesCoplanarTriangles) {
    const Polyhedron box(triangulated_box({1.0, 2.0, 3.0}));
    check_polyhedron(box);
    EXPECT_EQ(box.faces().size(), 6U);
    EXPECT_EQ(box.edges().size(), 12U);
}

TEST(Polyhedron, DropsVerticesInsideFacesAndEdges) {
    // side +z from its middle, and a vertex in the middle of the edge 4-5
    PolygonMesh mesh;
    mesh.vertices = box_corners({1.0, 1.0, 1.0});
    mesh.vertices.emplace_back(0.5, 0.5, 1.0);
    mesh.vertices.emplace_back(0.5, 0.0, 1.0);
    for (const auto& side : std::vector<std::vector<Index>>{{0, 4, 6, 2},
                                                            {1, 3, 7, 5},
                                                            {0, 1, 5, 9, 4},
                                                            {2, 6, 7, 3},
                                                            {0, 2, 3, 1},
                                                            {4, 9, 8},
                                                            {9, 5, 8},
                                                            {5, 7, 8},
                                                            {7, 6, 8},
                                                            {6, 4, 8}})
        mesh.add_face(side);
    const Polyhedron box(mesh);
    check_polyhedron(box);
    EXPECT_EQ(box.vertices().size(), 8U);
    EXPECT_EQ(box.faces().size(), 6U);
}

TEST(Polyhedron, RefusesWhatIsNotAClosedConvexSurface) {
    const PolygonMesh good = triangulated_box({1.0, 1.0, 1.0});
    PolygonMesh open;
    open.vertices = good.vertices;
    for (Index f = 0; f + 1 < good.faces(); ++f)
        open.add_face({good.corner[3 * f], good.corner[3 * f + 1], good.corner[3 * f + 2]});
    expect_refusal([&] { Polyhedron{open}; }, {"open", "one face"});

    PolygonMesh wound = good;
    std::swap(wound.corner[0], wound.corner[1]);
    expect_refusal([&] { Polyhedron{wound}; }, {"opposite senses"});

    PolygonMesh inside_out = good;
    for (Index f = 0; f < inside_out.faces(); ++f)
        std::swap(inside_out.corner[3 * f], inside_out.corner[3 * f + 1]);
    expect_refusal([&] { Polyhedron{inside_out}; }, {"inside out"});

    PolygonMesh dented = good;
    dented.vertices[7] = Vec3(0.4, 0.4, 0.4);
    expect_refusal([&] { Polyhedron{dented}; }, {"not convex"});

    PolygonMesh broken = good;
    broken.corner[4] = 17;
    expect_refusal([&] { Polyhedron{broken}; }, {"vertex 17", "only 8"});

    PolygonMesh nan = good;
    nan.vertices[3].y() = std::nan("");
    expect_refusal([&] { Polyhedron{nan}; }, {"vertex 3", "finite"});

    // two boxes are two pieces
    PolygonMesh two = good;
    for (const Vec3& v : good.vertices)
        two.vertices.emplace_back(v + Vec3(3.0, 0.0, 0.0));
    for (Index f = 0; f < good.faces(); ++f) {
        two.add_face(
            {good.corner[3 * f] + 8, good.corner[3 * f + 1] + 8, good.corner[3 * f + 2] + 8});
    }
    expect_refusal([&] { Polyhedron{two}; }, {"V - E + F = 4"});

    PolygonMesh flat;
    flat.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    for (const auto& f :
         std::vector<std::vector<Index>>{{0, 1, 2}, {0, 2, 3}, {2, 1, 0}, {3, 2, 0}})
        flat.add_face(f);
    EXPECT_NE(refusal([&] { Polyhedron{flat}; }), "");
}

long double value(const Vec3& direction, const Vec3& point) {
    return direction.cast<long double>().dot(point.cast<long double>());
}

// The support value of the climb against a look at every vertex, both in extended precision.
void check_support(const Polyhedron& body, const Vec3& direction, Index hint) {
    long double most = value(direction, body.vertex(0));
    for (const Vec3& v : body.vertices())
        most = std::max(most, value(direction, v));
    const Index found = body.support(direction, hint);
    ASSERT_LT(found, body.vertices().size());
    const double scale = direction.norm() * (body.size() + body.interior().norm());
    const auto missing = static_cast<double>(most - value(direction, body.vertex(found)));
    EXPECT_LE(missing, 1.2e-16 * scale);
}

TEST(Polyhedron, SupportIsTheTrueMaximum) {
    Random random(901);
    for (const int count : {4, 12, 40, 300, 2000}) {
        const shape::Shape hull = make_hull(random_points(random, count, 1e-3));
        const Polyhedron& body = body_of(hull);
        const auto vertices = static_cast<double>(body.vertices().size());
        for (int i = 0; i < 300; ++i) {
            const auto hint = static_cast<Index>(random.uniform(0.0, vertices));
            check_support(body, random.log_uniform(1e-8, 1e8) * random.direction(), hint);
        }
    }
}

TEST(Polyhedron, SupportIsTheTrueMaximumOnPlateaus) {
    Random random(902);
    std::vector<shape::Shape> hulls;
    hulls.push_back(make_hull(prism(200, 1.0, 1.0)));
    hulls.push_back(make_hull(moved(prism(200, 1.0, 1e-3), random.rotation(), Vec3(1, 2, 3))));
    hulls.push_back(make_hull(moved(prism(1000, 1e-3, 1.0), random.rotation(), Vec3(1, 2, 3))));
    for (const shape::Shape& hull : hulls) {
        const Polyhedron& body = body_of(hull);
        const auto vertices = static_cast<double>(body.vertices().size());
        const auto any = [&] { return static_cast<Index>(random.uniform(0.0, vertices)); };
        for (const auto& face : body.faces()) {
            check_support(body, face.normal, any());
            check_support(body, -face.normal, any());
        }
        for (const auto& edge : body.edges())
            check_support(body, body.face(edge.left).normal + body.face(edge.right).normal, any());
        check_support(body, Vec3::Zero(), any());
    }
}

TEST(Polyhedron, RadiusIsTheFarthestVertex) {
    Random random(903);
    const std::vector<Vec3> points = random_points(random, 200);
    const auto hull = shape::convex_hull(points);
    const Polyhedron& body = *hull;
    for (int i = 0; i < 100; ++i) {
        const Vec3 center = 3.0 * random.normal3();
        double most = 0.0;
        for (const Vec3& p : points)
            most = std::max(most, (p - center).norm());
        EXPECT_NEAR(body.radius_about(center), most, 4e-16 * most);
    }
}

}  // namespace
}  // namespace carom::tests
