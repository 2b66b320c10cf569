// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/contact_force.h"

#include <algorithm>

namespace carom::impact {
namespace {

Vec3 tangential(const Vec3& a, const Vec3& n) {
    return a - n.dot(a) * n;
}

}  // namespace

Vec3 particle_plane_impulse(double mass, const Vec3& v, const Vec3& n, double e, double mu,
                            bool reversal) {
    const double vn = n.dot(v);
    if (vn >= 0.0) return Vec3::Zero();
    const double j = -(1.0 + e) * mass * vn;
    const Vec3 slip = tangential(v, n);
    const double speed = slip.norm();
    if (speed == 0.0) return j * n;
    const double friction = reversal ? mu * j : std::min(mu * j, mass * speed);
    return j * n - friction / speed * slip;
}

double contact_force(const Vec3& F, const Vec3& n, bool sticky) {
    const double needed = -n.dot(F);
    return sticky ? needed : std::max(0.0, needed);
}

Vec3 friction_force(const Vec3& F, const Vec3& v, const Vec3& n, double mu) {
    const double limit = mu * contact_force(F, n);
    const Vec3 slip = tangential(v, n);
    const double speed = slip.norm();
    if (speed > 0.0) return -limit / speed * slip;
    const Vec3 pull = tangential(F, n);
    const double size = pull.norm();
    if (size <= limit) return -pull;
    return -limit / size * pull;
}

}  // namespace carom::impact
