// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include "tests/touch_oracle/touch_oracle.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tests/touch_oracle/random.h"

namespace touch_oracle {
namespace {

using nlohmann::json;

Vec3 vector(const json& v) {
    return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}

Body read_body(const json& j) {
    Body body;
    Shape& shape = body.shape;
    Motion& motion = body.motion;
    for (Kind kind : k_kinds) {
        if (name(kind) == j["shape"]["type"]) shape.kind = kind;
    }
    shape.radius = j["shape"].value("radius", 0.0);
    shape.height = j["shape"].value("height", j["shape"].value("length", 0.0));
    if (j["shape"].contains("size")) shape.size = vector(j["shape"]["size"]);
    if (j["shape"].contains("normal")) shape.normal = vector(j["shape"]["normal"]);
    if (j["shape"].contains("points")) {
        for (const json& p : j["shape"]["points"])
            shape.points.push_back(vector(p));
    }
    const json& m = j["motion"];
    const auto read = [&](const char* key, Vec3& to) {
        if (m.contains(key)) to = vector(m[key]);
    };
    read("position", motion.position);
    read("velocity", motion.velocity);
    read("angular_velocity", motion.angular_velocity);
    read("gravity", motion.gravity);
    motion.fixed = m.value("fixed", false);
    if (m.contains("orientation")) {
        const json& q = m["orientation"];
        motion.orientation = {q[0].get<double>(), q[1].get<double>(), q[2].get<double>(),
                              q[3].get<double>()};
    }
    if (shape.kind != Kind::plane) {
        const MassProperties p = mass_properties(shape);
        motion.centre_of_mass = p.centre;
        motion.inertia = p.inertia;
    }
    return body;
}

std::ifstream vectors() {
    return std::ifstream(std::string(CAROM_SOURCE_DIR) + "/../shared/vectors/touch.jsonl");
}

TEST(TouchOracle, AgreesWithTheVectors) {
    std::ifstream file = vectors();
    if (!file) GTEST_SKIP() << "no shared/vectors/touch.jsonl beside this checkout";
    for (std::string line; std::getline(file, line);) {
        const json j = json::parse(line);
        const json &problem = j["problem"], &expect = j["expect"];
        SCOPED_TRACE(problem["id"].dump() + " " + j["tag"].dump());
        const Body a = read_body(problem["a"]), b = read_body(problem["b"]);
        const Touch touch = first_touch(a.shape, a.motion, b.shape, b.motion, problem["until"]);
        EXPECT_TRUE(touch.certified);
        ASSERT_EQ(touch.touches, !expect["t"].is_null());
        if (!touch.touches) {
            const double d = expect["distance"];
            EXPECT_NEAR(touch.distance_at_until, d, 1e-11 * (d + touch.size));
            continue;
        }
        EXPECT_NEAR(touch.t, expect["t"].get<double>(), 1e-11 * expect["t"].get<double>());
        if (!expect["normal"].is_null()) {
            EXPECT_LE((touch.normal - vector(expect["normal"])).norm(), 1e-7);
        }
        if (!expect["point"].is_null()) {
            EXPECT_LE((touch.point - vector(expect["point"])).norm(), 1e-7 * touch.size);
        }
    }
}

Pose pose(const Motion& motion, double t) {
    const Moved m = moved(motion, t);
    const QuatR& q = m.orientation;
    return {Vec3(m.position),
            {static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
             static_cast<double>(q.z)}};
}

// The distance at evenly spaced times, without bounds and without looking at contacts.
TEST(TouchOracle, AgreesWithPlainSampling) {
    for (std::uint64_t seed = 0; seed < 240; ++seed) {
        const Problem p = random_problem(seed * 7 + 3);
        if (p.family == Family::long_flight || p.family == Family::slow_far) continue;
        const Touch touch = first_touch(p);
        SCOPED_TRACE(name(p.family) + " seed " + std::to_string(p.seed));
        const auto gap = [&](double t) {
            const Distance d =
                distance(p.a.shape, pose(p.a.motion, t), p.b.shape, pose(p.b.motion, t));
            return d.overlap ? 0.0 : static_cast<double>(d.distance);
        };
        EXPECT_TRUE(touch.certified);
        const double end = touch.touches ? touch.t : p.until;
        const double least = touch.touches ? 0.0 : touch.smallest_distance;
        for (int i = 0; i < 60; ++i) {
            const double t = end * (i + 0.5) / 60;
            const double d = gap(t);
            if (touch.touches) {
                EXPECT_GT(d, 0.0) << t;
            }
            EXPECT_GE(d, least * (1 - 2e-5) - 2e-10 * touch.size) << t;
        }
        if (!touch.touches) {
            EXPECT_NEAR(gap(touch.t_of_smallest), least, 1e-12 * (touch.size + least));
            continue;
        }
        const double speed = touch.approach_speed;
        ASSERT_GT(speed, -1e-9 * std::sqrt(touch.acceleration * touch.size));
        // just before and just after, where the approach is not a mere graze
        if (speed * speed < 1e-4 * touch.acceleration * touch.size) continue;
        const double little = 1e-8 * touch.size / speed;
        EXPECT_NEAR(gap(touch.t - little) / (1e-8 * touch.size), 1.0, 1e-2);
        EXPECT_EQ(gap(touch.t + little), 0.0);
    }
}

// Ball on plane and ball on ball: roots of a quadratic.
TEST(TouchOracle, BallsInClosedForm) {
    Random random(11);
    for (int i = 0; i < 300; ++i) {
        Shape ball, floor;
        ball.radius = random.log_uniform(0.01, 1.0);
        floor.kind = Kind::plane;
        floor.normal = {0.0, 0.0, 1.0};
        Motion fly, rest;
        rest.fixed = true;
        const double h = ball.radius * random.uniform(1.5, 50.0), up = random.uniform(-3.0, 6.0);
        fly.position = {random.uniform(-1, 1), 2.0, h};
        fly.velocity = {1.0, 0.5, up};
        fly.gravity = {0.0, 0.0, -9.81};
        fly.angular_velocity = random.direction() * 300.0;
        const Real drop = Real(h) - Real(ball.radius), v = Real(up), g = Real(9.81);
        const Real root = std::sqrt(v * v + 2 * g * drop);
        const Real t = v > 0.0L ? (v + root) / g : 2 * drop / (root - v);
        const Touch touch = first_touch(ball, fly, floor, rest, 100.0);
        ASSERT_TRUE(touch.touches);
        EXPECT_NEAR(static_cast<double>(touch.t_exact / t), 1.0, 1e-15);
        EXPECT_NEAR(touch.approach_speed / static_cast<double>(root), 1.0, 1e-9);
        const Touch other = first_touch(floor, rest, ball, fly, 100.0);
        EXPECT_EQ(other.t, touch.t);
        EXPECT_EQ((other.normal + touch.normal).norm(), 0.0);
        EXPECT_FALSE(first_touch(ball, fly, floor, rest, touch.t * (1 - 1e-12)).touches);
    }
}

// A stick that turns about its middle passes a ball: only its angle counts.
TEST(TouchOracle, TurningStickMeetsABallWhereItsAngleSays) {
    Shape stick, ball;
    stick.kind = Kind::capsule;
    stick.radius = 0.1;
    stick.height = 4.0;
    ball.radius = 0.2;
    Motion turning, still;
    turning.fixed = true;  // about z, the stick along x
    turning.orientation = turn({0, 1, 0}, 1.5707963267948966);
    turning.angular_velocity = {0.0, 0.0, 300.0};
    still.position = {0.0, 1.5, 0.0};
    // the ball's centre is 1.5 sin(angle) from the stick's line
    const double angle = 1.5707963267948966 - std::asin(0.3 / 1.5);
    const Touch touch = first_touch(stick, turning, ball, still, 1.0);
    ASSERT_TRUE(touch.touches);
    EXPECT_NEAR(touch.t, angle / 300.0, 1e-16);
}

TEST(TouchOracle, ProblemsAreTheSameEveryTimeAndOfEveryKind) {
    std::set<std::string> kinds;
    int touches = 0, all = 0;
    for (std::uint64_t seed = 0; seed < 480; ++seed) {
        const Problem p = random_problem(seed), q = random_problem(seed);
        EXPECT_EQ(p.a.motion.position.x, q.a.motion.position.x);
        EXPECT_EQ(p.until, q.until);
        EXPECT_FALSE(p.a.shape.kind == Kind::plane && p.b.shape.kind == Kind::plane);
        EXPECT_FALSE(p.a.motion.fixed && p.b.motion.fixed);
        kinds.insert(name(p.a.shape.kind) + name(p.b.shape.kind));
        if (seed % 4 == 0) {
            touches += first_touch(p).touches;
            ++all;
        }
    }
    EXPECT_EQ(kinds.size(), 48u);
    EXPECT_GT(touches, all / 2);
    EXPECT_LT(touches, all * 9 / 10);
}

TEST(TouchOracle, RefusesWhatHasNoAnswer) {
    Shape plane;
    plane.kind = Kind::plane;
    plane.normal = {0.0, 0.0, 1.0};
    Motion fixed, moving;
    fixed.fixed = true;
    moving.velocity = {1.0, 0.0, 0.0};
    Shape ball;
    EXPECT_THROW(first_touch(plane, fixed, plane, fixed, 1.0), std::invalid_argument);
    EXPECT_THROW(first_touch(ball, moving, plane, fixed, 1.0), std::invalid_argument);
    ball.radius = 1.0;
    EXPECT_THROW(first_touch(ball, moving, plane, moving, 1.0), std::invalid_argument);
    EXPECT_THROW(first_touch(ball, moving, plane, fixed, -1.0), std::invalid_argument);
}

}  // namespace
}  // namespace touch_oracle
