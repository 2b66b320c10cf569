// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "carom/shape/shape.h"

#include <limits>

#include "tests/shape/shape_checks.h"

namespace carom::tests {
namespace {

using namespace shape;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_infinity = std::numeric_limits<double>::infinity();

TEST(Shape, MakersKeepTheirNumbers) {
    EXPECT_EQ(std::get<Sphere>(make_sphere(2.0).parts.at(0).convex).radius, 2.0);
    const Shape box = make_box({1.0, 2.0, 3.0});
    EXPECT_EQ(std::get<Box>(box.parts.at(0).convex).half, Vec3(0.5, 1.0, 1.5));
    EXPECT_EQ(polyhedron_of(box.parts[0].convex)->faces().size(), 6U);
    const Shape capsule = make_capsule(1.0, 3.0);
    EXPECT_EQ(std::get<Capsule>(capsule.parts.at(0).convex).half_length, 1.5);
    const Shape cylinder = make_cylinder(1.0, 3.0);
    EXPECT_EQ(std::get<Cylinder>(cylinder.parts.at(0).convex).half_height, 1.5);
    const Shape cone = make_cone(1.0, 3.0);
    EXPECT_EQ(std::get<Cone>(cone.parts.at(0).convex).height, 3.0);
    EXPECT_EQ(polyhedron_of(cone.parts[0].convex), nullptr);
    EXPECT_STREQ(name_of(cone.parts[0].convex), "cone");
    for (const double length : {1e-300, 1.0, 1e300}) {
        const Shape plane = make_half_space(length * Vec3(3.0, 0.0, 4.0));
        const Vec3 normal = std::get<HalfSpace>(plane.parts.at(0).convex).normal;
        EXPECT_LT((normal - Vec3(0.6, 0.0, 0.8)).norm(), 2e-16);
    }
}

TEST(Shape, MakersRefuseBadSizes) {
    for (const double bad : {0.0, -1.0, k_nan, k_infinity}) {
        const std::vector<std::string> radius = {"radius", "larger than 0"};
        const std::vector<std::string> height = {"height", "larger than 0"};
        expect_refusal([=] { make_sphere(bad); }, radius);
        expect_refusal([=] { make_capsule(bad, 1.0); }, radius);
        expect_refusal([=] { make_cylinder(bad, 1.0); }, radius);
        expect_refusal([=] { make_cone(bad, 1.0); }, radius);
        expect_refusal([=] { make_cylinder(1.0, bad); }, height);
        expect_refusal([=] { make_cone(1.0, bad); }, height);
        expect_refusal([=] { make_box({1.0, bad, 1.0}); }, {"size[1]", "larger than 0"});
        if (bad != 0.0) expect_refusal([=] { make_capsule(1.0, bad); }, {"length"});
    }
    EXPECT_NO_THROW(make_capsule(1.0, 0.0));
    expect_refusal([] { make_sphere(-0.25); }, {"-0.25"});
    expect_refusal([] { make_sphere(1e-70); }, {"1e-70", "1e-60"});
    expect_refusal([] { make_box({1.0, 1.0, 1e-13}); }, {"smallest", "1e-12"});
    expect_refusal([] { make_half_space(Vec3::Zero()); }, {"normal", "not zero"});
    expect_refusal([] { make_half_space({0.0, k_nan, 1.0}); }, {"normal", "finite"});
    expect_refusal([] { make_half_space({0.0, k_infinity, 1.0}); }, {"normal", "finite"});
}

TEST(Shape, CompoundsAreFlatAndChecked) {
    const Shape ball = make_sphere(1.0);
    const Pose lifted{Vec3(0, 0, 2), Quat::Identity()};
    // orientations are normalised
    const Pose turned{Vec3(1, 0, 0), Quat(2.0, 0.0, 0.0, 2.0)};
    const Placed inner[] = {{ball, lifted}, {make_box({1, 1, 1}), Pose{}}};
    const Shape pair = make_compound(inner);
    const Placed outer[] = {{pair, turned}, {ball, Pose{}}};
    const Shape all = make_compound(outer);
    ASSERT_EQ(all.parts.size(), 3U);
    EXPECT_LT((all.parts[0].pose.position - Vec3(1, 0, 2)).norm(), 1e-15);
    EXPECT_NEAR(all.parts[1].pose.orientation.norm(), 1.0, 1e-15);
    EXPECT_LT((all.parts[1].pose.apply(Vec3(1, 0, 0)) - Vec3(1, 1, 0)).norm(), 1e-15);

    expect_refusal([] { make_compound({}); }, {"no parts"});
    const auto with = [&](const Pose& pose) {
        return [=] {
            const Placed parts[] = {{ball, Pose{}}, {ball, pose}};
            make_compound(parts);
        };
    };
    expect_refusal(with({Vec3(0, k_nan, 0), Quat::Identity()}), {"part 2", "position"});
    expect_refusal(with({Vec3::Zero(), Quat(0, 0, 0, 0)}), {"part 2", "orientation"});
    expect_refusal(with({Vec3::Zero(), Quat(k_nan, 0, 0, 0)}), {"part 2", "orientation"});
    const Placed empty[] = {{Shape{}, Pose{}}};
    expect_refusal([&] { make_compound(empty); }, {"part 1", "empty"});
}

TEST(Pose, InverseAndComposition) {
    Random random(941);
    for (int i = 0; i < 100; ++i) {
        const Pose a{random.normal3(), Quat(random.rotation())};
        const Pose b{random.normal3(), Quat(random.rotation())};
        const Vec3 x = random.normal3();
        EXPECT_LT((a.inverse().apply(a.apply(x)) - x).norm(), 1e-14);
        EXPECT_LT((a.apply_inverse(a.apply(x)) - x).norm(), 1e-14);
        EXPECT_LT((a.rotate_inverse(a.rotate(x)) - x).norm(), 1e-14);
        EXPECT_LT((compose(a, b).apply(x) - a.apply(b.apply(x))).norm(), 1e-14);
    }
}

}  // namespace
}  // namespace carom::tests
