// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/region_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::impact {

Vec3 region_inner_point(const Contact& contact) {
    return {0.0, 0.0, -1.5 * contact.u.z() / contact.K(2, 2)};
}

double region_exit(const Contact& contact, double mu, const Vec3& d) {
    const Vec3 P_0 = region_inner_point(contact);
    const Vec3 Kd = contact.K * d;

    // energy u.p + p.K p/2 = 0: a t^2 + 2 b t + c with c < 0
    const double a = 0.5 * d.dot(Kd);
    const double b = 0.5 * (contact.u.dot(d) + P_0.dot(Kd));
    const double c = energy_change(contact, P_0);
    const double root = std::sqrt(b * b - a * c);
    double t = b > 0.0 ? -c / (b + root) : (root - b) / a;

    // plane of maximum compression, u_z + K_z.p = 0
    if (Kd.z() < 0.0) {
        const double uz = contact.u.z() + contact.K.row(2).dot(P_0);
        t = std::min(t, -uz / Kd.z());
    }
    // friction cone; P_0 is on its axis
    const double outward = d.head<2>().norm() - mu * d.z();
    if (outward > 0.0) t = std::min(t, mu * P_0.z() / outward);
    return t;
}

}  // namespace carom::impact
