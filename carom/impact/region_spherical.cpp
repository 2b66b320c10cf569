// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/region_spherical.h"

#include <cmath>

#include "carom/impact/region_point.h"

namespace carom::impact {

Solution region_spherical(const Contact& contact, const RegionSphericalParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [mu, psi1, psi2, rho] = parameters;
    const Vec3 d(std::sin(psi1) * std::cos(psi2), std::sin(psi1) * std::sin(psi2), std::cos(psi1));
    Solution solution;
    solution.p = region_inner_point(contact) + rho * region_exit(contact, mu, d) * d;
    solution.path.add(mu > 0.0 ? Mode::slide : Mode::frictionless);
    return solution;
}

}  // namespace carom::impact
