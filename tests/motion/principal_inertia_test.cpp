// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/principal_inertia.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <stdexcept>
#include <string>

#include "tests/motion/rotation_cases.h"

namespace carom::tests {
namespace {

using motion::DoubleDouble;
using motion::PrincipalInertia;

TEST(PrincipalInertia, AgreesWithTheEigenvaluesOfTheTensor) {
    Random random(21);
    for (int i = 0; i < 500; ++i) {
        const Mat3 tensor = random_rotation(random).inertia * std::pow(10.0, random.uniform(-9, 9));
        const PrincipalInertia inertia(tensor);
        const Eigen::SelfAdjointEigenSolver<Mat3> solver(tensor);
        const double size = tensor.norm();
        EXPECT_LE((inertia.moments() - solver.eigenvalues()).norm(), 2e-15 * size);
        const Mat3 axes = inertia.axes();
        EXPECT_LE((axes * inertia.moments().asDiagonal() * axes.transpose() - tensor).norm(),
                  2e-15 * size);
        EXPECT_LE((axes.transpose() * axes - Mat3::Identity()).norm(), 1e-15);
        EXPECT_NEAR(axes.determinant(), 1.0, 1e-15);
    }
}

// Two moments that differ by 1e-14 in turned axes: the off-diagonal residue in full precision is
// far below their difference.
TEST(PrincipalInertia, ResolvesNearlyEqualMoments) {
    Random random(22);
    for (int i = 0; i < 50; ++i) {
        const Mat3 turn = random_orientation(random).toRotationMatrix();
        const Mat3 made = turn * Vec3(1.0, 1.0 + 1e-14, 1.5).asDiagonal() * turn.transpose();
        const Mat3 tensor = 0.5 * (made + made.transpose());
        const PrincipalInertia inertia(tensor);
        const auto& a = inertia.axis_entries();
        // A^T I A in double-double, against the scaled moments (scale 2)
        for (std::size_t p = 0; p < 3; ++p) {
            for (std::size_t q = 0; q < 3; ++q) {
                DoubleDouble sum = p == q ? -inertia.scaled_moments()[p] : DoubleDouble();
                for (int r = 0; r < 3; ++r) {
                    for (int s = 0; s < 3; ++s) {
                        sum = sum + a[3 * std::size_t(r) + p] * DoubleDouble(0.5 * tensor(r, s)) *
                                        a[3 * std::size_t(s) + q];
                    }
                }
                EXPECT_LE(std::abs(sum.hi), 1e-30);
            }
        }
    }
}

TEST(PrincipalInertia, LeavesDiagonalTensorsAlone) {
    const PrincipalInertia inertia(Mat3(Vec3(2.5, 1.0, 2.0).asDiagonal()));
    EXPECT_EQ(inertia.moments(), Vec3(1.0, 2.0, 2.5));
    EXPECT_EQ(inertia.axes().cwiseAbs().sum(), 3.0);
}

TEST(PrincipalInertia, RefusesWhatNoBodyHas) {
    const auto message = [](const Mat3& tensor) -> std::string {
        try {
            const PrincipalInertia inertia(tensor);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    };
    const auto diagonal = [](double a, double b, double c) {
        return Mat3(Vec3(a, b, c).asDiagonal());
    };
    EXPECT_EQ(message(diagonal(1.0, 2.0, 2.9)), "");
    // a plate, and rounding beyond it
    EXPECT_EQ(message(diagonal(1.0, 2.0, 3.0)), "");
    EXPECT_EQ(message(diagonal(1.0, 2.0, 3.0 + 1e-9)), "");
    EXPECT_NE(message(diagonal(1.0, 2.0, 3.0 + 1e-8)).find("sum of the other two"),
              std::string::npos);
    EXPECT_NE(message(diagonal(1.0, 2.0, 0.0)).find("positive definite"), std::string::npos);
    EXPECT_NE(message(diagonal(1.0, -2.0, 2.0)).find("positive definite"), std::string::npos);
    EXPECT_NE(message(Mat3::Zero()).find("positive definite"), std::string::npos);
    Mat3 tensor = diagonal(1.0, 1.0, 1.0);
    tensor(0, 1) = tensor(1, 0) = 1.5;
    EXPECT_NE(message(tensor).find("positive definite"), std::string::npos);
    tensor(1, 0) = 0.1;
    EXPECT_NE(message(tensor).find("symmetric"), std::string::npos);
    tensor(1, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(message(tensor).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace carom::tests
