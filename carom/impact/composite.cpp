// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/composite.h"

namespace carom::impact {

Solution composite(const Contact& contact, const CompositeParameters& parameters) {
    if (contact.u.z() > 0.0) return Solution::none();
    const auto& [sigma, e, et, mu, termination] = parameters;
    Solution solution = routh(contact, {e, mu, termination});
    const Solution algebraic = chatterjee_ruina(contact, {e, et, mu});
    solution.p = sigma * algebraic.p + (1.0 - sigma) * solution.p;
    solution.history = {};
    return solution;
}

}  // namespace carom::impact
