// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Free rotation against independent integrations with more digits, and its invariants.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "tests/motion/comparisons.h"
#include "tests/motion/taylor_rotation.h"

namespace carom::tests {
namespace {

using motion::Attitude;
using motion::FreeRotation;
using motion::Quat;

FreeRotation start(const RotationCase& c) {
    return {c.inertia, c.orientation, c.angular_velocity, 0.0};
}

struct Invariants {
    double energy;
    Vec3 momentum;
};

Invariants invariants(const RotationCase& c, const Attitude& attitude) {
    const Mat3 turn = attitude.orientation.toRotationMatrix();
    const Vec3 momentum = turn * (c.inertia * (turn.transpose() * attitude.angular_velocity));
    return {0.5 * attitude.angular_velocity.dot(momentum), momentum};
}

void expect_constant(const RotationCase& c, Random& random, double tolerance) {
    const FreeRotation rotation = start(c);
    const Invariants first = invariants(c, {c.orientation.normalized(), c.angular_velocity});
    for (int i = 0; i < 200; ++i) {
        const double t = i == 0 ? 1e4 : random.uniform(0.0, 1e4);
        const Attitude attitude = rotation.at(t);
        ASSERT_NEAR(attitude.orientation.norm(), 1.0, 2e-15) << c.name << " t " << t;
        const Invariants now = invariants(c, attitude);
        ASSERT_NEAR(now.energy, first.energy, tolerance * first.energy) << c.name << " t " << t;
        ASSERT_LE((now.momentum - first.momentum).norm(), tolerance * first.momentum.norm())
            << c.name << " t " << t;
    }
}

TEST(FreeRotationAccuracy, EnergyAndMomentumAreConstantForTenThousandSeconds) {
    Random random(11);
    for (int i = 0; i < 200; ++i)
        expect_constant(random_rotation(random), random, 1e-13);
    for (const RotationCase& c : delicate_rotations()) {
        // the tensor of the needle has a condition of 1e4, which rounding of any state meets
        expect_constant(c, random, c.name == "needle" ? 1e-11 : 1e-13);
    }
}

// The largest angle to the integration over the given turns.
template <class Real>
double worst_angle(const RotationCase& c, int turns, double step) {
    const FreeRotation rotation = start(c);
    TaylorRotation<Real> reference(c);
    // a step that binary holds, so that times have no rounding
    const double speed = rotation.spin_max();
    const double h = std::ldexp(1.0, static_cast<int>(std::floor(std::log2(step / speed))));
    const int steps = static_cast<int>(turns * 2.0 * std::numbers::pi / (h * speed)) + 1;
    double worst = 0.0;
    for (int i = 1; i <= steps; ++i) {
        reference.step(h);
        if (i % 5 != 0 && i != steps) continue;
        const Attitude attitude = rotation.at(h * i);
        worst = std::max(worst, angle_between(attitude.orientation, reference.orientation()));
        const Vec3 w = reference.orientation() * reference.angular_velocity();
        worst = std::max(worst, (attitude.angular_velocity - w).norm() / speed);
    }
    return worst;
}

TEST(FreeRotationAccuracy, AThousandTurnsOfRandomBodies) {
    Random random(12);
    for (int i = 0; i < 12; ++i) {
        const RotationCase c = random_rotation(random);
        EXPECT_LE(worst_angle<long double>(c, 1000, 0.5), 1e-12) << i;
    }
}

TEST(FreeRotationAccuracy, DelicateBodiesAgainstThirtyDigits) {
    int i = 0;
    for (const RotationCase& c : delicate_rotations()) {
        // some of them: the whole list takes half a minute
        if (i++ % 5 == 0 && c.name != "needle") {
            EXPECT_LE(worst_angle<Quad>(c, 12, 0.5), 2e-14) << c.name;
        }
    }
}

// tests/touch_oracle: another integration in thirty digits, by another hand, over 1,000 turns.
TEST(FreeRotationAccuracy, OracleVectors) {
    std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/touch_oracle/free_rotation.jsonl");
    ASSERT_TRUE(file.good());
    const auto vec = [](const nlohmann::json& j) {
        return Vec3(j[0].get<double>(), j[1].get<double>(), j[2].get<double>());
    };
    const auto quat = [](const nlohmann::json& j) {
        return Quat(j[0].get<double>(), j[1].get<double>(), j[2].get<double>(), j[3].get<double>());
    };
    int cases = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty()) continue;
        const auto j = nlohmann::json::parse(line);
        Mat3 inertia;
        for (int i = 0; i < 3; ++i)
            inertia.row(i) = vec(j["inertia"][static_cast<std::size_t>(i)]).transpose();
        const FreeRotation rotation(inertia, quat(j["orientation"]), vec(j["angular_velocity"]),
                                    0.0);
        for (const auto& sample : j["expect"]) {
            const Attitude attitude = rotation.at(sample["t"].get<double>());
            EXPECT_LE(angle_between(attitude.orientation, quat(sample["orientation"])), 1e-11)
                << line.substr(0, 200) << "\n"
                << sample;
            EXPECT_LE((attitude.angular_velocity - vec(sample["angular_velocity"])).norm(),
                      1e-11 * rotation.spin_max())
                << line.substr(0, 200) << "\n"
                << sample;
        }
        ++cases;
    }
    EXPECT_GE(cases, 50);
}

}  // namespace
}  // namespace carom::tests
