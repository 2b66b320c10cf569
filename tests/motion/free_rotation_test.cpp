// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/free_rotation.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_rf.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/motion/comparisons.h"
#include "tests/motion/rotation_cases.h"

namespace carom::tests {
namespace {

using motion::Attitude;
using motion::FreeRotation;
using motion::Quat;

Quat turned_at(const Vec3& w, double t) {
    const double size = w.norm();
    return size > 0.0 ? Quat(Eigen::AngleAxisd(size * t, w / size)) : Quat::Identity();
}

TEST(FreeRotation, KindsAreToldApartExactly) {
    const Quat q = Quat::Identity();
    const auto kind = [&](const Vec3& moments, const Vec3& w) {
        return FreeRotation(moments.asDiagonal(), q, w, 0.0).kind();
    };
    using Kind = FreeRotation::Kind;
    EXPECT_EQ(kind({1, 2, 2.5}, {0, 0, 0}), Kind::still);
    EXPECT_EQ(kind({2, 2, 2}, {1, 2, 3}), Kind::steady);
    EXPECT_EQ(kind({1, 2, 2.5}, {0, 3, 0}), Kind::steady);
    EXPECT_EQ(kind({1, 1, 1.5}, {1, 2, 0}), Kind::steady);
    EXPECT_EQ(kind({1, 1, 1.5}, {1, 2, 3}), Kind::symmetric);
    EXPECT_EQ(kind({1.5, 1, 1.5}, {1, 2, 3}), Kind::symmetric);
    EXPECT_EQ(kind({1, 1 + 1e-15, 1.5}, {1, 2, 3}), Kind::asymmetric);
    EXPECT_EQ(FreeRotation().kind(), Kind::still);
}

TEST(FreeRotation, SteadyIsOneRotation) {
    Random random(1);
    for (int i = 0; i < 100; ++i) {
        const Quat q = random_orientation(random);
        const Vec3 w = random_vector(random, 50.0);
        const double t = random.uniform(-10.0, 10.0);
        const FreeRotation rotation(3.0 * Mat3::Identity(), q, w, 2.0);
        EXPECT_LE(angle_between(rotation.at(t).orientation, turned_at(w, t - 2.0) * q), 1e-12);
        EXPECT_EQ(rotation.at(t).angular_velocity, w);
        EXPECT_LE(rotation.spin_rate_max(), 0.0);
    }
}

// Textbook: with I1 = I2 the axis turns about L at |L| / I1, the body about its axis at
// (1 - I3 / I1) w3.
TEST(FreeRotation, SymmetricIsTextbookPrecession) {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
        const double across = random.uniform(0.6, 2.0);
        const double along = random.uniform(0.01, 2.0 * across);
        const Quat q = random_orientation(random);
        const Vec3 w = random_vector(random, 5.0);
        const double t = random.uniform(-100.0, 100.0);
        const Mat3 inertia = Vec3(across, across, along).asDiagonal();
        const FreeRotation rotation(inertia, q, w, 0.0);
        const Vec3 body = q.conjugate() * w;
        const Vec3 precession = q * (inertia * body) / across;
        const Vec3 spin(0.0, 0.0, (1.0 - along / across) * body.z());
        const Quat expected = turned_at(precession, t) * q * turned_at(spin, t);
        EXPECT_LE(angle_between(rotation.at(t).orientation, expected), 1e-11);
        EXPECT_EQ(rotation.kind(), FreeRotation::Kind::symmetric);
    }
}

TEST(FreeRotation, AngularVelocityIsTheRateOfTheAttitude) {
    Random random(3);
    std::vector<RotationCase> cases = delicate_rotations();
    for (int i = 0; i < 100; ++i)
        cases.push_back(random_rotation(random));
    for (const RotationCase& c : cases) {
        const FreeRotation rotation(c.inertia, c.orientation, c.angular_velocity, 0.0);
        const double speed = rotation.spin_max();
        const double h = 1e-3 / speed;
        for (int i = 0; i < 20; ++i) {
            const double t = random.uniform(-50.0, 50.0);
            // fourth-order difference of the rotation from t - h to t + h and from t - 2h to t + 2h
            const auto half_angle = [&](double d) {
                return Vec3(
                    (rotation.orientation_at(t + d) * rotation.orientation_at(t - d).conjugate())
                        .vec());
            };
            const Vec3 rate = (8.0 * half_angle(h) - half_angle(2.0 * h)) / (6.0 * h);
            EXPECT_LE((rate - rotation.at(t).angular_velocity).norm(), 1e-10 * speed) << c.name;
        }
    }
}

TEST(FreeRotation, GoesOnFromAnyOfItsStates) {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        const RotationCase c = random_rotation(random);
        const FreeRotation rotation(c.inertia, c.orientation, c.angular_velocity, 1.0);
        EXPECT_LE(angle_between(rotation.at(1.0).orientation, c.orientation), 2e-15);
        EXPECT_LE((rotation.at(1.0).angular_velocity - c.angular_velocity).norm(),
                  4e-15 * c.angular_velocity.norm());
        const double s = random.uniform(-20.0, 20.0);
        const double t = s + random.uniform(-20.0, 20.0);
        const Attitude between = rotation.at(s);
        const FreeRotation again(c.inertia, between.orientation, between.angular_velocity, s);
        EXPECT_LE(angle_between(again.at(t).orientation, rotation.at(t).orientation), 1e-11);
    }
}

