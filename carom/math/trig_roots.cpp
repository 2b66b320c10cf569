// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/math/trig_roots.h"

#include <algorithm>
#include <cmath>

namespace carom::math {
namespace {

struct RealRoots {
    std::array<double, 4> x;
    int count = 0;
    void add(double v) { x[static_cast<std::size_t>(count++)] = v; }
};

// The largest real root of y^3 + p y^2 + q y + r.
double largest_cubic_root(double p, double q, double r) {
    const double shift = p / 3.0;
    const double a = q - p * shift;
    const double b = 2.0 * shift * shift * shift - shift * q + r;
    const double half_b = 0.5 * b;
    const double third_a = a / 3.0;
    const double disc = half_b * half_b + third_a * third_a * third_a;
    double y = 0.0;
    if (disc >= 0.0) {
        const double big = std::cbrt(-half_b - std::copysign(std::sqrt(disc), half_b));
        y = big == 0.0 ? 0.0 : big - third_a / big;
    } else {
        const double m = std::sqrt(-third_a);
        const double angle = std::acos(std::clamp(-half_b / (m * m * m), -1.0, 1.0));
        y = 2.0 * m * std::cos(angle / 3.0);
    }
    y -= shift;
    // one polish: the closed form loses digits when the roots are far apart in size
    for (int i = 0; i < 2; ++i) {
        const double f = ((y + p) * y + q) * y + r;
        const double df = (3.0 * y + 2.0 * p) * y + q;
        if (df == 0.0) break;
        y -= f / df;
    }
    return y;
}

// Real roots of x^2 + 2 h x + k; a discriminant that is negative by rounding counts as zero.
void add_quadratic_roots(double h, double k, double scale, RealRoots& out) {
    double disc = h * h - k;
    if (disc < 0.0) {
        if (disc < -1e-12 * scale) return;
        disc = 0.0;
    }
    const double root = std::sqrt(disc);
    const double far = -(h + std::copysign(root, h));
    out.add(far);
    out.add(far == 0.0 ? 0.0 : k / far);
}

// Real roots of x^4 + a x^3 + b x^2 + c x + d.
RealRoots quartic_roots(double a, double b, double c, double d) {
    RealRoots out;
    // depressed: y = x + a/4
    const double s = 0.25 * a;
    const double s2 = s * s;
    const double p = b - 6.0 * s2;
    const double q = c - 2.0 * b * s + 8.0 * s2 * s;
    const double r = d - c * s + b * s2 - 3.0 * s2 * s2;
    RealRoots y;
    // (y^2 + w y + m)(y^2 - w y + n), w^2 = v the largest root of the resolvent
    const double v = largest_cubic_root(2.0 * p, p * p - 4.0 * r, -q * q);
    const double scale = std::abs(p) + std::sqrt(std::abs(r)) + std::cbrt(q * q);
    if (v > 1e-14 * scale) {
        const double w = std::sqrt(v);
        const double sum = p + v;
        const double difference = q / w;
        add_quadratic_roots(0.5 * w, 0.5 * (sum - difference), scale, y);
        add_quadratic_roots(-0.5 * w, 0.5 * (sum + difference), scale, y);
    } else {
        // biquadratic: y^4 + p y^2 + r
        RealRoots z;
        add_quadratic_roots(0.5 * p, r, scale * scale, z);
        for (int i = 0; i < z.count; ++i) {
            const double zi = z.x[static_cast<std::size_t>(i)];
            if (zi < -1e-12 * scale) continue;
            const double root = std::sqrt(std::max(zi, 0.0));
            y.add(root);
            y.add(-root);
        }
    }
    for (int i = 0; i < y.count; ++i)
        out.add(y.x[static_cast<std::size_t>(i)] - s);
    return out;
}

double size_of(const Trig2& F) {
    return std::abs(F.a0) + std::abs(F.a1) + std::abs(F.b1) + std::abs(F.a2) + std::abs(F.b2);
}

// (1 + x)^(-1/2) for 0 <= x <= 0.01, to 2e-17: the series in x, its terms side by side.
double inverse_root_of_one_plus(double x) {
    const double x2 = x * x;
    const double low = (1.0 - 0.5 * x) + x2 * (0.375 - 0.3125 * x);
    const double high = (0.2734375 - 0.24609375 * x) + x2 * (0.2255859375 - 0.20947265625 * x);
    return low + x2 * x2 * high;
}

double limited(double x, double size) {
    return std::max(-size, std::min(x, size));
}

// The direction of eight in which |F| is largest. F(th) and F(th + pi) are E + O and E - O.
Vec2 largest_direction(const Trig2& F) {
    constexpr double k_h = 0.70710678118654752440;
    struct Axis {
        double c, s, even, odd;
    };
    const std::array<Axis, 4> axes{{{1.0, 0.0, F.a0 + F.a2, F.a1},
                                    {0.0, 1.0, F.a0 - F.a2, F.b1},
                                    {k_h, k_h, F.a0 + F.b2, k_h * (F.a1 + F.b1)},
                                    {-k_h, k_h, F.a0 - F.b2, k_h * (F.b1 - F.a1)}}};
    double best = -1.0;
    Vec2 direction(1.0, 0.0);
    for (const Axis& a : axes) {
        const double size = std::abs(a.even) + std::abs(a.odd);
        if (size <= best) continue;
        best = size;
        const double sign = (a.even < 0.0) == (a.odd < 0.0) ? 1.0 : -1.0;
        direction = {sign * a.c, sign * a.s};
    }
    return direction;
}

}  // namespace

TrigRoots rough_trig_roots(const Trig2& F) {
    TrigRoots out;
    if (!(size_of(F) > 0.0)) return out;
    // cut the circle where |F| is large: phi = 0 is opposite to it
    const Vec2 cut = largest_direction(F);
    const double c0 = -cut.x();
    const double s0 = -cut.y();

    // th = th0 + phi: turn the coefficients
    const double c20 = (c0 - s0) * (c0 + s0);
    const double s20 = 2.0 * s0 * c0;
    const double a1 = F.a1 * c0 + F.b1 * s0;
    const double b1 = F.b1 * c0 - F.a1 * s0;
    const double a2 = F.a2 * c20 + F.b2 * s20;
    const double b2 = F.b2 * c20 - F.a2 * s20;

    // t = tan(phi/2), times (1 + t^2)^2
    const double inverse = 1.0 / (F.a0 - a1 + a2);
    const double q3 = 2.0 * b1 - 4.0 * b2;
    const double q2 = 2.0 * F.a0 - 6.0 * a2;
    const double q1 = 2.0 * b1 + 4.0 * b2;
    const double q0 = F.a0 + a1 + a2;
    const RealRoots t = quartic_roots(q3 * inverse, q2 * inverse, q1 * inverse, q0 * inverse);
    for (int i = 0; i < t.count; ++i) {
        const double ti = t.x[static_cast<std::size_t>(i)];
        const double k = 1.0 / (1.0 + ti * ti);
        const double cp = (1.0 - ti * ti) * k;
        const double sp = 2.0 * ti * k;
        out.direction[static_cast<std::size_t>(out.count++)] = {c0 * cp - s0 * sp,
                                                                s0 * cp + c0 * sp};
    }
    return out;
}

bool polish_trig_root(const Trig2& F, Vec2& point) {
    // steps are cut short only far from a root; near a double root they shrink by thirds, until
    // rounding stops them
    constexpr int k_most = 40;
    constexpr double k_settled = 1e-11;
    constexpr double k_zero = 1e-15;
    constexpr double k_longest = 0.1;
    // cubic convergence: after a step of this size, bent by no more than this, the next would be
    // below rounding
    constexpr double k_small = 1.5e-5;
    const double scale = size_of(F);
    double c = point.x();
    double s = point.y();
    bool settled = false;
    for (int i = 0; i < k_most && !settled; ++i) {
        const Trig2::Bent at = F.bent(c, s);
        if (at.slope == 0.0) {
            settled = std::abs(at.value) <= k_zero * scale;
            break;
        }
        // Chebyshev's step: Newton's, bent by the curvature
        const double inverse = 1.0 / at.slope;
        const double straight = -at.value * inverse;
        const double bend = -0.5 * straight * at.curvature * inverse;
        const double step = limited(straight * (1.0 + limited(bend, 0.5)), k_longest);
        const double norm = inverse_root_of_one_plus(step * step);
        const double turned = (c - step * s) * norm;
        s = (s + step * c) * norm;
        c = turned;
        const bool small = std::max(std::abs(step), std::abs(bend)) < k_small;
        settled = small || std::abs(step) < k_settled || std::abs(at.value) <= k_zero * scale;
    }
    point = {c, s};
    return settled;
}

TrigRoots trig_roots(const Trig2& F) {
    TrigRoots out;
    const TrigRoots rough = rough_trig_roots(F);
    for (int i = 0; i < rough.count; ++i) {
        Vec2 point = rough.direction[static_cast<std::size_t>(i)];
        if (!polish_trig_root(F, point)) continue;
        bool known = false;
        for (int j = 0; j < out.count; ++j) {
            known = known || (out.direction[static_cast<std::size_t>(j)] - point).norm() < 1e-9;
        }
        if (!known) out.direction[static_cast<std::size_t>(out.count++)] = point;
    }
    return out;
}

}  // namespace carom::math
