// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/ray_series.h"

#include <array>
#include <cmath>

#include "carom/impact/tolerances.h"

namespace carom::impact {
namespace {

constexpr std::size_t k_terms = 16;
using Series = std::array<double, k_terms>;

constexpr Series make_inverse_factorials() {
    Series a{};
    a[0] = 1.0;
    for (std::size_t k = 1; k < k_terms; ++k) a[k] = a[k - 1] / static_cast<double>(k);
    return a;
}
constexpr Series k_inverse_factorial = make_inverse_factorials();

// Taylor coefficients of f, g, cos and sin about the direction (c, s).
struct Expansion {
    Series f, g, cosine, sine;
};

Expansion expand(const Principal& K, double mu, double c, double s) {
    Expansion e;
    const double c2 = (c - s) * (c + s);
    const double s2 = 2.0 * s * c;
    const double D = 0.5 * mu * (K.k1 - K.k2);
    const double S = 0.5 * mu * (K.k1 + K.k2);
    // the k-th derivatives of cos and sin turn by a quarter each time
    const std::array<double, 4> cos_turn{c, -s, -c, s};
    const std::array<double, 4> cos2_turn{c2, -s2, -c2, s2};
    double two_k = 1.0;
    for (std::size_t k = 0; k < k_terms; ++k) {
        const double a = k_inverse_factorial[k];
        const double dc = cos_turn[k % 4];
        const double ds = cos_turn[(k + 3) % 4];
        const double dc2 = two_k * cos2_turn[k % 4];
        const double ds2 = two_k * cos2_turn[(k + 3) % 4];
        e.cosine[k] = a * dc;
        e.sine[k] = a * ds;
        e.f[k] = a * (D * ds2 - K.b1 * ds + K.b2 * dc);
        e.g[k] = a * (-D * dc2 + K.b1 * dc + K.b2 * ds);
        two_k *= 2.0;
    }
    e.g[0] -= S;
    return e;
}

// The analytic solution of f y' + weight g y = -rhs about a zero of f.
Series solve(const Expansion& e, double weight, const Series& rhs) {
    Series y;
    for (std::size_t n = 0; n < k_terms; ++n) {
        double sum = -rhs[n];
        for (std::size_t k = 1; k <= n; ++k) {
            sum -= weight * e.g[k] * y[n - k];
            if (k >= 2) sum -= e.f[k] * static_cast<double>(n - k + 1) * y[n - k + 1];
        }
        y[n] = sum / (static_cast<double>(n) * e.f[1] + weight * e.g[0]);
    }
    return y;
}

double evaluate(const Series& a, double t) {
    double sum = 0.0;
    for (std::size_t k = k_terms; k-- > 0;) sum = sum * t + a[k];
    return sum;
}

// Newton on f from the direction (c, s); returns the angle from there to the ray, and turns (c, s)
// to it.
double turn_to_ray(const Principal& K, double mu, double& c, double& s) {
    const double c0 = c;
    const double s0 = s;
    double angle = 0.0;
    for (int i = 0; i < 8; ++i) {
        const RayField field = ray_field(K, mu, c, s);
        const double step = -field.f / field.f_th;
        angle += step;
        const double dc = std::cos(angle);
        const double ds = std::sin(angle);
        c = c0 * dc - s0 * ds;
        s = s0 * dc + c0 * ds;
        if (!(std::abs(step) > 1e-15)) break;
        if (!(std::abs(angle) < 1.0)) break;
    }
    return angle;
}

}  // namespace

RayField ray_field(const Principal& K, double mu, double c, double s) {
    const double d = mu * (K.k1 - K.k2);
    const double bc = K.b1 * c + K.b2 * s;
    return {d * s * c - K.b1 * s + K.b2 * c, d * (c - s) * (c + s) - bc,
            bc - mu * (K.k1 * c * c + K.k2 * s * s)};
}

double growth_on_ray(const Principal& K, double mu, double c, double s) {
    const double size1 = (std::abs(K.b1) + mu * K.k1) * std::abs(s);
    const double size2 = (std::abs(K.b2) + mu * K.k2) * std::abs(c);
    if (size1 <= size2 && c != 0.0) return (K.b1 - mu * K.k1 * c) / c;
    return s != 0.0 ? (K.b2 - mu * K.k2 * s) / s : (K.b1 - mu * K.k1 * c) / c;
}

RayEnding ending_on_ray(const Principal& K, double mu, double x, double y, const RayField& field) {
    RayEnding out;
    constexpr double k_near = 0.4;
    if (!(field.f_th < 0.0) || !(field.g < 0.0) || std::abs(field.f) > k_near * -field.f_th) {
        return out;
    }
    const double r = std::sqrt(x * x + y * y);
    double c = x / r;
    double s = y / r;
    const double angle = turn_to_ray(K, mu, c, s);
    const RayField at_ray = ray_field(K, mu, c, s);
    if (!(std::abs(angle) < k_near) || !(at_ray.f_th < 0.0) || !(at_ray.g < 0.0)) return out;
    const double delta = -angle;

    Expansion e = expand(K, mu, c, s);
    e.g[0] = growth_on_ray(K, mu, c, s);
    if (!(e.g[0] < 0.0)) return out;
    Series one{};
    one[0] = 1.0;
    const Series phi = solve(e, 1.0, one);
    const double last = std::pow(std::abs(delta), static_cast<double>(k_terms - 2)) *
                        (std::abs(phi[k_terms - 2]) + std::abs(phi[k_terms - 1] * delta));
    if (!(last <= k_tolerances.ray_series * std::abs(phi[0]))) return out;

    Series psi;
    for (std::size_t k = 0; k < k_terms; ++k) {
        psi[k] = K.kappa * phi[k] - K.q1 * e.cosine[k] - K.q2 * e.sine[k];
    }
    const Series omega = solve(e, 2.0, psi);

    out.found = true;
    out.Z = r * evaluate(phi, delta);
    out.px = -(x + K.b1 * out.Z) / K.k1;
    out.py = -(y + K.b2 * out.Z) / K.k2;
    out.uz_change = K.kappa * out.Z - K.q1 * x - K.q2 * y;
    out.omega = r * r * evaluate(omega, delta);
    out.ray_c = c;
    out.ray_s = s;
    return out;
}

}  // namespace carom::impact
