// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The massé shot of Jia 2010: cue, ball and table in one impact, springs and friction at both
// contacts. The paper prints no constants; these are those of a pool ball and a cue.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "carom/impact/law_choice.h"
#include "carom/impact/multiple/coupled.h"

namespace carom::tests {
namespace {

using impact::CoupledSettings;
using impact::MultiContactBody;
using impact::MultiContactPoint;
using impact::MultiContactProblem;

constexpr double k_mass = 0.17, k_radius = 0.028575, k_cue_mass = 0.5;

MultiContactPoint springs(std::uint32_t b, const Vec3& point, const Vec3& normal, double e,
                          double mu, double stiffness) {
    MultiContactPoint contact;
    contact.a = 0;
    contact.b = b;
    contact.point = point;
    contact.normal = normal;
    contact.set_law(impact::law::compliant({.e = e, .mu = mu, .nu = 0.3}));
    contact.stiffness = stiffness;
    contact.power = 1.0;
    return contact;
}

// The cue comes down at 65 degrees towards +x and hits the ball left of its centre.
MultiContactProblem masse(double side) {
    const double steep = 65.0 * std::numbers::pi / 180.0;
    const Vec3 along(std::cos(steep), 0.0, -std::sin(steep));
    MultiContactProblem problem;
    MultiContactBody ball;
    ball.inverse_mass = 1.0 / k_mass;
    ball.inverse_inertia = Mat3::Identity() / (0.4 * k_mass * k_radius * k_radius);
    ball.position = {0, 0, k_radius};
    MultiContactBody cue;  // a mass that does not turn
    cue.inverse_mass = 1.0 / k_cue_mass;
    cue.v = 3.0 * along;
    const Vec3 outward = -std::sqrt(1.0 - side * side) * along + side * Vec3::UnitY();
    cue.position = ball.position + k_radius * outward;
    problem.bodies = {ball, cue, {}};
    problem.contacts = {springs(1, cue.position, -outward, 0.75, 0.6, 1.0),
                        springs(2, Vec3::Zero(), Vec3::UnitZ(), 0.3, 0.25, 3.0)};
    return problem;
}

// The same springs stepped by hand in small steps: force increments, cut back to the cone.
std::array<Vec3, 2> stepped(const MultiContactProblem& problem, int steps_in_unit) {
    std::array<Vec3, 2> impulses{Vec3::Zero(), Vec3::Zero()};
    std::array<Vec3, 2> f{Vec3::Zero(), Vec3::Zero()};
    std::array<double, 2> x{};
    std::vector<MultiContactBody> bodies = problem.bodies;
    const double h = std::sqrt(k_mass) / steps_in_unit;
    for (int n = 0; n < 20 * steps_in_unit; ++n) {
        std::array<Vec3, 2> force{Vec3::Zero(), Vec3::Zero()};
        for (std::size_t i = 0; i < 2; ++i) {
            const MultiContactPoint& c = problem.contacts[i];
            const Vec3 u = impact::contact_velocity(bodies, c);
            const double v = u.dot(c.normal);
            const double e = *c.parameters.e;
            x[i] -= h * v * (v > 0.0 && x[i] > 0.0 ? 1.0 / (e * e) : 1.0);
            if (x[i] <= 0.0) {
                f[i].setZero();
                continue;
            }
            const double F = c.stiffness * x[i];
            f[i] += h * c.stiffness / (1.7 / 1.4) * (u - v * c.normal);
            const double limit = *c.parameters.mu * F;
            if (f[i].norm() > limit) f[i] *= limit / f[i].norm();
            force[i] = F * c.normal - f[i];
        }
        for (std::size_t i = 0; i < 2; ++i)
            impulses[i] += h * force[i];
        bodies = impact::apply_impulses(problem, {impulses[0], impulses[1]});
    }
    return impulses;
}

TEST(Masse, AgreesWithSteppingTheSprings) {
    for (const double side : {0.0, 0.45}) {
        const MultiContactProblem problem = masse(side);
        const impact::MultiContactSolution solution = resolve_coupled(problem);
        const std::array<Vec3, 2> coarse = stepped(problem, 1000);
        const std::array<Vec3, 2> fine = stepped(problem, 2000);
        const double scale = solution.impulses_W[0].norm();
        for (std::size_t i = 0; i < 2; ++i) {
            // of first order: the finer one is twice as near
            const Vec3 limit = 2.0 * fine[i] - coarse[i];
            EXPECT_LT((solution.impulses_W[i] - fine[i]).norm(), 6e-3 * scale) << side;
            EXPECT_LT((solution.impulses_W[i] - limit).norm(), 1e-3 * scale) << side;
        }
        EXPECT_LT(solution.approach_left, 1e-9);
        EXPECT_GT(energy_lost(problem, solution.impulses_W), 0.0);
    }
}

// What makes a massé: the ball moves one way and slips another, so that friction bends its path;
// without side it runs straight.
TEST(Masse, SideBendsThePath) {
    for (const double side : {0.0, 0.45}) {
        const MultiContactProblem problem = masse(side);
        const MultiContactBody ball =
            apply_impulses(problem, resolve_coupled(problem).impulses_W).front();
        const Vec3 slip = ball.v + ball.w.cross(Vec3(0, 0, -k_radius));
        const Vec3 across = Vec3(ball.v.x(), ball.v.y(), 0).cross(Vec3(slip.x(), slip.y(), 0));
        if (side == 0.0) {
            EXPECT_NEAR(across.z(), 0.0, 1e-12);
            EXPECT_NEAR(ball.v.y(), 0.0, 1e-12);
        } else {
            EXPECT_GT(std::abs(across.z()), 0.1);
        }
    }
}

}  // namespace
}  // namespace carom::tests
