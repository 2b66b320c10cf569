// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <array>

#include "carom/motion/state.h"

namespace carom::motion {

// Position, orientation and their first two time derivatives at one end of a piece.
struct Knot {
    Vec3 c, v, a;
    Eigen::Vector4d q, q_rate, q_rate2;  // (x, y, z, w) as Eigen stores them
};

// The knot of a body with these accelerations (world axes).
Knot knot_of(const State& state, const Vec3& a, const Vec3& alpha);

struct VecBox {
    Vec3 low, high;
};
struct Range {
    double low, high;
};

// One step of an integrated motion: the quintics in s = (t - start) / length that meet value, first
// and second derivative at both ends, one for the centre of mass and one for the quaternion.
//
// The orientation is Q / |Q| with Q the quaternion polynomial, and the angular velocity belongs to
// it exactly: w = 2 vec(Q' Q*) / |Q|^2. Pieces that share knots join twice continuously.
// All bounds are Bernstein coefficients of exact products of these polynomials, with slack for
// rounding: rigorous for the polynomials as stored.
class DensePiece {
public:
    // moved is after.c - before.c, given apart since it has more digits than the difference.
    DensePiece(double start, double length, const Knot& before, const Knot& after,
               const Vec3& moved);

    double start() const { return start_; }
    double length() const { return length_; }

    State at(double t) const;
    Vec3 position_at(double t) const;
    // second derivatives of the centre and of Q
    Vec3 acceleration_at(double t) const;
    Eigen::Vector4d quaternion_rate2_at(double t) const;
    // Of the centre: that of s^5.
    Vec3 last_coefficient() const { return c_.col(5); }

    // Boxes of the acceleration and of the centre for times in [t0, t1] of this piece.
    VecBox acceleration_box(double t0, double t1) const;
    VecBox position_box(double t0, double t1) const;
    // Coefficients of direction . c in s = (t - start) / length, from the constant up.
    std::array<double, 6> coefficients_along(const Vec3& direction) const;
    // Range of direction . c(t).
    Range position_along(double t0, double t1, const Vec3& direction) const;
    // Over the whole piece.
    double spin_max() const { return spin_max_; }
    double spin_rate_max() const { return spin_rate_max_; }
    const VecBox& whole_acceleration_box() const { return acceleration_box_; }
    const VecBox& whole_position_box() const { return position_box_; }

private:
    double fraction(double t) const { return (t - start_) / length_; }
    void set_spin_bounds();

    double start_;
    double length_;
    Eigen::Matrix<double, 3, 6> c_;  // coefficients of 1, s, ... s^5
    Eigen::Matrix<double, 4, 6> q_;
    VecBox acceleration_box_, position_box_;
    double spin_max_ = 0.0;
    double spin_rate_max_ = 0.0;
};

}  // namespace carom::motion
