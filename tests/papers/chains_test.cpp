// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Chains of touching balls, all contacts at once: figures that others have found.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/impact/law_choice.h"
#include "carom/impact/multiple/coupled.h"

namespace carom::tests {
namespace {

using impact::CoupledSettings;
using impact::MultiContactBody;
using impact::MultiContactPoint;
using impact::MultiContactProblem;
using Reclose = CoupledSettings::Reclose;

struct Chain {
    std::vector<double> speeds;
    double power;
    bool wall = false;  // in front of ball 0, sqrt(2) times stiffer: a flat face is a ball of
                        // infinite radius to Hertz
};

MultiContactProblem problem_of(const Chain& chain) {
    MultiContactProblem problem;
    for (std::size_t i = 0; i < chain.speeds.size(); ++i) {
        MultiContactBody body;
        body.inverse_mass = 1.0;
        body.inverse_inertia = Mat3::Identity();
        body.position = {static_cast<double>(i), 0, 0};
        body.v = {chain.speeds[i], 0, 0};
        problem.bodies.push_back(body);
    }
    const auto touch = [&](std::size_t a, std::size_t b, double x, double stiffness) {
        MultiContactPoint contact;
        contact.a = static_cast<std::uint32_t>(a);
        contact.b = static_cast<std::uint32_t>(b);
        contact.point = {x, 0, 0};
        contact.normal = Vec3::UnitX();
        contact.set_law(impact::law::frictionless({.e = 1.0}));
        contact.stiffness = stiffness;
        contact.power = chain.power;
        problem.contacts.push_back(contact);
    };
    for (std::size_t i = 1; i < chain.speeds.size(); ++i)
        touch(i, i - 1, static_cast<double>(i) - 0.5, 1.0);
    if (chain.wall) {
        problem.bodies.emplace_back();
        touch(0, chain.speeds.size(), -0.5, std::sqrt(2.0));
    }
    return problem;
}

void expect(const Chain& chain, const std::vector<double>& figures, double within) {
    const MultiContactProblem problem = problem_of(chain);
    for (const Reclose reclose : {Reclose::gap, Reclose::approach}) {
        CoupledSettings settings;
        settings.reclose = reclose;
        const impact::MultiContactSolution solution = resolve_coupled(problem, settings);
        const std::vector<MultiContactBody> after = apply_impulses(problem, solution.impulses_W);
        for (std::size_t i = 0; i < figures.size(); ++i)
            EXPECT_NEAR(after[i].v.x(), figures[i], within) << "ball " << i;
        EXPECT_NEAR(energy_lost(problem, solution.impulses_W), 0.0, 1e-10);
    }
}

TEST(Chains, LinearSprings) {
    expect({{1, 0, 0}, 1.0}, {-0.130262, 0.150230, 0.980032}, 1e-6);
    expect({{1, 0, 0, 0, 0}, 1.0}, {-0.132279, -0.075329, -0.031011, 0.296218, 0.942402}, 1e-6);
}

// Linear springs without friction have a closed form: three balls, x'' = -W x with modes 1 and 3,
// until the first contact opens; the second then swings out alone.
TEST(Chains, ThreeBallsInClosedForm) {
    // x1 = s1/2 + s3/2, x2 = s1/2 - s3/2 with s1 = sin t, s3 = sin(sqrt(3) t)/sqrt(3)
    const double root = std::sqrt(3.0);
    const auto x1 = [&](double t) { return 0.5 * (std::sin(t) + std::sin(root * t) / root); };
    const auto x2 = [&](double t) { return 0.5 * (std::sin(t) - std::sin(root * t) / root); };
    double low = 1.0, high = 3.0;
    for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (low + high);
        (x1(middle) > 0.0 ? low : high) = middle;
    }
    const double v1 = -0.5 * (std::cos(low) + std::cos(root * low));
    const double v2 = -0.5 * (std::cos(low) - std::cos(root * low));
    // velocities of the balls: sum 1, differences v1 and v2
    const double first = (1.0 - 2.0 * v1 - v2) / 3.0;
    const double second = first + v1;
    // then balls 2 and 3 alone: their relative velocity ends with the energy that is left
    const double apart = std::sqrt(v2 * v2 + 2.0 * x2(low) * x2(low));
    const double middle = 0.5 * (second + second + v2);
    expect({{1, 0, 0}, 1.0}, {first, middle - 0.5 * apart, middle + 0.5 * apart}, 1e-10);
}

TEST(Chains, TenHertzianBalls) {
    expect({{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1.5},
           {-.07109, -.03027, -.01583, -.00889, -.00513, -.00299, -.00174, .00267, .14739, .98587},
           1e-5);
}

TEST(Chains, TenHertzianBeadsOnAWall) {
    expect({std::vector<double>(10, -.99045), 1.5, true},
           {.19862, .45645, .53731, .86324, 1.00162, 1.03208, 1.06973, 1.13676, 1.26832, 1.55391},
           1e-5);
}

}  // namespace
}  // namespace carom::tests
