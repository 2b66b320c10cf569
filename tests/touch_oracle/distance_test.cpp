// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/touch_oracle/core.h"
#include "tests/touch_oracle/random.h"

namespace touch_oracle {
namespace {

Real size_of(const Shape& shape) {
    const Core core(shape);
    return core.is_plane() ? 0.0L : core.reach(Vec()) + core.radius();
}

Placement placement(const Pose& pose) {
    return {Matrix::of(to_real(pose.orientation).unit()), Vec(pose.position)};
}

// how far a point is outside a primitive at most, by its inequalities; 0 or less inside
Real outside(const Shape& shape, const Pose& pose, const Vec& point) {
    const Placement place = placement(pose);
    const Vec x = place.R.back(point - place.p);
    const Real r = Real(shape.radius), h = Real(shape.height), across = std::hypot(x.x, x.y);
    switch (shape.kind) {
        case Kind::sphere:
            return x.norm() - r;
        case Kind::plane:
            return Vec(shape.normal).unit().dot(x);
        case Kind::box:
            return std::max({std::abs(x.x) - Real(shape.size.x) / 2,
                             std::abs(x.y) - Real(shape.size.y) / 2,
                             std::abs(x.z) - Real(shape.size.z) / 2});
        case Kind::capsule:
            return (x - Vec(0, 0, std::clamp(x.z, -h / 2, h / 2))).norm() - r;
        case Kind::cylinder:
            return std::max(across - r, std::abs(x.z) - h / 2);
        case Kind::cone:
            return std::max(-h / 4 - x.z, (across - r * (0.75L - x.z / h)) * h / std::hypot(r, h));
        case Kind::hull:
            break;
    }
    Real most = -1.0L;
    std::vector<Vec> points;
    for (const Vec3& p : shape.points)
        points.emplace_back(p);
    for (const Triangle& t : hull_triangles(points)) {
        const Vec n = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).unit();
        most = std::max(most, n.dot(x - points[t[0]]));
    }
    return most;
}

template <typename Check>
void for_all_configurations(int seeds, const Check& check) {
    std::uint64_t seed = 0;
    for (Setting setting : k_settings) {
        for (Kind a : k_kinds) {
            for (Kind b : k_kinds) {
                if (a == Kind::plane && b == Kind::plane) continue;
                for (int i = 0; i < seeds; ++i) {
                    const Configuration c = random_configuration(++seed, setting, a, b);
                    SCOPED_TRACE(name(setting) + " " + name(a) + " " + name(b) + " seed " +
                                 std::to_string(seed));
                    check(c);
                }
            }
        }
    }
}

TEST(TouchOracleDistance, PointPairAndBoundMeet) {
    for_all_configurations(3, [](const Configuration& c) {
        const Distance d = distance(c.a, c.pose_a, c.b, c.pose_b);
        const Real size = size_of(c.a) + size_of(c.b);
        const Real eps = 1e-17L * (size + (Vec(c.pose_a.position) - Vec(c.pose_b.position)).norm());
        ASSERT_FALSE(d.overlap);
        EXPECT_GT(d.distance, 0.0L);
        EXPECT_LE(d.distance - d.lower, 2 * eps);
        EXPECT_NEAR(static_cast<double>((d.point_a - d.point_b).norm() - d.distance), 0.0,
                    static_cast<double>(eps));
        // the points belong to the shapes
        EXPECT_LE(outside(c.a, c.pose_a, d.point_a), eps);
        EXPECT_LE(outside(c.b, c.pose_b, d.point_b), eps);
    });
}

// The bound's claim, tried on random points of the shapes.
TEST(TouchOracleDistance, NoPointsOfTheShapesAreCloser) {
    Random random(5);
    for_all_configurations(1, [&](const Configuration& c) {
        const Distance d = distance(c.a, c.pose_a, c.b, c.pose_b);
        const Real size = size_of(c.a) + size_of(c.b);
        const auto far_along = [&](const Shape& shape, const Pose& pose, const Vec& n) {
            Real most = -1e30L;
            const Placement place = placement(pose);
            for (int i = 0; i < 300; ++i) {
                const Vec x = Vec(random.direction()) * (size * Real(random.uniform()));
                if (outside(shape, pose, place.p + x) > 0.0L) continue;
                most = std::max(most, n.dot(place.p + x));
            }
            return most;
        };
        if (c.a.kind == Kind::plane || c.b.kind == Kind::plane) return;
        if (c.a.kind == Kind::hull || c.b.kind == Kind::hull) return;  // slow, and no other code
        const Real low = -far_along(c.a, c.pose_a, -d.normal);
        const Real high = far_along(c.b, c.pose_b, d.normal);
        EXPECT_GE(low - high, d.lower - 1e-16L * size);
    });
}

TEST(TouchOracleDistance, AgreesWithAllPairsOfFeatures) {
    std::uint64_t seed = 1000000;
    const std::array kinds{Kind::sphere, Kind::capsule, Kind::box, Kind::hull};
    for (Setting setting : k_settings) {
        for (Kind a : kinds) {
            for (Kind b : kinds) {
                for (int i = 0; i < 6; ++i) {
                    const Configuration c = random_configuration(++seed, setting, a, b);
                    const Distance d = distance(c.a, c.pose_a, c.b, c.pose_b);
                    const Distance e = distance_by_features(c.a, c.pose_a, c.b, c.pose_b);
                    const Real size = size_of(c.a) + size_of(c.b) + d.distance;
                    EXPECT_LE(std::abs(d.distance - e.distance), 1e-17L * size)
                        << name(setting) << " " << name(a) << " " << name(b) << " seed " << seed;
                }
            }
        }
    }
}

// A point and a cylinder or cone, in closed form in the half-plane through the axis.
TEST(TouchOracleDistance, OfASphereFromCylinderAndConeInClosedForm) {
    Random random(77);
    for (int i = 0; i < 2000; ++i) {
        Shape round =
            random_shape(static_cast<std::uint64_t>(i), i % 2 ? Kind::cone : Kind::cylinder);
        Shape ball;
        ball.radius = 0.01 * round.radius;
        const Real r = Real(round.radius), h = Real(round.height);
        const Real x = 3 * r * Real(random.uniform()), z = 3 * h * Real(random.uniform(-1, 1));
        Real expect = 0.0L;
        if (i % 2) {
            const Real low = -h / 4, slope = std::hypot(r, h);
            // along the side, from the rim to the apex, and across it
            const Real along = ((r - x) * r + (z - low) * h) / slope;
            const Real out = ((x - r) * h + (z - low) * r) / slope;
            if (z < low && x < r)
                expect = low - z;
            else if (along <= 0.0L)
                expect = std::hypot(x - r, z - low);
            else if (along >= slope)
                expect = std::hypot(x, z - 3 * h / 4);
            else
                expect = out;
        } else {
            expect = std::hypot(std::max(x - r, 0.0L), std::max(std::abs(z) - h / 2, 0.0L));
        }
        expect -= Real(ball.radius);
        if (!(expect > 1e-6L * r)) continue;
        const Real angle = 6.28L * Real(random.uniform());
        const Pose at{Vec3(Vec(x * std::cos(angle), x * std::sin(angle), z)), {}};
        const Distance d = distance(ball, at, round, {});
        EXPECT_NEAR(static_cast<double>((d.distance - expect) / (r + h)), 0.0, 3e-16) << i;
    }
}

// Shapes moved so that a point just inside the one is a point just inside the other.
TEST(TouchOracleDistance, OverlapIsSeen) {
    Random random(3);
    for (int i = 0; i < 3000; ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        const Kind a = k_kinds[seed % 7], b = k_kinds[seed / 7 % 7];
        if (a == Kind::plane && b == Kind::plane) continue;
        Configuration c = random_configuration(seed, Setting::random, a, b);
        const Distance d = distance(c.a, c.pose_a, c.b, c.pose_b);
        const Real size = size_of(c.a) + size_of(c.b);
        const auto inside = [&](const Shape& shape, const Pose& pose, const Vec& away) {
            if (shape.kind == Kind::plane) return Vec(pose.position) + away * size;
            if (shape.kind != Kind::hull) return Vec(pose.position);
            return placement(pose)(Vec(mass_properties(shape).centre));
        };
        const Real deep = Real(random.log_uniform(1e-10, 1e-1));
        const Vec in_a = d.point_a + (inside(c.a, c.pose_a, d.normal) - d.point_a) * deep;
        const Vec in_b = d.point_b + (inside(c.b, c.pose_b, -d.normal) - d.point_b) * deep;
        c.pose_a.position += Vec3(in_b - in_a);
        EXPECT_TRUE(distance(c.a, c.pose_a, c.b, c.pose_b).overlap)
            << i << " " << name(a) << " " << name(b) << " " << deep;
    }
}

TEST(TouchOracleMass, OfAHullIsThatOfTheBoxItIs) {
    Shape box, hull;
    box.kind = Kind::box;
    box.size = {0.3, 0.7, 1.9};
    hull.kind = Kind::hull;
    const Vec3 shift(0.25, -1.5, 3.0);
    const Core corners(box);
    for (const Vec& p : corners.points())
        hull.points.push_back(Vec3(p) + shift);
    hull.points.push_back(shift);  // inside
    const MassProperties a = mass_properties(box), b = mass_properties(hull);
    EXPECT_NEAR(a.mass, b.mass, 1e-15);
    EXPECT_NEAR((b.centre - shift).norm(), 0.0, 1e-15);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            EXPECT_NEAR(a.inertia[i][j], b.inertia[i][j], 1e-15);
    }
}