// On the separatrix the body ends up turning about its middle axis: m_x = S / cosh(lambda t + u0).
TEST(FreeRotation, OnTheSeparatrixItTendsToTheMiddleAxis) {
    const Vec3 moments(2.0, 4.0, 4.5);
    const Vec3 w(3.0, 1.0, 4.0);
    const FreeRotation rotation(moments.asDiagonal(), Quat::Identity(), w, 0.0);
    const Vec3 L = moments.cwiseProduct(w);
    const double a12 = L.norm() * (1.0 / 2.0 - 1.0 / 4.0);
    const double a23 = L.norm() * (1.0 / 4.0 - 1.0 / 4.5);
    const double lambda = std::sqrt(a12 * a23);
    const double middle = L.y() / L.norm();
    for (double t = 0.0; t < 30.0; t += 0.37) {
        const Attitude attitude = rotation.at(t);
        const Vec3 body = attitude.orientation.conjugate() * attitude.angular_velocity;
        // m_y = +-tanh: here L1, L2, L3 > 0, and dm_y/dt = (a1 - a3) m1 m3 > 0
        const double expected = std::tanh(lambda * t + std::atanh(middle));
        EXPECT_NEAR(moments.y() * body.y() / L.norm(), expected, 2e-15) << t;
    }
    const Attitude late = rotation.at(1e4);
    EXPECT_LE((late.angular_velocity - L / 4.0).norm(), 1e-14 * L.norm());
}

// The wing nut: turned about its middle axis it flips, at intervals of 2 K(k) / lambda.
TEST(FreeRotation, MiddleAxisFlipsWhenTheEllipticIntegralSays) {
    const Vec3 moments(1.0, 2.0, 2.5);
    for (const double small : {1e-2, 1e-4, 1e-6}) {
        const Vec3 w(0.0, 1.0, small);
        const FreeRotation rotation(moments.asDiagonal(), Quat::Identity(), w, 0.0);
        // m_x = 0 at the start: u0 = +-K, where m_y is largest
        const Vec3 L = moments.cwiseProduct(w);
        const double size = L.norm();
        const double a12 = size / 1.0 - size / 2.0, a23 = size / 2.0 - size / 2.5;
        const double d = a23 * (L.z() / size) * (L.z() / size);
        const double lambda = std::sqrt(a23 * (a12 + d));
        const double kc2 = d * (a12 + a23) / (lambda * lambda);
        const double K = boost::math::ellint_rf(0.0, kc2, 1.0);
        for (int n = 0; n < 6; ++n) {
            const double t = (2.0 * n + 1.0) * K / lambda;
            const auto middle = [&](double time) {
                const Attitude a = rotation.at(time);
                return Vec3(a.orientation.conjugate() * a.angular_velocity).y();
            };
            EXPECT_NEAR(middle(t), 0.0, 1e-12) << small << " " << n;
            EXPECT_LT(middle(t - 0.5 * K / lambda) * middle(t + 0.5 * K / lambda), 0.0);
            EXPECT_NEAR(std::abs(middle(t + K / lambda)), 1.0, 1e-12);
        }
    }
}

