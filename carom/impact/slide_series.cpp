// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/slide_series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "carom/math/cauchy.h"

namespace carom::impact {

using math::Lanes;

namespace {

// The binary logarithm of a positive normal number with the mantissa taken as it is: at most
// k_log2_missed too small, which a twentieth root does not feel.
double rough_log2(double x) {
    constexpr double k_per_exponent = 0x1p-52;
    return static_cast<double>(std::bit_cast<std::int64_t>(x)) * k_per_exponent - 1023.0;
}
constexpr double k_log2_missed = 0.0861;

}  // namespace

SlideSeries::SlideSeries(const Principal& K, double mu, double x, double y, double uz0,
                         double tolerance)
    : r0_(std::sqrt(x * x + y * y)), uz0_(uz0), mu_(mu) {
    const double rate = mu * std::max(K.k1, K.k2) + std::sqrt(K.b1 * K.b1 + K.b2 * K.b2);
    scale_ = r0_ / rate;
    slip_[0] = Lanes{x / r0_, y / r0_};
    expand(K, mu, rate);
    choose_step(tolerance);
}

// What one order of the expansion needs.
struct SlideSeries::Rates {
    Lanes b, m, q;
    double kappa;
    double along_b;  // b and m along the first slip
    Lanes along_m;
};

// With x_i, y_i of the newest order written out in r_0 r_i = x_0 x_i + y_0 y_i + (older ones), r_i
// needs r_{i-1} in one product only: everything else is known earlier, and the orders overlap.
template <std::size_t i>
[[gnu::always_inline]] inline void SlideSeries::expand_order(const Rates& k) {
    constexpr double inverse = 1.0 / static_cast<double>(i);
    const Lanes friction = slip_[i - 1] * inverse;
    const Lanes Z = speed_[i - 1] * inverse;
    const Lanes slip = k.b * Z - k.m * friction;
    const Lanes held = k.q * slip;
    // half of [x^2 + y^2]_i by symmetry, the newer coefficients later
    Lanes squares{0.0, 0.0};
    if constexpr (i % 2 == 0) squares = 0.5 * slip_[i / 2] * slip_[i / 2];
    constexpr std::size_t pairs = (i - 1) / 2;
    [&]<std::size_t... j>(std::index_sequence<j...>) {
        ((squares += slip_[pairs - j] * slip_[i - pairs + j]), ...);
    }
    (std::make_index_sequence<pairs>{});
    squares -= k.along_m * friction;
    // the sum over 1 < j < i - 1 of r_j r_{i-j}, and beside it that of the work, W' = u_z p_z' with
    // u_z = uz0 + scale uz_ and p_z' = scale r
    std::array<Lanes, 2> products{};
    if constexpr (i > 3) {
        [&]<std::size_t... j>(std::index_sequence<j...>) {
            ((products[j % 2] += shifted_[j + 2] * speed_[i - 2 - j]), ...);
        }
        (std::make_index_sequence<i - 3>{});
    }
    const Lanes product = products[0] + products[1];
    const double known = (squares[0] + squares[1]) - 0.5 * product[0];
    double factor = k.along_b * inverse;
    if constexpr (i > 1) factor -= (i == 2 ? 0.5 : 1.0) * speed_[1][0];
    const double r = factor * speed_[i - 1][0] + known;
    double late = 0.0;
    double work = product[1];
    if constexpr (i > 1) {
        late = normal_[i - 1][1];
        work += shifted_[i - 1][1] * speed_[1][0] + late;
    }
    friction_[i] = friction;
    slip_[i] = slip;
    normal_[i] = Lanes{Z[0], k.kappa * Z[0] + (held[0] + held[1])};
    work_[i] = scale_ * (uz0_ * Z[0] + scale_ * work * inverse);
    speed_[i] = Lanes{r, r};
    shifted_[i] = Lanes{r, late};
}

void SlideSeries::expand(const Principal& K, double mu, double rate) {
    const double inverse = 1.0 / rate;
    const Lanes b{K.b1 * inverse, K.b2 * inverse};
    const Lanes m{mu * K.k1 * inverse, mu * K.k2 * inverse};
    const Lanes along_b = slip_[0] * b;
    const Rates k{b,           m, Lanes{K.q1 * rate, K.q2 * rate}, K.kappa, along_b[0] + along_b[1],
                  slip_[0] * m};
    friction_[0] = normal_[0] = Lanes{0.0, 0.0};
    speed_[0] = Lanes{1.0, 1.0};
    shifted_[0] = Lanes{1.0, 0.0};
    work_[0] = 0.0;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (expand_order<i + 1>(k), ...);
    }
    (std::make_index_sequence<k_order>{});
}

void SlideSeries::choose_step(double tolerance) {
    // the work of a unit step, to which its own coefficients are compared
    const double unit_work = scale_ * std::max(std::abs(uz0_), scale_ * std::abs(normal_[1][1]));
    const double per_work = unit_work > 0.0 ? 1.0 / unit_work : 0.0;
    const auto size = [&](std::size_t k) {
        return std::max({std::abs(slip_[k][0]), std::abs(slip_[k][1]), std::abs(speed_[k][0]),
                         std::abs(work_[k]) * per_work});
    };
    // the last two orders: one of them may vanish by symmetry
    constexpr double k_longest = 1e12;
    constexpr double k_least = 1e-300;
    const double last = std::max(size(k_order), k_least);
    const double before = std::max(size(k_order - 1), k_least);
    const double sought = rough_log2(tolerance) - k_log2_missed;
    const double log2_step = std::min((sought - rough_log2(last)) * (1.0 / k_order),
                                      (sought - rough_log2(before)) * (1.0 / (k_order - 1)));
    double step = std::min(k_longest, std::exp2(log2_step));
    // less than half a turn a step, so that directions passed on the way can be told by sign
    for (int i = 0; i < 60; ++i) {
        const Lanes end = math::evaluate_series(slip_, step);
        const Lanes along = end * slip_[0];
        if (along[0] + along[1] > 0.0 && std::isfinite(end[0])) break;
        step *= 0.5;
    }
    step_ = step;
}

SlideSeries::Slip SlideSeries::slip(double tau) const {
    const Lanes v = r0_ * math::evaluate_series(slip_, tau);
    return {v[0], v[1]};
}
Lanes SlideSeries::normal_at(double tau) const {
    if (tau != last_tau_) {
        last_tau_ = tau;
        last_normal_ = math::evaluate_series(normal_, tau);
    }
    return last_normal_;
}
double SlideSeries::normal_impulse(double tau) const {
    return scale_ * normal_at(tau)[0];
}
SlideSeries::Slip SlideSeries::friction_impulse(double tau) const {
    const Lanes v = -mu_ * scale_ * math::evaluate_series(friction_, tau);
    return {v[0], v[1]};
}
double SlideSeries::uz(double tau) const {
    return uz0_ + scale_ * normal_at(tau)[1];
}
double SlideSeries::work(double tau) const {
    return math::evaluate_series(work_, tau);
}
math::ValueSlope SlideSeries::uz_slope(double tau) const {
    const auto v = math::evaluate_series_slope(normal_, tau);
    return {uz0_ + scale_ * v.value[1], scale_ * v.slope[1]};
}
math::ValueSlope SlideSeries::normal_impulse_slope(double tau) const {
    const auto v = math::evaluate_series_slope(normal_, tau);
    return {scale_ * v.value[0], scale_ * v.slope[0]};
}
math::ValueSlope SlideSeries::work_slope(double tau) const {
    const auto v = math::evaluate_series_slope(work_, tau);
    return {v.value, v.slope};
}

}  // namespace carom::impact
