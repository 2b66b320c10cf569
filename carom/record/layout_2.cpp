// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/record/layout_2.h"

#include <algorithm>
#include <iterator>

namespace carom::record {

Handle force_type_2() {
    using Row = ForceRow2;
    const hid_t f8 = H5T_IEEE_F64LE, u4 = H5T_STD_U32LE;
    return compound(sizeof(Row), {{"t0", offsetof(Row, t0), f8},
                                  {"t1", offsetof(Row, t1), f8},
                                  {"a", offsetof(Row, a), u4},
                                  {"b", offsetof(Row, b), u4},
                                  {"point", offsetof(Row, point), f8, 3},
                                  {"normal", offsetof(Row, normal), f8, 3},
                                  {"impulse", offsetof(Row, impulse), f8, 3}});
}

ForceRow to_this_version(const ForceRow2& row) {
    ForceRow now{};
    now.t0 = row.t0;
    now.t1 = row.t1;
    now.a = row.a;
    now.b = row.b;
    std::copy(std::begin(row.point), std::end(row.point), now.point);
    std::copy(std::begin(row.normal), std::end(row.normal), now.normal);
    std::copy(std::begin(row.impulse), std::end(row.impulse), now.impulse);
    std::copy(std::begin(row.point), std::end(row.point), now.point_end);
    now.follows = static_cast<std::uint32_t>(world::ForcePlace::line);
    now.acts = static_cast<std::uint32_t>(world::ForceCourse::evenly);
    return now;
}

}  // namespace carom::record
