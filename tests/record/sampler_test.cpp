// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <limits>

#include "tests/record/feed.h"
#include "tests/support/random_problems.h"

namespace carom::tests {
namespace {

using record::Sampler;

const Vec3 k_down(0.0, 0.5, -9.81);

std::vector<world::Body> bodies() {
    const auto shared = [](shape::Shape shape) {
        return std::make_shared<const shape::Shape>(std::move(shape));
    };
    world::BodySpec ball, brick, floor;
    ball.name = "ball";
    ball.shape = shared(shape::make_sphere(0.3));
    brick.name = "brick";
    brick.shape = shared(shape::make_box({0.1, 0.2, 0.4}));
    floor.name = "floor";
    floor.shape = shared(shape::make_box({5.0, 5.0, 0.1}));
    floor.fixed = true;
    floor.angular_velocity = {0.0, 0.0, 2.0};
    return {world::make_body(ball, 0), world::make_body(brick, 0), world::make_body(floor, 0)};
}

// Segments as a run tells them: all bodies' times mixed, some of them at the same instant.
std::vector<world::Segment> segments(Random& random, int count) {
    std::vector<world::Segment> list;
    double t = 0.0;
    for (int i = 0; i < count; ++i) {
        world::Segment segment;
        segment.t0 = t;
        segment.body =
            i < 3 ? static_cast<world::BodyId>(i) : static_cast<world::BodyId>(random.bits() % 2);
        segment.kind = segment.body == 2        ? world::SegmentKind::given
                       : random.uniform() < 0.2 ? world::SegmentKind::asleep
                                                : world::SegmentKind::flight;
        segment.state = {random.normal3(), motion::Quat(random.rotation()), random.normal3(),
                         random.normal3()};
        list.push_back(segment);
        if (i >= 3 && random.uniform() < 0.7) t += random.uniform(0.0, 0.1);
    }
    return list;
}

// The truth, without any cleverness.
motion::State slow_state(const std::vector<world::Body>& who,
                         const std::vector<world::Segment>& list, world::BodyId body, double t) {
    const world::Segment* last = nullptr;
    for (const world::Segment& segment : list) {
        if (segment.body == body && segment.t0 <= t) last = &segment;
    }
    return motion::at(world::make_motion(who[body], *last, k_down), t);
}

void expect_same_state(const motion::State& a, const motion::State& b) {
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.orientation.coeffs(), b.orientation.coeffs());
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.angular_velocity, b.angular_velocity);
}

TEST(Sampler, GivesTheMotionOfTheLastSegmentToTheBit) {
    Random random(5);
    const std::vector<world::Body> who = bodies();
    const std::vector<world::Segment> list = segments(random, 300);
    const double end = list.back().t0 + 1.0;
    const Sampler sampler(who, k_down, list);
    // in the order of time
    for (int i = 0; i <= 2000; ++i) {
        const double t = end * i / 2000.0;
        for (world::BodyId body = 0; body < 3; ++body)
            expect_same_state(sampler.at(body, t), slow_state(who, list, body, t));
    }
    // at random, and at the very instants of segments
    for (int i = 0; i < 2000; ++i) {
        const double t = i % 2 == 0 ? random.uniform(0.0, end) : list[random.bits() % 300].t0;
        const auto body = static_cast<world::BodyId>(random.bits() % 3);
        expect_same_state(sampler.at(body, t), slow_state(who, list, body, t));
    }
}

TEST(Sampler, AtItsBeginningASegmentIsWhatWasRecorded) {
    Random random(6);
    const std::vector<world::Body> who = bodies();
    std::vector<world::Segment> list = segments(random, 3);
    list[0].kind = world::SegmentKind::flight;
    const Sampler sampler(who, k_down, list);
    const motion::State state = sampler.at(0, list[0].t0);
    EXPECT_EQ(state.position, list[0].state.position);
    EXPECT_EQ(state.velocity, list[0].state.velocity);
    EXPECT_EQ(sampler.kind_at(0, 0.0), world::SegmentKind::flight);
    EXPECT_EQ(sampler.kind_at(2, 9.0), world::SegmentKind::given);
    // a parabola, by hand
    const double t = 0.75;
    const Vec3 there = list[0].state.position + t * list[0].state.velocity + 0.5 * t * t * k_down;
    EXPECT_LT((sampler.at(0, t).position - there).norm(), 1e-14);
}

TEST(Sampler, RefusesWhatCannotBe) {
    Random random(8);
    const std::vector<world::Body> who = bodies();
    std::vector<world::Segment> list = segments(random, 20);
    const Sampler sampler(who, k_down, list);
    constexpr double k_inf = std::numeric_limits<double>::infinity();
    EXPECT_THROW(sampler.at(0, -0.1), std::invalid_argument);
    EXPECT_THROW(sampler.at(0, std::nan("")), std::invalid_argument);
    EXPECT_THROW(sampler.at(0, k_inf), std::invalid_argument);
    EXPECT_THROW(sampler.at(3, 0.1), std::invalid_argument);
    EXPECT_THROW(sampler.kind_at(3, 0.1), std::invalid_argument);
    std::vector<world::Segment> foreign = list;
    foreign[5].body = 3;
    EXPECT_THROW(Sampler(who, k_down, foreign), std::invalid_argument);
    std::vector<world::Segment> backwards = list;
    backwards.push_back(list.front());
    EXPECT_THROW(Sampler(who, k_down, backwards), std::invalid_argument);
}

}  // namespace
}  // namespace carom::tests
