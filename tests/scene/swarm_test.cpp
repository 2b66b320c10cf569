// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/swarm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "carom/scene/scene.h"

namespace carom::tests {
namespace {

using scene::Lattice;
using scene::maxwell_velocities;

const Aabb k_unit{Vec3::Zero(), Vec3::Ones()};

Aabb cube(double size) {
    return {Vec3::Constant(-0.5 * size), Vec3::Constant(0.5 * size)};
}

TEST(Lattice, HoldsWhatFitsAndNoMore) {
    // ten rows of 0.1 in 1: exactly
    EXPECT_EQ(Lattice(k_unit, cube(0.1), 1).capacity(), 1000.0);
    EXPECT_TRUE(Lattice(k_unit, cube(0.1), 1000).fits());
    EXPECT_FALSE(Lattice(k_unit, cube(0.1), 1001).fits());
    EXPECT_FALSE(Lattice(k_unit, cube(1.001), 1).fits());
    EXPECT_EQ(Lattice({Vec3::Zero(), {1, 2, 3}}, cube(1.0), 1).capacity(), 6.0);
}

TEST(Lattice, IsTheRoomiest) {
    // 8 in a cube stand at the quarters, whatever their size
    for (const double size : {0.5, 0.1, 1e-6}) {
        const Lattice lattice(k_unit, cube(size), 8);
        EXPECT_LT((lattice.position(0) - Vec3::Constant(0.25)).norm(), 1e-15);
        EXPECT_LT((lattice.position(7) - Vec3::Constant(0.75)).norm(), 1e-15);
    }
}

TEST(Lattice, NoTwoAreTooNearAndNoneIsOutside) {
    for (const std::uint64_t count : {1U, 2U, 7U, 100U, 999U, 1000U}) {
        const Aabb body{{-0.03, -0.02, 0.0}, {0.05, 0.04, 0.05}};
        const Aabb box{{-1.0, 2.0, 0.0}, {0.0, 2.8, 1.3}};
        const Lattice lattice(box, body, count);
        ASSERT_TRUE(lattice.fits());
        std::vector<Vec3> all;
        for (std::uint64_t k = 0; k < count; ++k)
            all.push_back(lattice.position(k));
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_TRUE(((all[i] + body.low - box.low).array() >= -1e-12).all());
            EXPECT_TRUE(((box.high - all[i] - body.high).array() >= -1e-12).all());
            for (std::size_t j = 0; j < i; ++j) {
                const Vec3 apart = (all[i] - all[j]).cwiseAbs() - (body.high - body.low);
                ASSERT_GE(apart.maxCoeff(), -1e-12) << i << " " << j;
            }
        }
    }
}

TEST(Maxwell, MomentumAndSpeedToRounding) {
    for (const std::uint64_t count : {2U, 3U, 1000U, 100000U}) {
        const auto velocities = maxwell_velocities(count, 300.0, 5);
        long double squares = 0.0L, sum[3] = {};
        for (const Vec3& v : velocities) {
            for (int i = 0; i < 3; ++i) {
                squares += static_cast<long double>(v[i]) * static_cast<long double>(v[i]);
                sum[i] += static_cast<long double>(v[i]);
            }
        }
        const auto n = static_cast<double>(count);
        EXPECT_NEAR(std::sqrt(static_cast<double>(squares) / n), 300.0, 1e-12 * 300.0);
        for (const long double s : sum)
            EXPECT_LE(std::abs(static_cast<double>(s)), 1e-15 * 300.0 * n);
    }
}

// The moments of a normal distribution: mean of v^4 over (mean of v^2)^2 is 3 for a component, and
// all three components are alike.
TEST(Maxwell, IsNormal) {
    const auto velocities = maxwell_velocities(200000, 1.0, 11);
    for (int i = 0; i < 3; ++i) {
        double second = 0.0, fourth = 0.0;
        for (const Vec3& v : velocities) {
            second += v[i] * v[i];
            fourth += v[i] * v[i] * v[i] * v[i];
        }
        second /= 200000.0;
        fourth /= 200000.0;
        // the standard errors are some 0.001 and 0.02
        EXPECT_NEAR(second, 1.0 / 3.0, 0.005);
        EXPECT_NEAR(fourth / (second * second), 3.0, 0.08);
    }
}

TEST(Maxwell, FollowsFromTheSeed) {
    EXPECT_EQ(maxwell_velocities(10, 1.0, 3), maxwell_velocities(10, 1.0, 3));
    EXPECT_NE(maxwell_velocities(10, 1.0, 3), maxwell_velocities(10, 1.0, 4));
    EXPECT_EQ(maxwell_velocities(1, 1.0, 3).at(0), Vec3::Zero());
    EXPECT_EQ(maxwell_velocities(2, 0.0, 3).at(1), Vec3::Zero());
}

TEST(Swarm, AsASceneHasIt) {
    const scene::Scene scene = scene::read_scene_text(R"(
[simulation]
duration = 1
gravity = [0, 0, 0]
[[contact]]
law = "frictionless"
e = 1
[[body]]
name = "wall"
shape = { type = "plane" }
fixed = true
[[swarm]]
name = "gas"
shape = { type = "sphere", radius = 0.04 }
mass = 2
count = 1000
low = [0, 0, 0]
high = [1, 1, 1]
speed = 3
seed = 7
[[swarm]]
name = "more"
material = "neon"
shape = { type = "sphere", radius = 0.04 }
count = 10
low = [2, 0, 0]
high = [3, 1, 1]
)",
                                                      "gas.toml");
    ASSERT_EQ(scene.bodies.size(), 1011U);
    EXPECT_EQ(scene.bodies[1].name, "gas-0001");
    EXPECT_EQ(scene.bodies[1000].name, "gas-1000");
    EXPECT_EQ(scene.bodies[1001].name, "more-0001");
    EXPECT_EQ(scene.bodies[1001].material, "neon");
    std::set<std::string> names;
    double squares = 0.0;
    Vec3 momentum = Vec3::Zero();
    for (const world::BodySpec& body : scene.bodies) {
        names.insert(body.name);
        if (!body.name.starts_with("gas")) continue;
        EXPECT_EQ(body.mass, 2.0);
        EXPECT_EQ(body.shape, scene.bodies[1].shape);
        squares += body.velocity.squaredNorm();
        momentum += body.velocity;
    }
    EXPECT_EQ(names.size(), scene.bodies.size());
    EXPECT_NEAR(std::sqrt(squares / 1000.0), 3.0, 1e-12);
    EXPECT_LT(momentum.norm(), 1e-10);
}

}  // namespace
}  // namespace carom::tests
