// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/record/layout.h"

namespace carom::record {

// Version 3 of the format, which can be read but not written any more. Its audit, which versions 1
// and 2 have too, does not compare the work of contact forces with motions; its rows of lasting
// contact, which version 2 has too, end before the pieces of exact motions; and the marks of its
// commits begin with another number. All else is as in layout.h.
inline constexpr std::uint32_t k_format_version_3 = 3;

struct AuditRow3 {
    double energy_start, energy_end, energy_lost, energy_gained, driven, energy_residual;
    double momentum_residual, momentum_scale, max_overlap;
    std::uint64_t events, impacts, micro, checks;
};
static_assert(sizeof(AuditRow3) == 104);

Handle audit_type_3();

struct LastingRow3 {
    std::uint64_t segment;
    double t1;
    double a[3], alpha[3];
    double power;
    double plane_point[3], plane_normal[3], plane_velocity[3];
    double plane_turn_rate, plane_time;
    double mu, mu_roll, mu_spin;
};
static_assert(sizeof(LastingRow3) == 184);

Handle lasting_type_3();
// The same in this version: no segment is of a kind that has an end.
LastingRow to_this_version(const LastingRow3& row);

// The same in this version: what was not measured is no number.
AuditRow to_this_version(const AuditRow3& row);

}  // namespace carom::record
