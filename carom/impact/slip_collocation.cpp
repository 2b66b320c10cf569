// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/slip_collocation.h"

#include <algorithm>
#include <cmath>

#include "carom/impact/tolerances.h"

namespace carom::impact {

SlipCollocation::SlipCollocation(const CompliantState& state, double phi)
    : start_(state),
      phi0_(phi),
      E0_(state.normal_energy()),
      stiffness_(state.kt / (2.0 * state.k() * state.parameters.mu)) {}

void SlipCollocation::evaluate() {
    const auto& A = math::radau8().integral;
    const Principal& K = start_.K;
    const double mu = start_.parameters.mu;
    for (std::size_t i = 0; i < k_nodes; ++i) {
        c_[i] = std::cos(phi_[i]);
        s_[i] = std::sin(phi_[i]);
    }
    for (std::size_t i = 0; i < k_nodes; ++i) {
        double pc = 0.0, ps = 0.0;
        for (std::size_t j = 0; j < k_nodes; ++j) {
            pc += A[i][j] * weight_[j] * c_[j];
            ps += A[i][j] * weight_[j] * s_[j];
        }
        Pc_[i] = pc;
        Ps_[i] = ps;
        const double dx = K.b1 * dpz_[i] - mu * K.k1 * pc;
        const double dy = K.b2 * dpz_[i] - mu * K.k2 * ps;
        x_[i] = start_.x + dx;
        y_[i] = start_.y + dy;
        uz_[i] = start_.uz + K.kappa * dpz_[i] + K.q1 * dx + K.q2 * dy;
    }
    const double pull = mu * start_.k() / start_.kt;
    for (std::size_t i = 0; i < k_nodes; ++i) {
        double E = E0_;
        for (std::size_t j = 0; j < k_nodes; ++j)
            E -= A[i][j] * weight_[j] * uz_[j];
        E_[i] = E;
        G_[i] = stiffness_ * (y_[i] * c_[i] - x_[i] * s_[i]) / E;
        vs_[i] = x_[i] * c_[i] + y_[i] * s_[i] + pull * uz_[i];
    }
}

void SlipCollocation::factorise() {
    const math::Radau8& radau = math::radau8();
    const auto& A = radau.integral;
    const Principal& K = start_.K;
    const double mu = start_.parameters.mu;
    // derivatives with respect to phi_l of G, through u_t and through E, and of the equations
    Matrix dG, WA;
    for (std::size_t l = 0; l < k_nodes; ++l) {
        const int column = static_cast<int>(l);
        const double push = mu * weight_[l];
        const double turn = push * (K.b1 * s_[l] - K.b2 * c_[l]);
        for (std::size_t j = 0; j < k_nodes; ++j) {
            const double factor = stiffness_ / E_[j];
            const double across = -push * A[j][l] * (K.k1 * s_[j] * s_[l] + K.k2 * c_[j] * c_[l]);
            const double dE = -turn * (map_.linear * radau.twice[j][l] +
                                       2.0 * map_.quadratic * radau.twice_by_node[j][l]);
            dG(static_cast<int>(j), column) = factor * across - G_[j] / E_[j] * dE;
            WA(static_cast<int>(j), column) = A[j][l] * weight_[l];
        }
        dG(column, column) -= stiffness_ / E_[l] * (x_[l] * c_[l] + y_[l] * s_[l]);
    }
    Matrix J = Matrix::Identity();
    J.noalias() -= WA.lazyProduct(dG);
    newton_.compute(J);
}

bool SlipCollocation::correct() {
    const auto& A = math::radau8().integral;
    Vector residual;
    for (std::size_t i = 0; i < k_nodes; ++i) {
        double r = phi_[i] - phi0_;
        for (std::size_t j = 0; j < k_nodes; ++j)
            r -= A[i][j] * weight_[j] * G_[j];
        residual[static_cast<int>(i)] = r;
    }
    const Vector update = newton_.solve(residual);
    last_update_ = update.cwiseAbs().maxCoeff();
    if (!(last_update_ < 1.0)) return false;
    for (std::size_t i = 0; i < k_nodes; ++i)
        phi_[i] -= update[static_cast<int>(i)];
    return true;
}

bool SlipCollocation::energy_left() const {
    return std::all_of(E_.begin(), E_.end(), [](double E) { return E > 0.0; });
}

// Newton, with the derivative kept once its steps are small and as long as they shrink fast.
bool SlipCollocation::settle() {
    constexpr int k_most = 20;
    constexpr double k_small = 1e-2;
    constexpr double k_fast = 0.05;
    double before = 1.0;
    bool keep = false;
    for (int n = 0; n < k_most; ++n) {
        evaluate();
        if (!energy_left()) return false;
        if (!keep) factorise();
        if (!correct()) return false;
        const double shrink = last_update_ / before;
        // what the next step would be, or rounding stops them
        if (last_update_ * std::min(1.0, 10.0 * shrink) < k_tolerances.collocation ||
            (last_update_ < 1e-10 && shrink > 0.3)) {
            return true;
        }
        keep = last_update_ < k_small && (!keep || shrink < k_fast);
        before = last_update_;
    }
    return false;
}

void SlipCollocation::set_map(const Map& map) {
    const math::Radau8& radau = math::radau8();
    map_ = map;
    for (std::size_t i = 0; i < k_nodes; ++i) {
        weight_[i] = map.rate(radau.node[i]);
        dpz_[i] = map.impulse(radau.node[i]);
    }
}

bool SlipCollocation::solve(const Map& map) {
    set_map(map);
    phi_.fill(phi0_);
    solved_ = false;
    if (!settle()) return false;
    evaluate();
    if (!energy_left()) return false;
    const math::Radau8& radau = math::radau8();
    double last = 0.0;
    for (std::size_t j = 0; j < k_nodes; ++j)
        last += radau.last[j] * phi_[j];
    unresolved_ = std::abs(last);
    solved_ = std::isfinite(unresolved_);
    return solved_;
}

bool SlipCollocation::solve_near(const Map& map) {
    if (!solved_) return solve(map);
    set_map(map);
    if (!settle()) return solve(map);
    evaluate();
    return energy_left();
}

void SlipCollocation::apply(std::size_t i, CompliantState& state, double& phi) const {
    const double mu = start_.parameters.mu;
    // read everything from the start before the state, which may be the same object, changes
    const double px = start_.px - mu * Pc_[i];
    const double py = start_.py - mu * Ps_[i];
    const double pz = start_.pz + dpz_[i];
    state.px = px;
    state.py = py;
    state.pz = pz;
    state.x = x_[i];
    state.y = y_[i];
    state.uz = uz_[i];
    state.F = std::sqrt(2.0 * state.k() * E_[i]);
    phi = phi_[i];
    state.dx = mu * state.F / state.kt * c_[i];
    state.dy = mu * state.F / state.kt * s_[i];
}

}  // namespace carom::impact
