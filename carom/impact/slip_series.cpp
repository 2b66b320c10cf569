// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/slip_series.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/math/cauchy.h"

namespace carom::impact {
namespace {

using math::dot;
using Coefficients = SlipSeries::Coefficients;

double evaluate(const Coefficients& a, double t) {
    return math::evaluate_series(a, t);
}

}  // namespace

// Coefficients that only the recurrences need, some of them backwards.
struct SlipSeries::Work {
    double mu, k1, k2, b1, b2, kappa, q1, q2;
    double k, kt;
    double turn;  // regular: kt/(2 k mu); singular: kt/mu
    double r0;
    Coefficients x, y, uz, w, psi;
    Coefficients back_c, back_s, back_E;

    explicit Work(const CompliantState& s)
        : mu(s.parameters.mu),
          k1(s.K.k1),
          k2(s.K.k2),
          b1(s.K.b1),
          b2(s.K.b2),
          kappa(s.K.kappa),
          q1(s.K.q1),
          q2(s.K.q2),
          k(s.k()),
          kt(s.kt),
          turn(0.0),
          r0(std::sqrt(s.x * s.x + s.y * s.y)) {
        x[0] = s.x;
        y[0] = s.y;
        uz[0] = s.uz;
    }
    void velocities(std::size_t n, const Coefficients& Z, const Coefficients& X,
                    const Coefficients& Y) {
        x[n] = b1 * Z[n] + k1 * X[n];
        y[n] = b2 * Z[n] + k2 * Y[n];
        uz[n] = kappa * Z[n] + q1 * x[n] + q2 * y[n];
    }
};

template <std::size_t k>
[[gnu::always_inline]] inline void SlipSeries::regular_order(Work& w) {
    constexpr double inverse = 1.0 / static_cast<double>(k + 1);
    const double* back_c = w.back_c.data() + (k_order - k);
    const double* back_s = w.back_s.data() + (k_order - k);
    const double* back_E = w.back_E.data() + (k_order - k);
    w.w[k] = w.turn * (dot<k + 1>(w.y.data(), back_c) - dot<k + 1>(w.x.data(), back_s));
    c_[k + 1] = -inverse * dot<k + 1>(w.w.data(), back_s);
    s_[k + 1] = inverse * dot<k + 1>(w.w.data(), back_c);
    Z_[k + 1] = inverse * E_[k];
    X_[k + 1] = -w.mu * inverse * dot<k + 1>(E_.data(), back_c);
    Y_[k + 1] = -w.mu * inverse * dot<k + 1>(E_.data(), back_s);
    E_[k + 1] = -inverse * dot<k + 1>(w.uz.data(), back_E);
    w.velocities(k + 1, Z_, X_, Y_);
    w.back_c[k_order - k - 1] = c_[k + 1];
    w.back_s[k_order - k - 1] = s_[k + 1];
    w.back_E[k_order - k - 1] = E_[k + 1];
}

void SlipSeries::expand_regular() {
    Work w(start_);
    w.turn = w.kt / (2.0 * w.k * w.mu);
    w.back_c[k_order] = c_[0];
    w.back_s[k_order] = s_[0];
    w.back_E[k_order] = E_[0];
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (regular_order<k>(w), ...);
    }
    (std::make_index_sequence<k_order>{});
}

template <std::size_t n>
[[gnu::always_inline]] inline void SlipSeries::singular_order(Work& w) {
    constexpr double inverse = 1.0 / static_cast<double>(n);
    // F, impulse and velocities of order n need only what is there
    E_[n] = -w.k * w.uz[n - 1] * inverse;
    Z_[n] = E_[n - 1] * inverse;
    X_[n] = -w.mu * inverse * dot<n>(E_.data(), w.back_c.data() + (k_order - n + 1));
    Y_[n] = -w.mu * inverse * dot<n>(E_.data(), w.back_s.data() + (k_order - n + 1));
    w.velocities(n, Z_, X_, Y_);
    // c, s of order n without the unknown phi_n; psi_j = j phi_j
    const double* back_c = w.back_c.data() + (k_order - n);
    const double* back_s = w.back_s.data() + (k_order - n);
    const double c_known = -inverse * dot<n - 1>(w.psi.data() + 1, back_s + 1);
    const double s_known = inverse * dot<n - 1>(w.psi.data() + 1, back_c + 1);
    w.back_c[k_order - n] = c_known;
    w.back_s[k_order - n] = s_known;
    const double across = dot<n + 1>(w.y.data(), back_c) - dot<n + 1>(w.x.data(), back_s);
    // sum over 0 < j < n of F_{j+1} psi_{n-j}
    double carried = 0.0;
    for (std::size_t j = 1; j < n; ++j)
        carried += E_[j + 1] * w.psi[n - j];
    const double phi =
        (w.turn * across - carried) / (static_cast<double>(n) * E_[1] + w.turn * w.r0);
    w.psi[n] = static_cast<double>(n) * phi;
    c_[n] = c_known - phi * s_[0];
    s_[n] = s_known + phi * c_[0];
    w.back_c[k_order - n] = c_[n];
    w.back_s[k_order - n] = s_[n];
}

