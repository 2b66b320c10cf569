// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include <cmath>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::at;
using world_test::body;
using world_test::Log;

motion::Quat turned(double angle, const Vec3& axis) {
    return motion::Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}

// Dice, a ball and a coin that fall on each other: impacts, lasting contact and sleep.
World make_mixed(double checkpoint) {
    Settings settings;
    settings.checkpoint = checkpoint;
    World world(settings, all_by("routh", 0.4, 0.4));
    for (int i = 0; i < 3; ++i) {
        BodySpec die =
            body("die" + std::to_string(i), shape::make_box({0.02, 0.02, 0.02}),
                 at({0.012 * i, 0.004 * i, 0.05 + 0.03 * i}, turned(0.3 + i, {1, 2, 3})), 0.01);
        die.velocity = {0.3 - 0.2 * i, 0.0, 0.0};
        die.angular_velocity = {10.0, 5.0 * i, -7.0};
        world.add(die);
    }
    world.add(body("ball", shape::make_sphere(0.01), at({-0.01, 0.0, 0.15}), 0.02));
    world.add(body("coin", shape::make_cylinder(0.012, 0.002),
                   at({0.01, 0.01, 0.2}, turned(0.7, {1, 0.2, 0})), 0.005));
    world.add(world_test::floor_plane());
    return world;
}

void expect_same(const Log& x, const Log& y, std::size_t from_event, std::size_t from_segment) {
    ASSERT_EQ(x.events.size(), from_event + y.events.size());
    ASSERT_EQ(x.segments.size(), from_segment + y.segments.size());
    for (std::size_t i = 0; i < y.events.size(); ++i) {
        const Event& a = x.events[from_event + i];
        const Event& b = y.events[i];
        ASSERT_EQ(a.t, b.t) << i;
        ASSERT_EQ(a.kind, b.kind);
        ASSERT_EQ(a.impulse, b.impulse);
        ASSERT_EQ(a.point, b.point);
    }
    for (std::size_t i = 0; i < y.segments.size(); ++i) {
        const Segment& a = x.segments[from_segment + i];
        const Segment& b = y.segments[i];
        ASSERT_TRUE(a.t0 == b.t0 && a.body == b.body && a.kind == b.kind &&
                    world_test::same_bits(a.state, b.state))
            << i;
    }
}

TEST(Checkpoint, SameBitsTwice) {
    Log first, second;
    make_mixed(0.1).run(1.0, &first);
    make_mixed(0.1).run(1.0, &second);
    EXPECT_GT(first.events.size(), 100U);
    expect_same(first, second, 0, 0);
}

TEST(Checkpoint, RunningInPiecesChangesNothing) {
    Log whole, pieces;
    make_mixed(0.1).run(1.0, &whole);
    World world = make_mixed(0.1);
    for (int i = 1; i <= 37; ++i)
        world.run(i / 37.0, &pieces);
    expect_same(whole, pieces, 0, 0);
}

TEST(Checkpoint, ListeningChangesNothing) {
    World heard = make_mixed(0.1);
    World unheard = make_mixed(0.1);
    Log log;
    heard.run(1.0, &log);
    unheard.run(1.0);
    for (BodyId i = 0; i < heard.body_count(); ++i)
        EXPECT_TRUE(world_test::same_bits(heard.state(i), unheard.state(i)));
}

// From every checkpoint a new world goes on with the same bits.
TEST(Checkpoint, RestoringGoesOnWithTheSameBits) {
    Log whole;
    World original = make_mixed(0.1);
    original.run(1.0, &whole);
    ASSERT_EQ(whole.checkpoints.size(), 10U);
    for (const auto& [t, bytes] : whole.checkpoints) {
        World world = make_mixed(0.1);
        world.restore(bytes);
        EXPECT_EQ(world.time(), t);
        Log rest;
        world.run(1.0, &rest);
        const auto before = [time = t](const auto& list, auto&& when) {
            return static_cast<std::size_t>(std::count_if(
                list.begin(), list.end(), [&](const auto& x) { return when(x) <= time; }));
        };
        expect_same(whole, rest, before(whole.events, [](const Event& e) { return e.t; }),
                    before(whole.segments, [](const Segment& s) { return s.t0; }));
        const Audit a = original.audit();
        const Audit b = world.audit();
        EXPECT_EQ(a.energy_lost, b.energy_lost);
        EXPECT_EQ(a.energy_end, b.energy_end);
        EXPECT_EQ(original.tally().events, world.tally().events);
    }
}

TEST(Checkpoint, RefusesOtherBytes) {
    Log log;
    make_mixed(0.1).run(0.1, &log);
    std::vector<std::uint8_t> bytes = log.checkpoints.at(0).second;
    World other({}, all_by("routh", 0.4, 0.4));
    other.add(world_test::floor_plane());
    EXPECT_THROW(other.restore(bytes), std::invalid_argument);
    EXPECT_THROW(make_mixed(0.1).restore({bytes.data(), bytes.size() - 1}), std::invalid_argument);
    EXPECT_THROW(make_mixed(0.1).restore({bytes.data(), 3}), std::invalid_argument);
    bytes.push_back(0);
    EXPECT_THROW(make_mixed(0.1).restore(bytes), std::invalid_argument);
    bytes[0] ^= 1;
    EXPECT_THROW(make_mixed(0.1).restore(bytes), std::invalid_argument);
}

}  // namespace
}  // namespace carom::world
