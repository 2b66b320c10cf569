// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/lathe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/scene/scene.h"
#include "carom/shape/mass_properties.h"

namespace carom::tests {
namespace {

using scene::lathe_corners;
using scene::ProfilePoint;

scene::Scene with_lathe(const std::string& shape) {
    return scene::read_scene_text(
        "[simulation]\nduration = 1\n[[body]]\nname = \"b\"\nshape = " + shape + "\n", "t");
}

const shape::Polyhedron& polyhedron(const scene::Scene& scene) {
    return *shape::polyhedron_of(scene.bodies.at(0).shape->parts.at(0).convex);
}

// A prism of n sides has n corners at either end, n + 2 faces and the volume n r^2 h sin(2 pi/n)/2.
TEST(Lathe, Prism) {
    const scene::Scene scene =
        with_lathe("{ type = \"lathe\", profile = [[0.5, -1], [0.5, 2]], sides = 7 }");
    const auto& hull = polyhedron(scene);
    EXPECT_EQ(hull.vertices().size(), 14U);
    EXPECT_EQ(hull.faces().size(), 9U);
    const auto mass = shape::mass_properties(*scene.bodies[0].shape, shape::Density{1.0});
    const double volume = 7.0 * 0.25 * 3.0 * std::sin(2.0 * std::numbers::pi / 7.0) / 2.0;
    EXPECT_NEAR(mass.volume, volume, 1e-12 * volume);
    EXPECT_NEAR(mass.center.z(), 0.5, 1e-12);
    EXPECT_LT(mass.center.head<2>().norm(), 1e-14);
}

// Both ends on the axis: a double pyramid. The corner in the hollow is inside and dropped.
TEST(Lathe, PointsOnTheAxisAndHollows) {
    const scene::Scene scene = with_lathe(
        "{ type = \"lathe\", profile = [[0, -1], [1, 0], [0.1, 0.5], [0, 1]], sides = 4 }");
    const auto& hull = polyhedron(scene);
    EXPECT_EQ(hull.vertices().size(), 6U);
    EXPECT_EQ(hull.faces().size(), 8U);
}

// The facets that the bowling pins are made of: 16 sides, ten bands, and flat ends.
TEST(Lathe, CountsOfAPin) {
    const std::string belly =
        "profile = [[0.0258, 0], [0.0359, 0.019], [0.0496, 0.0572], [0.0605, 0.1143], "
        "[0.0579, 0.1492], [0.047, 0.1842], [0.0228, 0.254]]";
    const auto scene = with_lathe("{ type = \"lathe\", sides = 16, " + belly + " }");
    EXPECT_EQ(polyhedron(scene).faces().size(), 6U * 16U + 2U);
}

TEST(Lathe, CornersAreOnTheirRings) {
    const std::vector<ProfilePoint> profile{{0.0, 1.0}, {2.0, 0.0}};
    const std::vector<Vec3> corners = lathe_corners(profile, 12);
    ASSERT_EQ(corners.size(), 13U);
    EXPECT_EQ(corners[0], Vec3(0, 0, 1));
    for (std::size_t k = 1; k < corners.size(); ++k) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(k - 1) / 12.0;
        EXPECT_LT((corners[k] - 2.0 * Vec3(std::cos(angle), std::sin(angle), 0.0)).norm(), 1e-15);
    }
}

TEST(Lathe, RefusesWhatIsNoBody) {
    const std::vector<ProfilePoint> good{{1.0, 0.0}, {1.0, 1.0}};
    EXPECT_THROW(lathe_corners(good, 2), std::invalid_argument);
    EXPECT_THROW(lathe_corners(good, 10'001), std::invalid_argument);
    const std::vector<ProfilePoint> single{{1.0, 0.0}};
    EXPECT_THROW(lathe_corners(single, 8), std::invalid_argument);
    const std::vector<ProfilePoint> negative{{1.0, 0.0}, {-1.0, 1.0}};
    EXPECT_THROW(lathe_corners(negative, 8), std::invalid_argument);
    const std::vector<ProfilePoint> axis{{0.0, 0.0}, {0.0, 1.0}};
    EXPECT_THROW(lathe_corners(axis, 8), std::invalid_argument);
    const std::vector<ProfilePoint> many(1000, {1.0, 0.0});
    EXPECT_THROW(lathe_corners(many, 1000), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
