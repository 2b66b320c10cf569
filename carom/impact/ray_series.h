// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <optional>

#include "carom/impact/principal.h"
#include "carom/math/bracket.h"

namespace carom::impact {

// Where a slip direction stands among the rays of constant sliding, in principal axes.
//
// With the slip at the angle th, c = (cos th, sin th) and d p_z = r d tau:
//     th' = f = mu (k1 - k2) sin th cos th - b1 sin th + b2 cos th,
//     r'/r = g = b.c - mu c.M c,        f_th = df/dth.
// Rays are the zeros of f: attracting where f_th < 0, converging where g < 0. At a repelling ray g
// is always negative.
struct RayField {
    double f, f_th, g;
};
inline RayField ray_field(const Principal& K, double mu, double c, double s) {
    const double d = mu * (K.k1 - K.k2);
    const double bc = K.b1 * c + K.b2 * s;
    return {d * s * c - K.b1 * s + K.b2 * c, d * (c - s) * (c + s) - bc,
            bc - mu * (K.k1 * c * c + K.k2 * s * s)};
}

// g on a ray, where (b_i - mu k_i c_i) = g c_i: from the component that cancels less.
double growth_on_ray(const Principal& K, double mu, double c, double s);

// h = du_z/dp_z on a ray with growth g: k33 - mu b.c without its cancellation.
inline double normal_rate_on_ray(const Principal& K, double c, double s, double g) {
    return K.kappa + g * (K.q1 * c + K.q2 * s);
}

// The whole way to zero slip along an attracting, converging ray.
//
// Near such a ray at th* every remaining integral is an analytic function of delta = th - th*: the
// remaining normal impulse is r Phi(delta) with f Phi' + g Phi = -1, the remaining change of u_z is
// r Psi = kappa r Phi - q.u_t, and the remaining work u_z(end) r Phi - r^2 Omega with
// f Omega' + 2 g Omega = -Psi. All have the denominators n f_1 + weight g_0 < 0, so that nothing
// cancels. The slip itself is r = r0 s exp(S(delta) - S(delta0)), delta = delta0 s^(1/R),
// R = g_0/f_1, where s falls from 1 to 0; t = 1 - s is the variable here. Everything is nearly
// linear in it.
class RaySeries {
public:
    static constexpr std::size_t k_terms = 16;
    using Series = std::array<double, k_terms>;

    // Empty when no such ray is near enough for the series to converge, or when u_z is not monotone
    // on the way to it. pz is the normal impulse so far, against which errors count.
    static std::optional<RaySeries> find(const Principal& K, double mu, double x, double y,
                                         double uz, double pz, const RayField& field);

    // What the whole way to zero slip takes: its ends lose digits if only a small part is used.
    double whole_normal_impulse() const { return Z0_; }
    double whole_uz_change() const { return uz_end_ - uz0_; }
    double whole_work() const { return W0_; }

    // The same questions as to a SlideSeries; t in [0, 1].
    struct Slip {
        double x, y;
    };
    Slip slip(double t) const;
    double normal_impulse(double t) const;
    Slip friction_impulse(double t) const;
    double uz(double t) const;
    double work(double t) const;
    math::ValueSlope uz_slope(double t) const;
    math::ValueSlope normal_impulse_slope(double t) const;
    math::ValueSlope work_slope(double t) const;

private:
    RaySeries() = default;

    struct At {
        double delta, r, growth;  // growth = r/s, finite at the end
    };
    At at(double t) const;
    double uz(const At& a) const;
    double normal_impulse(const At& a) const;
    double work(const At& a) const;
    double speed(const At& a) const;  // dp_z/dt

    const Principal* K_ = nullptr;
    double mu_ = 0.0;
    double x0_ = 0.0, y0_ = 0.0, r0_ = 0.0, uz0_ = 0.0;
    double delta0_ = 0.0, R_ = 0.0, S0_ = 0.0;
    double Z0_ = 0.0, uz_end_ = 0.0, W0_ = 0.0;
    Series f_, S_, phi_, psi_, omega_, cosine_, sine_;
};

}  // namespace carom::impact
