// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/touch_oracle/touch_oracle.h"

namespace touch_oracle {
namespace {

Quat quaternion(const nlohmann::json& q) {
    return {q[0].get<double>(), q[1].get<double>(), q[2].get<double>(), q[3].get<double>()};
}

Vec3 vector(const nlohmann::json& v) {
    return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}

// The series in long double against the table of 50 digits, whose doubles are good to rounding.
// The table says how much a small error at the start grows.
TEST(TouchOracleRotation, AgreesWithTheTableOfFiftyDigits) {
    std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/touch_oracle/free_rotation.jsonl");
    ASSERT_TRUE(file) << "free_rotation.jsonl is missing";
    int cases = 0, compared = 0;
    for (std::string line; std::getline(file, line); ++cases) {
        const auto j = nlohmann::json::parse(line);
        Motion motion;
        motion.orientation = quaternion(j["orientation"]);
        motion.angular_velocity = vector(j["angular_velocity"]);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3; ++k)
                motion.inertia[i][k] = j["inertia"][i][k];
        }
        const double speed = motion.angular_velocity.norm();
        for (const auto& expect : j["expect"]) {
            const double t = expect["t"];
            const double sensitivity = expect["sensitivity"];
            const double tolerance = 1e-15 + 2e-16 * sensitivity;
            if (sensitivity > 1e14) continue;  // the table knows no more than that it is large
            ++compared;
            const Moved now = moved(motion, t);
            const Quat q = quaternion(expect["orientation"]);
            const QuatR& r = now.orientation;
            const Real apart =
                QuatR{r.w - Real(q.w), r.x - Real(q.x), r.y - Real(q.y), r.z - Real(q.z)}.norm();
            EXPECT_LE(apart, tolerance) << j["tag"] << " case " << cases << " t " << t;
            const Real w = (now.angular_velocity - Vec(vector(expect["angular_velocity"]))).norm();
            EXPECT_LE(w, tolerance * speed) << j["tag"] << " case " << cases << " t " << t;
        }
    }
    EXPECT_GE(cases, 55);
    EXPECT_GE(compared, 350);
}

// Energy and angular momentum of the table itself, so that a wrong table cannot pass.
TEST(TouchOracleRotation, TheTableConserves) {
    std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/touch_oracle/free_rotation.jsonl");
    ASSERT_TRUE(file) << "free_rotation.jsonl is missing";
    for (std::string line; std::getline(file, line);) {
        const auto j = nlohmann::json::parse(line);
        Matrix I;
        for (std::size_t i = 0; i < 3; ++i)
            I.rows[i] = Vec(vector(j["inertia"][i]));
        const auto momentum = [&](const nlohmann::json& state) {
            const Matrix R = Matrix::of(to_real(quaternion(state["orientation"])).unit());
            return R * (I * R.back(Vec(vector(state["angular_velocity"]))));
        };
        const Vec L = momentum(j);
        const Real energy = L.dot(Vec(vector(j["angular_velocity"])));
        const Real most = L.norm() * Vec(vector(j["angular_velocity"])).norm();
        for (const auto& state : j["expect"]) {
            const Vec now = momentum(state);
            const Real largest = I.rows[0].norm() + I.rows[1].norm() + I.rows[2].norm();
            const Real scale = largest * Vec(vector(state["angular_velocity"])).norm();
            EXPECT_LE((now - L).norm(), 3e-16L * scale) << j["tag"];
            EXPECT_LE(std::abs(now.dot(Vec(vector(state["angular_velocity"]))) - energy),
                      1e-15L * (most + scale * Vec(vector(state["angular_velocity"])).norm()))
                << j["tag"];
        }
    }
}

}  // namespace
}  // namespace touch_oracle
