// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/slip_collocation.h"

#include <Eigen/LU>
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

bool SlipCollocation::newton_step() {
    const auto& A = math::radau8().integral;
    const Principal& K = start_.K;
    const double mu = start_.parameters.mu;
    using Matrix = Eigen::Matrix<double, static_cast<int>(k_nodes), static_cast<int>(k_nodes)>;
    using Vector = Eigen::Matrix<double, static_cast<int>(k_nodes), 1>;

    // derivatives with respect to phi_l of u_z, then E, then G
    Matrix duz, dG, J;
    for (std::size_t l = 0; l < k_nodes; ++l) {
        const double turn = mu * weight_[l] * (K.b1 * s_[l] - K.b2 * c_[l]);
        for (std::size_t j = 0; j < k_nodes; ++j) {
            duz(static_cast<int>(j), static_cast<int>(l)) = A[j][l] * turn;
        }
    }
    Matrix WA;
    for (std::size_t i = 0; i < k_nodes; ++i) {
        for (std::size_t j = 0; j < k_nodes; ++j) {
            WA(static_cast<int>(i), static_cast<int>(j)) = A[i][j] * weight_[j];
        }
    }
    const Matrix dE = -WA * duz;
    for (std::size_t j = 0; j < k_nodes; ++j) {
        const int row = static_cast<int>(j);
        const double factor = stiffness_ / E_[j];
        for (std::size_t l = 0; l < k_nodes; ++l) {
            const int column = static_cast<int>(l);
            const double across =
                -mu * A[j][l] * weight_[l] * (K.k1 * s_[j] * s_[l] + K.k2 * c_[j] * c_[l]);
            dG(row, column) = factor * across - G_[j] / E_[j] * dE(row, column);
        }
        dG(row, row) -= factor * (x_[j] * c_[j] + y_[j] * s_[j]);
    }
    J = Matrix::Identity() - WA * dG;
    Vector residual;
    for (std::size_t i = 0; i < k_nodes; ++i) {
        double r = phi_[i] - phi0_;
        for (std::size_t j = 0; j < k_nodes; ++j)
            r -= A[i][j] * weight_[j] * G_[j];
        residual[static_cast<int>(i)] = r;
    }
    const Vector update = J.partialPivLu().solve(residual);
    last_update_ = update.cwiseAbs().maxCoeff();
    if (!(last_update_ < 1.0)) return false;
    for (std::size_t i = 0; i < k_nodes; ++i)
        phi_[i] -= update[static_cast<int>(i)];
    return true;
}

bool SlipCollocation::solve(const Map& map) {
    const math::Radau8& radau = math::radau8();
    map_ = map;
    for (std::size_t i = 0; i < k_nodes; ++i) {
        weight_[i] = map.rate(radau.node[i]);
        dpz_[i] = map.impulse(radau.node[i]);
        phi_[i] = phi0_;
    }
    double before = 1.0;
    bool settled = false;
    for (int n = 0; n < 14 && !settled; ++n) {
        evaluate();
        for (const double E : E_) {
            if (!(E > 0.0)) return false;
        }
        if (!newton_step()) return false;
        settled = last_update_ < k_tolerances.collocation ||
                  (last_update_ < 1e-10 && last_update_ > 0.3 * before);
        before = last_update_;
    }
    if (!settled) return false;
    evaluate();
    double last = 0.0;
    for (std::size_t j = 0; j < k_nodes; ++j) {
        if (!(E_[j] > 0.0)) return false;
        last += radau.last[j] * phi_[j];
    }
    unresolved_ = std::abs(last);
    return std::isfinite(unresolved_);
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
