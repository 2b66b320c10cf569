// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/layout_4.h"

#include <cstddef>
#include <cstring>

namespace carom::record {

Handle lasting_type_4() {
    using Row = LastingRow4;
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
                                  {"mu_spin", offsetof(Row, mu_spin), f8},
                                  {"end_state", offsetof(Row, end_position), f8, 13},
                                  {"end_accelerations", offsetof(Row, end_a), f8, 6}});
}

// The older row is the beginning of the newer one.
LastingRow to_this_version(const LastingRow4& row) {
    static_assert(offsetof(LastingRow, middle_position) == sizeof(LastingRow4));
    LastingRow out{};
    std::memcpy(&out, &row, sizeof row);
    return out;
}

}  // namespace carom::record
