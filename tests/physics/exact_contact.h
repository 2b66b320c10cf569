// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/physics/lab.h"

namespace carom::tests {

inline constexpr double k_degree = std::numbers::pi / 180.0;  // rad

inline motion::Quat turned_by(double angle, const Vec3& axis) {
    return motion::Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}

// One free body in lasting contact with fixed ones. Bodies are given in a frame that is turned
// about z by the parameter (rad), so that but for the first no direction is an axis of the world.
class ExactContact : public testing::TestWithParam<double> {
protected:
    static constexpr double k_exact = 1e-8;  // relative

    static World make(double mu, double e = 0.0) {
        return World(world::Settings{}, contacts(e, mu));
    }
    BodyId add(World& world, world::BodySpec spec) const {
        spec.pose = {yaw_ * spec.pose.position, yaw_ * spec.pose.orientation};
        spec.velocity = yaw_ * spec.velocity;
        spec.angular_velocity = yaw_ * spec.angular_velocity;
        return world.add(spec);
    }
    BodyId add_plane(World& world, const Vec3& normal) const {
        return add(
            world,
            {.name = "plane", .shape = shared(shape::make_half_space(normal)), .fixed = true});
    }
    // Back in that frame.
    motion::State state(const World& world, BodyId body) const {
        const motion::State s = world.state(body);
        const motion::Quat back = yaw_.conjugate();
        return {back * s.position, back * s.orientation, back * s.velocity,
                back * s.angular_velocity};
    }
    // Contact that lasted did so by its equations of motion, never by steps, without overlap.
    static void expect_exact(const World& world, const Log& log) {
        const auto stepped = [](const world::Segment& s) {
            return s.kind == world::SegmentKind::held;
        };
        EXPECT_EQ(std::count_if(log.segments.begin(), log.segments.end(), stepped), 0);
        expect_balanced(world);
    }

private:
    const motion::Quat yaw_ = turned_by(GetParam(), Vec3::UnitZ());
};

inline const auto k_yaws = testing::Values(0.0, 0.0713, 1.9337);  // rad
inline std::string name_of_yaw(const testing::TestParamInfo<double>& one) {
    return "mrad" + std::to_string(std::lround(1000.0 * one.param));
}

}  // namespace carom::tests
