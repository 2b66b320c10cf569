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

    // Whether impulses change its twist.
    bool can_move() const { return inverse_mass > 0.0 || i[0] + i[3] + i[5] > 0.0; }
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
    bool hinge;
    bool plain;  // neither a hinge nor with a floor above zero
    bool idle;   // plain, and has no impulse, step or direction
    Vec3 n, r_a, r_b;
    double least;
    Vec3 drift;  // in C
    Vec3 t1, t2;
    double s1, s2, k;
    double inverse_s1, inverse_s2, inverse_k;
    double kappa1, kappa2;
    double trace;
    double mu, floor;
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
    // entry by entry: pairs of entries would wait for their halves to be written
    [[gnu::always_inline]] Vec3 u_W(const Mover& A, const Mover& B) const {
        const double ax = r_a.x(), ay = r_a.y(), az = r_a.z();
        const double bx = r_b.x(), by = r_b.y(), bz = r_b.z();
        const double px = A.w.x(), py = A.w.y(), pz = A.w.z();
        const double qx = B.w.x(), qy = B.w.y(), qz = B.w.z();
        return {A.v.x() - B.v.x() + (py * az - pz * ay) - (qy * bz - qz * by),
                A.v.y() - B.v.y() + (pz * ax - px * az) - (qz * bx - qx * bz),
                A.v.z() - B.v.z() + (px * ay - py * ax) - (qx * by - qy * bx)};
    }
    [[gnu::always_inline]] Vec3 u(const Mover& A, const Mover& B) const {
        return to_C(u_W(A, B)) + drift;
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

// The same with one step for the direction of the slip, from where the row's last slide ended: the
// normal condition and the cone hold to rounding, the direction settles while sweeps repeat.
[[gnu::always_inline]] inline Vec3 slide_once(Row& row, double b1, double b2, double c) {
    const double mean = 0.5 * (row.s1 + row.s2);
    const double d = 0.5 * (row.s1 - row.s2);
    if (!(row.slip > 0.0)) return slide(row, b1, b2, c);
    const double x = std::min(row.slip, 1.0 / mean);
    // p_t is against (1 / (1 + d x), 1 / (1 - d x)) b, here times (1 - d x)(1 + d x)
    const double d1 = b1 * (1.0 - d * x);
    const double d2 = b2 * (1.0 + d * x);
    const double length = std::sqrt(d1 * d1 + d2 * d2);
    const double leaned = length - row.mu * (row.kappa1 * d1 + row.kappa2 * d2);
    if (!(leaned > 0.0)) return slide(row, b1, b2, c);
    const double part = row.mu * c / leaned;  // of (d1, d2)
    row.slip = part * (1.0 - d * x) * (1.0 + d * x);
    return {-part * d1, -part * d2, part * length / row.mu};
}

// The impulse of one contact with all others held, exact but for the direction of a slide where
// once is true: u is its velocity now, p its impulse now.
template <bool once>
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
    if constexpr (once) return slide_once(row, b1, b2, c);
    return slide(row, b1, b2, c);
}

// The same, exact, where row.plain is false: a hinge, or a contact with a floor of its normal
// impulse.
Vec3 solve_special(Row& row, const Vec3& p, const Vec3& u);

// How far the conditions are from holding (m/s), as ConeReport::residual says.
double row_residual(const Row& row, const Vec3& u);

}  // namespace carom::impact::cone
