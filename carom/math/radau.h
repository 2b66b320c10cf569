// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

namespace carom::math {

// Radau IIA collocation on [0, 1] with eight nodes: order 15, stiffly accurate.
//
// node[7] = 1. integral[i][j] is the integral of the j-th Lagrange polynomial from 0 to node[i].
// between[i][j] interpolates values at 0 and the nodes (j = 0 is the start) to the middle of each
// gap. last[j] gives, from values at the nodes, the highest Legendre coefficient of the polynomial
// through them: the measure of how well it is resolved. twice and twice_by_node are the integrals
// of integrals, A A and A diag(node) A with A = integral.
struct Radau8 {
    static constexpr std::size_t k_nodes = 8;
    std::array<double, k_nodes> node;
    std::array<std::array<double, k_nodes>, k_nodes> integral;
    std::array<std::array<double, k_nodes + 1>, k_nodes> between;
    std::array<double, k_nodes> last;
    std::array<std::array<double, k_nodes>, k_nodes> twice;
    std::array<std::array<double, k_nodes>, k_nodes> twice_by_node;
};

const Radau8& radau8();

}  // namespace carom::math
