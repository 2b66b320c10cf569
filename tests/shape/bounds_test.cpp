// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/shape/bounds.h"

#include <cmath>

#include "tests/shape/shape_checks.h"

namespace carom::tests {
namespace {

using shape::Convex;
using shape::extent;
using shape::radius_about;
using shape::Shape;
using shape::support_point;

// A primitive and whether a point belongs to it, by its definition.
struct Body {
    Shape shape;
    std::function<double(const Vec3&)> outside;  // <= 0 inside

    const Convex& convex() const { return shape.parts[0].convex; }
};

std::vector<Body> bodies(Random& random) {
    std::vector<Body> all;
    all.push_back({shape::make_sphere(0.7), [](const Vec3& x) { return x.norm() - 0.7; }});
    all.push_back({shape::make_box({1.0, 2.0, 0.5}),
                   [](const Vec3& x) { return (x.cwiseAbs() - Vec3(0.5, 1.0, 0.25)).maxCoeff(); }});
    all.push_back({shape::make_capsule(0.3, 1.0), [](const Vec3& x) {
                       return (x - Vec3(0, 0, std::clamp(x.z(), -0.5, 0.5))).norm() - 0.3;
                   }});
    all.push_back({shape::make_cylinder(0.6, 0.8), [](const Vec3& x) {
                       return std::max(std::hypot(x.x(), x.y()) - 0.6, std::abs(x.z()) - 0.4);
                   }});
    all.push_back({shape::make_cone(0.6, 2.0), [](const Vec3& x) {
                       return std::max(-0.5 - x.z(),
                                       std::hypot(x.x(), x.y()) - 0.3 * (1.5 - x.z()));
                   }});
    const Shape hull = shape::make_hull(random_points(random, 80));
    all.push_back({hull, [hull](const Vec3& x) {
                       double out = -1.0;
                       for (const auto& face : body_of(hull).faces())
                           out = std::max(out, face.normal.dot(x) - face.offset);
                       return out;
                   }});
    return all;
}

// Points of the body: random ones of a box around it that pass the definition.
std::vector<Vec3> points_inside(const Body& body, Random& random, int tries) {
    const Aabb box = bounding_box(body.shape, shape::Pose{});
    std::vector<Vec3> points;
    for (int i = 0; i < tries; ++i) {
        const Vec3 t(random.uniform(), random.uniform(), random.uniform());
        const Vec3 x = box.low + t.cwiseProduct(box.high - box.low);
        if (body.outside(x) <= 0.0) points.push_back(x);
    }
    return points;
}

TEST(Bounds, SupportPointsAreInTheBodyAndNoneIsFarther) {
    Random random(931);
    for (const Body& body : bodies(random)) {
        const std::vector<Vec3> inside = points_inside(body, random, 3000);
        ASSERT_GT(inside.size(), 300U);
        for (int i = 0; i < 200; ++i) {
            Vec3 d = random.direction();
            if (i % 4 == 0) d[i / 4 % 3] = 0.0;
            const Vec3 point = support_point(body.convex(), d);
            EXPECT_LE(body.outside(point), 1e-15 * (1.0 + point.norm()));
            EXPECT_DOUBLE_EQ(extent(body.convex(), d), d.dot(point));
            // the length of the direction does not matter, even where its square overflows
            EXPECT_LT((support_point(body.convex(), std::ldexp(1.0, 700) * d) - point).norm(),
                      1e-15);
            for (const Vec3& x : inside)
                EXPECT_LE(d.dot(x), d.dot(point) + 1e-14);
        }
        // the axes, where ties are
        for (int k = 0; k < 3; ++k) {
            for (const double sign : {-1.0, 1.0})
                EXPECT_LE(body.outside(support_point(body.convex(), sign * Vec3::Unit(k))), 1e-15);
        }
        EXPECT_TRUE(support_point(body.convex(), Vec3::Zero()).allFinite());
    }
}

TEST(Bounds, SupportValuesInClosedForm) {
    Random random(932);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 d = random.direction();
        const double across = std::hypot(d.x(), d.y());
        const auto value = [&](const Shape& s) { return extent(s.parts[0].convex, d); };
        EXPECT_NEAR(value(shape::make_sphere(2.0)), 2.0, 1e-15);
        EXPECT_NEAR(value(shape::make_box({1, 2, 3})), d.cwiseAbs().dot(Vec3(0.5, 1.0, 1.5)),
                    1e-15);
        EXPECT_NEAR(value(shape::make_capsule(0.5, 2.0)), 0.5 + std::abs(d.z()), 1e-15);
        EXPECT_NEAR(value(shape::make_cylinder(0.5, 2.0)), 0.5 * across + std::abs(d.z()), 1e-15);
        EXPECT_NEAR(value(shape::make_cone(0.5, 4.0)), std::max(3.0 * d.z(), 0.5 * across - d.z()),
                    1e-15);
    }
}

// The radius is that of some point of the body (the support point along the way to it), and no
// point is farther.
TEST(Bounds, RadiusIsExact) {
    Random random(933);
    for (const Body& body : bodies(random)) {
        const std::vector<Vec3> inside = points_inside(body, random, 2000);
        for (int i = 0; i < 50; ++i) {
            const Vec3 center = random.log_uniform(0.1, 5.0) * random.direction();
            const double radius = radius_about(body.convex(), center);
            for (const Vec3& x : inside)
                EXPECT_LE((x - center).norm(), radius * (1.0 + 1e-15));
            // climb to the farthest point from many starts
            double farthest = 0.0;
            for (int start = 0; start < 60; ++start) {
                Vec3 x = support_point(body.convex(), random.direction());
                for (int step = 0; step < 200; ++step)
                    x = support_point(body.convex(), x - center);
                farthest = std::max(farthest, (x - center).norm());
            }
            EXPECT_NEAR(farthest, radius, 1e-9 * radius);
        }
    }
}

TEST(Bounds, PlacedPartsAndCompounds) {
    Random random(934);
    const auto all = bodies(random);
    std::vector<shape::Placed> placed;
    for (const Body& body : all)
        placed.push_back({body.shape, {random.normal3(), shape::Quat(random.rotation())}});
    const Shape compound = make_compound(placed);
    const shape::Pose pose{random.normal3(), shape::Quat(random.rotation())};
    const Aabb box = bounding_box(compound, pose);
    const Vec3 center = random.normal3();
    const double radius = radius_about(compound, center);
    double farthest = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const Vec3& x : points_inside(all[i], random, 2000)) {
            const Vec3 in_shape = placed[i].pose.apply(x);
            EXPECT_LE((in_shape - center).norm(), radius + 1e-14);
            const Vec3 in_world = pose.apply(in_shape);
            EXPECT_TRUE((in_world.array() >= box.low.array() - 1e-14).all());
            EXPECT_TRUE((in_world.array() <= box.high.array() + 1e-14).all());
        }
        farthest = std::max(farthest, radius_about(compound.parts[i], center));
        EXPECT_NEAR(radius_about(compound.parts[i], center),
                    radius_about(all[i].convex(), placed[i].pose.apply_inverse(center)), 1e-14);
    }
    EXPECT_EQ(radius, farthest);
}

TEST(Bounds, HalfSpaceIsUnbounded) {
    const Shape plane = shape::make_half_space({0.0, 0.0, 2.0});
    const Convex& convex = plane.parts[0].convex;
    EXPECT_EQ(radius_about(plane, Vec3::Zero()), std::numeric_limits<double>::infinity());
    EXPECT_EQ(extent(convex, {0, 0, 3}), 0.0);
    EXPECT_EQ(extent(convex, {0, 0, -3}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(extent(convex, {1, 0, 3}), std::numeric_limits<double>::infinity());
    expect_refusal([&] { support_point(convex, {1, 0, 0}); }, {"plane"});
    const Aabb box = bounding_box(plane, {Vec3(0, 0, 5), shape::Quat::Identity()});
    EXPECT_EQ(box.high.z(), 5.0);
    EXPECT_EQ(box.low.z(), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(box.high.x(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace carom::tests
