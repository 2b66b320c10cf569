// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <optional>

#include "carom/math/radau.h"

namespace carom::impact {

// Functions on one step of the coupled integration, known by their values at the nodes of
// math::Radau8; s in [0, 1] is the part of the step.
inline constexpr int k_step_nodes = static_cast<int>(math::Radau8::k_nodes);
using NodeValues = Eigen::Matrix<double, 1, k_step_nodes>;
using NodeTable = Eigen::Matrix<double, Eigen::Dynamic, k_step_nodes>;  // one function per row
using NodeMatrix = Eigen::Matrix<double, k_step_nodes, k_step_nodes>;

struct StepNodes {
    NodeValues s;           // where the nodes are
    NodeMatrix integral_T;  // values * integral_T are the integrals from 0 to the nodes
    NodeValues last;        // the highest Legendre coefficient: how well the values resolve
    NodeMatrix bernstein;   // from values to the coefficients of the Bernstein basis of degree 7
    Eigen::Matrix<double, 1, k_step_nodes + 1> barycentric;  // of the points 0 and the nodes
};
const StepNodes& step_nodes();

// The weights w with y(s) = y(0) + sum w_k (y(s_k) - y(0)) for polynomials y of degree 8.
NodeValues weights_at(double s);

// The first s in [0, 1] at which the polynomial of degree 7 through the values falls to zero, none
// where it stays positive. Isolated by the signs of Bernstein coefficients, so that no pair of
// zeros inside the step is missed. A negative value below k_sign_noise of the largest coefficient
// counts as zero; ten times more would let events slip by for ten times longer.
std::optional<double> first_fall(const NodeValues& values);
inline constexpr double k_sign_noise = 1e-12;

}  // namespace carom::impact
