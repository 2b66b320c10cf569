// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdio>
#include <string>

#include "carom/math/types.h"

namespace carom::shape {

// Numbers as they appear in messages.
inline std::string describe(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

inline std::string describe(const Vec3& v) {
    char text[120];
    std::snprintf(text, sizeof text, "[%.9g, %.9g, %.9g]", v.x(), v.y(), v.z());
    return text;
}

}  // namespace carom::shape
