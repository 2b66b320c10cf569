// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Free bodies in lasting contact with each other, against closed forms and reduced equations that
// use nothing of the program.

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tests/physics/exact_contact.h"
#include "tests/physics/reference.h"

namespace carom::tests {
namespace {

using std::numbers::pi;

class ExactPair : public ExactContact {
protected:
    // Friction between two materials each; nothing else meets.
    struct Friction {
        const char *a, *b;
        double mu;
    };
    static World make_with(const std::vector<Friction>& pairs) {
        world::Contacts all = contacts(0.0, 0.0);
        for (const Friction& pair : pairs)
            all.set(pair.a, pair.b, impact::law::routh({.e = 0.0, .mu = pair.mu}));
        return World(world::Settings{}, all);
    }
    void add_floor_of(World& world, const Vec3& normal, const char* material) const {
        add(world, {.name = "floor",
                    .shape = shared(shape::make_half_space(normal)),
                    .material = material,
                    .fixed = true});
    }
};
INSTANTIATE_TEST_SUITE_P(Yaw, ExactPair, testing::Values(0.0, 0.0713), name_of_yaw);

shape::Shape wedge(double base, double height, double depth) {
    std::vector<Vec3> points;
    for (const double y : {-0.5 * depth, 0.5 * depth})
        for (const Vec3& p : {Vec3(0, y, 0), Vec3(base, y, 0), Vec3(0, y, height)})
            points.push_back(p);
    return shape::make_hull(points);
}

// The block goes down a wedge that slides away under it: four equations for the wedge's
// acceleration A, the block's a along the slope, and the two normal forces.
TEST_P(ExactPair, ABlockOnAWedgeThatSlides) {
    for (const auto& [degrees, mu_block, mu_floor] :
         {std::tuple(30.0, 0.0, 0.0), std::tuple(40.0, 0.3, 0.0)}) {
        SCOPED_TRACE(degrees);
        const double alpha = degrees * k_degree, sin = std::sin(alpha), cos = std::cos(alpha);
        const double m = 0.5, M = 1.5, base = 1.2, b = 0.06, from = 0.2;
        Eigen::Matrix4d equations;
        equations << m, m * cos, -sin + mu_block * cos, 0,  //
            0, -m * sin, -cos - mu_block * sin, 0,          //
            M, 0, sin - mu_block * cos, -mu_floor,          //
            0, 0, -cos - mu_block * sin, 1;
        const Eigen::Vector4d found =
            equations.fullPivLu().solve(Eigen::Vector4d(0, -m * k_gravity, 0, M * k_gravity));
        const double A = found[0], a = found[1], t = 0.4;
        World world = make_with({{"block", "wedge", mu_block}, {"wedge", "floor", mu_floor}});
        const Vec3 down(cos, 0, -sin), n(sin, 0, cos);
        const Vec3 start = Vec3(0, 0, base * std::tan(alpha)) + from * down + 0.5 * b * n;
        const BodyId block = add(world, {.name = "block",
                                         .shape = shared(shape::make_box({0.1, 0.08, b})),
                                         .material = "block",
                                         .pose = {start, turned_by(alpha, Vec3::UnitY())},
                                         .mass = m});
        const BodyId below = add(world, {.name = "wedge",
                                         .shape = shared(wedge(base, base * std::tan(alpha), 0.3)),
                                         .material = "wedge",
                                         .mass = M});
        add_floor_of(world, Vec3::UnitZ(), "floor");
        const Vec3 wedge_start = state(world, below).position;
        Log log;
        world.run(t, &log);
        const double half = 0.5 * t * t;
        const motion::State s = state(world, block), w = state(world, below);
        expect_below(
            "block",
            (s.position - start - half * Vec3(A, 0, 0) - half * a * down).norm() / (half * a),
            k_exact);
        expect_below(
            "wedge",
            (w.position - wedge_start - half * Vec3(A, 0, 0)).norm() / (half * std::abs(A)),
            k_exact);
        expect_below("speed", (s.velocity - t * Vec3(A, 0, 0) - t * a * down).norm() / (a * t),
                     k_exact);
        expect_exact(world, log);
    }
}

// The lower block is thrown from under the upper one, which gains mu g until they are equally fast.
TEST_P(ExactPair, TheLowerOfTwoBlocksIsThrown) {
    const double m = 0.4, M = 1.1, v = 1.2, g = k_gravity;
    for (const auto& [mu, mu_floor] : {std::pair(0.3, 0.2), std::pair(0.2, 0.5)}) {
        SCOPED_TRACE(mu);
        World world = make_with({{"upper", "lower", mu}, {"lower", "floor", mu_floor}});
        const BodyId lower = add(world, {.name = "lower",
                                         .shape = shared(shape::make_box({0.8, 0.3, 0.05})),
                                         .material = "lower",
                                         .pose = at({0, 0, 0.025}),
                                         .velocity = {v, 0, 0},
                                         .mass = M});
        const BodyId upper = add(world, {.name = "upper",
                                         .shape = shared(shape::make_box({0.2, 0.1, 0.04})),
                                         .material = "upper",
                                         .pose = at({0, 0, 0.07}),
                                         .mass = m});
        add_floor_of(world, Vec3::UnitZ(), "floor");
        const double gain = mu * g, brake = (mu * m + mu_floor * (m + M)) * g / M;
        const double t = 0.95 * v / (gain + brake);
        Log log;
        world.run(t, &log);
        const motion::State above = state(world, upper), below = state(world, lower);
        expect_close("upper speed", above.velocity.x(), gain * t, k_exact);
        expect_close("upper way", above.position.x(), 0.5 * gain * t * t, k_exact);
        expect_close("lower speed", below.velocity.x(), v - brake * t, k_exact);
        expect_close("lower way", below.position.x(), v * t - 0.5 * brake * t * t, k_exact);
        expect_exact(world, log);
    }
}

// The rear one, with less friction, pushes the other down the ramp.
TEST_P(ExactPair, TwoBlocksPushEachOtherDownARamp) {
    const double rise = 30.0 * k_degree, m_1 = 0.7, m_2 = 1.6, mu_1 = 0.1, mu_2 = 0.45, t = 1.6;
    World world = make_with({{"rear", "floor", mu_1}, {"front", "floor", mu_2}});
    const Vec3 down(std::cos(rise), 0, -std::sin(rise)), n(std::sin(rise), 0, std::cos(rise));
    const motion::Quat tilt = turned_by(rise, Vec3::UnitY());
    const auto size = shared(shape::make_box({0.2, 0.1, 0.04}));
    const BodyId rear = add(
        world,
        {.name = "rear", .shape = size, .material = "rear", .pose = {0.02 * n, tilt}, .mass = m_1});
    const BodyId front = add(world, {.name = "front",
                                     .shape = size,
                                     .material = "front",
                                     .pose = {0.02 * n + 0.2 * down, tilt},
                                     .mass = m_2});
    add_floor_of(world, n, "floor");
    const double cos = std::cos(rise), brake = (mu_1 * m_1 + mu_2 * m_2) / (m_1 + m_2);
    const double a = k_gravity * (std::sin(rise) - brake * cos);
    Log log;
    world.run(t, &log);
    world.tell_forces(log);
    const double way = 0.5 * a * t * t;
    expect_below("rear", (state(world, rear).position - 0.02 * n - way * down).norm() / way,
                 k_exact);
    expect_below("front",
                 (state(world, front).position - 0.02 * n - (way + 0.2) * down).norm() / way,
                 k_exact);
    double push = 0.0;
    for (const world::ContactForce& force : log.forces)
        if (std::minmax(force.a, force.b) == std::minmax(rear, front)) push += force.impulse.norm();
    expect_close("push", push / t, m_1 * (k_gravity * (std::sin(rise) - mu_1 * cos) - a), k_exact);
    expect_exact(world, log);
}

// The block is thrown under a ball: the ball slides until 7/2 mu g t is as fast as the block, and
// rolls on it from there.
TEST_P(ExactPair, ABallOnABlockOnIce) {
    const double m = 0.3, M = 0.8, V = 0.9, mu = 0.25, r = 0.05;
    World world = make_with({{"ball", "block", mu}});
    const BodyId block = add(world, {.name = "block",
                                     .shape = shared(shape::make_box({1.4, 0.4, 0.06})),
                                     .material = "block",
                                     .pose = at({0, 0, 0.03}),
                                     .velocity = {V, 0, 0},
                                     .mass = M});
    const BodyId ball = add(world, {.name = "ball",
                                    .shape = shared(shape::make_sphere(r)),
                                    .material = "ball",
                                    .pose = at({0.3, 0, 0.06 + r}),
                                    .mass = m});
    add_floor_of(world, Vec3::UnitZ(), "ice");
    const double a = mu * k_gravity, rolls = V / (a * (3.5 + m / M)), t = 1.0;
    const double v = a * rolls, x = 0.3 + 0.5 * a * rolls * rolls + v * (t - rolls);
    const double V_end = V - a * m / M * rolls;
    Log log;
    world.run(t, &log);
    expect_close("ball", state(world, ball).position.x(), x, k_exact);
    expect_close("speed", state(world, ball).velocity.x(), v, k_exact);
    expect_close("spin", state(world, ball).angular_velocity.y(), -2.5 * v / r, k_exact);
    expect_close("block", state(world, block).velocity.x(), V_end, k_exact);
    expect_exact(world, log);
}

// Rollers go half as far as what lies on them: with 2 a for the plank the power of the weights is
// (4 M + 3 m) a v for two solid rollers.
TEST_P(ExactPair, APlankOnTwoRollersOnARamp) {
    const double rise = 8.0 * k_degree, M = 2.0, m = 0.7, r = 0.05, b = 0.02, t = 0.6;
    World world = make(1.0);
    const Vec3 down(std::cos(rise), 0, -std::sin(rise)), n(std::sin(rise), 0, std::cos(rise));
    const motion::Quat tilt = turned_by(rise, Vec3::UnitY());
    const auto roller = shared(shape::make_cylinder(r, 0.3));
    std::vector<BodyId> rollers;
    for (const double s : {-0.25, 0.3})
        rollers.push_back(
            add(world, {.name = s < 0.0 ? "upper" : "lower",
                        .shape = roller,
                        .pose = {r * n + s * down, tilt * turned_by(0.5 * pi, Vec3::UnitX())},
                        .mass = m}));
    const Vec3 start = (2.0 * r + b) * n;
    const BodyId plank = add(world, {.name = "plank",
                                     .shape = shared(shape::make_box({1.6, 0.2, 2.0 * b})),
                                     .pose = {start, tilt},
                                     .mass = M});
    add_plane(world, n);
    const double a = 2.0 * (M + m) * k_gravity * std::sin(rise) / (4.0 * M + 3.0 * m);
    Log log;
    world.run(t, &log);
    const double way = 0.5 * a * t * t;
    expect_below("plank", (state(world, plank).position - start - 2.0 * way * down).norm() / way,
                 k_exact);
    for (const BodyId id : rollers)
        expect_close("spin", state(world, id).angular_velocity.norm(), a * t / r, k_exact);
    expect_exact(world, log);
}

// A plank that rocks on a roller which is free to roll on the floor: q = (x of the roller, tilt).
// The plank's centre is at P = (x, R) + (R + b) n - (R tilt - x) t.
TEST_P(ExactPair, APlankRocksOnAFreeRoller) {
    const double R = 0.3, b = 0.02, length = 0.8, m = 1.3, M = 4.0;
    const double I = m * (length * length + 4.0 * b * b) / 12.0;
    const auto centre = [&](double x, double q) {
        const Vec3 n(std::sin(q), 0, std::cos(q)), t(std::cos(q), 0, -std::sin(q));
        return Vec3(Vec3(x, 0, R) + (R + b) * n - (R * q - x) * t);
    };
    const auto rate = [&](const Flow<4>::Y& y) {
        using V2 = Eigen::Vector2d;
        const double q = y[1];
        const V2 n(std::sin(q), std::cos(q)), t(std::cos(q), -std::sin(q));
        const double s = R * q - y[0];
        Eigen::Matrix2d J;
        J << V2(1, 0) + t, b * t + s * n;
        const V2 bend = -2.0 * y[2] * y[3] * n + y[3] * y[3] * ((R - b) * n + s * t);
        Eigen::Matrix2d mass = m * J.transpose() * J;
        mass(0, 0) += 1.5 * M;
        mass(1, 1) += I;
        const V2 a = mass.ldlt().solve(-m * J.transpose() * (bend + V2(0, k_gravity)));
        return Flow<4>::Y{y[2], y[3], a[0], a[1]};
    };
    const double q0 = 4.0 * k_degree;
    Flow<4> truth(rate, {0.0, q0, 0.0, 0.0});
    World world = make(1.0);
    const BodyId plank = add(world, {.name = "plank",
                                     .shape = shared(shape::make_box({length, 0.2, 2.0 * b})),
                                     .pose = at(centre(0.0, q0), Vec3::UnitY(), q0),
                                     .mass = m});
    const BodyId roller = add(world, {.name = "roller",
                                      .shape = shared(shape::make_cylinder(R, 0.5)),
                                      .pose = at({0, 0, R}, Vec3::UnitX(), 0.5 * pi),
                                      .mass = M});
    add_plane(world, Vec3::UnitZ());
    Log log;
    for (const double t : {0.5, 1.5, 2.5}) {
        world.run(t, &log);
        truth.to(t);
        const auto [x, q, vx, w] = truth.y;
        expect_below("roller", (state(world, roller).position - Vec3(x, 0, R)).norm() / R, k_exact);
        expect_below("plank", (state(world, plank).position - centre(x, q)).norm() / R, k_exact);
        expect_below("turning", state(world, plank).angular_velocity.y() - w, k_exact);
    }
    expect_exact(world, log);
}

// A roller goes down another that rolls away, a ball another ball: q = (x of the lower one,
// direction of the centres from the upright).
TEST_P(ExactPair, ARollerOnARollerAndABallOnABall) {
    const double R = 0.25, r = 0.1, M = 3.0, m = 0.8, D = R + r;
    for (const auto& [name, round, below, k] :
         {std::tuple("roller", shape::make_cylinder(r, 0.3), shape::make_cylinder(R, 0.4), 0.5),
          std::tuple("ball", shape::make_sphere(r), shape::make_sphere(R), 0.4)}) {
        SCOPED_TRACE(name);
        const double part = k;  // I / m r^2
        const auto rate = [=](const Flow<4>::Y& y) {
            const double cos = std::cos(y[1]), sin = std::sin(y[1]);
            Eigen::Matrix2d mass;
            mass << (1.0 + part) * (M + m), m * D * (cos - part), m * D * (cos - part),
                (1.0 + part) * m * D * D;
            const Eigen::Vector2d a = mass.ldlt().solve(
                Eigen::Vector2d(m * D * sin * y[3] * y[3], m * k_gravity * D * sin));
            return Flow<4>::Y{y[2], y[3], a[0], a[1]};
        };
        const double q0 = 3.0 * k_degree;
        Flow<4> truth(rate, {0.0, q0, 0.0, 0.0});
        World world = make(3.0);
        const auto upper_at = [&](double x, double q) {
            return Vec3(x + D * std::sin(q), 0, R + D * std::cos(q));
        };
        const BodyId upper = add(world, {.name = "upper",
                                         .shape = shared(round),
                                         .pose = at(upper_at(0.0, q0), Vec3::UnitX(), 0.5 * pi),
                                         .mass = m});
        const BodyId lower = add(world, {.name = "lower",
                                         .shape = shared(below),
                                         .pose = at({0, 0, R}, Vec3::UnitX(), 0.5 * pi),
                                         .mass = M});
        add_plane(world, Vec3::UnitZ());
        Log log;
        ASSERT_TRUE(truth.until([](const Flow<4>::Y& y) { return 30.0 * k_degree - y[1]; }, 5.0));
        const auto [x, q, vx, w] = truth.y;
        world.run(truth.t, &log);
        expect_below("upper", (state(world, upper).position - upper_at(x, q)).norm() / D, k_exact);
        expect_below("lower", (state(world, lower).position - Vec3(x, 0, R)).norm() / D, k_exact);
        expect_close("spin", state(world, upper).angular_velocity.y(), (D * w - vx) / r, k_exact);
        expect_exact(world, log);
    }
}

}  // namespace
}  // namespace carom::tests
