// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/dense_piece.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom::motion {
namespace {

// rounding in a shift and a change of basis of degree sixteen, in units of the sum of coefficients
constexpr double k_slack = 64.0 * k_ulp;

template <int D>
using Quintic = Eigen::Matrix<double, D, 6>;

template <int D>
using Octic = Eigen::Matrix<double, D, 9>;

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

// The same with value and derivatives in the middle too: of degree 8. Each change is what start and
// end leave of it: x = p(1) - p_0 - p_1 - p_2, and so on.
template <int D>
Octic<D> hermite(const Vec<D>& x0, const Vec<D>& v0, const Vec<D>& a0, const Vec<D>& v_middle,
                 const Vec<D>& a_middle, const Vec<D>& moved_to_middle, const Vec<D>& v1,
                 const Vec<D>& a1, const Vec<D>& moved, double h) {
    const Vec<D> p1 = h * v0;
    const Vec<D> p2 = 0.5 * h * h * a0;
    const Vec<D> xm = moved_to_middle - 0.5 * p1 - 0.25 * p2;
    const Vec<D> vm = h * (v_middle - v0) - p2;
    const Vec<D> am = h * h * (a_middle - a0);
    const Vec<D> x = moved - p1 - p2;
    const Vec<D> v = h * (v1 - v0) - 2.0 * p2;
    const Vec<D> a = h * h * (a1 - a0);
    Octic<D> p;
    p << x0, p1, p2, 256.0 * xm - 32.0 * vm + 8.0 * am - 58.0 * x + 10.0 * v - 0.5 * a,
        -1536.0 * xm + 160.0 * vm - 56.0 * am + 453.0 * x - 79.0 * v + 4.0 * a,
        3840.0 * xm - 288.0 * vm + 152.0 * am - 1374.0 * x + 243.0 * v - 12.5 * a,
        -4864.0 * xm + 224.0 * vm - 200.0 * am + 2012.0 * x - 362.0 * v + 19.0 * a,
        3072.0 * xm - 64.0 * vm + 128.0 * am - 1416.0 * x + 260.0 * v - 14.0 * a,
        -768.0 * xm - 32.0 * am + 384.0 * x - 72.0 * v + 4.0 * a;
    return p;
}

template <int D>
Quintic<D> quintic(const Octic<D>& p) {
    return p.template leftCols<6>();
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
    for (int i = 0; s0 != 0.0 && i < N - 1; ++i) {
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

// Coefficients of the scalar and of the vector part of the product p q*, quaternions as (x, y, z,
// w).
template <int N, int M>
Eigen::Matrix<double, 1, N + M - 1> scalar_part(const Eigen::Matrix<double, 4, N>& p,
                                                const Eigen::Matrix<double, 4, M>& q) {
    Eigen::Matrix<double, 1, N + M - 1> out;
    out.setZero();
    for (int i = 0; i < N; ++i)
        out.template segment<M>(i) += p.col(i).transpose().lazyProduct(q);
    return out;
}

template <int N, int M>
Eigen::Matrix<double, 3, N + M - 1> vector_part(const Eigen::Matrix<double, 4, N>& p,
                                                const Eigen::Matrix<double, 4, M>& q) {
    Eigen::Matrix<double, 3, N + M - 1> out;
    out.setZero();
    for (int i = 0; i < N; ++i) {
        const double x = p(0, i), y = p(1, i), z = p(2, i), w = p(3, i);
        Eigen::Matrix<double, 3, 4> times;
        times << -w, z, -y, x, -z, -w, x, y, y, -x, -w, z;
        out.template middleCols<M>(i) += times.lazyProduct(q);
    }
    return out;
}

template <int N>
double largest(const Eigen::Matrix<double, 3, N>& v) {
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
    : start_(start), length_(length), has_middle_(false) {
    c_.leftCols<6>() = hermite<3>(before.c, before.v, before.a, after.v, after.a, moved, length);
    q_.leftCols<6>() = hermite<4>(before.q, before.q_rate, before.q_rate2, after.q_rate,
                                  after.q_rate2, after.q - before.q, length);
    c_.rightCols<3>().setZero();
    q_.rightCols<3>().setZero();
    set_bounds();
}

DensePiece::DensePiece(double start, double length, const Knot& before, const Knot& middle,
                       const Knot& after)
    : start_(start),
      length_(length),
      has_middle_(true),
      c_(hermite<3>(before.c, before.v, before.a, middle.v, middle.a, middle.c - before.c, after.v,
                    after.a, after.c - before.c, length)),
      q_(hermite<4>(before.q, before.q_rate, before.q_rate2, middle.q_rate, middle.q_rate2,
                    middle.q - before.q, after.q_rate, after.q_rate2, after.q - before.q, length)) {
    set_bounds();
}

void DensePiece::set_bounds() {
    acceleration_box_ = acceleration_box(start_, start_ + length_);
    position_box_ = position_box(start_, start_ + length_);
    if (has_middle_) {
        set_spin_bounds<9>();
    } else {
        set_spin_bounds<6>();
    }
}

template <int N>
void DensePiece::set_spin_bounds() {
    const Eigen::Matrix<double, 4, N> q = q_.leftCols<N>();
    const auto d1 = derivative(q);
    const auto d2 = derivative(d1);
    if (d1.isZero(0.0)) return;
    // |Q|^2 and its derivative are the scalar part of Q Q* and twice that of Q' Q*
    const Eigen::Matrix<double, 1, 2 * N - 1> square = scalar_part(q, q);
    const double least = bernstein(square, 0.0, 1.0).minCoeff() - k_slack * square.cwiseAbs().sum();
    const Eigen::Matrix<double, 1, 2 * N - 2> stretch = 2.0 * scalar_part(d1, q);
    const double stretch_most =
        bernstein(stretch, 0.0, 1.0).cwiseAbs().maxCoeff() + k_slack * stretch.cwiseAbs().sum();
    if (!(least > 0.0)) {
        spin_max_ = spin_rate_max_ = std::numeric_limits<double>::infinity();
        return;
    }
    spin_max_ = 2.0 * largest(vector_part(d1, q)) / (least * length_);
    spin_rate_max_ = 2.0 * largest(vector_part(d2, q)) / (least * length_ * length_) +
                     spin_max_ * stretch_most / (least * length_);
}

Vec3 DensePiece::position_at(double t) const {
    const double s = fraction(t);
    return has_middle_ ? horner(c_, s) : horner(quintic(c_), s);
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
    const int last = has_middle_ ? 8 : 5;
    Vec3 c = c_.col(last);
    Vec3 v = Vec3::Zero();
    Eigen::Vector4d q = q_.col(last);
    Eigen::Vector4d r = Eigen::Vector4d::Zero();
    for (int k = last - 1; k >= 0; --k) {
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
    const double s0 = fraction(t0), s1 = fraction(t1);
    const double square = length_ * length_;
    if (!has_middle_) {
        const Eigen::Matrix<double, 3, 4> a = derivative(derivative(quintic(c_))) / square;
        return box_of(a, s0, s1);
    }
    const Eigen::Matrix<double, 3, 7> a = derivative(derivative(c_)) / square;
    return box_of(a, s0, s1);
}

VecBox DensePiece::position_box(double t0, double t1) const {
    const double s0 = fraction(t0), s1 = fraction(t1);
    return has_middle_ ? box_of(c_, s0, s1) : box_of(quintic(c_), s0, s1);
}

Range DensePiece::position_along(double t0, double t1, const Vec3& direction) const {
    // the rounding of the projection too
    const double slack = k_slack * (direction.cwiseAbs().transpose() * c_.cwiseAbs()).sum();
    const auto range = [&](const auto& p) -> Range {
        const auto [low, high] = extremes(p, fraction(t0), fraction(t1));
        return {low.value() - slack, high.value() + slack};
    };
    const Eigen::Matrix<double, 1, 9> p = direction.transpose() * c_;
    return has_middle_ ? range(p) : range(quintic(p));
}

std::array<double, 6> DensePiece::coefficients_along(const Vec3& direction) const {
    std::array<double, 6> out{};
    for (int k = 0; k < 6; ++k)
        out[static_cast<std::size_t>(k)] = direction.dot(c_.col(k));
    return out;
}

}  // namespace carom::motion
