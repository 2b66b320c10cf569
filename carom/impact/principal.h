// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"

namespace carom::impact {

// The collision matrix with its tangential axes turned to the principal directions of its
// tangential block:
//
//     K = [k1  0   b1]      u = (x, y, z) in the same axes
//         [0   k2  b2]
//         [b1  b2  k33]
//
// kappa = k33 - b1^2/k1 - b2^2/k2 = 1/(K^-1)_33 > 0 is the change of u.z per normal impulse while
// the contact sticks. Badly conditioned K are turned in extended precision, so that each of these
// numbers is good to about 1e-11 relative at a condition number of 1e8.
//
// With q_i = b_i/k_i, u.z - q1 x - q2 y = const + kappa p_z whatever the friction does, which gives
// u.z without cancellation however badly conditioned K is.
struct Principal {
    double k1, k2, b1, b2, k33, kappa;
    double q1, q2;
    double i1, i2;  // 1/k1, 1/k2
    double c, s;
    bool stiff;  // badly conditioned: differences of entries of K lose digits

    Vec2 turn(double tx, double ty) const { return {c * tx - s * ty, s * tx + c * ty}; }
    Vec2 turn_back(double x, double y) const { return {c * x + s * y, c * y - s * x}; }

    // The tangential impulse per normal impulse that keeps a sticking contact sticking.
    Vec2 stick_direction() const { return {-q1, -q2}; }
    // Whether Coulomb's law allows that.
    bool stick_is_stable(double mu) const { return stick_direction().squaredNorm() <= mu * mu; }
};

Principal make_principal(const Mat3& K);

// The same numbers without turning, for laws that do not need the principal axes:
//
//     K = [m11 m12 b1]      q = M^-1 b, kappa = k33 - b.q
//         [m12 m22 b2]
//         [b1  b2  k33]
//
// To be used where well is true: elsewhere differences of entries of K have lost digits, and the
// principal axes are the way.
struct Unturned {
    double m11, m12, m22, b1, b2, k33, kappa;
    double q1, q2;
    double inverse_det;  // 1/(m11 m22 - m12^2)
    bool well;

    explicit Unturned(const Mat3& K)
        : m11(K(0, 0)), m12(K(1, 0)), m22(K(1, 1)), b1(K(2, 0)), b2(K(2, 1)), k33(K(2, 2)) {
        const double det = m11 * m22 - m12 * m12;
        inverse_det = 1.0 / det;
        const Vec2 q = divided(b1, b2);
        q1 = q.x();
        q2 = q.y();
        kappa = k33 - b1 * q1 - b2 * q2;
        // smallest part of a sum that may be left of it. Ten times larger: the longer way through
        // the principal axes for most K. Ten times smaller: p wrong by up to 1e-13.
        constexpr double k_well = 0.03;
        const double trace = m11 + m22;
        well = det > k_well * trace * trace && kappa > k_well * k33;
    }
    // M^-1 (x, y)
    Vec2 divided(double x, double y) const {
        return {(m22 * x - m12 * y) * inverse_det, (m11 * y - m12 * x) * inverse_det};
    }
};

// The lambda >= 0 with |c| = 1, c_i = v_i / (lambda + a_i), where a_i >= 0 and |v_i / a_i| > 1 as a
// vector; returns that unit vector c and lambda.
//
// Newton on 1/|c| - 1, which is concave and increasing in lambda, so that from the left it
// converges without overshooting; a bracket guards against rounding.
struct UnitSlip {
    double c1, c2;
    double lambda;
};
UnitSlip solve_secular(double a1, double a2, double v1, double v2);

// The direction in which an unstable stick begins to slip: the unique diverging ray of constant
// sliding, (lambda + mu k_i) c_i = b_i. lambda is the growth of the slip speed per normal impulse.
inline UnitSlip diverging_ray(const Principal& K, double mu) {
    return solve_secular(mu * K.k1, mu * K.k2, K.b1, K.b2);
}

// The tangential impulse that goes with a given normal impulse pz when friction acts once, against
// the final slip: stick if that takes no more than mu pz, else p_t = -mu pz c with c the final slip
// direction. x, y is the slip before. Unique: it minimises a strictly convex function.
struct TangentialImpulse {
    double x, y;
    bool sticks;
    double x_after, y_after;  // the slip after
};
TangentialImpulse friction_for_normal(const Principal& K, double x, double y, double pz, double mu);

}  // namespace carom::impact
