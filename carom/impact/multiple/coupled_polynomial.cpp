// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/coupled_polynomial.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace carom::impact {
namespace {

constexpr int k_degree = k_step_nodes - 1;

StepNodes make_step_nodes() {
    using Wide = Eigen::Matrix<long double, k_step_nodes, k_step_nodes>;
    const math::Radau8& radau = math::radau8();
    StepNodes nodes;
    Wide basis;  // row i: the Bernstein polynomials at node i
    for (int i = 0; i < k_step_nodes; ++i) {
        const auto at = static_cast<std::size_t>(i);
        nodes.s[i] = radau.node[at];
        nodes.last[i] = radau.last[at];
        for (int j = 0; j < k_step_nodes; ++j) {
            nodes.integral_T(j, i) = radau.integral[at][static_cast<std::size_t>(j)];
        }
        const auto s = static_cast<long double>(radau.node[at]);
        long double choose = 1;
        for (int k = 0; k <= k_degree; ++k) {
            basis(i, k) = choose * std::pow(s, static_cast<long double>(k)) *
                          std::pow(1 - s, static_cast<long double>(k_degree - k));
            choose = choose * (k_degree - k) / (k + 1);
        }
    }
    nodes.bernstein = basis.inverse().cast<double>().transpose();
    for (int i = 0; i <= k_step_nodes; ++i) {
        const double at = i == 0 ? 0.0 : nodes.s[i - 1];
        double product = 1.0;
        for (int j = 0; j <= k_step_nodes; ++j) {
            if (j != i) product *= at - (j == 0 ? 0.0 : nodes.s[j - 1]);
        }
        nodes.barycentric[i] = 1.0 / product;
    }
    return nodes;
}

// Splits Bernstein coefficients at the middle: those of the left half and of the right half.
void split(const NodeValues& b, NodeValues& left, NodeValues& right) {
    right = b;
    for (int k = 0; k <= k_degree; ++k) {
        left[k] = right[0];
        for (int i = 0; i < k_degree - k; ++i)
            right[i] = 0.5 * (right[i] + right[i + 1]);
    }
}

int sign_changes(const NodeValues& b) {
    int changes = 0;
    for (int k = 1; k <= k_degree; ++k)
        changes += (b[k] < 0.0) != (b[k - 1] < 0.0);
    return changes;
}

// The first fall in the piece [low, low + width] with these coefficients.
std::optional<double> search(const NodeValues& b, double low, double width, int depth) {
    constexpr int k_deepest = 48;
    if (b[0] < 0.0) return low;
    if (sign_changes(b) == 0) return std::nullopt;
    if (depth == k_deepest) return low;
    NodeValues left, right;
    split(b, left, right);
    const double half = 0.5 * width;
    if (const auto found = search(left, low, half, depth + 1)) return found;
    return search(right, low + half, half, depth + 1);
}

}  // namespace

const StepNodes& step_nodes() {
    static const StepNodes nodes = make_step_nodes();
    return nodes;
}

NodeValues weights_at(double s) {
    const StepNodes& nodes = step_nodes();
    NodeValues weights = NodeValues::Zero();
    if (s == 0.0) return weights;
    double sum = nodes.barycentric[0] / s;
    for (int k = 0; k < k_step_nodes; ++k) {
        if (s == nodes.s[k]) {
            weights.setZero();
            weights[k] = 1.0;
            return weights;
        }
        weights[k] = nodes.barycentric[k + 1] / (s - nodes.s[k]);
        sum += weights[k];
    }
    return weights / sum;
}

std::optional<double> first_fall(const NodeValues& values) {
    NodeValues b = values * step_nodes().bernstein;
    const double size = b.cwiseAbs().maxCoeff();
    if (b.minCoeff() > -k_sign_noise * size) return std::nullopt;
    b.array() += k_sign_noise * size;
    return search(b, 0.0, 1.0, 0);
}

}  // namespace carom::impact
