// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/record/layout_3.h"

namespace carom::record {

// Version 4 of the format, which can be read but not written any more: pieces of exact motions have
// no middle. All else is as in layout.h.
inline constexpr std::uint32_t k_format_version_4 = 4;

struct LastingRow4 {
    std::uint64_t segment;
    double t1;
    double a[3], alpha[3];
    double power;
    double plane_point[3], plane_normal[3], plane_velocity[3];
    double plane_turn_rate, plane_time;
    double mu, mu_roll, mu_spin;
    double end_position[3], end_orientation[4], end_velocity[3], end_angular_velocity[3];
    double end_a[3], end_alpha[3];
};
static_assert(sizeof(LastingRow4) == 336);

Handle lasting_type_4();
LastingRow to_this_version(const LastingRow4& row);
inline LastingRow to_this_version(const LastingRow& row) {
    return row;
}

// f(row, type) with a row of /lasting as a version of the format has it.
template <class F>
auto with_lasting_row(std::uint32_t version, F&& f) {
    if (version <= k_format_version_3) return f(LastingRow3{}, lasting_type_3());
    if (version <= k_format_version_4) return f(LastingRow4{}, lasting_type_4());
    return f(LastingRow{}, lasting_type());
}

}  // namespace carom::record
