// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/feature.h"

namespace carom::detect {

const char* name_of(FeatureKind kind) {
    switch (kind) {
        case FeatureKind::vertex:
            return "vertex";
        case FeatureKind::edge:
            return "edge";
        case FeatureKind::face:
            return "face";
        case FeatureKind::surface:
            return "surface";
        case FeatureKind::side:
            return "side";
        case FeatureKind::end:
            return "end";
        case FeatureKind::cap:
            return "cap";
        case FeatureKind::rim:
            return "rim";
        case FeatureKind::apex:
            return "apex";
    }
    return "unknown";
}

}  // namespace carom::detect
