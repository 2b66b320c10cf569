// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/micro.h"

#include <cmath>

#include "carom/math/spd3.h"

namespace carom::impact {

MicroReversal micro_reversal(const Contact& contact, const MicroParameters& parameters) {
    if (contact.u.z() >= 0.0 || !(-contact.u.z() < parameters.threshold)) {
        return {false, Vec3::Zero()};
    }
    const Vec3 p = -2.0 * math::solve_spd3(contact.K, contact.u);
    return {p.head<2>().norm() <= parameters.mu * p.z(), p};
}

}  // namespace carom::impact
