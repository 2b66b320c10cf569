// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/frictionless.h"

namespace carom::impact {

Solution frictionless(const Contact& contact, const FrictionlessParameters& parameters) {
    if (contact.u.z() >= 0.0) return Solution::none();
    Solution solution;
    solution.p = {0.0, 0.0, -(1.0 + parameters.e) * contact.u.z() / contact.K(2, 2)};
    solution.path.add(Mode::frictionless);
    return solution;
}

}  // namespace carom::impact
