// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/brach.h"

#include <cmath>

namespace carom::impact {
namespace {

// The ratio of tangential to normal impulse.
Vec2 impulse_ratio(const Contact& contact, const BrachParameters& parameters) {
    const Vec2 slip = contact.u.head<2>();
    const double speed = std::hypot(slip.x(), slip.y());
    if (speed == 0.0) return Vec2::Zero();
    const Vec2 a2 = -slip / speed;
    const Vec2 a3(-a2.y(), a2.x());
    return parameters.mu2 * a2 + parameters.mu3 * a3;
}

double normal_response(const Contact& contact, const Vec2& q) {
    return contact.K(2, 2) + contact.K(2, 0) * q.x() + contact.K(2, 1) * q.y();
}

}  // namespace

bool brach_applies(const Contact& contact, const BrachParameters& parameters) {
    return contact.u.z() >= 0.0 ||
           normal_response(contact, impulse_ratio(contact, parameters)) > 0.0;
}

Solution brach(const Contact& contact, const BrachParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const Vec2 q = impulse_ratio(contact, parameters);
    const double pz = -(1.0 + parameters.e) * contact.u.z() / normal_response(contact, q);
    Solution solution;
    solution.p = {pz * q.x(), pz * q.y(), pz};
    solution.path.add(q.isZero(0.0) ? Mode::frictionless : Mode::slide);
    return solution;
}

}  // namespace carom::impact
