// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/slip_series.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom::impact {

using math::Lanes;

// Coefficients that only the recurrences need.
struct SlipSeries::Work {
    Lanes k, b, q;  // of K
    double kappa, mu;
    double stiffness;
    double turn;  // regular: kt/(2 k mu); singular: kt/mu
    double r0;
    Pairs slip;    // x, y
    Pairs across;  // -s, c: the direction turned by a right angle
    Pairs energy;  // E twice (F for the singular start)
    Pairs rate;    // regular: w twice; singular: psi_n = n phi_n twice
    std::array<double, k_order + 1> uz, E;

    explicit Work(const CompliantState& s)
        : k{s.K.k1, s.K.k2},
          b{s.K.b1, s.K.b2},
          q{s.K.q1, s.K.q2},
          kappa(s.K.kappa),
          mu(s.parameters.mu),
          stiffness(s.k()),
          turn(0.0),
          r0(std::sqrt(s.x * s.x + s.y * s.y)) {
        slip[0] = Lanes{s.x, s.y};
        uz[0] = s.uz;
    }
    [[gnu::always_inline]] void velocities(std::size_t n, double z, Lanes p_t) {
        slip[n] = b * z + k * p_t;
        const Lanes held = q * slip[n];
        uz[n] = kappa * z + (held[0] + held[1]);
    }
};

template <std::size_t k>
[[gnu::always_inline]] inline void SlipSeries::regular_order(Work& w) {
    constexpr double inverse = 1.0 / static_cast<double>(k + 1);
    const Lanes turning = math::product<k + 1>(w.slip.data(), w.across.data());
    const double rate = w.turn * (turning[0] + turning[1]);
    w.rate[k] = Lanes{rate, rate};
    const Lanes direction = inverse * math::product<k + 1>(w.rate.data(), w.across.data());
    const double z = inverse * w.energy[k][0];
    const Lanes p_t = (-w.mu * inverse) * math::product<k + 1>(w.energy.data(), direction_.data());
    const double E = -inverse * math::product<k + 1>(w.uz.data(), w.E.data());
    direction_[k + 1] = direction;
    friction_[k + 1] = p_t;
    normal_[k + 1] = Lanes{E, z};
    w.velocities(k + 1, z, p_t);
    w.across[k + 1] = Lanes{-direction[1], direction[0]};
    w.energy[k + 1] = Lanes{E, E};
    w.E[k + 1] = E;
}

void SlipSeries::expand_regular() {
    Work w(start_);
    w.turn = start_.kt / (2.0 * w.stiffness * w.mu);
    w.across[0] = Lanes{-direction_[0][1], direction_[0][0]};
    w.energy[0] = Lanes{E0_, E0_};
    w.E[0] = E0_;
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        (regular_order<k>(w), ...);
    }
    (std::make_index_sequence<k_order>{});
}

template <std::size_t n>
[[gnu::always_inline]] inline void SlipSeries::singular_order(Work& w) {
    constexpr double inverse = 1.0 / static_cast<double>(n);
    // F, impulse and velocities of order n need only what is there
    const double F = -w.stiffness * w.uz[n - 1] * inverse;
    const double z = w.energy[n - 1][0] * inverse;
    const Lanes p_t = (-w.mu * inverse) * math::product<n>(w.energy.data(), direction_.data());
    w.energy[n] = Lanes{F, F};
    normal_[n] = Lanes{F, z};
    friction_[n] = p_t;
    w.velocities(n, z, p_t);
    // the direction of order n without the unknown phi_n
    const Lanes known = inverse * math::product<n - 1>(w.rate.data() + 1, w.across.data() + 1);
    w.across[n] = Lanes{-known[1], known[0]};
    const Lanes turning = math::product<n + 1>(w.slip.data(), w.across.data());
    // the sum over 0 < j < n of F_{j+1} psi_{n-j}
    const Lanes carried = math::product<n - 1>(w.energy.data() + 2, w.rate.data() + 1);
    const double F1 = w.energy[1][0];
    const double phi = (w.turn * (turning[0] + turning[1]) - carried[0]) /
                       (static_cast<double>(n) * F1 + w.turn * w.r0);
    const double psi = static_cast<double>(n) * phi;
    w.rate[n] = Lanes{psi, psi};
    direction_[n] = known + phi * w.across[0];
    w.across[n] = Lanes{-direction_[n][1], direction_[n][0]};
}

void SlipSeries::expand_singular() {
    Work w(start_);
    w.turn = start_.kt / w.mu;
    w.across[0] = Lanes{-direction_[0][1], direction_[0][0]};
    w.energy[0] = Lanes{0.0, 0.0};
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (singular_order<i + 1>(w), ...);
    }
    (std::make_index_sequence<k_order>{});
}

SlipSeries::SlipSeries(const CompliantState& state, double c, double s, double tolerance)
    : start_(state), singular_(state.F == 0.0), E0_(state.normal_energy()) {
    direction_[0] = Lanes{c, s};
    friction_[0] = Lanes{0.0, 0.0};
    normal_[0] = Lanes{singular_ ? 0.0 : E0_, 0.0};
    if (singular_) {
        expand_singular();
    } else {
        expand_regular();
    }
    choose_step(tolerance);
}

void SlipSeries::choose_step(double tolerance) {
    // E is compared to its own size at the start, F to its growth
    const double per_E = singular_ ? 0.0 : 1.0 / E0_;
    const auto log_step = [&](std::size_t n) {
        const double size = std::max({std::abs(direction_[n][0]), std::abs(direction_[n][1]),
                                      std::abs(normal_[n][0]) * per_E, 1e-300});
        double log = std::log(tolerance / size) / static_cast<double>(n);
        if (singular_) {
            const double growth = std::max(std::abs(normal_[n][0] / normal_[1][0]), 1e-300);
            log = std::min(log, std::log(tolerance / growth) / static_cast<double>(n - 1));
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
    const Lanes p_t = math::evaluate_series(friction_, t);
    const Lanes direction = math::evaluate_series(direction_, t);
    const Lanes normal = math::evaluate_series(normal_, t);
    r.dpx = p_t[0];
    r.dpy = p_t[1];
    r.dpz = normal[1];
    const double dx = K.b1 * r.dpz + K.k1 * r.dpx;
    const double dy = K.b2 * r.dpz + K.k2 * r.dpy;
    r.x = start_.x + dx;
    r.y = start_.y + dy;
    r.uz = start_.uz + K.kappa * r.dpz + K.q1 * dx + K.q2 * dy;
    r.c = direction[0];
    r.s = direction[1];
    const double E = normal[0];
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
