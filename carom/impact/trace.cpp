// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/trace.h"

namespace carom::impact {

const char* transition_name(TransitionKind kind) {
    switch (kind) {
        case TransitionKind::maximum_compression:
            return "maximum-compression";
        case TransitionKind::recompression:
            return "recompression";
        case TransitionKind::slip_to_stick:
            return "slip-to-stick";
        case TransitionKind::stick_to_slip:
            return "stick-to-slip";
        case TransitionKind::slip_to_slip:
            return "slip-to-slip";
        case TransitionKind::end:
            return "end";
    }
    return "unknown";
}

}  // namespace carom::impact
