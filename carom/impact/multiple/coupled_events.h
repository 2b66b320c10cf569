// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/impact/multiple/coupled_step.h"

namespace carom::impact {

enum class CoupledEventKind : std::uint8_t {
    turns,   // the normal velocity passes zero: compression ends, or begins anew
    opens,   // the normal force is gone
    closes,  // an open contact meets again
    slips,   // friction has reached its limit
    sticks   // compliant: the particle has come to rest
};

struct CoupledEvent {
    double s = 1.0;  // part of the step
    std::size_t contact = 0;
    CoupledEventKind kind = CoupledEventKind::turns;
};

// The first event in the solved step. Each function that ends a mode is a polynomial through the
// nodes' values, and its first zero is isolated (first_fall), not sampled. on_approach: an open
// contact meets again as soon as it approaches, whatever its gap.
std::optional<CoupledEvent> first_event(const CoupledSystem& system, const CoupledStep& step,
                                        bool on_approach);

// Whether slip at rigid contacts kept its sense from node to node: a step that reaches beyond the
// end of slip does not.
bool slip_is_regular(const CoupledSystem& system, const CoupledStep& step);

}  // namespace carom::impact
