// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/cone_solver_row.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace carom::impact::cone {
namespace {

// Entries of K below this part of its trace count as zero: nothing the contact could move. Larger:
// contacts on bodies of mass ratios above 1e11 would be softened.
constexpr double k_immovable = 1e-12;
// Mismatch of |p_t| and mu p_z, relative, from which one more Newton step ends the search for the
// slide: it squares it. Larger: a sweep's slides less exact than said in the header.
constexpr double k_last_step = 1e-5;
// |p_t| above the radius that ends the same search on a circle, relative. Larger: as much of the
// slip's direction is wrong.
constexpr double k_on_circle = 1e-15;
constexpr int k_most_slide_steps = 60;

// [r]x I^-1 [r]x^T, which is what the body's turning adds to K.
Mat3 turning_part(const Mover& body, const Vec3& r) {
    Mat3 part;
    for (int j = 0; j < 3; ++j)
        part.col(j) = body.turned_by(r.cross(Vec3::Unit(j))).cross(r);
    return part;
}

}  // namespace

bool make_row(Row& row, const Mover& A, const Mover& B) {
    Mat3 K = turning_part(A, row.r_a) + turning_part(B, row.r_b);
    K.diagonal().array() += A.inverse_mass + B.inverse_mass;
    const double floor = k_immovable * K.trace();
    row.k = row.n.dot(K * row.n);
    if (!(row.k > floor)) return false;

    // any tangents, then turned by the angle that makes the rest of the matrix diagonal
    const Vec3 t = std::abs(row.n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
    const Vec3 e1 = (t - row.n.dot(t) * row.n).normalized();
    const Vec3 e2 = row.n.cross(e1);
    const Vec3 Kn = K * row.n;
    const Vec3 K1 = K * e1;
    const double h1 = e1.dot(Kn) / row.k;
    const double h2 = e2.dot(Kn) / row.k;
    const double S11 = e1.dot(K1) - h1 * h1 * row.k;
    const double S12 = e2.dot(K1) - h1 * h2 * row.k;
    const double S22 = e2.dot(K * e2) - h2 * h2 * row.k;
    const double half = 0.5 * (S11 - S22);
    const double radius = std::hypot(half, S12);
    const double mean = 0.5 * (S11 + S22);
    // cosine and sine of the angle to the axis of the larger entry
    double cosine = 1.0;
    double sine = 0.0;
    if (radius > 0.0) {
        const double larger = std::sqrt(0.5 * (1.0 + std::abs(half) / radius));
        const double smaller = 0.5 * S12 / (radius * larger);
        cosine = half >= 0.0 ? larger : smaller;
        sine = half >= 0.0 ? smaller : larger;
    }
    row.t1 = cosine * e1 + sine * e2;
    row.t2 = cosine * e2 - sine * e1;
    row.s1 = std::max(mean + radius, floor);
    row.s2 = std::max(mean - radius, floor);
    row.kappa1 = cosine * h1 + sine * h2;
    row.kappa2 = cosine * h2 - sine * h1;
    row.trace = K.trace();
    row.inverse_k = 1.0 / row.k;
    row.inverse_s1 = 1.0 / row.s1;
    row.inverse_s2 = 1.0 / row.s2;
    return true;
}

namespace {

Vec3 in_cone(double x, double y, double z, double mu) {
    const double limit = mu * z;
    const double squared = x * x + y * y;
    if (squared <= limit * limit) return {x, y, z};
    const double part = limit / std::sqrt(squared);
    return {part * x, part * y, z};
}

}  // namespace

Vec3 clipped(const Row& row, const Vec3& p) {
    return row.hinge ? p : in_cone(p.x(), p.y(), std::max(p.z(), row.floor), row.mu);
}

// In x = 1 / (mean s + sigma): p1 = -b1 x / (1 + d x), p2 = -b2 x / (1 - d x), which is one Newton
// step from the root when s1 = s2. |d x| < 1 throughout.
Vec3 slide(Row& row, double b1, double b2, double c) {
    const double mean = 0.5 * (row.s1 + row.s2);
    const double d = 0.5 * (row.s1 - row.s2);
    double low = 0.0;
    double high = 1.0 / mean;
    double x = row.slip > 0.0 && row.slip < high ? row.slip : 0.5 * high;
    Vec3 p = Vec3::Zero();
    bool last = false;
    for (int i = 0; i < k_most_slide_steps; ++i) {
        const double dx = d * x;
        const double f = 1.0 / ((1.0 + dx) * (1.0 - dx));
        const double f1 = f * (1.0 - dx);
        const double f2 = f * (1.0 + dx);
        const double p1 = -b1 * x * f1;
        const double p2 = -b2 * x * f2;
        const double length = std::sqrt(p1 * p1 + p2 * p2);
        const double pz = c - row.kappa1 * p1 - row.kappa2 * p2;
        const double off = length - row.mu * pz;
        p = {p1, p2, pz};
        if (last || off == 0.0) break;
        (off < 0.0 ? low : high) = x;
        const double q1 = -b1 * f1 * f1;
        const double q2 = -b2 * f2 * f2;
        // length times the slope of off
        const double slope =
            p1 * q1 + p2 * q2 + length * row.mu * (row.kappa1 * q1 + row.kappa2 * q2);
        const double next = x - off * length / slope;
        const bool inside = next > low && next < high;
        last = inside && std::abs(off) <= k_last_step * length;
        x = inside ? next : 0.5 * (low + high);
    }
    row.slip = x;
    return in_cone(p.x(), p.y(), std::max(p.z(), 0.0), row.mu);
}

namespace {

// p_t with |p_t| <= radius that stops the slip b + A p_t, or, on the circle, is against it: on the
// circle (A + sigma) p_t = -b with sigma > 0, and 1 / |p_t| - 1 / radius grows with sigma and is
// nearly linear in it, so that Newton from zero arrives from below.
Vec2 friction_in_circle(const Mat2& A, const Vec2& b, double radius) {
    if (radius == 0.0) return Vec2::Zero();
    double sigma = 0.0;
    Vec2 p = -A.ldlt().solve(b);
    for (int i = 0; i < k_most_slide_steps; ++i) {
        const double length = p.norm();
        if (length <= radius * (1.0 + k_on_circle)) break;
        const Mat2 shifted = A + sigma * Mat2::Identity();
        const Vec2 slope = shifted.ldlt().solve(p);
        sigma += (length / radius - 1.0) * length * length / p.dot(slope);
        p = -(A + sigma * Mat2::Identity()).ldlt().solve(b);
    }
    const double length = p.norm();
    return length > radius ? Vec2(radius / length * p) : p;
}

}  // namespace

Vec3 solve_special(Row& row, const Vec3& p, const Vec3& u) {
    const double missing = (row.least - u.z()) * row.inverse_k;
    const double b1 = u.x() + row.k * row.kappa1 * missing;
    const double b2 = u.y() + row.k * row.kappa2 * missing;
    if (row.hinge) {
        const double x = -b1 * row.inverse_s1;
        const double y = -b2 * row.inverse_s2;
        return p + Vec3(x, y, missing - row.kappa1 * x - row.kappa2 * y);
    }
    // with the normal impulse free, then at its floor
    Vec3 free = solve_row<false>(row, p, u);
    if (free.z() >= row.floor) return free;
    const Vec2 kappa(row.kappa1, row.kappa2);
    Mat2 A = row.k * kappa * kappa.transpose();
    A(0, 0) += row.s1;
    A(1, 1) += row.s2;
    const Vec2 p_t = p.head<2>();
    const Vec2 b = u.head<2>() - A * p_t + row.k * (row.floor - p.z()) * kappa;
    const Vec2 friction = friction_in_circle(A, b, row.mu * row.floor);
    return {friction.x(), friction.y(), row.floor};
}

double row_residual(const Row& row, const Vec3& u) {
    if (row.hinge) return u.norm();
    const double normal = std::min(row.k * (row.p.z() - row.floor), u.z() - row.least);
    const double s = 0.5 * (row.s1 + row.s2);
    const double radius = s * row.mu * row.p.z();
    const double x = s * row.p.x() - u.x();
    const double y = s * row.p.y() - u.y();
    const double length = std::sqrt(x * x + y * y);
    const double part = length <= radius ? 1.0 : radius / length;
    const double off1 = s * row.p.x() - part * x;
    const double off2 = s * row.p.y() - part * y;
    return std::sqrt(normal * normal + off1 * off1 + off2 * off2);
}

}  // namespace carom::impact::cone
