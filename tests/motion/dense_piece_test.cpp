// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Pieces with a knot in the middle: they meet it, are exact for motions of their degree, and hold
// the motion in their bounds.

#include "carom/motion/dense_piece.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace carom::motion {
namespace {

constexpr double k_start = 2.0, k_length = 0.35;

// A body that swings, turns and accelerates.
State state_at(double t) {
    State s;
    s.position = {std::sin(t), t * t, std::exp(-t)};
    s.velocity = {std::cos(t), 2.0 * t, -std::exp(-t)};
    const Vec3 axis = Vec3(1, 2, -1).normalized();
    s.orientation = Quat(Eigen::AngleAxisd(0.7 * t * t, axis));
    s.angular_velocity = 1.4 * t * axis;
    return s;
}
Vec3 acceleration_at(double t) {
    return {-std::sin(t), 2.0, std::exp(-t)};
}
Vec3 spin_rate() {
    return 1.4 * Vec3(1, 2, -1).normalized();
}
Knot knot_at(double t) {
    return knot_of(state_at(t), acceleration_at(t), spin_rate());
}
DensePiece piece() {
    return {k_start, k_length, knot_at(k_start), knot_at(k_start + 0.5 * k_length),
            knot_at(k_start + k_length)};
}

TEST(DensePiece, WithAMiddleItIsFarCloserToTheMotion) {
    const Knot first = knot_at(k_start), last = knot_at(k_start + k_length);
    const DensePiece quintic(k_start, k_length, first, last, last.c - first.c);
    const DensePiece octic = piece();
    double off_quintic = 0.0, off_octic = 0.0, off_turn = 0.0;
    for (double s = 0.0; s <= 1.0; s += 0.01) {
        const double t = k_start + s * k_length;
        const State truth = state_at(t);
        off_quintic = std::max(off_quintic, (quintic.at(t).velocity - truth.velocity).norm());
        off_octic = std::max(off_octic, (octic.at(t).velocity - truth.velocity).norm());
        off_turn =
            std::max(off_turn, (octic.at(t).angular_velocity - truth.angular_velocity).norm());
        EXPECT_EQ(octic.position_at(t), octic.at(t).position);
    }
    EXPECT_LT(off_octic, 1e-11);
    EXPECT_LT(off_octic, 1e-4 * off_quintic);
    EXPECT_LT(off_turn, 1e-8);
}

TEST(DensePiece, WithAMiddleItMeetsAllKnots) {
    const DensePiece octic = piece();
    for (const double s : {0.0, 0.5, 1.0}) {
        const double t = k_start + s * k_length;
        const Knot knot = knot_at(t);
        const State truth = state_at(t);
        const State at = octic.at(t);
        EXPECT_LT((at.position - truth.position).norm(), 1e-14);
        EXPECT_LT((at.velocity - truth.velocity).norm(), 1e-13);
        EXPECT_LT((octic.acceleration_at(t) - knot.a).norm(), 1e-11);
        EXPECT_LT(at.orientation.angularDistance(truth.orientation), 1e-14);
        EXPECT_LT((at.angular_velocity - truth.angular_velocity).norm(), 1e-13);
        EXPECT_LT((octic.quaternion_rate2_at(t) - knot.q_rate2).norm(), 1e-11);
    }
}

TEST(DensePiece, WithAMiddleItIsWithinItsBounds) {
    const DensePiece octic = piece();
    const VecBox places = octic.whole_position_box(), rates = octic.whole_acceleration_box();
    const Vec3 along(0.3, -1.0, 0.2);
    const Range range = octic.position_along(k_start, k_start + k_length, along);
    double spin = 0.0, spin_rate = 0.0, low = 1e300;
    constexpr double k_step = 1e-6;
    for (double s = 0.0; s <= 1.0; s += 0.01) {
        const double t = k_start + s * k_length;
        const State at = octic.at(t);
        EXPECT_TRUE((at.position.array() >= places.low.array()).all());
        EXPECT_TRUE((at.position.array() <= places.high.array()).all());
        const Vec3 a = octic.acceleration_at(t);
        EXPECT_TRUE((a.array() >= rates.low.array()).all());
        EXPECT_TRUE((a.array() <= rates.high.array()).all());
        EXPECT_GE(along.dot(at.position), range.low);
        EXPECT_LE(along.dot(at.position), range.high);
        low = std::min(low, along.dot(at.position));
        spin = std::max(spin, at.angular_velocity.norm());
        const Vec3 more = octic.at(t + k_step).angular_velocity - at.angular_velocity;
        spin_rate = std::max(spin_rate, more.norm() / k_step);
    }
    EXPECT_LE(spin, octic.spin_max());
    EXPECT_LT(octic.spin_max(), 1.01 * spin);
    EXPECT_LE(spin_rate, octic.spin_rate_max() * (1.0 + 1e-6));
    EXPECT_LT(octic.spin_rate_max(), 2.0 * spin_rate);
    EXPECT_LT(low - range.low, 1e-3);
}

}  // namespace
}  // namespace carom::motion
