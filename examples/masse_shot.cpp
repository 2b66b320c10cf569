// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// A massé shot: cue, ball and table in one impact, then the ball's curved path on the cloth.
//
// The cue comes down steeply beside the ball's centre. While it presses, the ball is held between
// tip and table, with springs and friction at both contacts. It leaves with a spin whose slip is
// not along its motion, so that friction bends the path into a parabola until the ball rolls. The
// constants are those of a pool ball and a cue, chosen, not measured.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "carom/impact/law_choice.h"
#include "carom/impact/multiple/coupled.h"

namespace {

using namespace carom;

constexpr double k_mass = 0.17;        // kg
constexpr double k_radius = 0.028575;  // m
constexpr double k_gravity = 9.81;     // m/s^2
constexpr double k_cloth = 0.2;        // friction of ball and cloth while it slides on

void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "not as expected: %s\n", what);
    std::exit(1);
}

impact::MultiContactPoint contact_with(std::uint32_t other, const Vec3& point, const Vec3& normal,
                                  double e, double mu, double stiffness) {
    impact::MultiContactPoint contact;
    contact.a = 0;
    contact.b = other;
    contact.point = point;
    contact.normal = normal;
    contact.set_law(impact::law::compliant({.e = e, .mu = mu, .nu = 0.3}));
    contact.stiffness = stiffness;
    contact.power = 1.0;
    return contact;
}

// The ball right after the impact.
impact::MultiContactBody shoot() {
    const double steep = 65.0 * std::numbers::pi / 180.0;
    const double side = 0.45;  // of the radius
    const Vec3 along(std::cos(steep), 0.0, -std::sin(steep));
    impact::MultiContactProblem problem;
    impact::MultiContactBody ball;
    ball.inverse_mass = 1.0 / k_mass;
    ball.inverse_inertia = Mat3::Identity() / (0.4 * k_mass * k_radius * k_radius);
    ball.position = {0, 0, k_radius};
    impact::MultiContactBody cue;  // held firmly: it does not turn
    cue.inverse_mass = 1.0 / 0.5;
    cue.v = 3.0 * along;
    const Vec3 outward = -std::sqrt(1.0 - side * side) * along + side * Vec3::UnitY();
    cue.position = ball.position + k_radius * outward;
    problem.bodies = {ball, cue, {}};
    // the table three times as stiff as the tip; it gives back little, so that the ball stays down
    problem.contacts = {contact_with(1, cue.position, -outward, 0.75, 0.6, 1.0),
                        contact_with(2, Vec3::Zero(), Vec3::UnitZ(), 0.0, 0.25, 3.0)};
    const impact::MultiContactSolution solution = impact::resolve_coupled(problem);
    const double lost = impact::energy_lost(problem, solution.impulses_W);
    std::printf("impulse of the cue   %8.4f %8.4f %8.4f N s\n", solution.impulses_W[0].x(),
                solution.impulses_W[0].y(), solution.impulses_W[0].z());
    std::printf("impulse of the table %8.4f %8.4f %8.4f N s\n", solution.impulses_W[1].x(),
                solution.impulses_W[1].y(), solution.impulses_W[1].z());
    std::printf("energy lost %.4f of %.4f J\n", lost, 0.5 * 0.5 * 9.0);
    check(lost > 0.0 && lost < 0.5 * 0.5 * 9.0, "energy is lost, not made");
    check(solution.approach_left < 1e-6, "nothing approaches any more");
    return impact::apply_impulses(problem, solution.impulses_W)[0];
}

}  // namespace

int main() {
    const impact::MultiContactBody ball = shoot();
    std::printf("ball after: v %.4f %.4f %.4f m/s, spin %.1f %.1f %.1f rad/s\n", ball.v.x(),
                ball.v.y(), ball.v.z(), ball.w.x(), ball.w.y(), ball.w.z());
    check(std::abs(ball.v.z()) < 0.2, "the ball stays near the cloth");

    // on the cloth the slip keeps its direction and falls at 7/2 mu g: a parabola, then a line
    const Vec2 v = ball.v.head<2>();
    const Vec2 slip = v + k_radius * Vec2(-ball.w.y(), ball.w.x());
    const Vec2 friction = -k_cloth * k_gravity * slip.normalized();
    const double rolls_at = slip.norm() / (3.5 * k_cloth * k_gravity);
    const auto place = [&](double t) -> Vec2 { return t * v + 0.5 * t * t * friction; };
    std::printf("slides for %.3f s\n", rolls_at);
    for (int i = 0; i <= 8; ++i) {
        const double t = rolls_at * i / 8;
        std::printf("  t %.3f  x %7.4f  y %7.4f\n", t, place(t).x(), place(t).y());
    }
    const Vec2 rolling = v + rolls_at * friction;
    const double turn = std::atan2(v.x() * rolling.y() - v.y() * rolling.x(), v.dot(rolling));
    std::printf("then rolls with %.4f %.4f m/s, turned by %.1f degrees\n", rolling.x(), rolling.y(),
                turn * 180.0 / std::numbers::pi);

    // the same in small steps of velocity and spin
    Vec2 position(0.0, 0.0), velocity = v, spin(ball.w.x(), ball.w.y());
    constexpr int k_steps = 100000;
    const double h = rolls_at / k_steps;
    for (int i = 0; i < k_steps; ++i) {
        const Vec2 u = velocity + k_radius * Vec2(-spin.y(), spin.x());
        const Vec2 a = -k_cloth * k_gravity * u.normalized();
        position += h * velocity + 0.5 * h * h * a;
        velocity += h * a;
        // torque of the friction at the lowest point: (0, 0, -r) x m a over the inertia
        spin += h / (0.4 * k_radius) * Vec2(a.y(), -a.x());
    }
    check((position - place(rolls_at)).norm() < 1e-6, "the parabola");
    check((velocity - rolling).norm() < 1e-4, "the rolling velocity");
    check(std::abs(turn) > 0.2, "the path is curved");
}
