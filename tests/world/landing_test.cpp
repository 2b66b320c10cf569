// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// When corners come down, against paths whose landing is known in closed form.

#include "carom/world/touch/landing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace carom::world {
namespace {

constexpr double k_down = 1e-12;  // m

// A corner of a above a face of b, and the other way round.
constexpr std::uint64_t k_corner_of_a = 7U << 16U;
constexpr std::uint64_t k_corner_of_b = 7U;
constexpr std::uint64_t k_edges = (8U << 16U) | 4U;

motion::State at_rest(const Vec3& position) {
    return {position, motion::Quat::Identity(), Vec3::Zero(), Vec3::Zero()};
}

motion::Motion still(const Vec3& position) {
    return motion::Accelerated(at_rest(position), Vec3::Zero(), Vec3::Zero(), 0.0, 10.0);
}

// A rod of the length 1 turns evenly about its fixed end at a height of sin(angle): its corner
// comes down after angle / spin, whatever the horizontal way.
TEST(Landing, ACornerThatTurnsIsDownWhenItsRodIsLevel) {
    for (const double angle : {0.01, 0.3, 1.0}) {
        const double spin = 0.7;
        motion::State start = at_rest(Vec3::Zero());
        start.angular_velocity = {0.0, spin, 0.0};
        const motion::Motion rod =
            motion::Accelerated(start, Vec3::Zero(), Vec3::Zero(), 0.0, 10.0);
        const Vec3 corner(std::cos(angle), 0.0, std::sin(angle));
        const ManifoldPoint place{
            corner, {corner.x(), 0.0, 0.0}, Vec3::UnitZ(), corner.z(), k_corner_of_a};
        const Landing landing(place, start, at_rest(Vec3::Zero()));
        EXPECT_TRUE(landing.exact());
        const double until = (angle + 1.5) / spin;  // it comes up again later
        for (const double first : {0.1 * angle / spin, angle / spin, 0.9 * until, 2.0 * until}) {
            const double t = landing.find(rod, still(Vec3::Zero()), 0.0, first, until, k_down);
            EXPECT_NEAR(t, angle / spin, 4.0 * k_down);
        }
    }
}

// A face turns up against a corner that stands still: the normal turns with the face, and the touch
// is where the face's line passes through the corner, not where the place across from it is as
// high.
TEST(Landing, AFaceThatTurnsTakesItsNormalAlong) {
    const double height = 0.2, across = 0.5, spin = 0.4;
    motion::State start = at_rest(Vec3::Zero());
    start.angular_velocity = {0.0, -spin, 0.0};
    const motion::Motion face = motion::Accelerated(start, Vec3::Zero(), Vec3::Zero(), 0.0, 10.0);
    const Vec3 corner(across, 0.0, height);
    const double angle = std::atan2(height, across);
    const ManifoldPoint above{corner, {across, 0.0, 0.0}, Vec3::UnitZ(), height, k_corner_of_a};
    const Landing landing(above, at_rest(corner), start);
    EXPECT_NEAR(landing.find(still(corner), face, 0.0, 0.1, 10.0, k_down), angle / spin,
                10.0 * k_down);
    // with the bodies in the other order
    const ManifoldPoint below{{across, 0.0, 0.0}, corner, -Vec3::UnitZ(), height, k_corner_of_b};
    const Landing other(below, start, at_rest(corner));
    EXPECT_NEAR(other.find(face, still(corner), 0.0, 0.1, 10.0, k_down), angle / spin,
                10.0 * k_down);
}

TEST(Landing, AFallIsQuadratic) {
    const double g = 9.81, height = 0.3;
    const motion::State start = at_rest({0.0, 0.0, height});
    const motion::Motion fall =
        motion::Accelerated(start, Vec3(0.0, 0.0, -g), Vec3::Zero(), 0.0, 10.0);
    const ManifoldPoint place{start.position, Vec3::Zero(), Vec3::UnitZ(), height, k_corner_of_a};
    const Landing landing(place, start, at_rest(Vec3::Zero()));
    const double t = std::sqrt(2.0 * height / g);
    // from a start at which it does not move yet, too
    for (const double first : {1e-9, 0.1, 9.0})
        EXPECT_NEAR(landing.find(fall, still(Vec3::Zero()), 0.0, first, 10.0, k_down), t, k_down);
    EXPECT_NEAR(time_to_close(height, 0.0, g), t, 1e-15);
    EXPECT_NEAR(time_to_close(height, 1.0, 0.0), height, 1e-15);
}

TEST(Landing, WhatDoesNotComeDownInTimeNeverDoes) {
    const motion::State start = at_rest({0.0, 0.0, 0.3});
    const ManifoldPoint place{start.position, Vec3::Zero(), Vec3::UnitZ(), 0.3, k_corner_of_a};
    const Landing landing(place, start, at_rest(Vec3::Zero()));
    const motion::Motion floor = still(Vec3::Zero());
    const motion::Motion fall =
        motion::Accelerated(start, Vec3(0.0, 0.0, -9.81), Vec3::Zero(), 0.0, 10.0);
    EXPECT_EQ(landing.find(fall, floor, 0.0, 0.1, 0.2, k_down),
              std::numeric_limits<double>::infinity());
    EXPECT_EQ(landing.find(still(start.position), floor, 0.0, 0.1, 10.0, k_down),
              std::numeric_limits<double>::infinity());
}

TEST(Landing, ClosingSpeedIsTheSlopeOfTheGap) {
    motion::State start = at_rest({0.1, 0.2, 0.3});
    start.velocity = {0.3, -0.2, 0.5};
    start.angular_velocity = {1.0, -2.0, 0.5};
    motion::State under = at_rest({0.0, 0.0, -0.4});
    under.velocity = {0.1, 0.1, 0.2};
    under.angular_velocity = {-0.3, 0.6, 1.0};
    const motion::Motion a = motion::Accelerated(start, Vec3::Zero(), Vec3::Zero(), 0.0, 10.0);
    const motion::Motion b = motion::Accelerated(under, Vec3::Zero(), Vec3::Zero(), 0.0, 10.0);
    const Vec3 corner(0.4, 0.1, 0.1);
    const ManifoldPoint place{corner, corner - 0.2 * Vec3::UnitZ(), Vec3::UnitZ(), 0.2, 0};
    for (const std::uint64_t id : {k_corner_of_a, k_corner_of_b, k_edges}) {
        ManifoldPoint named = place;
        named.id = id;
        const Landing landing(named, start, under);
        EXPECT_EQ(landing.exact(), id != k_edges);
        const double h = 1e-6;
        const auto now = [&](double t) { return landing.with(motion::at(a, t), motion::at(b, t)); };
        EXPECT_NEAR(now(0.0).gap, 0.2, 1e-15);
        EXPECT_NEAR(now(h).closing, (now(0.0).gap - now(2.0 * h).gap) / (2.0 * h), 1e-9);
    }
}

}  // namespace
}  // namespace carom::world
