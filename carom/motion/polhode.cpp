// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/polhode.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "carom/motion/elliptic.h"

namespace carom::motion {
namespace {

using Real = long double;

constexpr Real k_pi = std::numbers::pi_v<Real>;
constexpr double k_two_pi = 2.0 * std::numbers::pi;

// base^n for n >= 0.
Real power(Real base, int n) {
    Real value = 1;
    for (; n > 0; n /= 2) {
        if (n % 2 == 1) value *= base;
        base *= base;
    }
    return value;
}

struct Differences {
    DoubleDouble d12, d23;  // a_1 - a_2 and a_2 - a_3, over |L|
    DoubleDouble excess;    // e - a_2 over |L|: positive about the axis of the smallest moment
};

// The excess as one difference of products of the data, so that it is zero on the separatrix.
Differences differences(const std::array<DoubleDouble, 3>& inertia,
                        const std::array<DoubleDouble, 3>& momentum, const DoubleDouble& square) {
    const DoubleDouble step12 = inertia[1] - inertia[0];
    const DoubleDouble step23 = inertia[2] - inertia[1];
    const DoubleDouble first = step12 * inertia[2] * (momentum[0] * momentum[0]);
    const DoubleDouble last = step23 * inertia[0] * (momentum[2] * momentum[2]);
    Differences d;
    d.d12 = step12 / (inertia[0] * inertia[1]);
    d.d23 = step23 / (inertia[1] * inertia[2]);
    d.excess = (first - last) / (inertia[0] * inertia[1] * inertia[2] * square);
    return d;
}

}  // namespace

// What the set-up needs, in extended precision and in units of the caller's rate.
struct Polhode::Invariants {
    Real alpha, beta, d, g;
    Real s2, m2, r2, s, m, r;
    Real lambda, k2, kc2;
    Real sigma, a_z;
    Real u0;

