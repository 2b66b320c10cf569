// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/bilinear.h"

#include <cmath>

#include "carom/impact/tolerances.h"

namespace carom::impact {

bool bilinear_applies(const Contact& contact) {
    const Mat3& K = contact.K;
    const double limit = k_tolerances.plane * K.cwiseAbs().maxCoeff();
    if (std::abs(K(0, 2)) > limit || std::abs(K(1, 2)) > limit) return false;
    const Vec2 slip = contact.u.head<2>();
    const double speed = std::hypot(slip.x(), slip.y());
    if (speed == 0.0) return true;
    const Vec2 t = slip / speed;
    const Vec2 across(-t.y(), t.x());
    return std::abs(across.dot(K.topLeftCorner<2, 2>() * t)) <= limit;
}

Solution bilinear(const Contact& contact, const BilinearParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    Solution solution;
    const double pz = -(1.0 + parameters.e) * contact.u.z() / contact.K(2, 2);
    solution.p = {0.0, 0.0, pz};
    const Vec2 slip = contact.u.head<2>();
    const double speed = std::hypot(slip.x(), slip.y());
    if (speed == 0.0 || parameters.mu == 0.0) {
        solution.path.add(speed == 0.0 ? Mode::stick : Mode::frictionless);
        return solution;
    }
    const Vec2 t = slip / speed;
    const double sticking =
        (1.0 + parameters.et) * speed / t.dot(contact.K.topLeftCorner<2, 2>() * t);
    const double limit = parameters.mu * pz;
    const bool slides = limit < sticking;
    solution.p.head<2>() = -(slides ? limit : sticking) * t;
    solution.path.add(slides ? Mode::slide : Mode::stick);
    return solution;
}

}  // namespace carom::impact
