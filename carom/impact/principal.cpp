// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/principal.h"

#include <algorithm>
#include <cmath>

namespace carom::impact {
namespace {

// One Jacobi rotation of the tangential block, in the precision of Real.
template <class Real>
Principal turned(const Mat3& K) {
    const Real k00 = K(0, 0), k01 = K(1, 0), k11 = K(1, 1), k02 = K(2, 0), k12 = K(2, 1);
    const Real k22 = K(2, 2);
    Real c = 1, s = 0, t = 0;
    if (k01 != 0) {
        const Real cot = (k11 - k00) / (2 * k01);
        t = 1 / (std::abs(cot) + std::sqrt(1 + cot * cot));
        if (cot < 0) t = -t;
        c = 1 / std::sqrt(1 + t * t);
        s = t * c;
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
    constexpr double k_settled = 1e-9;
    double low = 0.0;
    double high = std::sqrt(v1 * v1 + v2 * v2);
    double lambda = 0.0;
    // lambda = |v| - a lies right of the root for the smaller a, left of it for the larger one
    lambda = std::max(0.0, high - std::max(a1, a2));
    double c1 = 0.0;
    double c2 = 0.0;
    for (int i = 0; i < 100; ++i) {
        const double d1 = lambda + a1;
        const double d2 = lambda + a2;
        c1 = v1 == 0.0 ? 0.0 : v1 / d1;
        c2 = v2 == 0.0 ? 0.0 : v2 / d2;
        const double norm2 = c1 * c1 + c2 * c2;
        const double norm = std::sqrt(norm2);
        const double slope = c1 * c1 / d1 + c2 * c2 / d2;
        if (norm > 1.0) {
            low = lambda;
        } else {
            high = lambda;
        }
        const double step = norm2 * (norm - 1.0) / (slope > 0.0 ? slope : 1.0);
        double next = lambda + step;
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        const double moved = std::abs(next - lambda);
        lambda = next;
        // quadratic convergence: the next step would be below rounding
        if (moved <= k_settled * (lambda + std::min(a1, a2))) break;
    }
    c1 = v1 == 0.0 ? 0.0 : v1 / (lambda + a1);
    c2 = v2 == 0.0 ? 0.0 : v2 / (lambda + a2);
    const double scale = 1.0 / std::sqrt(c1 * c1 + c2 * c2);
    return {c1 * scale, c2 * scale, lambda};
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