    // zeta' at u = 0
    Real first_rate() const { return a_z + sigma * g / (1 + r); }
    // w with dc(w, k') = 1 / R, and v = K' - w, for which sn(v, k') = R
    Real v() const { return r * carlson_rf(s2, m2, 1); }
    Real w() const {
        return std::sqrt(alpha / (alpha + beta)) *
               carlson_rf(beta / (alpha + beta), beta / (beta + d), 1);
    }
};

bool Polhode::moves(const std::array<DoubleDouble, 3>& inertia,
                    const std::array<DoubleDouble, 3>& momentum) {
    // L' = L x w, each component a difference of moments times two components of L
    const auto product = [&](std::size_t i, std::size_t j) {
        const DoubleDouble step = inertia[j] - inertia[i];
        return step.hi * (momentum[i].hi * momentum[i].hi) * (momentum[j].hi * momentum[j].hi);
    };
    return product(0, 1) != 0.0 || product(1, 2) != 0.0 || product(0, 2) != 0.0;
}

Polhode::Polhode(const std::array<DoubleDouble, 3>& inertia,
                 const std::array<DoubleDouble, 3>& momentum, double unit) {
    const DoubleDouble square =
        momentum[0] * momentum[0] + momentum[1] * momentum[1] + momentum[2] * momentum[2];
    const DoubleDouble size = sqrt(square);
    const std::array<DoubleDouble, 3> m{momentum[0] / size, momentum[1] / size, momentum[2] / size};
    const Differences diff = differences(inertia, momentum, square);
    const bool about_first = diff.excess > DoubleDouble();
    const std::size_t ix = about_first ? 2 : 0;
    const std::size_t iz = about_first ? 0 : 2;
    const double sigma = about_first ? -1.0 : 1.0;

    // ordered axes: z along m, x along m, y completes them
    const double sign_x = m[ix].hi < 0.0 ? -1.0 : 1.0;
    const double sign_z = m[iz].hi < 0.0 ? -1.0 : 1.0;
    const double sign_y = sign_x * sign_z * sigma;
    order_.setZero();
    order_(static_cast<int>(ix), 0) = sign_x;
    order_(1, 1) = sign_y;
    order_(static_cast<int>(iz), 2) = sign_z;

    const DoubleDouble scale = size * DoubleDouble(unit);
    const DoubleDouble alpha = scale * (about_first ? diff.d12 : diff.d23);
    const DoubleDouble beta = scale * (about_first ? diff.d23 : diff.d12);
    const DoubleDouble d = scale * abs(diff.excess);
    const DoubleDouble both = alpha + beta;
    const DoubleDouble g = alpha * m[1] * m[1] + both * m[ix] * m[ix];
    const DoubleDouble lambda2 = alpha * (beta + d);
    const auto real = [](const DoubleDouble& a) { return static_cast<Real>(a); };

    Invariants v{};
    v.alpha = real(alpha);
    v.beta = real(beta);
    v.d = real(d);
    v.g = real(g);
    v.s2 = real(g / both);
    v.m2 = real(g / alpha);
    v.r2 = real((beta + d) / both);
    v.s = std::sqrt(v.s2);
    v.m = std::sqrt(v.m2);
    v.r = std::sqrt(v.r2);
    v.lambda = std::sqrt(real(lambda2));
    v.k2 = real(beta * g / lambda2);
    v.kc2 = real(d * both / lambda2);
    v.sigma = static_cast<Real>(sigma);
    v.a_z = real(scale / inertia[iz]);
    const Real cn = std::abs(real(m[ix])) / v.s;
    const Real sn = static_cast<Real>(sigma * sign_y) * real(m[1]) / v.m;
    const Real dn = std::abs(real(m[iz])) / v.r;
    v.u0 = sn * carlson_rf(cn * cn, dn * dn, 1);

    rates_ = Vec3(static_cast<double>(scale / inertia[ix]), static_cast<double>(scale / inertia[1]),
                  static_cast<double>(scale / inertia[iz]));
    energy_rate_ = static_cast<double>(v.a_z + v.sigma * v.g);
    sense_ = -sigma;
    small_modulus_ = v.k2 <= v.kc2;
    set_bounds(v);
    if (small_modulus_) {
        set_trigonometric(v);
    } else {
        set_hyperbolic(v);
    }
}

void Polhode::set_trigonometric(const Invariants& v) {
    const Real K = complete_elliptic(std::sqrt(v.kc2));
    // q, and q^2 exp(2 pi w / K) = q z, q^2 exp(-2 pi w / K) = q^2 x
    Real q = 0, z = 0, x = 0;
    if (v.k2 > 0) {
        q = std::exp(-k_pi * complete_elliptic(std::sqrt(v.k2)) / K);
        z = std::exp(-k_pi * v.v() / K);
        x = std::exp(-k_pi * v.w() / K);
    }
    Real zero_value = 1, zero_slope = 0;
    std::array<Real, 5> plus{}, minus{};
    for (int n = 1; n <= 4; ++n) {
        const Real sign = n % 2 == 1 ? -1 : 1;
        const Real up = sign * power(q, 2 * n * n - n) * power(z, n);
        const Real down = sign * power(q, 2 * n * n) * power(x, n);
        const auto i = static_cast<std::size_t>(n);
        plus[i] = up + down;
        minus[i] = up - down;
        zero_value += plus[i];
        zero_slope -= static_cast<Real>(2 * n) * minus[i];
    }
    even1_ = static_cast<double>(plus[1]);
    even2_ = static_cast<double>(plus[2]);
    odd1_ = static_cast<double>(minus[1]);
    odd2_ = static_cast<double>(minus[2]);

    // sn = (th3/th2) S1/T4, cn = (th4/th2) S2/T4, dn = (th4/th3) T3/T4, the common factors left out
    const Real th2 = 1 + power(q, 2) + power(q, 6) + power(q, 12);
    const Real th3 = 1 + 2 * (q + power(q, 4) + power(q, 9));
    const Real th4 = 1 + 2 * (-q + power(q, 4) - power(q, 9));
    amplitude_x_ = static_cast<double>(v.s * th4 / th2);
    amplitude_y_ = static_cast<double>(v.sigma * v.m * th3 / th2);
    amplitude_z_ = static_cast<double>(v.r * th4 / th3);
    q1_ = static_cast<double>(2 * q);
    q4_ = static_cast<double>(2 * power(q, 4));
    q9_ = static_cast<double>(2 * power(q, 9));
    q2_ = static_cast<double>(power(q, 2));
    q6_ = static_cast<double>(power(q, 6));

    phase_rate_ = v.lambda / (4 * K);
    phase_start_ = v.u0 / (4 * K);
    const Real c = v.first_rate() + v.sigma * v.lambda * k_pi / K * zero_slope / zero_value;
    twist_rate_ = c / (4 * k_pi);
}

Polhode::Point Polhode::trigonometric(long double tau) const {
    const Real phase = phase_rate_ * tau + phase_start_;
    const Real twist = twist_rate_ * tau;
    const double z = k_two_pi * static_cast<double>(phase - std::rint(phase));
    const double half = k_two_pi * static_cast<double>(twist - std::rint(twist));
    const double c1 = std::cos(z), s1 = std::sin(z);
    const double ch = std::cos(half), sh = std::sin(half);
    const double c2 = (c1 - s1) * (c1 + s1), s2 = 2.0 * s1 * c1;
    const double c4 = (c2 - s2) * (c2 + s2), s4 = 2.0 * s2 * c2;
    const double c3 = c2 * c1 - s2 * s1, s3 = s2 * c1 + c2 * s1;
    const double c5 = c4 * c1 - s4 * s1, s5 = s4 * c1 + c4 * s1;
    const double c6 = c4 * c2 - s4 * s2;

    const double x = amplitude_x_ * (c1 + (q2_ * c3 + q6_ * c5));
    const double y = amplitude_y_ * (s1 - (q2_ * s3 - q6_ * s5));
    const double w = amplitude_z_ * (1.0 + (q1_ * c2 + (q4_ * c4 + q9_ * c6)));
    const double unit = 1.0 / std::sqrt(x * x + y * y + w * w);

    const double re = 1.0 + (even1_ * c2 + even2_ * c4);
    const double im = -sense_ * (odd1_ * s2 + odd2_ * s4);
    const double turn = 1.0 / std::sqrt(re * re + im * im);
    return {x * unit, y * unit, w * unit, (ch * re - sh * im) * turn, (sh * re + ch * im) * turn};
}

void Polhode::set_hyperbolic(const Invariants& v) {
    const Real Kc = complete_elliptic(std::sqrt(v.k2));
    endless_ = !(v.kc2 > 0);
    const Real K = endless_ ? Real(0) : complete_elliptic(std::sqrt(v.kc2));
    const Real q = endless_ ? Real(0) : std::exp(-k_pi * K / Kc);
    const Real root = std::sqrt(q);

    const Real w = v.w();
    const Real tilt = k_pi * w / (4 * Kc);
    Real zero_value = 0, zero_slope = 0;
    for (std::size_t i = 0; i < k_terms + 2; ++i) {
        const int n = static_cast<int>(i);
        const Real odd = static_cast<Real>(2 * n + 1);
        const Real cosine = std::cos(odd * tilt);
        const Real sine = std::sin(odd * tilt);
        const Real weight = power(root, n * n + n);
        zero_value += weight * cosine;
        zero_slope += weight * sine * odd;
        if (i >= k_terms) continue;
        even_[i] = static_cast<double>(power(root, n * n) * cosine);
        odd_[i] = static_cast<double>(power(root, n * n) * sine);
    }

    // sn = (th3/th4) S1/S2, cn = (th2/th4) T4/S2, dn = (th2/th3) T3/S2, all at i z' with nome q'
    const Real th2 = 1 + power(q, 2) + power(q, 6) + power(q, 12);
    const Real th3 = 1 + 2 * (q + power(q, 4) + power(q, 9));
    const Real th4 = 1 + 2 * (-q + power(q, 4) - power(q, 9));
    amplitude_x_ = static_cast<double>(v.s * th2 / th4);
    amplitude_y_ = static_cast<double>(v.sigma * v.m * th3 / th4 / 2);
    amplitude_z_ = static_cast<double>(v.r * th2 / th3);
    q1_ = static_cast<double>(q);
    q2_ = static_cast<double>(power(q, 2));
    q4_ = static_cast<double>(power(q, 4));
    q6_ = static_cast<double>(power(q, 6));
    q9_ = static_cast<double>(power(q, 9));

    // endless: the phase is z' itself
    z_most_ = static_cast<double>(k_pi * K / (2 * Kc));
    tilt_ = static_cast<double>(tilt);
    phase_rate_ = endless_ ? v.lambda * k_pi / (2 * Kc) : v.lambda / (2 * K);
    phase_start_ = endless_ ? v.u0 * k_pi / (2 * Kc) : v.u0 / (2 * K);
    const Real slope =
        k_pi / (2 * Kc) * zero_slope / zero_value - (endless_ ? Real(0) : k_pi * w / (2 * K * Kc));
    const Real c = v.first_rate() + v.sigma * v.lambda * slope;
    twist_rate_ = c / (4 * k_pi);
}

Polhode::Point Polhode::hyperbolic(long double tau) const {
    const Real phase = phase_rate_ * tau + phase_start_;
    const Real twist = twist_rate_ * tau;
    double flip = 1.0;      // half a period turns x and y round
    double fraction = 0.0;  // of the period 2K, from -1/2 to 1/2
    double far = 0.0;       // |z'|
    double p = 0.0;         // exp(|z'| - its largest value)
    double side = 1.0;
    if (endless_) {
        side = phase < 0 ? -1.0 : 1.0;
        far = static_cast<double>(std::abs(phase));
    } else {
        const Real whole = std::rint(phase);
        fraction = static_cast<double>(phase - whole);
        flip = std::rint(whole / 2) * 2 == whole ? 1.0 : -1.0;
        side = fraction < 0.0 ? -1.0 : 1.0;
        far = 2.0 * z_most_ * std::abs(fraction);
        p = std::exp(-z_most_ * (1.0 - 2.0 * std::abs(fraction)));
    }
    const double e = std::exp(-far);
    const double e2 = e * e, e4 = e2 * e2, e6 = e4 * e2, e8 = e4 * e4;
    const double P = p * p, P2 = P * P, P3 = P2 * P;

    // T3, T4 and S1, times exp(-|z'|)
    const double odd_part = P * (1.0 + e4) + q6_ * P3 * (1.0 + e8 * e4);
    const double even_part = 1.0 + q2_ * P2 * (1.0 + e8);
    const double sine =
        (1.0 - e2) - q1_ * P * (1.0 - e6) + q4_ * P2 * (1.0 - e8 * e2) - q9_ * P3 * (1.0 - e8 * e6);
    const double x = flip * amplitude_x_ * e * (even_part - odd_part);
    const double y = flip * side * amplitude_y_ * sine;
    const double w = amplitude_z_ * e * (even_part + odd_part);
    const double unit = 1.0 / std::sqrt(x * x + y * y + w * w);

    double re = 0.0, im = 0.0;
    double grow = 1.0, shrink = e;
    for (std::size_t n = 0; n < k_terms; ++n) {
        re += even_[n] * grow * (1.0 + shrink);
        im += odd_[n] * grow * (1.0 - shrink);
        grow *= p;
        shrink *= e2;
    }
    im *= sense_ * side;
    const double turn = 1.0 / std::sqrt(re * re + im * im);
    const double half =
        k_two_pi * static_cast<double>(twist - std::rint(twist)) - 2.0 * sense_ * tilt_ * fraction;
    const double ch = std::cos(half), sh = std::sin(half);
    return {x * unit, y * unit, w * unit, (ch * re - sh * im) * turn, (sh * re + ch * im) * turn};
}

void Polhode::set_bounds(const Invariants& v) {
    constexpr double k_spin_round_up = 1.0 + 64.0 * std::numeric_limits<double>::epsilon();
    // squares of m are linear in s = sn^2 in [0, 1]
    const Real ax = static_cast<Real>(rates_.x());
    const Real ay = static_cast<Real>(rates_.y());
    const Real az = static_cast<Real>(rates_.z());
    const Real z_low = v.d / v.alpha;
    const Real at_start = ax * ax * v.s2 + az * az * v.r2;
    const Real at_end = ay * ay * v.m2 + az * az * z_low;
    spin_max_ = static_cast<double>(std::sqrt(std::max(at_start, at_end))) * k_spin_round_up;

    // |dw/dt|^2 = A y^2 z^2 + B z^2 x^2 + C x^2 y^2 is quadratic in s
    const Real A = ax * ax * v.alpha * v.alpha;
    const Real B = ay * ay * (v.alpha + v.beta) * (v.alpha + v.beta);
    const Real C = az * az * v.beta * v.beta;
    const auto rate2 = [&](Real s) {
        const Real x2 = v.s2 * (1 - s);
        const Real y2 = v.m2 * s;
        const Real z2 = v.r2 * (1 - s) + z_low * s;
        return A * y2 * z2 + B * z2 * x2 + C * x2 * y2;
    };
    const Real f0 = rate2(0), f1 = rate2(Real(0.5)), f2 = rate2(1);
    Real most = std::max(f0, f2);
    const Real bend = 2 * (f0 - 2 * f1 + f2);
    const Real slope = -3 * f0 + 4 * f1 - f2;
    if (bend < 0 && slope > 0 && slope < -2 * bend)
        most = std::max(most, rate2(-slope / (2 * bend)));
    spin_rate_max_ = static_cast<double>(std::sqrt(most)) * k_spin_round_up;
}

}  // namespace carom::motion
