// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/record/layout.h"

namespace carom::record {

// Version 2 of the format, which can be read but not written any more. Its contact forces have one
// point for all of their interval, there are no tables of bodies and shapes, and the marks of its
// commits begin with another number. All else is as in layout.h.
inline constexpr std::uint32_t k_format_version_2 = 2;

struct ForceRow2 {
    double t0, t1;
    std::uint32_t a, b;
    double point[3], normal[3], impulse[3];
};
static_assert(sizeof(ForceRow2) == 96);

Handle force_type_2();

// The same in this version: the point stays where it is.
ForceRow to_this_version(const ForceRow2& row);

}  // namespace carom::record
