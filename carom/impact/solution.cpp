// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/solution.h"

namespace carom::impact {

const char* mode_name(Mode mode) {
    switch (mode) {
        case Mode::separating:
            return "separating";
        case Mode::slide:
            return "slide";
        case Mode::stick:
            return "stick";
        case Mode::ray:
            return "ray";
        case Mode::frictionless:
            return "frictionless";
        case Mode::reverse:
            return "reverse";
    }
    return "unknown";
}

}  // namespace carom::impact
