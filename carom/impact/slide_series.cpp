// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/slide_series.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {
namespace {

using Coefficients = SlideSeries::Coefficients;
constexpr int k_order = SlideSeries::k_order;

constexpr std::array<double, k_order + 2> make_inverses() {
    std::array<double, k_order + 2> inverse{};
    for (int k = 1; k < k_order + 2; ++k) inverse[static_cast<std::size_t>(k)] = 1.0 / k;
    return inverse;
}
constexpr auto k_inverse = make_inverses();

// Even and odd powers in two chains: half the latency of Horner's rule.
double evaluate(const Coefficients& a, double t) {
    static_assert(k_order % 2 == 0);
    const double t2 = t * t;
    double even = a[k_order];
    double odd = a[k_order - 1];
    for (int k = k_order - 2; k >= 2; k -= 2) {
        even = even * t2 + a[static_cast<std::size_t>(k)];
        odd = odd * t2 + a[static_cast<std::size_t>(k - 1)];
    }
    return even * t2 + odd * t + a[0];
}

}  // namespace

SlideSeries::SlideSeries(const Principal& K, double mu, double x, double y, double uz0,
                         double tolerance)
    : r0_(std::sqrt(x * x + y * y)), uz0_(uz0), mu_(mu) {
    const double rate = mu * std::max(K.k1, K.k2) + std::sqrt(K.b1 * K.b1 + K.b2 * K.b2);
    scale_ = r0_ / rate;
    x_[0] = x / r0_;
    y_[0] = y / r0_;
    expand(K, mu, rate);
    expand_work();
    choose_step(tolerance);
}

void SlideSeries::expand(const Principal& K, double mu, double rate) {
    const double b1 = K.b1 / rate;
    const double b2 = K.b2 / rate;
    const double m1 = mu * K.k1 / rate;
    const double m2 = mu * K.k2 / rate;
    const double q1 = K.q1 * rate;
    const double q2 = K.q2 * rate;
    r_[0] = 1.0;
    X_[0] = Y_[0] = Z_[0] = uz_[0] = 0.0;
    for (int k = 1; k <= k_order; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const double inverse = k_inverse[i];
        X_[i] = x_[i - 1] * inverse;
        Y_[i] = y_[i - 1] * inverse;
        Z_[i] = r_[i - 1] * inverse;
        x_[i] = b1 * Z_[i] - m1 * X_[i];
        y_[i] = b2 * Z_[i] - m2 * Y_[i];
        uz_[i] = K.kappa * Z_[i] + q1 * x_[i] + q2 * y_[i];
        // 2 r_0 r_k = [x^2 + y^2]_k - sum over 0 < j < k of r_j r_{k-j}
        double sum = 0.0;
        double other = 0.0;
        std::size_t j = 1;
        for (; 2 * j + 2 < i; j += 2) {
            sum += x_[j] * x_[i - j] + y_[j] * y_[i - j] - r_[j] * r_[i - j];
            other += x_[j + 1] * x_[i - j - 1] + y_[j + 1] * y_[i - j - 1] -
                     r_[j + 1] * r_[i - j - 1];
        }
        for (; 2 * j < i; ++j) sum += x_[j] * x_[i - j] + y_[j] * y_[i - j] - r_[j] * r_[i - j];
        sum += other;
        if (2 * j == i) sum += 0.5 * (x_[j] * x_[j] + y_[j] * y_[j] - r_[j] * r_[j]);
        r_[i] = x_[0] * x_[i] + y_[0] * y_[i] + sum;
    }
}

void SlideSeries::expand_work() {
    // W' = u_z p_z', with u_z = uz0 + scale * uz_ and p_z' = scale * r
    work_[0] = 0.0;
    for (int k = 1; k <= k_order; ++k) {
        const auto i = static_cast<std::size_t>(k);
        double sum = 0.0;
        double other = 0.0;
        std::size_t j = 1;
        for (; j + 2 < i; j += 2) {
            sum += uz_[j] * r_[i - 1 - j];
            other += uz_[j + 1] * r_[i - 2 - j];
        }
        for (; j < i; ++j) sum += uz_[j] * r_[i - 1 - j];
        work_[i] = scale_ * (uz0_ * Z_[i] + scale_ * (sum + other) * k_inverse[i]);
    }
}

void SlideSeries::choose_step(double tolerance) {
    // the work of a unit step, to which its own coefficients are compared
    const double unit_work = scale_ * std::max(std::abs(uz0_), scale_ * std::abs(uz_[1]));
    const double per_work = unit_work > 0.0 ? 1.0 / unit_work : 0.0;
    const auto size = [&](std::size_t k) {
        return std::max({std::abs(x_[k]), std::abs(y_[k]), std::abs(r_[k]),
                         std::abs(work_[k]) * per_work});
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
double SlideSeries::normal_impulse(double tau) const { return scale_ * evaluate(Z_, tau); }
SlideSeries::Slip SlideSeries::friction_impulse(double tau) const {
    const double k = -mu_ * scale_;
    return {k * evaluate(X_, tau), k * evaluate(Y_, tau)};
}
double SlideSeries::uz(double tau) const { return uz0_ + scale_ * evaluate(uz_, tau); }
double SlideSeries::speed(double tau) const { return scale_ * evaluate(r_, tau); }
double SlideSeries::uz_slope(double tau) const {
    double slope = 0.0;
    for (int k = k_order; k >= 1; --k) slope = slope * tau + k * uz_[static_cast<std::size_t>(k)];
    return scale_ * slope;
}
double SlideSeries::work(double tau) const { return evaluate(work_, tau); }

}  // namespace carom::impact
