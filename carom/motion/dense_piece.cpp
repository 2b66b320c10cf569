// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/dense_piece.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom::motion {
namespace {

// rounding in a shift and a change of basis of degree ten, in units of the sum of coefficients
constexpr double k_slack = 64.0 * k_ulp;

template <int D>
using Quintic = Eigen::Matrix<double, D, 6>;

template <int D>
using Vec = Eigen::Matrix<double, D, 1>;

template <int D>
Quintic<D> hermite(const Vec<D>& x0, const Vec<D>& v0, const Vec<D>& a0, const Vec<D>& v1,
                   const Vec<D>& a1, const Vec<D>& moved, double h) {
    const Vec<D> p1 = h * v0;
    const Vec<D> p2 = 0.5 * h * h * a0;
    const Vec<D> x = moved - p1 - p2;
    const Vec<D> v = h * (v1 - v0) - 2.0 * p2;
    const Vec<D> a = 0.5 * h * h * (a1 - a0);
    Quintic<D> p;
    p << x0, p1, p2, 10.0 * x - 4.0 * v + a, -15.0 * x + 7.0 * v - 2.0 * a, 6.0 * x - 3.0 * v + a;
    return p;
}

template <int D, int N>
Vec<D> horner(const Eigen::Matrix<double, D, N>& p, double s) {
    Vec<D> y = p.col(N - 1);
    for (int k = N - 2; k >= 0; --k)
        y = y * s + p.col(k);
    return y;
}

template <int D, int N>
Eigen::Matrix<double, D, N - 1> derivative(const Eigen::Matrix<double, D, N>& p) {
    Eigen::Matrix<double, D, N - 1> d;
    for (int k = 1; k < N; ++k)
        d.col(k - 1) = static_cast<double>(k) * p.col(k);
    return d;
}

// Bernstein coefficients on [s0, s1] of the polynomial with power coefficients p.
template <int D, int N>
Eigen::Matrix<double, D, N> bernstein(Eigen::Matrix<double, D, N> p, double s0, double s1) {
    // shift, then scale
    for (int i = 0; i < N - 1; ++i) {
        for (int k = N - 2; k >= i; --k)
            p.col(k) += s0 * p.col(k + 1);
    }
    double power = 1.0;
    double choose = 1.0;
    for (int k = 0; k < N; ++k) {
        p.col(k) *= power / choose;
        power *= s1 - s0;
        choose = choose * static_cast<double>(N - 1 - k) / static_cast<double>(k + 1);
    }
    // sums of binomials: b_i = sum_k C(i, k) p_k
    for (int i = 1; i < N; ++i) {
        for (int k = N - 1; k >= i; --k)
            p.col(k) += p.col(k - 1);
    }
    return p;
}

// Row by row the least and the largest Bernstein coefficient over a few parts of [s0, s1]: their
// excess over the true range falls with the square of the number of parts.
template <int D, int N>
std::pair<Vec<D>, Vec<D>> extremes(const Eigen::Matrix<double, D, N>& p, double s0, double s1) {
    constexpr int k_parts = 4;
    std::pair<Vec<D>, Vec<D>> out;
    for (int i = 0; i < k_parts; ++i) {
        const double from = s0 + (s1 - s0) * i / k_parts;
        const double to = i + 1 == k_parts ? s1 : s0 + (s1 - s0) * (i + 1) / k_parts;
        const Eigen::Matrix<double, D, N> b = bernstein(p, from, to);
        const Vec<D> low = b.rowwise().minCoeff();
        const Vec<D> high = b.rowwise().maxCoeff();
        out.first = i == 0 ? low : Vec<D>(out.first.cwiseMin(low));
        out.second = i == 0 ? high : Vec<D>(out.second.cwiseMax(high));
    }
    return out;
}

template <int N>
VecBox box_of(const Eigen::Matrix<double, 3, N>& p, double s0, double s1) {
    const auto [low, high] = extremes(p, s0, s1);
    const Vec3 slack = k_slack * p.cwiseAbs().rowwise().sum();
    return {low - slack, high + slack};
}

// Coefficients of the product p q*, quaternions as (x, y, z, w).
template <int N, int M>
Eigen::Matrix<double, 4, N + M - 1> times_conjugate(const Eigen::Matrix<double, 4, N>& p,
                                                    const Eigen::Matrix<double, 4, M>& q) {
    Eigen::Matrix<double, 4, N + M - 1> out;
    out.setZero();
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < M; ++j) {
            const Eigen::Vector4d a = p.col(i);
            const Eigen::Vector4d b = q.col(j);
            const Quat product = Quat(a) * Quat(b).conjugate();
            out.col(i + j) += product.coeffs();
        }
    }
    return out;
}

template <int N>
double largest_vector_part(const Eigen::Matrix<double, 4, N>& p) {
    const Eigen::Matrix<double, 3, N> v = p.template topRows<3>();
    const double slack = k_slack * v.cwiseAbs().sum();
    return bernstein(v, 0.0, 1.0).colwise().norm().maxCoeff() + slack;
}

}  // namespace

