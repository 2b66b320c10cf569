// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/layout_3.h"

#include <cstddef>
#include <cstring>
#include <limits>

namespace carom::record {

Handle audit_type_3() {
    using Row = AuditRow3;
    const hid_t f8 = H5T_IEEE_F64LE, u8 = H5T_STD_U64LE;
    return compound(sizeof(Row), {{"energy_start", offsetof(Row, energy_start), f8},
                                  {"energy_end", offsetof(Row, energy_end), f8},
                                  {"energy_lost", offsetof(Row, energy_lost), f8},
                                  {"energy_gained", offsetof(Row, energy_gained), f8},
                                  {"driven", offsetof(Row, driven), f8},
                                  {"energy_residual", offsetof(Row, energy_residual), f8},
                                  {"momentum_residual", offsetof(Row, momentum_residual), f8},
                                  {"momentum_scale", offsetof(Row, momentum_scale), f8},
                                  {"max_overlap", offsetof(Row, max_overlap), f8},
                                  {"events", offsetof(Row, events), u8},
                                  {"impacts", offsetof(Row, impacts), u8},
                                  {"micro", offsetof(Row, micro), u8},
                                  {"checks", offsetof(Row, checks), u8}});
}

AuditRow to_this_version(const AuditRow3& row) {
    constexpr double k_unknown = std::numeric_limits<double>::quiet_NaN();
    return {row.energy_start,
            row.energy_end,
            row.energy_lost,
            row.energy_gained,
            row.driven,
            row.energy_residual,
            row.momentum_residual,
            row.momentum_scale,
            row.max_overlap,
            k_unknown,
            k_unknown,
            row.events,
            row.impacts,
            row.micro,
            row.checks};
}

Handle lasting_type_3() {
    using Row = LastingRow3;
    const hid_t f8 = H5T_IEEE_F64LE;
    return compound(sizeof(Row), {{"segment", offsetof(Row, segment), H5T_STD_U64LE},
                                  {"t1", offsetof(Row, t1), f8},
                                  {"a", offsetof(Row, a), f8, 3},
                                  {"alpha", offsetof(Row, alpha), f8, 3},
                                  {"power", offsetof(Row, power), f8},
                                  {"plane_point", offsetof(Row, plane_point), f8, 3},
                                  {"plane_normal", offsetof(Row, plane_normal), f8, 3},
                                  {"plane_velocity", offsetof(Row, plane_velocity), f8, 3},
                                  {"plane_turn_rate", offsetof(Row, plane_turn_rate), f8},
                                  {"plane_time", offsetof(Row, plane_time), f8},
                                  {"mu", offsetof(Row, mu), f8},
                                  {"mu_roll", offsetof(Row, mu_roll), f8},
                                  {"mu_spin", offsetof(Row, mu_spin), f8}});
}

// The older row is the beginning of the newer one.
LastingRow to_this_version(const LastingRow3& row) {
    static_assert(offsetof(LastingRow, end_position) == sizeof(LastingRow3));
    LastingRow out{};
    std::memcpy(&out, &row, sizeof row);
    out.end_orientation[0] = 1.0;
    return out;
}

}  // namespace carom::record
