// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/slide_series.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/math/cauchy.h"

namespace carom::impact {
namespace {

using Coefficients = SlideSeries::Coefficients;
constexpr int k_order = SlideSeries::k_order;

using math::dot;

double evaluate(const Coefficients& a, double t) {
    return math::evaluate_series(a, t);
}

}  // namespace

SlideSeries::SlideSeries(const Principal& K, double mu, double x, double y, double uz0,
                         double tolerance)
    : r0_(std::sqrt(x * x + y * y)),
      uz0_(uz0),
      mu_(mu),
      k33_(K.k33),
      mu_b1_(mu * K.b1),
      mu_b2_(mu * K.b2) {
    const double rate = mu * std::max(K.k1, K.k2) + std::sqrt(K.b1 * K.b1 + K.b2 * K.b2);
    scale_ = r0_ / rate;
    x_[0] = x / r0_;
    y_[0] = y / r0_;
    expand(K, mu, rate);
    choose_step(tolerance);
}

// What one order of the expansion needs.
struct SlideSeries::Rates {
    double b1, b2, m1, m2, q1, q2, kappa;
    // the coefficients backwards, so that Cauchy products run forwards through both factors
    Coefficients back_x, back_y, back_r;
};

template <std::size_t i>
[[gnu::always_inline]] inline void SlideSeries::expand_order(Rates& k) {
    constexpr double inverse = 1.0 / static_cast<double>(i);
    X_[i] = x_[i - 1] * inverse;
    Y_[i] = y_[i - 1] * inverse;
    Z_[i] = r_[i - 1] * inverse;
    x_[i] = k.b1 * Z_[i] - k.m1 * X_[i];
    y_[i] = k.b2 * Z_[i] - k.m2 * Y_[i];
    uz_[i] = k.kappa * Z_[i] + k.q1 * x_[i] + k.q2 * y_[i];
    // W' = u_z p_z' with u_z = uz0 + scale uz_ and p_z' = scale r
    const double product = dot<i - 1>(uz_.data() + 1, k.back_r.data() + (k_order - i + 2));
    work_[i] = scale_ * (uz0_ * Z_[i] + scale_ * product * inverse);
    // 2 r_0 r_i = [x^2 + y^2]_i - sum over 0 < j < i of r_j r_{i-j}, half of it by symmetry
    constexpr std::size_t half = (i - 1) / 2;
    constexpr std::size_t from = k_order - i + 1;
    double sum = dot<half>(x_.data() + 1, k.back_x.data() + from) +
                 dot<half>(y_.data() + 1, k.back_y.data() + from) -
                 dot<half>(r_.data() + 1, k.back_r.data() + from);
    if constexpr (i % 2 == 0) {
        constexpr std::size_t m = i / 2;
        sum += 0.5 * (x_[m] * x_[m] + y_[m] * y_[m] - r_[m] * r_[m]);
    }
    r_[i] = x_[0] * x_[i] + y_[0] * y_[i] + sum;
    k.back_x[k_order - i] = x_[i];
    k.back_y[k_order - i] = y_[i];
    k.back_r[k_order - i] = r_[i];
}

void SlideSeries::expand(const Principal& K, double mu, double rate) {
    Rates k;
    k.b1 = K.b1 / rate;
    k.b2 = K.b2 / rate;
    k.m1 = mu * K.k1 / rate;
    k.m2 = mu * K.k2 / rate;
    k.q1 = K.q1 * rate;
    k.q2 = K.q2 * rate;
    k.kappa = K.kappa;
    r_[0] = 1.0;
    X_[0] = Y_[0] = Z_[0] = uz_[0] = work_[0] = 0.0;
    k.back_x[k_order] = x_[0];
    k.back_y[k_order] = y_[0];
    k.back_r[k_order] = 1.0;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (expand_order<i + 1>(k), ...);
    }
    (std::make_index_sequence<k_order>{});
}

void SlideSeries::choose_step(double tolerance) {
    // the work of a unit step, to which its own coefficients are compared
    const double unit_work = scale_ * std::max(std::abs(uz0_), scale_ * std::abs(uz_[1]));
    const double per_work = unit_work > 0.0 ? 1.0 / unit_work : 0.0;
    const auto size = [&](std::size_t k) {
        return std::max(
            {std::abs(x_[k]), std::abs(y_[k]), std::abs(r_[k]), std::abs(work_[k]) * per_work});
    };
    // the last two orders: one of them may vanish by symmetry
    constexpr double k_longest = 1e12;
    constexpr double k_least = 1e-300;
    const double last = std::max(size(k_order), k_least);
    const double before = std::max(size(k_order - 1), k_least);
    const double log_tolerance = std::log(tolerance);
    const double log_step = std::min((log_tolerance - std::log(last)) / k_order,
                                     (log_tolerance - std::log(before)) / (k_order - 1));
    double step = std::min(k_longest, std::exp(log_step));
    // less than half a turn a step, so that directions passed on the way can be told by sign
    for (int i = 0; i < 60; ++i) {
        const double end_x = evaluate(x_, step);
        const double end_y = evaluate(y_, step);
        if (end_x * x_[0] + end_y * y_[0] > 0.0 && std::isfinite(end_x)) break;
        step *= 0.5;
    }
    step_ = step;
}

SlideSeries::Slip SlideSeries::slip(double tau) const {
    return {r0_ * evaluate(x_, tau), r0_ * evaluate(y_, tau)};
}
double SlideSeries::normal_impulse(double tau) const {
    return scale_ * evaluate(Z_, tau);
}
SlideSeries::Slip SlideSeries::friction_impulse(double tau) const {
    const double k = -mu_ * scale_;
    return {k * evaluate(X_, tau), k * evaluate(Y_, tau)};
}
double SlideSeries::uz(double tau) const {
    return uz0_ + scale_ * evaluate(uz_, tau);
}
double SlideSeries::speed(double tau) const {
    return scale_ * evaluate(r_, tau);
}
double SlideSeries::uz_slope(double tau) const {
    // k33 r - mu b.(x, y): good enough for the slope of a Newton step, whatever it cancels
    return scale_ *
           (k33_ * evaluate(r_, tau) - mu_b1_ * evaluate(x_, tau) - mu_b2_ * evaluate(y_, tau));
}
double SlideSeries::work(double tau) const {
    return evaluate(work_, tau);
}

}  // namespace carom::impact
