// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/shape/mass_properties.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/shape/hull.h"
#include "tests/shape/shape_checks.h"

namespace carom::tests {
namespace {

using shape::check_inertia;
using shape::Density;
using shape::make_box;
using shape::make_capsule;
using shape::make_compound;
using shape::make_cone;
using shape::make_cylinder;
using shape::make_half_space;
using shape::make_hull;
using shape::make_sphere;
using shape::Mass;
using shape::mass_properties;
using shape::MassProperties;
using shape::Pose;
using shape::Quat;
using shape::Shape;

constexpr double k_pi = std::numbers::pi;

__extension__ typedef __float128 Quad;

struct Quad3 {
    Quad x, y, z;
};

// The moments of a polyhedron in quadruple precision by another way: signed tetrahedra from a point
// far outside, each face as a fan about its last corner, and the four-point Gauss rule, which is
// exact for polynomials of degree two.
MassProperties by_quadrature(const shape::Polyhedron& body, const Vec3& outside) {
    Quad root5 = 2;
    for (int i = 0; i < 6; ++i)
        root5 = (root5 + 5 / root5) / 2;
    const Quad weight_far = (5 + 3 * root5) / 20;
    const Quad weight_near = (5 - root5) / 20;
    const auto relative = [&](const Vec3& v) {
        return Quad3{Quad(v.x()) - Quad(outside.x()), Quad(v.y()) - Quad(outside.y()),
                     Quad(v.z()) - Quad(outside.z())};
    };
    Quad m[10] = {};  // 1, x, y, z, xx, yy, zz, xy, yz, zx
    for (shape::Index f = 0; f < body.faces().size(); ++f) {
        const auto boundary = body.boundary(f);
        const Quad3 a = relative(body.vertex(body.tail(boundary.back())));
        for (std::size_t i = 0; i + 2 < boundary.size(); ++i) {
            const Quad3 b = relative(body.vertex(body.tail(boundary[i])));
            const Quad3 c = relative(body.vertex(body.tail(boundary[i + 1])));
            const Quad volume = (a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
                                 a.z * (b.x * c.y - b.y * c.x)) /
                                6;
            for (int point = 0; point < 4; ++point) {
                const Quad wa = point == 1 ? weight_far : weight_near;
                const Quad wb = point == 2 ? weight_far : weight_near;
                const Quad wc = point == 3 ? weight_far : weight_near;
                const Quad x = wa * a.x + wb * b.x + wc * c.x;
                const Quad y = wa * a.y + wb * b.y + wc * c.y;
                const Quad z = wa * a.z + wb * b.z + wc * c.z;
                const Quad terms[10] = {1, x, y, z, x * x, y * y, z * z, x * y, y * z, z * x};
                for (int k = 0; k < 10; ++k)
                    m[k] += volume / 4 * terms[k];
            }
        }
    }
    const Quad3 c{m[1] / m[0], m[2] / m[0], m[3] / m[0]};
    const Quad xx = m[4] - m[0] * c.x * c.x;
    const Quad yy = m[5] - m[0] * c.y * c.y;
    const Quad zz = m[6] - m[0] * c.z * c.z;
    const auto xy = static_cast<double>(m[7] - m[0] * c.x * c.y);
    const auto yz = static_cast<double>(m[8] - m[0] * c.y * c.z);
    const auto zx = static_cast<double>(m[9] - m[0] * c.z * c.x);
    MassProperties result;
    result.volume = result.mass = static_cast<double>(m[0]);
    result.center = {static_cast<double>(c.x + Quad(outside.x())),
                     static_cast<double>(c.y + Quad(outside.y())),
                     static_cast<double>(c.z + Quad(outside.z()))};
    result.inertia << static_cast<double>(yy + zz), -xy, -zx, -xy, static_cast<double>(zz + xx),
        -yz, -zx, -yz, static_cast<double>(xx + yy);
    return result;
}

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance, double size) {
    EXPECT_NEAR(a.volume, b.volume, tolerance * b.volume);
    EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
    EXPECT_LT((a.center - b.center).norm(), tolerance * size);
    EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

TEST(MassProperties, ClosedForms) {
    const double m = 3.0;
    const auto diagonal = [&](const Shape& shape) {
        const MassProperties p = mass_properties(shape, Mass{m});
        EXPECT_EQ(p.mass, m);
        EXPECT_EQ(p.center, Vec3::Zero());
        EXPECT_EQ(p.inertia, Mat3(p.inertia.diagonal().asDiagonal()));
        return Vec3(p.inertia.diagonal());
    };
    const auto near = [](const Vec3& a, const Vec3& b) {
        return (a - b).norm() < 1e-15 * b.norm();
    };
    EXPECT_TRUE(near(diagonal(make_sphere(0.5)), Vec3::Constant(0.4 * m * 0.25)));
    EXPECT_TRUE(near(diagonal(make_box({1, 2, 3})), m / 12.0 * Vec3(13, 10, 5)));
    EXPECT_TRUE(near(diagonal(make_cylinder(2, 3)), m * Vec3(1.75, 1.75, 2.0)));
    EXPECT_TRUE(near(diagonal(make_cone(2, 4)),
                     m * Vec3(0.15 * 4 + 0.0375 * 16, 0.15 * 4 + 0.0375 * 16, 1.2)));
    EXPECT_TRUE(near(diagonal(make_capsule(0.5, 0.0)), Vec3::Constant(0.4 * m * 0.25)));
    const auto volume = [](const Shape& s) { return mass_properties(s, Density{1.0}).volume; };
    EXPECT_DOUBLE_EQ(volume(make_sphere(2)), 32.0 * k_pi / 3.0);
    EXPECT_DOUBLE_EQ(volume(make_box({1, 2, 3})), 6.0);
    EXPECT_DOUBLE_EQ(volume(make_capsule(1, 3)), k_pi * (3.0 + 4.0 / 3.0));
    EXPECT_DOUBLE_EQ(volume(make_cylinder(2, 3)), 12.0 * k_pi);
    EXPECT_DOUBLE_EQ(volume(make_cone(2, 3)), 4.0 * k_pi);
    EXPECT_DOUBLE_EQ(mass_properties(make_box({1, 2, 3}), Density{7.0}).mass, 42.0);
}

// Bodies of revolution by integrating discs of radius rho(z) with a fine midpoint rule.
TEST(MassProperties, BodiesOfRevolutionByDiscs) {
    struct Case {
        Shape shape;
        double low, high;
        std::function<double(double)> radius_squared;
    };
    const auto cap = [](double z) {
        const double over = std::max(0.0, std::abs(z) - 0.75);
        return 0.16 - over * over;
    };
    const Case cases[] = {
        {make_capsule(0.4, 1.5), -1.15, 1.15, cap},
        {make_cone(0.6, 2.0), -0.5, 1.5, [](double z) { return std::pow(0.3 * (1.5 - z), 2); }},
        {make_cylinder(0.6, 2.0), -1.0, 1.0, [](double) { return 0.36; }}};
    for (const Case& c : cases) {
        const int n = 200000;
        long double volume = 0.0L;
        long double first = 0.0L;
        long double along = 0.0L;
        long double across = 0.0L;
        for (int i = 0; i < n; ++i) {
            const double z = c.low + (c.high - c.low) * (i + 0.5) / n;
            const double square = c.radius_squared(z);
            const auto slice = static_cast<long double>(k_pi * square * (c.high - c.low) / n);
            volume += slice;
            first += slice * static_cast<long double>(z);
            along += slice * static_cast<long double>(0.5 * square);
            across += slice * static_cast<long double>(0.25 * square + z * z);
        }
        const MassProperties p = mass_properties(c.shape, Density{1.0});
        EXPECT_NEAR(p.volume, static_cast<double>(volume), 1e-9);
        EXPECT_NEAR(0.0, static_cast<double>(first), 1e-9);
        EXPECT_NEAR(p.inertia(2, 2), static_cast<double>(along), 1e-9);
        EXPECT_NEAR(p.inertia(0, 0), static_cast<double>(across), 1e-9);
        EXPECT_NEAR(p.inertia(1, 1), static_cast<double>(across), 1e-9);
    }
}

TEST(MassProperties, HullsAgainstQuadrupleQuadrature) {
    Random random(921);
    for (int i = 0; i < 100; ++i) {
        const int count = static_cast<int>(random.log_uniform(4.0, 200.0));
        const double thinnest = i % 2 == 0 ? 0.1 : 1e-4;
        const Shape hull = make_hull(random_points(random, count, thinnest));
        const shape::Polyhedron& body = body_of(hull);
        const MassProperties exact = by_quadrature(body, 10.0 * random.normal3());
        expect_same(mass_properties(hull, Density{1.0}), exact, 3e-15, 5.0);
        // the volume of a needle is a small number, and still right
        EXPECT_NEAR(mass_properties(hull, Density{1.0}).volume, exact.volume, 1e-14 * exact.volume);
    }
}

TEST(MassProperties, ABoxAsAHull) {
    Random random(922);
    for (const double thin : {1.0, 1e-2, 1e-4}) {
        const Vec3 size(1.0, 0.5, thin);
        const Mat3 R = random.rotation();
        const Vec3 shift = random.normal3();
        const Shape hull = make_hull(moved(box_corners(size), R, shift));
        const MassProperties box = mass_properties(make_box(size), Density{2.0});
        MassProperties turned = box;
        turned.center = R * (0.5 * size) + shift;
        turned.inertia = R * box.inertia * R.transpose();
        expect_same(mass_properties(hull, Density{2.0}), turned, 1e-15 / thin, 1.0);
    }
}

Pose random_pose(Random& random) {
    return {random.normal3(), Quat(random.rotation())};
}

// The corners of a prism are rounded, its symmetry is not: two moments are equal bit for bit, and
// the axes are its own. A corner moved by far more than rounding is seen.
TEST(MassProperties, PrismsAreAsSymmetricAsTheirCylinders) {
    for (const int sides : {3, 5, 7, 32, 102}) {
        std::vector<Vec3> corners;
        for (int i = 0; i < sides; ++i) {
            const double angle = 2.0 * k_pi * i / sides;
            for (const double z : {-0.3, 0.4})
                corners.emplace_back(0.7 * std::cos(angle), 0.7 * std::sin(angle), z);
        }
        const Mat3 inertia = mass_properties(make_hull(corners), Density{3.0}).inertia;
        EXPECT_EQ(inertia(0, 0), inertia(1, 1)) << sides;
        EXPECT_TRUE((inertia - Mat3(inertia.diagonal().asDiagonal())).isZero(0.0)) << sides;
        EXPECT_GT(std::abs(inertia(2, 2) - inertia(0, 0)), 1e-3 * inertia(0, 0));

        corners[0].x() += 1e-11;
        const Mat3 moved = mass_properties(make_hull(corners), Density{3.0}).inertia;
        EXPECT_NE(moved(0, 0), moved(1, 1)) << sides;
    }
    // a cube of eight corners: all three
    std::vector<Vec3> cube;
    for (unsigned i = 0; i < 8; ++i)
        cube.emplace_back((i & 1U) != 0 ? 0.1 : -0.1, (i & 2U) != 0 ? 0.1 : -0.1,
                          (i & 4U) != 0 ? 0.1 : -0.1);
    const Mat3 inertia = mass_properties(make_hull(cube), Density{1.0}).inertia;
    EXPECT_TRUE((inertia - inertia(0, 0) * Mat3::Identity()).isZero(0.0));
}

TEST(MassProperties, PartsTurnAndShift) {
    Random random(923);
    const Shape shapes[] = {make_sphere(0.7),       make_box({1, 2, 3}),
                            make_capsule(0.3, 1.0), make_cylinder(0.5, 0.2),
                            make_cone(0.6, 1.1),    make_hull(random_points(random, 30))};
    for (const Shape& shape : shapes) {
        const MassProperties own = mass_properties(shape, Density{3.0});
        for (int i = 0; i < 20; ++i) {
            const Pose pose = random_pose(random);
            const shape::Placed placed[] = {{shape, pose}};
            const Mat3 R = pose.orientation.toRotationMatrix();
            MassProperties expected = own;
            expected.center = pose.apply(own.center);
            expected.inertia = R * own.inertia * R.transpose();
            expect_same(mass_properties(make_compound(placed), Density{3.0}), expected, 2e-15, 5.0);
        }
    }
}

// A box cut into eight, and a nested compound of the same, is the box.
TEST(MassProperties, CompoundIsTheSumOfItsParts) {
    Random random(924);
    const Pose outer = random_pose(random);
    std::vector<shape::Placed> eighths;
    for (const Vec3& corner : box_corners({1.0, 1.0, 1.0})) {
        const Vec3 at = (corner - Vec3::Constant(0.5)).cwiseProduct(Vec3(0.5, 1.0, 1.5));
        eighths.push_back({make_box({0.5, 1.0, 1.5}), Pose{at, Quat::Identity()}});
    }
    const Shape box = make_compound(eighths);
    const shape::Placed whole[] = {{make_box({1, 2, 3}), outer}};
    const shape::Placed cut[] = {{box, outer}};
    const Shape nested = make_compound(cut);
    EXPECT_EQ(nested.parts.size(), 8U);
    expect_same(mass_properties(nested, Density{5.0}),
                mass_properties(make_compound(whole), Density{5.0}), 2e-15, 5.0);
    expect_same(mass_properties(nested, Mass{5.0}),
                mass_properties(make_compound(whole), Mass{5.0}), 2e-15, 5.0);
    // overlap counts twice
    const shape::Placed twice[] = {{make_box({1, 2, 3}), {}}, {make_box({1, 2, 3}), {}}};
    EXPECT_DOUBLE_EQ(mass_properties(make_compound(twice), Density{1.0}).volume, 12.0);
}

TEST(MassProperties, Refusals) {
    constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    const Shape box = make_box({1, 1, 1});
    for (const double bad : {0.0, -1.0, k_nan, k_infinity}) {
        expect_refusal([&] { mass_properties(box, Density{bad}); }, {"density", "larger than 0"});
        expect_refusal([&] { mass_properties(box, Mass{bad}); }, {"mass", "larger than 0"});
    }
    expect_refusal(
        [&] {
            mass_properties(make_half_space({0, 0, 1}), Mass{1});
        },
        {"plane has no mass"});
    const shape::Placed mixed[] = {{box, {}}, {make_half_space({0, 0, 1}), {}}};
    expect_refusal([&] { mass_properties(make_compound(mixed), Mass{1}); }, {"plane has no mass"});
    expect_refusal([&] { mass_properties(Shape{}, Mass{1}); }, {"empty"});
    expect_refusal([&] { mass_properties(make_sphere(1e60), Density{1e150}); }, {"range"});
    // a needle turned: its smallest moment is 1e-20 of the largest
    Random random(925);
    const Shape needle =
        make_hull(moved(box_corners({1.0, 1e-10, 1e-10}), random.rotation(), Vec3::Zero()));
    expect_refusal([&] { mass_properties(needle, Mass{1}); }, {"too thin"});
}

TEST(CheckInertia, TakesInertiasAndNothingElse) {
    Random random(926);
    const auto of = [](const Mat3& inertia) { return [=] { check_inertia(inertia); }; };
    for (int i = 0; i < 200; ++i) {
        const Mat3 R = random.rotation();
        const double a = random.log_uniform(1e-3, 1.0);
        const double b = random.log_uniform(1e-3, 1.0);
        const double scale = random.log_uniform(1e-100, 1e100);
        // a flat body: the largest moment is just the sum of the others
        const Mat3 flat = scale * R * Vec3(a, b, a + b).asDiagonal() * R.transpose();
        EXPECT_NO_THROW(check_inertia(flat));
        const double more = (a + b) * (1.0 + 1e-9);
        const Mat3 wrong = scale * R * Vec3(a, b, more).asDiagonal() * R.transpose();
        expect_refusal(of(wrong), {"triangle inequality"});
    }
    expect_refusal(of(Mat3::Zero()), {"zero"});
    expect_refusal(of(Vec3(1, 1, -1).asDiagonal()), {"positive definite"});
    expect_refusal(of(Vec3(1, 1, 0).asDiagonal()), {"positive definite"});
    Mat3 skew = Mat3::Identity();
    skew(0, 1) = 1e-6;
    expect_refusal(of(skew), {"symmetric"});
    skew(0, 1) = std::numeric_limits<double>::quiet_NaN();
    expect_refusal(of(skew), {"finite"});
}

}  // namespace
}  // namespace carom::tests