// Discs stacked along the axis.
TEST(TouchOracleMass, OfRoundShapesIsThatOfTheirDiscs) {
    for (Kind kind : {Kind::sphere, Kind::capsule, Kind::cylinder, Kind::cone}) {
        Shape shape;
        shape.kind = kind;
        shape.radius = 0.7;
        shape.height = kind == Kind::sphere ? 0.0 : 1.1;
        const double r = shape.radius, h = shape.height;
        const bool capped = kind == Kind::sphere || kind == Kind::capsule;
        const double low = kind == Kind::cone ? -h / 4 : capped ? -h / 2 - r : -h / 2;
        const double high = kind == Kind::cone ? 3 * h / 4 : -low;
        double mass = 0.0, first = 0.0, axial = 0.0, across = 0.0;
        const int n = 200000;
        for (int i = 0; i < n; ++i) {
            const double z = low + (high - low) * (i + 0.5) / n;
            const double beyond = std::max(std::abs(z) - h / 2, 0.0);
            const double rr = kind == Kind::cone ? std::pow(r * (0.75 - z / h), 2)
                              : capped           ? r * r - beyond * beyond
                                                 : r * r;
            const double m = 3.14159265358979324 * rr * (high - low) / n;
            mass += m;
            first += m * z;
            axial += m * rr / 2;
            across += m * (rr / 4 + z * z);
        }
        const MassProperties p = mass_properties(shape);
        EXPECT_NEAR(p.mass, mass, 1e-9) << name(kind);
        EXPECT_NEAR(first, 0.0, 1e-9) << name(kind);
        EXPECT_NEAR(p.inertia[2][2], axial, 1e-9) << name(kind);
        EXPECT_NEAR(p.inertia[0][0], across, 1e-9) << name(kind);
    }
}

}  // namespace
}  // namespace touch_oracle
