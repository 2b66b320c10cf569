// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/record/layout.h"

namespace carom::record {

// Version 3 of the format, which can be read but not written any more. Its audit, which versions 1
// and 2 have too, does not compare the work of contact forces with motions, and the marks of its
// commits begin with another number. All else is as in layout.h.
inline constexpr std::uint32_t k_format_version_3 = 3;

struct AuditRow3 {
    double energy_start, energy_end, energy_lost, energy_gained, driven, energy_residual;
    double momentum_residual, momentum_scale, max_overlap;
    std::uint64_t events, impacts, micro, checks;
};
static_assert(sizeof(AuditRow3) == 104);

Handle audit_type_3();

// The same in this version: what was not measured is no number.
AuditRow to_this_version(const AuditRow3& row);

}  // namespace carom::record
