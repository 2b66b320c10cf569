// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/integrated.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "carom/motion/motion.h"
#include "tests/motion/comparisons.h"
#include "tests/motion/rotation_cases.h"

namespace carom::tests {
namespace {

using motion::CentralField;
using motion::Drag;
using motion::FreeRotation;
using motion::Gravity;
using motion::Integrated;
using motion::PrincipalInertia;
using motion::Quat;
using motion::Spring;
using motion::State;

TEST(Integrated, UniformFieldIsTheParabola) {
    const Vec3 g(0.0, 0.0, -9.81);
    const Vec3 x(1.0, 2.0, 3.0);
    const Vec3 v(3.0, -1.0, 8.0);
    const Integrated way = Integrated::particle(x, v, 2.0, {Gravity{g}}, 1.0, 4.0);
    for (double t = 1.0; t <= 4.0; t += 0.01) {
        const double s = t - 1.0;
        EXPECT_LE((way.at(t).position - x - s * v - 0.5 * s * s * g).norm(), 1e-12);
        EXPECT_LE((way.at(t).velocity - v - s * g).norm(), 1e-12);
    }
    EXPECT_LE(way.pieces().size(), 40u);
}

// m v' = m g - c v: v tends to m g / c.
TEST(Integrated, LinearDragTendsToItsTerminalSpeed) {
    const double mass = 0.3, c = 0.2;
    const Vec3 g(0.0, 0.0, -9.81);
    const Vec3 v0(4.0, 0.0, 5.0);
    const Integrated way =
        Integrated::particle(k_zero, v0, mass, {Gravity{g}, Drag{c, 0.0, 0.0}}, 0.0, 8.0);
    const double rate = c / mass;
    const Vec3 last = g / rate;
    for (double t = 0.0; t <= 8.0; t += 0.013) {
        const double fade = std::exp(-rate * t);
        const Vec3 v = last + fade * (v0 - last);
        const Vec3 x = last * t + (v0 - last) * (1.0 - fade) / rate;
        EXPECT_LE((way.at(t).position - x).norm(), 1e-10 * 50.0);
        EXPECT_LE((way.at(t).velocity - v).norm(), 1e-10 * 15.0);
    }
}

// Along a line, v' = -k v^2: v = v0 / (1 + k v0 t); spin fades as exp(-c t / I).
TEST(Integrated, QuadraticAndRotationalDrag) {
    const double mass = 2.0, inertia = 0.8;
    const State start{k_zero, Quat::Identity(), {30.0, 0.0, 0.0}, {0.0, 7.0, 0.0}};
    const Integrated way = Integrated::body(
        start, mass, PrincipalInertia(inertia * Mat3::Identity()), {Drag{0.0, 0.1, 0.4}}, 0.0, 5.0);
    for (double t = 0.0; t <= 5.0; t += 0.01) {
        const State now = way.at(t);
        const double k = 0.1 / mass;
        EXPECT_NEAR(now.velocity.x(), 30.0 / (1.0 + k * 30.0 * t), 3e-9);
        EXPECT_NEAR(now.position.x(), std::log1p(k * 30.0 * t) / k, 5e-9);
        EXPECT_NEAR(now.angular_velocity.y(), 7.0 * std::exp(-0.4 / inertia * t), 7e-10);
    }
}

TEST(Integrated, SpringWithoutRestLengthIsADampedOscillator) {
    const double mass = 0.5, k = 20.0, c = 0.3;
    const Vec3 x0(0.2, -0.1, 0.4);
    const Vec3 anchor(1.0, 1.0, 1.0);
    const Integrated way = Integrated::particle(anchor + x0, k_zero, mass,
                                                {Spring{k_zero, anchor, k, c, 0.0}}, 0.0, 10.0);
    const double fade = 0.5 * c / mass;
    const double w = std::sqrt(k / mass - fade * fade);
    for (double t = 0.0; t <= 10.0; t += 0.011) {
        const double shape = std::exp(-fade * t) * (std::cos(w * t) + fade / w * std::sin(w * t));
        const double slope = -std::exp(-fade * t) * (w + fade * fade / w) * std::sin(w * t);
        EXPECT_LE((way.at(t).position - anchor - shape * x0).norm(), 1e-10);
        EXPECT_LE((way.at(t).velocity - slope * x0).norm(), 1e-10 * w);
    }
}

// A stretched spring along a line: harmonic about its rest length.
TEST(Integrated, SpringWithRestLength) {
    const Integrated way = Integrated::particle({1.5, 0.0, 0.0}, k_zero, 1.0,
                                                {Spring{k_zero, k_zero, 9.0, 0.0, 1.0}}, 0.0, 6.0);
    for (double t = 0.0; t <= 6.0; t += 0.01)
        EXPECT_NEAR(way.position_at(t).x(), 1.0 + 0.5 * std::cos(3.0 * t), 1e-10);
}

// A spring that pulls at a point of the body: total energy and the momentum about the anchor.
TEST(Integrated, SpringOnABodyKeepsEnergyAndAngularMomentum) {
    const Vec3 moments(0.2, 0.3, 0.4);
    const Vec3 point(0.3, 0.1, -0.2);
    const Spring spring{point, k_zero, 15.0, 0.0, 0.5};
    const State start{{1.0, 0.2, 0.0}, Quat::Identity(), {0.0, 1.0, 0.5}, {1.0, -2.0, 0.7}};
    const double mass = 1.3;
    const Integrated way =
        Integrated::body(start, mass, PrincipalInertia(moments.asDiagonal()), {spring}, 0.0, 10.0);
    const auto energy = [&](const State& s) {
        const Vec3 w = s.orientation.conjugate() * s.angular_velocity;
        const double stretch = (s.position + s.orientation * point).norm() - 0.5;
        return 0.5 * mass * s.velocity.squaredNorm() + 0.5 * w.dot(moments.cwiseProduct(w)) +
               7.5 * stretch * stretch;
    };
    const auto momentum = [&](const State& s) {
        const Vec3 w = s.orientation.conjugate() * s.angular_velocity;
        return Vec3(mass * s.position.cross(s.velocity) + s.orientation * moments.cwiseProduct(w));
    };
    for (double t = 0.0; t <= 10.0; t += 0.017) {
        EXPECT_NEAR(energy(way.at(t)), energy(start), 1e-9 * energy(start));
        EXPECT_LE((momentum(way.at(t)) - momentum(start)).norm(), 1e-9 * momentum(start).norm());
    }
}

// An ellipse of eccentricity 0.5: Kepler's equation gives the place at any time.
TEST(Integrated, KeplersEllipse) {
    const double e = 0.5;
    const double period = 2.0 * std::numbers::pi;
    const Integrated way =
        Integrated::particle({1.0 - e, 0.0, 0.0}, {0.0, std::sqrt((1.0 + e) / (1.0 - e)), 0.0}, 3.0,
                             {CentralField{k_zero, 1.0, -2.0}}, 0.0, 3.0 * period);
    for (double t = 0.0; t <= 3.0 * period; t += 0.05) {
        double E = t;
        for (int i = 0; i < 50; ++i)
            E -= (E - e * std::sin(E) - t) / (1.0 - e * std::cos(E));
        const Vec3 expected(std::cos(E) - e, std::sqrt(1.0 - e * e) * std::sin(E), 0.0);
        EXPECT_LE((way.position_at(t) - expected).norm(), 1e-9) << t;
    }
}

TEST(Integrated, FreeTumblingIsFreeRotation) {
    Random random(41);
    for (int i = 0; i < 5; ++i) {
        const RotationCase c = random_rotation(random);
        const State start{k_zero, c.orientation, {1.0, 0.0, 0.0}, c.angular_velocity};
        const Integrated way =
            Integrated::body(start, 1.0, PrincipalInertia(c.inertia), {}, 2.0, 12.0);
        const FreeRotation exact(c.inertia, c.orientation, c.angular_velocity, 2.0);
        for (double t = 2.0; t <= 12.0; t += 0.021) {
            const State now = way.at(t);
            EXPECT_LE(angle_between(now.orientation, exact.at(t).orientation), 1e-9);
            EXPECT_LE((now.angular_velocity - exact.at(t).angular_velocity).norm(),
                      1e-9 * exact.spin_max());
            EXPECT_NEAR(now.orientation.norm(), 1.0, 1e-15);
        }
    }
}

// The velocities are the derivatives of what is stored, and pieces join with their derivatives.
TEST(Integrated, IsSmoothAndConsistent) {
    const State start{{1.0, 0.0, 0.0}, Quat::Identity(), {0.0, 0.8, 0.1}, {3.0, -1.0, 2.0}};
    const Integrated way =
        Integrated::body(start, 1.0, PrincipalInertia(Vec3(1.0, 1.3, 1.9).asDiagonal()),
                         {CentralField{k_zero, 1.0, -2.0}, Drag{0.02, 0.0, 0.01}}, 0.0, 5.0);
    ASSERT_GE(way.pieces().size(), 20u);
    for (std::size_t i = 0; i + 1 < way.pieces().size(); ++i) {
        const auto& piece = way.pieces()[i];
        const double joint = way.pieces()[i + 1].start();
        const State before = piece.at(joint);
        const State after = way.pieces()[i + 1].at(joint);
        EXPECT_LE((before.position - after.position).norm(), 1e-15);
        EXPECT_LE((before.velocity - after.velocity).norm(), 1e-13);
        EXPECT_LE(angle_between(before.orientation, after.orientation), 2e-15);
        EXPECT_LE((before.angular_velocity - after.angular_velocity).norm(), 1e-12);
        // inside: a central difference of the same quintic
        const double t = piece.start() + 0.37 * piece.length();
        const double h = 1e-3 * piece.length();
        const Vec3 rate = (piece.position_at(t + h) - piece.position_at(t - h)) / (2.0 * h);
        EXPECT_LE((rate - piece.at(t).velocity).norm(), 1e-8);
        const Quat turn = piece.at(t + h).orientation * piece.at(t - h).orientation.conjugate();
        EXPECT_LE((turn.vec() / h - piece.at(t).angular_velocity).norm(), 1e-7);
    }
}

TEST(Integrated, ATighterToleranceIsMoreAccurate) {
    const auto error = [](double relative) {
        const Integrated way = Integrated::particle(
            {1.0, 0.0, 0.0}, k_zero, 1.0, {CentralField{k_zero, 1.0, 1.0}}, 0.0, 20.0, {relative});
        return std::abs(way.position_at(20.0).x() - std::cos(20.0));
    };
    EXPECT_LT(error(1e-8), 1e-5);
    EXPECT_LT(error(1e-11), 1e-2 * error(1e-8));
}

TEST(Integrated, RefusesWhatItCannotDo) {
    const Vec3 x(1.0, 0.0, 0.0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto make = [&](double mass, std::vector<motion::ForceField> fields, double t1) {
        return Integrated::particle(x, k_zero, mass, fields, 0.0, t1);
    };
    EXPECT_THROW(make(0.0, {}, 1.0), std::invalid_argument);
    EXPECT_THROW(make(nan, {}, 1.0), std::invalid_argument);
    EXPECT_THROW(make(1.0, {}, 0.0), std::invalid_argument);
    EXPECT_THROW(make(1.0, {Drag{-1.0, 0.0, 0.0}}, 1.0), std::invalid_argument);
    EXPECT_THROW(make(1.0, {Gravity{{0.0, nan, 0.0}}}, 1.0), std::invalid_argument);
    EXPECT_THROW(make(1.0, {Spring{k_zero, k_zero, nan, 0.0, 0.0}}, 1.0), std::invalid_argument);
    EXPECT_THROW(make(1.0, {CentralField{k_zero, 1.0, nan}}, 1.0), std::invalid_argument);
    // it falls into the centre after pi / sqrt(8)
    EXPECT_THROW(make(1.0, {CentralField{k_zero, 1.0, -2.0}}, 2.0), std::invalid_argument);
    EXPECT_NO_THROW(make(1.0, {CentralField{k_zero, 1.0, -2.0}}, 1.0));
    motion::IntegrationTolerances few;
    few.most_steps = 10;
    try {
        Integrated::particle(x, k_zero, 1.0, {CentralField{k_zero, 1.0, 1.0}}, 0.0, 100.0, few);
        FAIL() << "ten steps cannot do";
    } catch (const std::invalid_argument& refused) {
        EXPECT_NE(std::string(refused.what()).find("more than 10 steps"), std::string::npos);
    }
    const Integrated way = make(1.0, {}, 1.0);
    EXPECT_THROW(way.at(1.1), std::invalid_argument);
    EXPECT_THROW(way.at(-0.1), std::invalid_argument);
    EXPECT_THROW(way.at(nan), std::invalid_argument);
    EXPECT_EQ(motion::valid_until(way), 1.0);
    EXPECT_EQ(motion::valid_from(way), 0.0);
}

}  // namespace
}  // namespace carom::tests