void SlipSeries::expand_singular() {
    Work w(start_);
    w.turn = w.kt / w.mu;
    w.psi[0] = 0.0;
    w.back_c[k_order] = c_[0];
    w.back_s[k_order] = s_[0];
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (singular_order<i + 1>(w), ...);
    }
    (std::make_index_sequence<k_order>{});
}

SlipSeries::SlipSeries(const CompliantState& state, double c, double s, double tolerance)
    : start_(state), singular_(state.F == 0.0), E0_(state.normal_energy()) {
    c_[0] = c;
    s_[0] = s;
    Z_[0] = X_[0] = Y_[0] = 0.0;
    E_[0] = singular_ ? 0.0 : E0_;
    if (singular_) {
        expand_singular();
    } else {
        expand_regular();
    }
    choose_step(tolerance);
}

void SlipSeries::choose_step(double tolerance) {
    // E is compared to its own size at the start, F to its growth
    const double per_E = singular_ ? 0.0 : 1.0 / E_[0];
    const auto log_step = [&](std::size_t n) {
        const double size =
            std::max({std::abs(c_[n]), std::abs(s_[n]), std::abs(E_[n]) * per_E, 1e-300});
        double log = (std::log(tolerance) - std::log(size)) / static_cast<double>(n);
        if (singular_) {
            const double growth = std::max(std::abs(E_[n] / E_[1]), 1e-300);
            log = std::min(log,
                           (std::log(tolerance) - std::log(growth)) / static_cast<double>(n - 1));
        }
        return log;
    };
    step_ = std::exp(std::min(log_step(k_order), log_step(k_order - 1)));
}

SlipSeries::At SlipSeries::at(double t) const {
    const Principal& K = start_.K;
    const double mu = start_.parameters.mu;
    const double k = start_.k();
    At r;
    r.dpx = evaluate(X_, t);
    r.dpy = evaluate(Y_, t);
    r.dpz = evaluate(Z_, t);
    const double dx = K.b1 * r.dpz + K.k1 * r.dpx;
    const double dy = K.b2 * r.dpz + K.k2 * r.dpy;
    r.x = start_.x + dx;
    r.y = start_.y + dy;
    r.uz = start_.uz + K.kappa * r.dpz + K.q1 * dx + K.q2 * dy;
    r.c = evaluate(c_, t);
    r.s = evaluate(s_, t);
    const double E = evaluate(E_, t);
    r.E = singular_ ? 0.5 * E * E / k : E;
    const double speed = E;  // dp_z/dt in both variables
    const double x_slope = speed * (K.b1 - mu * K.k1 * r.c);
    const double y_slope = speed * (K.b2 - mu * K.k2 * r.s);
    const double across = r.y * r.c - r.x * r.s;
    const double turn = singular_ ? (E > 0.0 ? start_.kt / mu * across / E : 0.0)
                                  : start_.kt / (2.0 * k * mu) * across;
    const double pull = mu * k / start_.kt;
    r.uz_slope = K.kappa * speed + K.q1 * x_slope + K.q2 * y_slope;
    r.vs = r.x * r.c + r.y * r.s + pull * r.uz;
    r.vs_slope = x_slope * r.c + y_slope * r.s + across * turn + pull * r.uz_slope;
    return r;
}

}  // namespace carom::impact
