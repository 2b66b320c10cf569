// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/particle.h"

#include <algorithm>
#include <cmath>

#include "carom/impact/bilinear.h"

namespace carom::impact {

bool particle_applies(const Contact& contact) {
    return bilinear_applies(contact);
}

Solution particle(const Contact& contact, const ParticleParameters& parameters) {
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
    const double to_stop = speed / t.dot(contact.K.topLeftCorner<2, 2>() * t);
    const double limit = parameters.mu * pz;
    const bool slides = parameters.reversal || limit < to_stop;
    solution.p.head<2>() = -(slides ? limit : to_stop) * t;
    solution.path.add(slides ? Mode::slide : Mode::stick);
    return solution;
}

}  // namespace carom::impact
