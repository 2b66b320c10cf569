// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/hodograph.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/math/bracket.h"

namespace carom::motion {
namespace {

// (1 - exp(-a p)) / a
double decayed(double a, double p) {
    const double x = a * p;
    // below half an ulp of relative change
    if (std::abs(x) < 1e-16) return p;
    return -std::expm1(-x) / a;
}

}  // namespace

Hodograph::Hodograph(const Vec2& u0, double s, double f) : s_(s), f_(f) {
    const double q = u0.norm();
    // q cos^2(phi/2) = (q + u1) / 2, the smaller of the two from the product
    const double larger = 0.5 * (q + std::abs(u0.x()));
    const double smaller = 0.25 * u0.y() * (u0.y() / larger);
    a_ = u0.x() >= 0.0 ? larger : smaller;
    b_ = u0.x() >= 0.0 ? smaller : larger;
    c_ = u0.y();
    end_ = f > s ? a_ / (f - s) + b_ / (f + s) : k_never;
}

// log R(p), R = T - t = A exp(-(f-s) p)/(f-s) + B exp(-(f+s) p)/(f+s), is convex and falls. The
// tangent at 0 and the asymptote lie below it: the start is on the left of the root.
double Hodograph::stopping_parameter(double t) const {
    constexpr int k_most = 60;
    constexpr double k_last_step = 1e-6;
    const double left = end_ - t;
    if (!(left > 0.0)) return k_never;
    const double slow = f_ - s_;
    const double fast = f_ + s_;
    const double ra = a_ / slow;
    const double rb = b_ / fast;
    double p = -std::log1p(-t / end_) * end_ / (a_ + b_);
    if (ra > left) p = std::max(p, std::log(ra / left) / slow);
    for (int i = 0; i < k_most; ++i) {
        const double xa = ra * std::exp(-slow * p);
        const double xb = rb * std::exp(-fast * p);
        const double rest = xa + xb;
        // Halley's step on log R: slope -m, curvature the spread of the two rates about m
        const double m = (slow * xa + fast * xb) / rest;
        const double curvature = (xa / rest) * (xb / rest) * (fast - slow) * (fast - slow);
        const double off = std::log(rest / left);
        const double step = off / std::max(0.5 * m, m - 0.5 * off * curvature / m);
        p += step;
        // the error is cubed: what is left after this step is below rounding
        if (!(std::abs(step) > k_last_step * p)) break;
    }
    return p;
}

// t = A w + B E(f+s) with w = E(f-s): between bounds that come close to each other where either
// part dominates.
double Hodograph::bracketed_parameter(double t) const {
    const double slow = f_ - s_;
    const double fast = f_ + s_;
    const double q = a_ + b_;
    // p of E(a) = w
    const auto inverse = [](double a, double w) {
        const double x = a * w;
        if (std::abs(x) < 1e-16) return w;
        return x < 1.0 ? -std::log1p(-x) / a : k_never;
    };
    // q E(f+s) <= t <= q w, and A w <= t <= A w + B/(f+s)
    double low = inverse(slow, t / q);
    double high = inverse(fast, t / q);
    if (a_ > 0.0) {
        high = std::min(high, inverse(slow, t / a_));
        if (t * fast > b_) low = std::max(low, inverse(slow, (t - b_ / fast) / a_));
    }
    if (!(high > low)) return low;
    const auto residual = [&](double p) {
        const Parts now = parts_at_parameter(p);
        return math::ValueSlope{time_at_parameter(p) - t, now.a + now.b};
    };
    const double first = residual(low).value;
    if (!(first < 0.0)) return low;
    return math::bracketed_newton(residual, low, high, first, low).x;
}

double Hodograph::parameter_at(double t) const {
    // T - t must keep the digits of t: T is not much longer than the change of u takes, or t is
    // near it
    constexpr double k_long = 16.0;
    if (!(t > 0.0)) return 0.0;
    const bool stopping = f_ > s_ && ((f_ + s_) * end_ <= k_long * (a_ + b_) || t >= 0.5 * end_);
    return stopping ? stopping_parameter(t) : bracketed_parameter(t);
}

double Hodograph::time_at_parameter(double p) const {
    return p == k_never ? end_ : a_ * decayed(f_ - s_, p) + b_ * decayed(f_ + s_, p);
}

Hodograph::Parts Hodograph::parts_at_parameter(double p) const {
    return {a_ * std::exp(-(f_ - s_) * p), b_ * std::exp(-(f_ + s_) * p)};
}

Vec2 Hodograph::velocity_at_parameter(double p) const {
    if (p == k_never) return Vec2::Zero();
    const Parts now = parts_at_parameter(p);
    return {now.a - now.b, c_ * std::exp(-f_ * p)};
}

Hodograph::Point Hodograph::at_parameter(double p) const {
    const double slow = f_ - s_;
    const double fast = f_ + s_;
    Point out;
    if (slow > 0.0) {
        // exp(-a p) - 1 of sums from those of their terms, which have one sign
        const double ma = std::expm1(-slow * p);
        const double mb = std::expm1(-fast * p);
        const double mf = std::expm1(-f_ * p);
        out.u = {a_ * (1.0 + ma) - b_ * (1.0 + mb), c_ * (1.0 + mf)};
        // E(2a) = E(a) (1 + exp(-a p)) / 2
        out.y.x() = 0.5 * (b_ * b_ * mb * (2.0 + mb) / fast - a_ * a_ * ma * (2.0 + ma) / slow);
        out.y.y() =
            -c_ * (a_ * (ma + mf + ma * mf) / (f_ + slow) + b_ * (mb + mf + mb * mf) / (f_ + fast));
        return out;
    }
    const Parts now = parts_at_parameter(p);
    out.u = {now.a - now.b, c_ * std::exp(-f_ * p)};
    out.y.x() = 0.5 * (a_ * decayed(slow, p) * (a_ + now.a) - b_ * decayed(fast, p) * (b_ + now.b));
    out.y.y() = c_ * (a_ * decayed(f_ + slow, p) + b_ * decayed(f_ + fast, p));
    return out;
}

}  // namespace carom::motion
