// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The boxes of the broad phase hold their bodies, whatever motions follow one another.

#include "carom/world/graph/broad_phase.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "carom/detect/swept_box.h"
#include "tests/world/world_support.h"

namespace carom::world {
namespace {

using world_test::at;
using world_test::shared;

const Vec3 k_gravity(0.0, 0.0, -9.81);
constexpr double k_radius = 0.1;  // of the ball

class RandomMotions {
public:
    explicit RandomMotions(unsigned seed) : random_(seed) {}

    double number(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    Vec3 vector(double size) {
        return {number(-size, size), number(-size, size), number(-size, size)};
    }
    Segment next(SegmentKind kind, double t, const motion::State& from) {
        Segment segment{t, 0, kind, from};
        segment.state.velocity = vector(0.5);
        segment.state.angular_velocity = vector(3.0);
        if (kind == SegmentKind::held) {
            segment.lasting.t1 = t + number(1e-3, 0.03);
            segment.lasting.a = vector(2.0);
            segment.lasting.alpha = vector(5.0);
        }
        if (kind == SegmentKind::on_plane) {
            segment.state.velocity.z() = 0.0;
            segment.lasting.plane.point = from.position - k_radius * Vec3::UnitZ();
            segment.lasting.plane.normal = Vec3::UnitZ();
            segment.lasting.mu = 0.3;
        }
        return segment;
    }

private:
    std::mt19937 random_;
};

// Every change of motion is told to is_still_boxed, and a new box is taken where it says no. Bodies
// are looked at throughout the time for which their box is said to be good.
void expect_boxed(const shape::Shape& shape, std::span<const SegmentKind> kinds, unsigned seed) {
    const Body body =
        make_body({.name = "it", .shape = shared(shape), .pose = at(Vec3::Zero()), .mass = 1.0}, 0);
    BodyTrack track(body, {0.0, 0, SegmentKind::flight, body.first}, k_gravity);
    const std::array<BodyTrack*, 1> tracks{&track};
    const Contacts contacts = world_test::all_by("routh", 0.5, 0.3);
    BroadPhase near(tracks, contacts, 1e-3, k_gravity);
    near.rebuild(0.0);
    std::vector<std::uint32_t> gone;
    std::vector<std::uint32_t> fresh;
    RandomMotions random(seed);
    double t = 0.0;
    int kept = 0;
    for (int k = 0; k < 2000; ++k) {
        const auto kind = kinds[static_cast<std::size_t>(random.number(0.0, 1.0) *
                                                         static_cast<double>(kinds.size()))];
        track.go(random.next(kind, t, track.at(t)), k_gravity);
        if (near.is_still_boxed(0, t)) {
            ++kept;
        } else {
            near.renew(0, t, fresh, gone);
        }
        const double until = std::min(track.box_until, track.motion_until);
        ASSERT_GT(until, t);
        for (int i = 0; i <= 10; ++i) {
            const double then = t + 0.1 * i * (until - t);
            const Aabb now = detect::swept_box(track.moving, then, then);
            const double out = std::max((track.box.low - now.low).maxCoeff(),
                                        (now.high - track.box.high).maxCoeff());
            ASSERT_LE(out, 1e-12 * body.radius) << name_of(kind) << " at " << then;
        }
        t = random.number(0.0, 1.0) < 0.5 ? until : t + random.number(0.0, 0.3) * (until - t);
    }
    EXPECT_GT(kept, 100);
}

TEST(BroadPhase, BoxesHoldWhatFliesAndTakesSteps) {
    constexpr std::array kinds{SegmentKind::flight, SegmentKind::held, SegmentKind::held};
    for (unsigned seed = 0; seed < 8; ++seed)
        expect_boxed(shape::make_box({0.2, 0.1, 0.06}), kinds, seed);
}

TEST(BroadPhase, BoxesHoldWhatRollsInBetween) {
    constexpr std::array kinds{SegmentKind::on_plane, SegmentKind::held, SegmentKind::held};
    for (unsigned seed = 0; seed < 8; ++seed)
        expect_boxed(shape::make_sphere(k_radius), kinds, seed);
}

}  // namespace
}  // namespace carom::world
