// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "carom/motion/free_rotation.h"
#include "tests/support/random_problems.h"

namespace carom::tests {

inline Vec3 random_vector(Random& random, double size) {
    return size *
           Vec3(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
}

inline motion::Quat random_orientation(Random& random) {
    const Vec3 v = random_vector(random, 1.0);
    return motion::Quat(random.uniform(-1.0, 1.0), v.x(), v.y(), v.z()).normalized();
}

// Principal moments that a mass can have.
inline Vec3 random_moments(Random& random) {
    const Vec3 squares(random.uniform(0.05, 1.0), random.uniform(0.05, 1.0),
                       random.uniform(0.05, 1.0));
    return {squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y()};
}

struct RotationCase {
    std::string name;
    Mat3 inertia;
    motion::Quat orientation;
    Vec3 angular_velocity;  // world
};

inline RotationCase in_principal_axes(const std::string& name, const Vec3& moments,
                                      const Vec3& angular_velocity) {
    return {name, moments.asDiagonal(), motion::Quat::Identity(), angular_velocity};
}

inline RotationCase random_rotation(Random& random) {
    const Mat3 axes = random_orientation(random).toRotationMatrix();
    const Mat3 tensor = axes * random_moments(random).asDiagonal() * axes.transpose();
    return {"random", 0.5 * (tensor + tensor.transpose()), random_orientation(random),
            random_vector(random, 3.0)};
}

// On the separatrix exactly for every middle component: (I2 - I1) I1 w1^2 = (I3 - I2) I3 w3^2 with
// numbers that doubles hold; the offset is a relative change of w1.
inline RotationCase near_separatrix(double offset, double middle) {
    return in_principal_axes("separatrix offset " + std::to_string(std::log10(std::abs(offset))),
                             {2.0, 4.0, 4.5}, {0.3 * (1.0 + offset), middle, 0.4});
}

// The families where closed forms usually lose their digits.
inline std::vector<RotationCase> delicate_rotations() {
    std::vector<RotationCase> cases;
    const Vec3 w(0.7, -0.9, 1.1);
    for (int k = 3; k <= 15; ++k) {
        const double small = std::pow(10.0, -k);
        const std::string tag = " 1e-" + std::to_string(k);
        cases.push_back(in_principal_axes("oblate" + tag, {1.0, 1.0 + small, 1.7}, w));
        cases.push_back(in_principal_axes("prolate" + tag, {1.0, 1.6, 1.6 * (1.0 + small)}, w));
        cases.push_back(
            in_principal_axes("spherical" + tag, {1.0, 1.0 + small, 1.0 + 3.0 * small}, w));
        cases.push_back(near_separatrix(small, 0.5));
        cases.push_back(near_separatrix(-small, -0.2));
        cases.push_back(in_principal_axes("about 1" + tag, {1.0, 2.0, 2.5}, {1.0, small, -small}));
        cases.push_back(in_principal_axes("about 2" + tag, {1.0, 2.0, 2.5}, {small, 1.0, -small}));
        cases.push_back(in_principal_axes("about 3" + tag, {1.0, 2.0, 2.5}, {-small, small, 1.0}));
    }
    // 0.3 and 0.4 are no doubles: the exact one needs 3 and 4
    cases.push_back(in_principal_axes("separatrix", {2.0, 4.0, 4.5}, {3.0, 1.0, 4.0}));
    cases.push_back(in_principal_axes("separatrix", {2.0, 4.0, 4.5}, {-3.0, 0.0, 4.0}));
    cases.push_back(in_principal_axes("oblate", {1.0, 1.0, 1.7}, w));
    cases.push_back(in_principal_axes("prolate", {1.0, 1.6, 1.6}, w));
    cases.push_back(in_principal_axes("plate", {1.0, 2.0, 3.0}, w));
    cases.push_back(in_principal_axes("needle", {1e-4, 1.0, 1.0}, w));
    return cases;
}

}  // namespace carom::tests
