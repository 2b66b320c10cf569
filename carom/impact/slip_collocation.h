// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/LU>
#include <array>

#include "carom/impact/compliant_state.h"
#include "carom/math/radau.h"

namespace carom::impact {

// One implicit step of compliant slip, with the normal impulse as the variable.
//
// While the particle slips, dp_t/dp_z = -mu e_, so that contact velocity and normal energy E are
// integrals of e_ = (cos phi, sin phi), and one unknown function is left:
//     d phi/dp_z = (u_t.e_perp) kt/(2 k mu E).
// Its values at the nodes of Radau IIA are found by Newton; the step is stiffly accurate, which
// holds phi on u_t where the springs are much faster than the slip turns. The variable of a step is
// xi in [0, 1] with p_z = a quadratic in xi: that makes the solution smooth both where E starts
// from zero (p_z ~ xi^2) and where it ends there.
class SlipCollocation {
public:
    static constexpr std::size_t k_nodes = math::Radau8::k_nodes;
    using Nodes = std::array<double, k_nodes>;

    explicit SlipCollocation(const CompliantState& state, double phi);

    // The map p_z - p_z(start) = linear xi + quadratic xi^2.
    struct Map {
        double linear, quadratic;
        double impulse(double xi) const { return xi * (linear + quadratic * xi); }
        double rate(double xi) const { return linear + 2.0 * quadratic * xi; }
    };

    // Solves the step; false when Newton fails or the energy runs out on the way.
    bool solve(const Map& map);
    // The same from the last solution, for steps that differ little from it.
    bool solve_near(const Map& map);

    // How well the solution is resolved: the last Legendre coefficient of phi.
    double unresolved() const { return unresolved_; }

    // At the nodes: particle velocity v_s, normal velocity, normal energy.
    const Nodes& particle_speed() const { return vs_; }
    const Nodes& uz() const { return uz_; }
    const Nodes& energy() const { return E_; }

    // Brings the state to node i.
    void apply(std::size_t i, CompliantState& state, double& phi) const;

private:
    using Matrix = Eigen::Matrix<double, static_cast<int>(k_nodes), static_cast<int>(k_nodes)>;
    using Vector = Eigen::Matrix<double, static_cast<int>(k_nodes), 1>;

    void set_map(const Map& map);
    void evaluate();
    bool energy_left() const;
    void factorise();
    bool correct();
    bool settle();

    const CompliantState& start_;
    double phi0_;
    double E0_, stiffness_;  // stiffness kt/(2 k mu)
    Map map_{};
    Nodes weight_{}, dpz_{};
    Nodes phi_{}, c_{}, s_{}, Pc_{}, Ps_{}, x_{}, y_{}, uz_{}, E_{}, G_{}, vs_{};
    double unresolved_ = 0.0;
    double last_update_ = 0.0;
    bool solved_ = false;
    Eigen::PartialPivLU<Matrix> newton_;  // factors of the derivative of the equations
};

}  // namespace carom::impact
