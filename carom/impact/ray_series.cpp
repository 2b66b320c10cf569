// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/ray_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/impact/tolerances.h"
#include "carom/math/cauchy.h"

namespace carom::impact {
namespace {

constexpr std::size_t k_terms = RaySeries::k_terms;
using Series = RaySeries::Series;

constexpr Series make_inverse_factorials() {
    Series a{};
    a[0] = 1.0;
    for (std::size_t k = 1; k < k_terms; ++k)
        a[k] = a[k - 1] / static_cast<double>(k);
    return a;
}
constexpr Series k_inverse_factorial = make_inverse_factorials();

constexpr Series make_inverses() {
    Series a{};
    for (std::size_t k = 1; k < k_terms; ++k)
        a[k] = 1.0 / static_cast<double>(k);
    return a;
}
constexpr Series k_inverse = make_inverses();

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

// One order of solve(); pivot holds 1/(n f_1 + weight g_0).
template <std::size_t n>
[[gnu::always_inline]] inline void solve_order(const Expansion& e, double weight, const Series& rhs,
                                               const Series& pivot, Series& y, Series& slope) {
    const double coupling = math::product<n>(e.g.data() + 1, y.data());
    double turning = 0.0;
    if constexpr (n >= 2) turning = math::product<n - 1>(e.f.data() + 2, slope.data());
    y[n] = (-rhs[n] - weight * coupling - turning) * pivot[n];
    if constexpr (n >= 1) slope[n - 1] = static_cast<double>(n) * y[n];
}

// The analytic solution of f y' + weight g y = -rhs about a zero of f.
Series solve(const Expansion& e, double weight, const Series& rhs) {
    Series pivot;
    for (std::size_t n = 0; n < k_terms; ++n)
        pivot[n] = 1.0 / (static_cast<double>(n) * e.f[1] + weight * e.g[0]);
    Series y;
    Series slope;
    [&]<std::size_t... n>(std::index_sequence<n...>) {
        (solve_order<n>(e, weight, rhs, pivot, y, slope), ...);
    }
    (std::make_index_sequence<k_terms>{});
    return y;
}

double evaluate(const Series& a, double t) {
    const double t2 = t * t;
    double even = a[k_terms - 2];
    double odd = a[k_terms - 1];
    for (std::size_t k = k_terms - 2; k >= 2; k -= 2) {
        even = even * t2 + a[k - 2];
        odd = odd * t2 + a[k - 1];
    }
    return even + odd * t;
}

// Newton on f from the direction (c, s), in steps of t = tan of the angle from there to the ray;
// returns that angle, and turns (c, s) to the ray. Not a number when no ray is near.
double turn_to_ray(const Principal& K, double mu, RayField field, double& c, double& s) {
    const double c0 = c;
    const double s0 = s;
    double t = 0.0;
    for (int i = 0; i < 8; ++i) {
        const double angle = -field.f / field.f_th;
        // the tangent of a sum of angles, to first order in the second
        const double step = angle * (1.0 + t * t);
        t += step;
        const double norm = 1.0 / std::sqrt(1.0 + t * t);
        c = (c0 - s0 * t) * norm;
        s = (s0 + c0 * t) * norm;
        // quadratic convergence: what is left is below rounding
        if (std::abs(angle) <= 1e-9) return std::atan(t);
        if (!(std::abs(t) < 1.0)) break;
        field = ray_field(K, mu, c, s);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

// Sixteen terms are not enough beyond about a sixth of the radius of convergence.
constexpr double k_part_of_radius = 0.22;

// A first look from the direction (c, s) itself, to spare the search for a ray too far away.
bool too_far(const Principal& K, double mu, const RayField& field, double c, double s) {
    constexpr double k_slack = 1.2;
    const double turn = std::abs(field.f / field.f_th);
    const double f_thth = -4.0 * mu * (K.k1 - K.k2) * s * c + K.b1 * s - K.b2 * c;
    return turn * std::abs(0.5 * f_thth) > k_slack * k_part_of_radius * -field.f_th;
}

// The same on the ray itself, with the second and third order of f there.
bool beyond_convergence(const Principal& K, double mu, double c, double s, double turn) {
    const double d = mu * (K.k1 - K.k2);
    const double f1 = std::abs(d * (c - s) * (c + s) - K.b1 * c - K.b2 * s);
    const double f2 = std::abs(-4.0 * d * s * c + K.b1 * s - K.b2 * c) / 2.0;
    const double f3 = std::abs(-4.0 * d * (c - s) * (c + s) + K.b1 * c + K.b2 * s) / 6.0;
    return turn * f2 > k_part_of_radius * f1 ||
           turn * turn * f3 > k_part_of_radius * k_part_of_radius * f1;
}

// The tolerance of a way that takes the normal impulse left after pz: what is lost counts against
// the whole.
double tolerance_for(double pz, double left) {
    constexpr double k_loosest = 1e-10;
    return std::min(k_loosest, k_tolerances.ray_series * std::max(1.0, pz / left));
}

// Whether h = k33 - mu b.c keeps its sign between two directions less than a quarter turn apart.
bool monotone_between(const Principal& K, double mu, double c0, double s0, double c1, double s1) {
    const double h0 = K.k33 - mu * (K.b1 * c0 + K.b2 * s0);
    const double h1 = K.k33 - mu * (K.b1 * c1 + K.b2 * s1);
    if (h0 * h1 <= 0.0) return false;
    if (h0 < 0.0 || mu * mu * (K.b1 * K.b1 + K.b2 * K.b2) <= K.k33 * K.k33) return true;
    // both outside the cone of jamming about b: not on different sides of it
    const double side0 = K.b1 * s0 - K.b2 * c0;
    const double side1 = K.b1 * s1 - K.b2 * c1;
    return side0 * side1 > 0.0 || K.b1 * c1 + K.b2 * s1 < 0.0;
}

}  // namespace

double growth_on_ray(const Principal& K, double mu, double c, double s) {
    const double size1 = (std::abs(K.b1) + mu * K.k1) * std::abs(s);
    const double size2 = (std::abs(K.b2) + mu * K.k2) * std::abs(c);
    if (size1 <= size2 && c != 0.0) return (K.b1 - mu * K.k1 * c) / c;
    return s != 0.0 ? (K.b2 - mu * K.k2 * s) / s : (K.b1 - mu * K.k1 * c) / c;
}

std::optional<RaySeries> RaySeries::find(const Principal& K, double mu, double x, double y,
                                         double uz, double pz, const RayField& field) {
    constexpr double k_near = 0.5;
    if (!(field.f_th < 0.0) || !(field.g < 0.0) || std::abs(field.f) > k_near * -field.f_th) {
        return std::nullopt;
    }
    const double r = std::sqrt(x * x + y * y);
    double c = x / r;
    double s = y / r;
    if (too_far(K, mu, field, c, s)) return std::nullopt;
    const double angle = turn_to_ray(K, mu, field, c, s);
    if (!(std::abs(angle) < k_near)) return std::nullopt;
    if (!monotone_between(K, mu, x / r, y / r, c, s)) return std::nullopt;
    if (beyond_convergence(K, mu, c, s, std::abs(angle))) return std::nullopt;
    Expansion e = expand(K, mu, c, s);
    e.g[0] = growth_on_ray(K, mu, c, s);
    if (!(e.f[1] < 0.0) || !(e.g[0] < 0.0)) return std::nullopt;

    RaySeries out;
    out.delta0_ = -angle;
    Series one{};
    one[0] = 1.0;
    out.phi_ = solve(e, 1.0, one);
    // the last terms of the series must not matter
    double power = 1.0;
    for (std::size_t k = 0; k + 2 < k_terms; ++k)
        power *= std::abs(angle);
    const auto last = [&](const Series& a) {
        return power * (std::abs(a[k_terms - 2]) + std::abs(a[k_terms - 1] * angle));
    };
    const double tolerance = tolerance_for(pz, r * out.phi_[0]);
    if (!(last(out.phi_) <= tolerance * std::abs(out.phi_[0]))) return std::nullopt;
    // the exponent of r: g/(f/delta) = R + delta S'
    Series quotient;
    const double inverse_f1 = 1.0 / e.f[1];
    [&]<std::size_t... n>(std::index_sequence<n...>) {
        ((quotient[n] = (e.g[n] - math::product<n>(e.f.data() + 2, quotient.data())) * inverse_f1,
          out.S_[n] = quotient[n] * k_inverse[n]),
         ...);
    }
    (std::make_index_sequence<k_terms - 1>{});
    out.S_[0] = 0.0;
    out.S_[k_terms - 1] = 0.0;
    out.R_ = quotient[0];
    if (!(last(out.S_) <= tolerance)) return std::nullopt;
    for (std::size_t k = 0; k < k_terms; ++k) {
        out.psi_[k] = K.kappa * out.phi_[k] - K.q1 * e.cosine[k] - K.q2 * e.sine[k];
    }
    out.omega_ = solve(e, 2.0, out.psi_);
    if (!(last(out.omega_) <= tolerance * std::abs(out.omega_[0]))) return std::nullopt;
    out.K_ = &K;
    out.mu_ = mu;
    out.x0_ = x;
    out.y0_ = y;
    out.r0_ = r;
    out.uz0_ = uz;
    out.f_ = e.f;
    out.cosine_ = e.cosine;
    out.sine_ = e.sine;
    out.S0_ = evaluate(out.S_, out.delta0_);
    // a direction that hardly turns while the slip ends (balls, where M is isotropic but for
    // rounding): exp(S) would overflow, and Taylor steps are few
    constexpr double k_largest_exponent = 300.0;
    if (!(std::abs(out.S0_) < k_largest_exponent)) return std::nullopt;
    out.Z0_ = r * evaluate(out.phi_, out.delta0_);
    out.uz_end_ = uz + K.kappa * out.Z0_ - K.q1 * x - K.q2 * y;
    out.W0_ = out.uz_end_ * out.Z0_ - r * r * evaluate(out.omega_, out.delta0_);
    return out;
}

RaySeries::At RaySeries::at(double t) const {
    const double s = 1.0 - t;
    const double delta = s > 0.0 ? delta0_ * std::exp(std::log(s) / R_) : 0.0;
    const double growth = r0_ * std::exp(evaluate(S_, delta) - S0_);
    return {delta, growth * s, growth};
}

RaySeries::Slip RaySeries::slip(double t) const {
    const At a = at(t);
    return {a.r * evaluate(cosine_, a.delta), a.r * evaluate(sine_, a.delta)};
}

double RaySeries::normal_impulse(const At& a) const {
    return Z0_ - a.r * evaluate(phi_, a.delta);
}
double RaySeries::normal_impulse(double t) const {
    return normal_impulse(at(t));
}
math::ValueSlope RaySeries::normal_impulse_slope(double t) const {
    const At a = at(t);
    return {normal_impulse(a), speed(a)};
}

RaySeries::Slip RaySeries::friction_impulse(double t) const {
    // from the change of slip: k_i p_i = change - b_i p_z
    const Slip now = slip(t);
    const double z = normal_impulse(t);
    return {(now.x - x0_ - K_->b1 * z) / K_->k1, (now.y - y0_ - K_->b2 * z) / K_->k2};
}

double RaySeries::speed(const At& a) const {
    // dp_z/ds = r/f d delta/ds = (r/s) / (f/delta R)
    double f_by_delta = f_[k_terms - 1];
    for (std::size_t k = k_terms - 2; k >= 1; --k)
        f_by_delta = f_by_delta * a.delta + f_[k];
    return -a.growth / (f_by_delta * R_);
}

double RaySeries::uz(const At& a) const {
    return uz_end_ - a.r * evaluate(psi_, a.delta);
}
double RaySeries::uz(double t) const {
    return uz(at(t));
}
math::ValueSlope RaySeries::uz_slope(double t) const {
    const At a = at(t);
    const double h =
        K_->k33 - mu_ * (K_->b1 * evaluate(cosine_, a.delta) + K_->b2 * evaluate(sine_, a.delta));
    return {uz(a), h * speed(a)};
}

double RaySeries::work(const At& a) const {
    return W0_ - (uz_end_ * a.r * evaluate(phi_, a.delta) - a.r * a.r * evaluate(omega_, a.delta));
}
double RaySeries::work(double t) const {
    return work(at(t));
}
math::ValueSlope RaySeries::work_slope(double t) const {
    const At a = at(t);
    return {work(a), uz(a) * speed(a)};
}

}  // namespace carom::impact
