// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/principal.h"

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
RayField ray_field(const Principal& K, double mu, double c, double s);

// g on a ray, where (b_i - mu k_i c_i) = g c_i: from the component that cancels less.
double growth_on_ray(const Principal& K, double mu, double c, double s);

// h = du_z/dp_z on a ray with growth g: k33 - mu b.c without its cancellation.
inline double normal_rate_on_ray(const Principal& K, double c, double s, double g) {
    return K.kappa + g * (K.q1 * c + K.q2 * s);
}

// The rest of the way to zero slip along an attracting, converging ray.
//
// Near such a ray at th* every remaining integral is an analytic function of delta = th - th*: the
// remaining normal impulse is Z = r Phi(delta) with f Phi' + g Phi = -1, and the remaining work is
// W = u_z_end Z - r^2 Omega(delta) with f Omega' + 2 g Omega = -Psi, where r Psi is the remaining
// change of u_z. All series have the denominators n f_1 + g_0 < 0, so that nothing cancels. The
// remaining friction impulse follows from the slip having to vanish.
struct RayEnding {
    bool found = false;       // false: no such ray is near enough for the series to converge
    double Z = 0.0;           // normal impulse still to come
    double px = 0.0;          // friction impulse still to come
    double py = 0.0;
    double uz_change = 0.0;   // change of u_z still to come
    double omega = 0.0;       // r^2 Omega; work still to come is (u_z + uz_change) Z - omega
    double ray_c = 1.0;       // the ray
    double ray_s = 0.0;
};
RayEnding ending_on_ray(const Principal& K, double mu, double x, double y, const RayField& field);

}  // namespace carom::impact
