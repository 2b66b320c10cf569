// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/chatterjee_ruina.h"
#include "carom/impact/required.h"
#include "carom/impact/routh.h"

namespace carom::impact {

// A mixture of two laws: p = sigma p_chatterjee_ruina + (1 - sigma) p_routh.
//
// The permissible region is convex, so the mixture is as permissible as its parts: it can rebound
// along the tangent like the one and along the normal at grazing incidence like the other.
// Range: 0 <= sigma <= 1; e, et, mu and the termination as in the two laws (poisson by default).
// Source: Chatterjee and Ruina section 5.3.
struct CompositeParameters {
    Required<double> sigma;
    Required<double> e;
    Required<double> et;
    Required<double> mu;
    Termination termination = Termination::poisson;
};

Solution composite(const Contact& contact, const CompositeParameters& parameters);

}  // namespace carom::impact