Knot knot_of(const State& state, const Vec3& a, const Vec3& alpha) {
    Knot knot;
    knot.c = state.position;
    knot.v = state.velocity;
    knot.a = a;
    knot.q = state.orientation.coeffs();
    const Vec3& w = state.angular_velocity;
    knot.q_rate = 0.5 * (Quat(0.0, w.x(), w.y(), w.z()) * state.orientation).coeffs();
    // q'' = w' q / 2 - |w|^2 q / 4
    knot.q_rate2 = 0.5 * (Quat(0.0, alpha.x(), alpha.y(), alpha.z()) * state.orientation).coeffs() -
                   0.25 * w.squaredNorm() * knot.q;
    return knot;
}

DensePiece::DensePiece(double start, double length, const Knot& before, const Knot& after,
                       const Vec3& moved)
    : start_(start),
      length_(length),
      c_(hermite<3>(before.c, before.v, before.a, after.v, after.a, moved, length)),
      q_(hermite<4>(before.q, before.q_rate, before.q_rate2, after.q_rate, after.q_rate2,
                    after.q - before.q, length)) {
    acceleration_box_ = acceleration_box(start_, start_ + length_);
    position_box_ = position_box(start_, start_ + length_);
    set_spin_bounds();
}

void DensePiece::set_spin_bounds() {
    const auto d1 = derivative(q_);
    const auto d2 = derivative(d1);
    if (d1.isZero(0.0)) return;
    // |Q|^2 and its derivative are the scalar part of Q Q* and twice that of Q' Q*
    const Eigen::Matrix<double, 1, 11> square = times_conjugate(q_, q_).row(3);
    const double least = bernstein(square, 0.0, 1.0).minCoeff() - k_slack * square.cwiseAbs().sum();
    const auto rate = times_conjugate(d1, q_);
    const Eigen::Matrix<double, 1, 10> stretch = 2.0 * rate.row(3);
    const double stretch_most =
        bernstein(stretch, 0.0, 1.0).cwiseAbs().maxCoeff() + k_slack * stretch.cwiseAbs().sum();
    if (!(least > 0.0)) {
        spin_max_ = spin_rate_max_ = std::numeric_limits<double>::infinity();
        return;
    }
    spin_max_ = 2.0 * largest_vector_part(rate) / (least * length_);
    spin_rate_max_ =
        2.0 * largest_vector_part(times_conjugate(d2, q_)) / (least * length_ * length_) +
        spin_max_ * stretch_most / (least * length_);
}

Vec3 DensePiece::position_at(double t) const {
    return horner(c_, fraction(t));
}

Vec3 DensePiece::acceleration_at(double t) const {
    return horner(derivative(derivative(c_)), fraction(t)) / (length_ * length_);
}

Eigen::Vector4d DensePiece::quaternion_rate2_at(double t) const {
    return horner(derivative(derivative(q_)), fraction(t)) / (length_ * length_);
}

State DensePiece::at(double t) const {
    const double s = fraction(t);
    // value and derivative in one pass
    Vec3 c = c_.col(5);
    Vec3 v = Vec3::Zero();
    Eigen::Vector4d q = q_.col(5);
    Eigen::Vector4d r = Eigen::Vector4d::Zero();
    for (int k = 4; k >= 0; --k) {
        v = v * s + c;
        c = c * s + c_.col(k);
        r = r * s + q;
        q = q * s + q_.col(k);
    }
    const double inverse = 1.0 / q.squaredNorm();
    const Quat spin = Quat(r) * Quat(q).conjugate();
    const Eigen::Vector4d unit = q * std::sqrt(inverse);
    return {c, Quat(unit), v / length_, (2.0 * inverse / length_) * spin.vec()};
}

VecBox DensePiece::acceleration_box(double t0, double t1) const {
    const Eigen::Matrix<double, 3, 4> a = derivative(derivative(c_)) / (length_ * length_);
    return box_of(a, fraction(t0), fraction(t1));
}

VecBox DensePiece::position_box(double t0, double t1) const {
    return box_of(c_, fraction(t0), fraction(t1));
}

Range DensePiece::position_along(double t0, double t1, const Vec3& direction) const {
    const Eigen::Matrix<double, 1, 6> p = direction.transpose() * c_;
    const auto [low, high] = extremes(p, fraction(t0), fraction(t1));
    // the rounding of the projection too
    const double slack = k_slack * (direction.cwiseAbs().transpose() * c_.cwiseAbs()).sum();
    return {low.value() - slack, high.value() + slack};
}

std::array<double, 6> DensePiece::coefficients_along(const Vec3& direction) const {
    std::array<double, 6> out{};
    for (int k = 0; k < 6; ++k)
        out[static_cast<std::size_t>(k)] = direction.dot(c_.col(k));
    return out;
}

}  // namespace carom::motion
