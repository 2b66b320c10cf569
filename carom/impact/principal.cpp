// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/principal.h"

#include <algorithm>
#include <cmath>

#include "carom/math/cauchy.h"

namespace carom::impact {
namespace {

using math::Lanes;

// One Jacobi rotation of the tangential block, in the precision of Real.
template <class Real>
Principal turned(const Mat3& K) {
    const auto entry = [&](int i, int j) { return static_cast<Real>(K(i, j)); };
    const Real k00 = entry(0, 0), k01 = entry(1, 0), k11 = entry(1, 1);
    const Real k02 = entry(2, 0), k12 = entry(2, 1), k22 = entry(2, 2);
    Real c = 1, s = 0, t = 0;
    if (k01 != 0) {
        // t = tan of the angle; c = sum/root and s = k01/root have one root and one quotient
        const Real half = (k11 - k00) / 2;
        const Real length = std::sqrt(half * half + k01 * k01);
        const Real sum = std::abs(half) + length;
        const Real signed_k01 = k01 * std::copysign(Real(1), half);
        const Real inverse = 1 / std::sqrt(2 * length * sum);
        t = signed_k01 / sum;
        c = sum * inverse;
        s = signed_k01 * inverse;
    }
    const Real k1 = k00 - t * k01;
    const Real k2 = k11 + t * k01;
    const Real b1 = c * k02 - s * k12;
    const Real b2 = s * k02 + c * k12;
    const Real i1 = 1 / k1;
    const Real i2 = 1 / k2;
    const Real q1 = b1 * i1;
    const Real q2 = b2 * i2;
    const Real kappa = k22 - b1 * q1 - b2 * q2;
    const auto round = [](Real v) { return static_cast<double>(v); };
    return {round(k1), round(k2), round(b1), round(b2), round(k22), round(kappa), round(q1),
            round(q2), round(i1), round(i2), round(c),  round(s),   false};
}

}  // namespace

Principal make_principal(const Mat3& K) {
    const Principal fast = turned<double>(K);
    constexpr double k_well = 0.03;
    if (std::min(fast.k1, fast.k2) > k_well * std::max(fast.k1, fast.k2) &&
        fast.kappa > k_well * fast.k33) {
        return fast;
    }
    Principal wide = turned<long double>(K);
    wide.stiff = true;
    return wide;
}

UnitSlip solve_secular(double a1, double a2, double v1, double v2) {
    constexpr double k_settled = 1e-15;
    constexpr double k_least = 1e-300;  // a zero over zero is a zero here
    const double squared = v1 * v1 + v2 * v2;
    const double length = std::sqrt(squared);
    const double smallest = std::min(a1, a2);
    double low = 0.0;
    double high = length;
    // with the mean of a weighted by v^2 this lies left of the root, and close (Jensen)
    const double mean = (a1 * v1 * v1 + a2 * v2 * v2) / std::max(squared, k_least);
    double lambda = std::max(0.0, length - mean);
    const Lanes a{a1, a2};
    const Lanes v{v1, v2};
    const auto inverse = [&](double l) {
        const Lanes d = a + l;
        return 1.0 / Lanes{std::max(d[0], k_least), std::max(d[1], k_least)};
    };
    for (int i = 0; i < 100; ++i) {
        const Lanes inv = inverse(lambda);
        const Lanes c = v * inv;
        const Lanes square = c * c;
        const Lanes falling = square * inv;
        const Lanes second = falling * inv;
        const double norm2 = square[0] + square[1];
        const double slope = std::max(falling[0] + falling[1], k_least);
        // Newton's step, with |c| - 1 as a quotient in |c|^2, good to fifth order, and how much
        // longer the curvature makes it: Chebyshev's
        const double by_slope = 1.0 / slope;
        const double straight =
            4.0 * norm2 * (norm2 - 1.0) * (norm2 + 1.0) / ((norm2 * (norm2 + 10.0) + 5.0) * slope);
        const double bend = 1.5 * straight * ((second[0] + second[1]) * by_slope - slope / norm2);
        (norm2 > 1.0 ? low : high) = lambda;
        double next = lambda + straight * (1.0 + bend);
        const bool inside = next >= low && next <= high;
        if (!inside) next = 0.5 * (low + high);
        const double size = next + smallest;
        const double moved = std::abs(next - lambda);
        lambda = next;
        // cubic convergence: what is left after a step that stayed inside
        const double left =
            inside ? 4.0 * moved * std::abs(bend) * (moved + std::abs(bend) * size) : moved * size;
        if (left <= k_settled * size * size) break;
    }
    const Lanes c = v * inverse(lambda);
    const Lanes square = c * c;
    const double norm2 = square[0] + square[1];
    constexpr double k_nearly_one = 1e-8;
    const double scale =
        std::abs(norm2 - 1.0) < k_nearly_one ? 1.5 - 0.5 * norm2 : 1.0 / std::sqrt(norm2);
    return {c[0] * scale, c[1] * scale, lambda};
}

TangentialImpulse friction_for_normal(const Principal& K, double x, double y, double pz,
                                      double mu) {
    const double vx = x + K.b1 * pz;
    const double vy = y + K.b2 * pz;
    const double sx = -vx * K.i1;
    const double sy = -vy * K.i2;
    const double limit = mu * pz;
    if (sx * sx + sy * sy <= limit * limit) return {sx, sy, true, 0.0, 0.0};
    const UnitSlip slip = solve_secular(limit * K.k1, limit * K.k2, vx, vy);
    return {-limit * slip.c1, -limit * slip.c2, false, slip.lambda * slip.c1,
            slip.lambda * slip.c2};
}

}  // namespace carom::impact
