// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>
#include <cstdint>

#include "carom/math/types.h"

namespace carom::impact::cone {

// What the sweeps of cone_solver.h work on: bodies and contacts packed for one pass in order.

struct Twist {
    Vec3 v, w;
};

// A body: its twist and what an impulse does to it. The inverse inertia is symmetric: xx, xy, xz,
// yy, yz, zz.
struct Mover {
    Vec3 v, w;
    double inverse_mass;
    double i[6];

    Vec3 turned_by(const Vec3& m) const {
        return {i[0] * m.x() + i[1] * m.y() + i[2] * m.z(),
                i[1] * m.x() + i[3] * m.y() + i[4] * m.z(),
                i[2] * m.x() + i[4] * m.y() + i[5] * m.z()};
    }
};

// A contact in its own frame C = (t1, t2, n), with tangents in which the tangential block of the
// collision matrix is diagonal once the normal has been eliminated:
//     K = [ diag(s1, s2) + k kappa kappa^T, k kappa; k kappa^T, k ].
// So K x = (s1 x1 + k kappa1 q, s2 x2 + k kappa2 q, k q) with q = x3 + kappa . x_t. No entry of K x
// is larger than sqrt(trace K * x . K x).
struct Row {
    std::uint32_t a, b;
    std::uint32_t contact;  // its place in the caller's list
    Vec3 r_a, r_b;
    Vec3 t1, t2, n;
    Vec3 drift;  // in C
    double s1, s2, k;
    double inverse_s1, inverse_s2, inverse_k;
    double kappa1, kappa2;
    double trace;
    double mu, least, floor;
    bool hinge;
    bool plain;      // neither a hinge nor with a floor above zero
    Vec3 p;          // impulse in C
    Vec3 step;       // change of p by the last sweep
    Vec3 direction;  // conjugate direction
    double slip;     // 1 / (mean s + sigma) of the last slide

    double q(const Vec3& x) const { return x.z() + kappa1 * x.x() + kappa2 * x.y(); }
    // x . K x, the work of an impulse x against itself.
    double energy(const Vec3& x) const {
        const double normal = q(x);
        return s1 * x.x() * x.x() + s2 * x.y() * x.y() + k * normal * normal;
    }
    Vec3 to_W(const Vec3& x) const { return x.x() * t1 + x.y() * t2 + x.z() * n; }
    Vec3 to_C(const Vec3& x) const { return {t1.dot(x), t2.dot(x), n.dot(x)}; }
    [[gnu::always_inline]] Vec3 u(const Mover& A, const Mover& B) const {
        return to_C(A.v - B.v + A.w.cross(r_a) - B.w.cross(r_b)) + drift;
    }
    [[gnu::always_inline]] void push(Mover& A, Mover& B, const Vec3& dp) const {
        const Vec3 d = to_W(dp);
        A.v += A.inverse_mass * d;
        B.v -= B.inverse_mass * d;
        A.w += A.turned_by(r_a.cross(d));
        B.w -= B.turned_by(r_b.cross(d));
    }
};

// Fills frame and matrix of a row from its other members; false when neither body can be moved
// along the normal.
bool make_row(Row& row, const Mover& A, const Mover& B);

// The impulse made one that the contact may have: the normal part raised to the floor, then the
// tangential one shortened to the cone. A hinge may have any.
Vec3 clipped(const Row& row, const Vec3& p);

// Sliding, for solve_row below: with b the tangential velocity when the normal condition alone
// holds and p_z = c - kappa . p_t, finds the sigma > 0 at which p_t = -(s + sigma)^-1 b lies on the
// cone. Stick (sigma = 0) lies outside, p_t = 0 (sigma infinite) inside: a root is always between.
// Begins where the row's last slide ended and is exact to 1e-9 at least, to rounding when repeated.
Vec3 slide(Row& row, double b1, double b2, double c);

// The exact impulse of one contact with all others held: u is its velocity now, p its impulse now.
[[gnu::always_inline]] inline Vec3 solve_row(Row& row, const Vec3& p, const Vec3& u) {
    const double missing = (row.least - u.z()) * row.inverse_k;
    const double c = row.q(p) + missing;
    if (c <= 0.0) return Vec3::Zero();
    if (row.mu == 0.0) return {0.0, 0.0, c};
    const double b1 = u.x() - row.s1 * p.x() + row.k * row.kappa1 * missing;
    const double b2 = u.y() - row.s2 * p.y() + row.k * row.kappa2 * missing;
    const double x = -b1 * row.inverse_s1;
    const double y = -b2 * row.inverse_s2;
    const double z = c - row.kappa1 * x - row.kappa2 * y;
    const double limit = row.mu * z;
    if (z > 0.0 && x * x + y * y <= limit * limit) return {x, y, z};
    return slide(row, b1, b2, c);
}

// The same where row.plain is false: a hinge, or a contact with a floor of its normal impulse.
Vec3 solve_special(Row& row, const Vec3& p, const Vec3& u);

// How far the conditions are from holding (m/s), as ConeReport::residual says.
double row_residual(const Row& row, const Vec3& u);

}  // namespace carom::impact::cone