TEST(FreeRotation, ScalesWithUnitsAndTime) {
    Random random(5);
    const RotationCase c = random_rotation(random);
    const FreeRotation plain(c.inertia, c.orientation, c.angular_velocity, 0.0);
    for (const double scale : {0x1p-300, 0x1p-20, 0x1p20, 0x1p300}) {
        const FreeRotation heavy(scale * c.inertia, c.orientation, c.angular_velocity, 0.0);
        EXPECT_LE(angle_between(heavy.at(7.0).orientation, plain.at(7.0).orientation), 1e-15);
        const FreeRotation fast(c.inertia, c.orientation, scale * c.angular_velocity, 0.0);
        EXPECT_LE(angle_between(fast.at(7.0 / scale).orientation, plain.at(7.0).orientation),
                  1e-14);
    }
}

// The bounds hold everywhere and are reached somewhere.
TEST(FreeRotation, SpinBoundsAreTight) {
    Random random(6);
    for (int i = 0; i < 50; ++i) {
        const RotationCase c = random_rotation(random);
        const FreeRotation rotation(c.inertia, c.orientation, c.angular_velocity, 0.0);
        double fastest = 0.0, largest_rate = 0.0;
        const double h = 1e-4 / rotation.spin_max();
        for (int k = 0; k < 2000; ++k) {
            const double t = random.uniform(0.0, 300.0);
            const Vec3 w = rotation.at(t).angular_velocity;
            const Vec3 rate =
                (rotation.at(t + h).angular_velocity - rotation.at(t - h).angular_velocity) /
                (2.0 * h);
            fastest = std::max(fastest, w.norm());
            largest_rate = std::max(largest_rate, rate.norm());
        }
        EXPECT_LE(fastest, rotation.spin_max());
        EXPECT_GE(fastest, 0.99 * rotation.spin_max());
        EXPECT_LE(largest_rate, rotation.spin_rate_max() * (1.0 + 1e-6));
        EXPECT_GE(largest_rate, 0.97 * rotation.spin_rate_max());
    }
}

TEST(FreeRotation, RefusesBadInput) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Mat3 inertia = Vec3(1.0, 2.0, 2.5).asDiagonal();
    const Quat q = Quat::Identity();
    EXPECT_THROW(FreeRotation(inertia, Quat(0, 0, 0, 0), Vec3::UnitX(), 0.0),
                 std::invalid_argument);
    EXPECT_THROW(FreeRotation(inertia, Quat(nan, 0, 0, 0), Vec3::UnitX(), 0.0),
                 std::invalid_argument);
    EXPECT_THROW(FreeRotation(inertia, q, Vec3(0, nan, 0), 0.0), std::invalid_argument);
    EXPECT_THROW(FreeRotation(inertia, q, Vec3::UnitX(), 1.0 / 0.0), std::invalid_argument);
    EXPECT_THROW(FreeRotation::steady(q, Vec3(nan, 0, 0), 0.0), std::invalid_argument);
    // any length is made unit
    const FreeRotation scaled(inertia, Quat(3.0, 0, 4.0, 0), Vec3(1, 2, 3), 0.0);
    EXPECT_LE(angle_between(scaled.at(0.0).orientation, Quat(0.6, 0, 0.8, 0)), 1e-15);
}

}  // namespace
}  // namespace carom::tests
