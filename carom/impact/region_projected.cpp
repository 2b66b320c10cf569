// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/region_projected.h"

#include <algorithm>

#include "carom/impact/region_point.h"

namespace carom::impact {

Solution region_projected(const Contact& contact, const RegionProjectedParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    Solution solution;
    const Vec3 P_0 = region_inner_point(contact);
    const Vec3& P = parameters.P;
    const Vec3 d = P - P_0;
    solution.p = P_0;
    if (!d.isZero(0.0)) {
        const double exit = region_exit(contact, parameters.mu, d);
        solution.p = exit >= 1.0 ? P : Vec3(P_0 + exit * d);
    }
    solution.path.add(parameters.mu > 0.0 ? Mode::slide : Mode::frictionless);
    return solution;
}

}  // namespace carom::impact
