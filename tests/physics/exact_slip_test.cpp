// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One body that leaves a wall, begins to slip, or rolls off: when and where, against reduced
// equations that use nothing of the program.

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tests/physics/exact_contact.h"
#include "tests/physics/planar.h"
#include "tests/physics/reference.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

class ExactSlip : public ExactContact {
protected:
    // How far the next change of the body's motion is from this time.
    static double off_change(const Log& log, BodyId body, double t) {
        double off = 1e300;
        for (const world::Segment& segment : log.segments)
            if (segment.body == body) off = std::min(off, std::abs(segment.t0 - t));
        return off;
    }
    static double end_of_contact(const Log& log, BodyId a, BodyId b) {
        const std::vector<Event> ends = log.between(a, b, EventKind::lasting_end);
        return ends.empty() ? 0.0 : ends.front().t;
    }
    void expect_planar(const char* what, const World& world, BodyId body, const Planar& truth) {
        const motion::State s = state(world, body);
        const Planar::Y& y = truth.y();
        expect_below((std::string(what) + " place").c_str(),
                     (s.position - Vec3(y[0], 0, y[1])).norm(), k_exact);
        expect_below((std::string(what) + " turn").c_str(),
                     s.orientation.angularDistance(turned_by(y[2], Vec3::UnitY())), k_exact);
        expect_below((std::string(what) + " velocity").c_str(),
                     (s.velocity - Vec3(y[3], 0, y[4])).norm(), k_exact);
        expect_below((std::string(what) + " rate").c_str(),
                     (s.angular_velocity - Vec3(0, y[5], 0)).norm(), k_exact);
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactSlip, testing::Values(0.0, 0.0713), name_of_yaw);

// A rod or board that leans to the wall x = 0 by q, everything smooth: centre at x(q), z(q), with
// x' = l cos - w sin, z' = -l sin + w cos of half its length and thickness.
struct Ladder {
    double l, w, r, m, I;
    double x(double q) const { return l * std::sin(q) + w * std::cos(q) + r; }
    double z(double q) const { return l * std::cos(q) + w * std::sin(q) + r; }
    double dx(double q) const { return l * std::cos(q) - w * std::sin(q); }
    double dz(double q) const { return -l * std::sin(q) + w * std::cos(q); }
    // Both ends guided, or the foot alone.
    double acceleration(double q, double rate, bool wall) const {
        const double x2 = wall ? 1.0 : 0.0;
        const double M = I + m * (x2 * dx(q) * dx(q) + dz(q) * dz(q));
        const double bend = m * (-x2 * dx(q) * (x(q) - r) - dz(q) * (z(q) - r));
        return (-m * k_gravity * dz(q) - bend * rate * rate) / M;
    }
    double wall_force(double q, double rate) const {
        return m * (dx(q) * acceleration(q, rate, true) - (x(q) - r) * rate * rate);
    }
};

TEST_P(ExactSlip, ARodSlidesDownAWallAndLeavesIt) {
    const double m = 0.9, r = 0.02, L = 0.8;
    const double m_tube = m * L / (L + 4.0 * r / 3.0), m_caps = m - m_tube;
    const double I_capsule = m_tube * (L * L / 12.0 + r * r / 4.0) +
                             m_caps * (0.4 * r * r + L * L / 4.0 + 0.375 * L * r);
    const double w = 0.06, H = 1.1;
    const auto capsule = shape::make_capsule(r, L);
    const auto box = shape::make_box({w, 0.2, H});
    const Ladder rod{0.5 * L, 0.0, r, m, I_capsule};
    const Ladder board{0.5 * H, 0.5 * w, 0.0, m, m * (w * w + H * H) / 12.0};
    for (const auto& [name, ladder, shape, degrees] :
         {std::tuple("rod", rod, capsule, 10.0), std::tuple("rod 40", rod, capsule, 40.0),
          std::tuple("board", board, box, 25.0)}) {
        SCOPED_TRACE(name);
        const Ladder& on = ladder;
        const double q0 = degrees * k_degree;
        using Y = Flow<2>::Y;
        Flow<2> truth(
            [&](const Y& y) {
                return Y{y[1], on.acceleration(y[0], y[1], true)};
            },
            {q0, 0.0});
        ASSERT_TRUE(truth.until([&](const Y& y) { return on.wall_force(y[0], y[1]); }, 5.0));
        const double leaves = truth.t, q1 = truth.y[0], v = on.dx(q1) * truth.y[1];
        if (ladder.w == 0.0)
            expect_close("two thirds", std::cos(q1), 2.0 / 3.0 * std::cos(q0), 1e-12);
        truth.follow([&](const Y& y) { return Y{y[1], on.acceleration(y[0], y[1], false)}; });
        ASSERT_TRUE(truth.until([](const Y& y) { return 0.5 * pi - y[0]; }, 5.0));

        World world = make(0.0);
        add_plane(world, Vec3::UnitZ());
        const BodyId wall = add(world, {.name = "wall",
                                        .shape = shared(shape::make_half_space(Vec3::UnitX())),
                                        .fixed = true});
        const BodyId body = add(world, {.name = "rod",
                                        .shape = shared(shape),
                                        .pose = at({on.x(q0), 0, on.z(q0)}, Vec3::UnitY(), -q0),
                                        .mass = m});
        Log log;
        world.run(leaves, &log);
        const motion::State s = state(world, body);
        const double q = -2.0 * std::atan2(s.orientation.y(), s.orientation.w());
        expect_close("angle where it leaves", q, q1, k_exact);
        expect_close("speed there", s.velocity.x(), v, k_exact);
        world.run(truth.t + 0.1, &log);
        expect_close("leaves", end_of_contact(log, body, wall), leaves, 1e-6);
        expect_close("speed after", state(world, body).velocity.x(), v, k_exact);
        double flat = 0.0;
        for (const Event& event : log.events)
            if (event.energy_lost > 0.05 && flat == 0.0) flat = event.t;
        expect_close("flat", flat, truth.t, k_exact);
        expect_exact(world, log);
    }
}

// The same with friction at both ends, which slide from the start: three equations for the
// acceleration of the lean and the two normal forces.
TEST_P(ExactSlip, ARodSlidesDownARoughWall) {
    const double m = 0.9, r = 0.02, L = 0.8, l = 0.5 * L, q0 = 35.0 * k_degree;
    const double m_tube = m * L / (L + 4.0 * r / 3.0), m_caps = m - m_tube;
    const double I = m_tube * (L * L / 12.0 + r * r / 4.0) +
                     m_caps * (0.4 * r * r + L * L / 4.0 + 0.375 * L * r);
    for (const auto& [mu_floor, mu_wall] :
         {std::pair(0.1, 0.0), std::pair(0.0, 0.3), std::pair(0.15, 0.2)}) {
        SCOPED_TRACE(std::to_string(mu_floor) + " " + std::to_string(mu_wall));
        const double f = mu_floor, w = mu_wall;
        const auto solve = [=](const Flow<2>::Y& y) -> Vec3 {  // q'', floor, wall
            const double s = std::sin(y[0]), c = std::cos(y[0]), w2 = y[1] * y[1];
            Mat3 A;
            A << m * l * c, f, -1.0,   //
                -m * l * s, -1.0, -w,  //
                I, f * (l * c + r) - l * s, l * c + w * (l * s + r);
            return A.fullPivLu().solve(Vec3(m * l * s * w2, m * l * c * w2 - m * k_gravity, 0.0));
        };
        using Y = Flow<2>::Y;
        Flow<2> truth([=](const Y& y) { return Y{y[1], solve(y)[0]}; }, {q0, 0.0});
        ASSERT_TRUE(truth.until([&](const Y& y) { return solve(y)[2]; }, 5.0));

        world::Contacts all = contacts(0.0, mu_floor);
        all.set("rod", "wall", impact::law::routh({.e = 0.0, .mu = mu_wall}));
        World world(world::Settings{}, all);
        add_plane(world, Vec3::UnitZ());
        const BodyId wall = add(world, {.name = "wall",
                                        .shape = shared(shape::make_half_space(Vec3::UnitX())),
                                        .material = "wall",
                                        .fixed = true});
        const auto centre = [&](double q) {
            return Vec3(r + l * std::sin(q), 0, r + l * std::cos(q));
        };
        const BodyId body = add(world, {.name = "rod",
                                        .shape = shared(shape::make_capsule(r, L)),
                                        .material = "rod",
                                        .pose = at(centre(q0), Vec3::UnitY(), -q0),
                                        .mass = m});
        Log log;
        world.run(truth.t, &log);
        const motion::State s = state(world, body);
        expect_below("place", (s.position - centre(truth.y[0])).norm() / l, k_exact);
        expect_close("rate", s.angular_velocity.y(), -truth.y[1], k_exact);
        world.run(truth.t + 0.05, &log);
        expect_close("leaves", end_of_contact(log, body, wall), truth.t, 1e-6);
        expect_exact(world, log);
    }
}

// A rod on a rough floor rolls over its round end until the cone is reached, slips, back or forth
// as the friction is, sticks again or not, and falls flat.
TEST_P(ExactSlip, ARodFallsOnARoughFloor) {
    const double r = 0.03, L = 0.9, m = 0.6, a = 0.5 * L;
    const double m_tube = m * L / (L + 4.0 * r / 3.0), m_caps = m - m_tube;
    const double I = m_tube * (L * L / 12.0 + r * r / 4.0) +
                     m_caps * (0.4 * r * r + L * L / 4.0 + 0.375 * L * r);
    for (const double mu : {0.1, 0.25, 0.5, 0.8, 1.2}) {
        SCOPED_TRACE(mu);
        const double q0 = 4.0 * k_degree, x0 = a * std::sin(q0), z0 = r + a * std::cos(q0);
        Planar truth(m, I, {{0, -a}, {0, a}}, mu, 0.0, {x0, z0, q0, 0, 0, 0}, r);
        truth.touch(0);
        World world = make(mu);
        add_plane(world, Vec3::UnitZ());
        const BodyId body = add(world, {.name = "rod",
                                        .shape = shared(shape::make_capsule(r, L)),
                                        .pose = at({x0, 0, z0}, Vec3::UnitY(), q0),
                                        .mass = m});
        Log log;
        std::vector<double> changes;
        while (truth.next(3.0) == Planar::Next::change) {
            changes.push_back(truth.t());
            world.run(truth.t(), &log);
            expect_planar(("change " + std::to_string(changes.size())).c_str(), world, body, truth);
        }
        EXPECT_GE(changes.size(), 1U);
        ASSERT_EQ(truth.impacts().size(), 1U);
        world.run(truth.impacts()[0].t + 0.1, &log);
        for (const double t : changes)
            if (mu >= 0.5) expect_below("when it changes", off_change(log, body, t) / t, k_exact);
        double flat = 0.0;
        for (const Event& event : log.events)
            if (event.energy_lost > 0.05 && flat == 0.0) flat = event.t;
        expect_close("flat", flat, truth.impacts()[0].t, k_exact);
        expect_exact(world, log);
    }
}

// A table that turns about a level axis at W carries the block until
// g sin + s W^2 = mu (g cos - h W^2).
TEST_P(ExactSlip, ABlockOnATableThatTilts) {
    for (const auto& [W, s0, p, mu] :
         {std::tuple(0.3, 0.2, 0.1, 0.5), std::tuple(0.05, -0.4, 0.05, 0.3),
          std::tuple(0.8, -0.3, 0.2, 0.6)}) {
        SCOPED_TRACE(W);
        const double b = 0.03, h = p + b, g = k_gravity, rate = W, far = s0, height = h, rough = mu;
        const auto cone = [=](double t) {
            const double sin = std::sin(rate * t), cos = std::cos(rate * t);
            return g * sin + far * rate * rate - rough * (g * cos - height * rate * rate);
        };
        boost::math::tools::eps_tolerance<double> close(52);
        std::uintmax_t rounds = 200;
        const double slips =
            boost::math::tools::toms748_solve(cone, 0.0, 0.5 * pi / W, close, rounds).first;
        World world = make(mu);
        add(world, {.name = "table",
                    .shape = shared(shape::make_box({3.0, 1.0, 0.1})),
                    .pose = at({0, 0, p - 0.05}),
                    .angular_velocity = {0, W, 0},
                    .fixed = true,
                    .pivot = Vec3::Zero()});
        const BodyId body = add(world, {.name = "block",
                                        .shape = shared(shape::make_box({0.24, 0.2, 2.0 * b})),
                                        .pose = at({s0, 0, h}),
                                        .velocity = {h * W, 0, -s0 * W},
                                        .angular_velocity = {0, W, 0},
                                        .mass = 1.2});
        const auto moved = [&](double t) {
            const Vec3 carried = turned_by(rate * t, Vec3::UnitY()) * Vec3(far, 0, height);
            return (state(world, body).position - carried).norm();
        };
        Log log;
        world.run(slips, &log);
        expect_below("off where it slips", moved(slips), k_exact);
        world.run(slips + 0.05, &log);
        EXPECT_GT(moved(slips + 0.05), 1e-5);
        expect_exact(world, log);
    }
}

// A roller or ball on top of a fixed one rolls until k/(1+k) g sin = mu (g cos - D q'^2). Then it
// slides, and leaves where the normal force ends; of a roller only the first part is tested.
TEST_P(ExactSlip, ARollerAndABallRollOffAFixedOne) {
    const double R = 0.4, r = 0.1, D = R + r, m = 0.5, g = k_gravity;
    for (const auto& [name, round, below, k] :
         {std::tuple("roller", shape::make_cylinder(r, 0.3), shape::make_cylinder(R, 0.5), 0.5),
          std::tuple("ball", shape::make_sphere(r), shape::make_sphere(R), 0.4)}) {
        for (const double mu : {0.15, 0.6}) {
            SCOPED_TRACE(std::string(name) + " " + std::to_string(mu));
            using Y = Flow<4>::Y;  // direction of the centres from the upright, spin, their rates
            const double part = k;
            const auto N = [=](const Y& y) { return g * std::cos(y[0]) - D * y[2] * y[2]; };
            Flow<4> truth(
                [=](const Y& y) {
                    const double a = g * std::sin(y[0]) / ((1.0 + part) * D);
                    return Y{y[2], y[3], a, a * D / r};
                },
                {5.0 * k_degree, 0.0, 0.0, 0.0});
            ASSERT_TRUE(truth.until(
                [&](const Y& y) { return mu * N(y) - part / (1.0 + part) * g * std::sin(y[0]); },
                5.0));
            const double rough = mu;
            truth.follow([=](const Y& y) {
                return Y{y[2], y[3], (g * std::sin(y[0]) - rough * N(y)) / D,
                         rough * N(y) / (part * r)};
            });
            const bool ball = std::string(name) == "ball";
            if (ball) {
                ASSERT_TRUE(truth.until(N, 5.0));
            }
            World world = make(mu);
            const motion::Quat level = turned_by(0.5 * pi, Vec3::UnitX());
            const double q0 = 5.0 * k_degree;
            const BodyId body =
                add(world, {.name = "upper",
                            .shape = shared(round),
                            .pose = {{D * std::sin(q0), 0, D * std::cos(q0)}, level},
                            .mass = m});
            add(world, {.name = "lower",
                        .shape = shared(below),
                        .pose = {Vec3::Zero(), level},
                        .fixed = true});
            Log log;
            world.run(truth.t, &log);
            const double q = truth.y[0];
            const motion::State s = state(world, body);
            expect_below("place", (s.position - D * Vec3(std::sin(q), 0, std::cos(q))).norm() / D,
                         k_exact);
            expect_close("spin", s.angular_velocity.y(), truth.y[3], k_exact);
            if (!ball) continue;
            const double fall = 0.02, v = D * truth.y[2];
            const Vec3 flown = D * Vec3(std::sin(q), 0, std::cos(q)) +
                               fall * v * Vec3(std::cos(q), 0, -std::sin(q)) -
                               Vec3(0, 0, 0.5 * g * fall * fall);
            world.run(truth.t + fall, &log);
            expect_below("flight", (state(world, body).position - flown).norm() / D, k_exact);
            expect_exact(world, log);
        }
    }
}

}  // namespace
}  // namespace carom::tests
