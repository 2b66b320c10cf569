// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One body that rolls and slides on the level, in grooves and between moving walls, against closed
// forms.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tests/physics/exact_contact.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

class ExactRoll : public ExactContact {
protected:
    // Two planes that meet in the x axis, each at `half` to the upright, and gravity that pulls
    // along x by the slope; the planes move along x.
    World make_groove(double half, double slope, double mu_left, double mu_right, double v_left,
                      double v_right) const {
        world::Settings settings;
        settings.gravity = turned_by(GetParam(), Vec3::UnitZ()) *
                           Vec3(k_gravity * std::sin(slope), 0, -k_gravity * std::cos(slope));
        world::Contacts all = contacts(0.0, mu_left);
        all.set("*", "right", impact::law::routh({.e = 0.0, .mu = mu_right}));
        World world(settings, all);
        const double cos = std::cos(half), sin = std::sin(half);
        add(world, {.name = "left",
                    .shape = shared(shape::make_half_space({0, cos, sin})),
                    .velocity = {v_left, 0, 0},
                    .fixed = true});
        add(world, {.name = "right",
                    .shape = shared(shape::make_half_space({0, -cos, sin})),
                    .material = "right",
                    .velocity = {v_right, 0, 0},
                    .fixed = true});
        return world;
    }
    BodyId add_along(World& world, const shape::Shape& round, double radius, double half) const {
        return add(world, {.name = "body",
                           .shape = shared(round),
                           .pose = at({0, 0, radius / std::sin(half)}, Vec3::UnitY(), 0.5 * pi),
                           .mass = 0.8});
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactRoll, testing::Values(0.0, 0.0713), name_of_yaw);

// Thrown forward with backspin: it slides until v = w r; with k = I / m r^2 it then rolls at
// (v - k w r) / (1 + k), back if the spin was enough.
TEST_P(ExactRoll, AHoopWithBackspinComesBack) {
    const double r = 0.2, m = 0.5, v = 1.5, mu = 0.3, t = 3.0;
    for (const auto& [name, h, w] : {std::tuple("hoop", 0.02, 25.0), std::tuple("tube", 0.5, 12.0),
                                     std::tuple("forward", 0.05, 4.0)}) {
        SCOPED_TRACE(name);
        World world = make(mu);
        const double I_a = m * r * r, I_t = 0.5 * m * r * r + m * h * h / 12.0;
        const BodyId body = add(world, {.name = "hoop",
                                        .shape = shared(shape::make_cylinder(r, h)),
                                        .pose = at({0, 0, r}, Vec3::UnitX(), 0.5 * pi),
                                        .velocity = {v, 0, 0},
                                        .angular_velocity = {0, -w, 0},
                                        .mass = m,
                                        .inertia = Vec3(I_t, I_t, I_a).asDiagonal()});
        add_plane(world, Vec3::UnitZ());
        const double end = 0.5 * (v - w * r), rolls = (v - end) / (mu * k_gravity);
        const double way = 0.5 * (v + end) * rolls + end * (t - rolls);
        Log log;
        world.run(t, &log);
        const motion::State s = state(world, body);
        expect_below("way", (s.position - Vec3(way, 0, r)).norm() / std::abs(way), k_exact);
        expect_close("speed", s.velocity.x(), end, k_exact);
        expect_close("spin", s.angular_velocity.y(), end / r, k_exact);
        expect_balanced(world);
    }
}

// Each side of the groove carries m g cos(slope) / 2 sin(half). A ball rolls on the radius
// r sin(half).
TEST_P(ExactRoll, ABallInAGroove) {
    const double r = 0.05, slope = 20.0 * k_degree, t = 0.9;
    for (const double degrees : {30.0, 60.0}) {
        for (const double mu : {0.02, 1.0}) {
            SCOPED_TRACE(std::to_string(degrees) + " " + std::to_string(mu));
            const double half = degrees * k_degree, sin = std::sin(half);
            World world = make_groove(half, slope, mu, mu, 0.0, 0.0);
            const BodyId body = add_along(world, shape::make_sphere(r), r, half);
            const double gs = k_gravity * std::sin(slope), gc = k_gravity * std::cos(slope);
            const bool rolls = mu == 1.0;
            const double a = rolls ? gs / (1.0 + 0.4 / (sin * sin)) : gs - mu * gc / sin;
            const double spin = rolls ? a / (r * sin) : mu * gc / (0.4 * r);
            Log log;
            world.run(t, &log);
            const motion::State s = state(world, body);
            const Vec3 there(0.5 * a * t * t, 0, r / sin);
            expect_below("way", (s.position - there).norm() / there.x(), k_exact);
            expect_below("spin", (s.angular_velocity - Vec3(0, spin * t, 0)).norm() / (spin * t),
                         k_exact);
            expect_exact(world, log);
        }
    }
}

TEST_P(ExactRoll, CylindersAndCapsulesSlideAlongAGroove) {
    const double r = 0.05, L = 0.4, slope = 25.0 * k_degree, half = 40.0 * k_degree, t = 0.9;
    for (const double mu : {0.0, 0.1, 0.25}) {
        for (const shape::Shape& round : {shape::make_cylinder(r, L), shape::make_capsule(r, L)}) {
            SCOPED_TRACE(mu);
            World world = make_groove(half, slope, mu, mu, 0.0, 0.0);
            const BodyId body = add_along(world, round, r, half);
            const double a = k_gravity * (std::sin(slope) - mu * std::cos(slope) / std::sin(half));
            Log log;
            world.run(t, &log);
            const motion::State s = state(world, body);
            const Vec3 there(0.5 * a * t * t, 0, r / std::sin(half));
            expect_below("way", (s.position - there).norm() / there.x(), k_exact);
            expect_below("speed", (s.velocity - Vec3(a * t, 0, 0)).norm() / (a * t), k_exact);
            expect_below("turning", s.angular_velocity.norm(), k_exact);
            expect_exact(world, log);
        }
    }
}

// A cylinder that turns about its own axis in a groove of 90 degrees is stopped by the friction of
// both sides, which also shifts the weight from one to the other.
TEST_P(ExactRoll, ACylinderSpinsInAGroove) {
    const double r = 0.06, half = 45.0 * k_degree, mu = 0.2, w = 30.0, m = 0.8;
    World world = make_groove(half, 0.0, mu, mu, 0.0, 0.0);
    const BodyId body = add(world, {.name = "body",
                                    .shape = shared(shape::make_cylinder(r, 0.3)),
                                    .pose = at({0, 0, r / std::sin(half)}, Vec3::UnitY(), 0.5 * pi),
                                    .angular_velocity = {w, 0, 0},
                                    .mass = m});
    // in units of m g: N_1 + mu N_2 = N_2 - mu N_1 = 1 / sqrt 2
    const double N_2 = (1.0 + mu) / (std::sqrt(2.0) * (1.0 + mu * mu));
    const double N_1 = (1.0 - mu) / (std::sqrt(2.0) * (1.0 + mu * mu));
    const double brake = 2.0 * mu * k_gravity * (N_1 + N_2) / r, t = 0.5 * w / brake;
    Log log;
    world.run(t, &log);
    expect_close("half way", state(world, body).angular_velocity.x(), 0.5 * w, k_exact);
    world.run(3.0 * t, &log);
    const motion::State s = state(world, body);
    EXPECT_EQ(s.velocity.norm() + s.angular_velocity.norm(), 0.0);
    expect_below("place", (s.position - Vec3(0, 0, r / std::sin(half))).norm() / r, k_exact);
    const double turn = 0.5 * w * w / brake;
    const motion::Quat there = turned_by(turn, Vec3::UnitX()) * turned_by(0.5 * pi, Vec3::UnitY());
    expect_below("turned", s.orientation.angularDistance(there), k_exact);
}

// The walls of a groove move along it and take what lies between them along: by both until it is as
// fast as the slower one, which then holds it against the other.
TEST_P(ExactRoll, ABodyBetweenTwoMovingWalls) {
    const double r = 0.05, half = 50.0 * k_degree, mu_left = 0.3, mu_right = 0.2, t = 2.0;
    const double N = k_gravity / (2.0 * std::sin(half));
    for (const auto& [name, v_left, v_right, end] :
         {std::tuple("together", 0.8, 0.8, 0.8), std::tuple("left slower", 0.5, 1.1, 0.5),
          std::tuple("against", 0.4, -0.6, 0.4)}) {
        SCOPED_TRACE(name);
        World world = make_groove(half, 0.0, mu_left, mu_right, v_left, v_right);
        const BodyId body = add_along(world, shape::make_cylinder(r, 0.4), r, half);
        const double a = v_right > 0.0 ? (mu_left + mu_right) * N : (mu_left - mu_right) * N;
        const double change = end / a, way = end * (t - 0.5 * change);
        Log log;
        world.run(t, &log);
        const motion::State s = state(world, body);
        expect_below("way", (s.position - Vec3(way, 0, r / std::sin(half))).norm() / way, k_exact);
        expect_close("speed", s.velocity.x(), end, k_exact);
        expect_below("turning", s.angular_velocity.norm(), k_exact);
    }
}

// Flat faces carry at their corners, or at places of their rim: a box or disk that spins is braked
// by mu m g at that distance from its axis.
TEST_P(ExactRoll, BoxesAndDisksSpinDown) {
    const double mu = 0.2, w = 12.0, m = 0.7;
    const double a = 0.2, b = 0.12, corner = 0.5 * std::hypot(a, b), r = 0.08;
    for (const auto& [name, flat, brake] :
         {std::tuple("box", shape::make_box({a, b, 0.05}), 3.0 * mu * k_gravity / corner),
          std::tuple("disk", shape::make_cylinder(r, 0.05), 2.0 * mu * k_gravity / r)}) {
        SCOPED_TRACE(name);
        World world = make(mu);
        const BodyId body = add(world, {.name = name,
                                        .shape = shared(flat),
                                        .pose = at({0, 0, 0.025}),
                                        .angular_velocity = {0, 0, w},
                                        .mass = m});
        add_plane(world, Vec3::UnitZ());
        Log log;
        const double stop = w / brake;
        world.run(0.5 * stop, &log);
        expect_close("half", state(world, body).angular_velocity.z(), 0.5 * w, k_exact);
        world.run(stop + 0.1, &log);
        const motion::State s = state(world, body);
        EXPECT_TRUE(world.asleep(body));
        expect_below("turned",
                     s.orientation.angularDistance(turned_by(0.5 * w * stop, Vec3::UnitZ())),
                     k_exact);
        expect_below("moved", (s.position - Vec3(0, 0, 0.025)).norm() / a, k_exact);
        expect_balanced(world);
    }
}

// A plank on two rollers that turn against each other: friction, mu times the load of each, drives
// it to and fro about the middle with w^2 = mu g / (a - mu b), b from its lower face to its centre.
TEST_P(ExactRoll, APlankOnTwoTurningRollers) {
    const double mu = 0.25, a = 0.5, b = 0.03, r = 0.15, x = 0.2;
    const double w = std::sqrt(mu * k_gravity / (a - mu * b)), fast = 3.0 * w * x / r;
    World world = make(mu);
    for (const double side : {-1.0, 1.0})
        add(world, {.name = side < 0.0 ? "left" : "right",
                    .shape = shared(shape::make_cylinder(r, 0.4)),
                    .pose = at({side * a, 0, -r}, Vec3::UnitX(), 0.5 * pi),
                    .angular_velocity = {0, -side * fast, 0},
                    .fixed = true});
    const BodyId body = add(world, {.name = "plank",
                                    .shape = shared(shape::make_box({2.0, 0.2, 2.0 * b})),
                                    .pose = at({x, 0, b}),
                                    .mass = 1.7});
    Log log;
    double off = 0.0, turned = 0.0;
    for (const double t : {0.3, 1.1, 4.0}) {
        world.run(t, &log);
        const motion::State s = state(world, body);
        off = std::max(off, (s.position - Vec3(x * std::cos(w * t), 0, b)).norm() / x);
        turned = std::max(turned, s.angular_velocity.norm());
    }
    expect_below("off", off, k_exact);
    expect_below("turned", turned, k_exact);
    expect_exact(world, log);
}

// A block that is put on a belt gains mu g until it is as fast.
TEST_P(ExactRoll, ABlockOnABelt) {
    const double mu = 0.3, V = 1.4, t = 1.2;
    for (const bool plane : {true, false}) {
        SCOPED_TRACE(plane);
        World world = make(mu);
        add(world, {.name = "belt",
                    .shape = shared(plane ? shape::make_half_space(Vec3::UnitZ())
                                          : shape::make_box({8.0, 1.0, 0.1})),
                    .pose = at({0, 0, plane ? 0.0 : -0.05}),
                    .velocity = {V, 0, 0},
                    .fixed = true});
        const BodyId body = add(world, {.name = "block",
                                        .shape = shared(shape::make_box({0.2, 0.15, 0.06})),
                                        .pose = at({0, 0, 0.03}, Vec3::UnitZ(), 0.4),
                                        .mass = 0.9});
        Log log;
        world.run(t, &log);
        const double change = V / (mu * k_gravity), way = V * (t - 0.5 * change);
        const motion::State s = state(world, body);
        expect_below("way", (s.position - Vec3(way, 0, 0.03)).norm() / way, k_exact);
        expect_below("speed", (s.velocity - Vec3(V, 0, 0)).norm() / V, k_exact);
        expect_below("turned", s.angular_velocity.norm(), k_exact);
    }
}

// A block on a rough floor between two upright walls that go along it: it goes with them.
TEST_P(ExactRoll, ABlockPushedByAWall) {
    const double V = 0.7, mu = 0.3, m = 1.4, t = 2.0;
    for (const double gap : {0.0, 0.01}) {  // to the wall behind
        SCOPED_TRACE(gap);
        world::Contacts all = contacts(0.0, mu);
        all.set("block", "wall", impact::law::routh({.e = 0.0, .mu = 0.0}));
        World world(world::Settings{}, all);
        const BodyId floor = add_plane(world, Vec3::UnitZ());
        const BodyId behind = add(world, {.name = "behind",
                                          .shape = shared(shape::make_box({0.1, 1.0, 1.0})),
                                          .material = "wall",
                                          .pose = at({-0.15 - gap, 0, 0.1}),
                                          .velocity = {V, 0, 0},
                                          .fixed = true});
        add(world, {.name = "ahead",
                    .shape = shared(shape::make_box({0.1, 1.0, 1.0})),
                    .material = "wall",
                    .pose = at({0.15, 0, 0.1}),
                    .velocity = {V, 0, 0},
                    .fixed = true});
        const BodyId body = add(world, {.name = "block",
                                        .shape = shared(shape::make_box({0.2, 0.3, 0.2})),
                                        .material = "block",
                                        .pose = at({0, 0, 0.1}),
                                        .velocity = {gap > 0.0 ? 0.0 : V, 0, 0},
                                        .mass = m});
        Log log;
        world.run(t, &log);
        world.tell_forces(log);
        const motion::State s = state(world, body);
        expect_below("place", (s.position - Vec3(V * t - gap, 0, 0.1)).norm() / (V * t), k_exact);
        expect_below("speed", (s.velocity - Vec3(V, 0, 0)).norm() / V, k_exact);
        double push = 0.0, rub = 0.0, time = 0.0;
        for (const world::ContactForce& force : log.forces) {
            if (force.t0 < 0.5) continue;
            if (force.b == behind) push += force.impulse.norm();
            if (force.b == behind) time += force.t1 - force.t0;
            if (force.b == floor) rub += force.impulse.head<2>().norm();
        }
        if (time > 0.0) expect_close("push", push / time, mu * m * k_gravity, k_exact);
        EXPECT_GT(rub, 0.0);
        expect_exact(world, log);
    }
}

}  // namespace
}  // namespace carom::tests
