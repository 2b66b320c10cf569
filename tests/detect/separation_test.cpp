// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/separation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/detect/from_oracle.h"

namespace carom::tests {
namespace {

using touch_oracle::Kind;

std::string show(const touch_oracle::Configuration& c) {
    return "seed " + std::to_string(c.seed) + ", " + name(c.setting) + ", " + name(c.a.kind) +
           " against " + name(c.b.kind);
}

// What coordinates can be wrong by, in units of which gaps of touching bodies are known.
double coordinates(const touch_oracle::Configuration& c, double distance) {
    return distance + vec(c.pose_a.position).cwiseAbs().sum() +
           vec(c.pose_b.position).cwiseAbs().sum();
}

// Whether the pair goes by iteration: a cylinder or cone against anything but a ball or a plane.
bool is_curved(const touch_oracle::Configuration& c) {
    const auto round = [](Kind k) { return k == Kind::cylinder || k == Kind::cone; };
    const auto simple = [](Kind k) { return k == Kind::sphere || k == Kind::plane; };
    return (round(c.a.kind) || round(c.b.kind)) && !simple(c.a.kind) && !simple(c.b.kind);
}

void compare(const touch_oracle::Configuration& c) {
    const touch_oracle::Distance truth = touch_oracle::distance(c.a, c.pose_a, c.b, c.pose_b);
    const auto distance = static_cast<double>(truth.distance);
    const shape::Shape a = shape_of(c.a);
    const shape::Shape b = shape_of(c.b);
    detect::PairMemory memory;
    const detect::Separation s = detect::separation(a.parts[0].convex, pose_of(c.pose_a),
                                                    b.parts[0].convex, pose_of(c.pose_b), memory);
    // a gap has no more digits than the coordinates it is a difference of
    const double rounding = (is_curved(c) ? 4e-14 : 4e-15) * coordinates(c, distance);
    const double tolerance = 1e-10 * distance + rounding;
    ASSERT_FALSE(truth.overlap) << show(c);
    ASSERT_NEAR(s.distance, distance, tolerance) << show(c);
    ASSERT_LE(s.lower, distance + 1e-14 * coordinates(c, distance)) << show(c);
    ASSERT_NEAR(s.normal.norm(), 1.0, 1e-12) << show(c);
    // the points are as far apart as they say, along the normal
    const Vec3 apart = s.point_a - s.point_b;
    ASSERT_NEAR(s.normal.dot(apart), s.distance, 1e-7 * coordinates(c, distance)) << show(c);
    // again from where it ended
    const detect::Separation again = detect::separation(
        a.parts[0].convex, pose_of(c.pose_a), b.parts[0].convex, pose_of(c.pose_b), memory);
    ASSERT_NEAR(again.distance, distance, tolerance) << show(c);
}

// 100,000 configurations over all pairs of shapes and nine settings.
class Distances : public ::testing::TestWithParam<int> {};

TEST_P(Distances, AgreeWithTheOracle) {
    constexpr int k_each = 10000;
    const auto& kinds = touch_oracle::k_kinds;
    const auto& settings = touch_oracle::k_settings;
    for (int i = 0; i < k_each; ++i) {
        const auto seed = static_cast<std::uint64_t>(GetParam() * k_each + i);
        const Kind a = kinds[seed / settings.size() % kinds.size()];
        Kind b = kinds[seed / settings.size() / kinds.size() % kinds.size()];
        if (a == Kind::plane && b == Kind::plane) b = Kind::hull;
        compare(touch_oracle::random_configuration(seed, settings[seed % settings.size()], a, b));
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Separation, Distances, ::testing::Range(0, 10));

TEST(Separation, TwoPlanesHaveNoDistance) {
    const shape::Shape plane = shape::make_half_space(Vec3::UnitZ());
    detect::PairMemory memory;
    EXPECT_THROW(detect::separation(plane.parts[0].convex, {}, plane.parts[0].convex, {}, memory),
                 std::invalid_argument);
}

// A memory from another pair, or from anywhere, does not change the answer.
TEST(Separation, AnyMemoryIsRight) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const auto c = touch_oracle::random_configuration(seed, touch_oracle::Setting::random,
                                                          Kind::hull, Kind::hull);
        const shape::Shape a = shape_of(c.a);
        const shape::Shape b = shape_of(c.b);
        detect::PairMemory fresh;
        const double right = detect::separation(a.parts[0].convex, pose_of(c.pose_a),
                                                b.parts[0].convex, pose_of(c.pose_b), fresh)
                                 .distance;
        const auto* pa = shape::polyhedron_of(a.parts[0].convex);
        const auto* pb = shape::polyhedron_of(b.parts[0].convex);
        detect::PairMemory other;
        const auto pick = [&](std::size_t count) {
            return static_cast<shape::Index>((seed * 7919) % count);
        };
        other.features.a = {detect::FeatureKind::face, pick(pa->faces().size())};
        other.features.b = {detect::FeatureKind::edge, pick(pb->edges().size())};
        const double again = detect::separation(a.parts[0].convex, pose_of(c.pose_a),
                                                b.parts[0].convex, pose_of(c.pose_b), other)
                                 .distance;
        ASSERT_NEAR(again, right, 1e-13 * (1.0 + right)) << show(c);
    }
}

}  // namespace
}  // namespace carom::tests
