// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/chatterjee_ruina.h"

#include "carom/math/spd3.h"

namespace carom::impact {

Solution chatterjee_ruina(const Contact& contact, const ChatterjeeRuinaParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    const auto& [e, et, mu] = parameters;
    const Vec3 P_I(0.0, 0.0, -contact.u.z() / contact.K(2, 2));
    const Vec3 P_II = -math::solve_spd3(contact.K, contact.u);
    const Vec3 along = P_II - P_I;

    // candidate without a limit of friction
    const Vec3 candidate = (1.0 + e) * P_I + (1.0 + et) * along;
    Solution solution;
    if (candidate.head<2>().norm() <= mu * candidate.z()) {
        solution.p = candidate;
        solution.path.add(Mode::stick);
        return solution;
    }
    // back along the same line to the cone
    const double kappa = mu * (1.0 + e) * P_I.z() / (P_II.head<2>().norm() - mu * along.z());
    solution.p = (1.0 + e) * P_I + kappa * along;
    solution.path.add(mu > 0.0 ? Mode::slide : Mode::frictionless);
    return solution;
}

}  // namespace carom::impact
