// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

namespace carom::detect {

// A box as seen from one cell, in 64 bits, so that most boxes of a cell that do not overlap a given
// one are told by a subtraction, without a look at the boxes themselves.
//
// Along each axis low and high are counted in whole 1/512 of the side from the cell's low corner,
// and held to 0 ... 511, by one function q that never decreases: low_a <= high_b gives
// q(low_a) <= q(high_b), so that no overlap is lost. Six lanes of ten bits hold q(low) of x, y, z
// and 511 - q(high) of x, y, z; the tenth bit of a lane is zero. Above them three flags tell along
// which axes the box starts before the cell; these are exact.
using BoxCode = std::uint64_t;

constexpr std::uint64_t in_all_lanes(std::uint64_t value) {
    std::uint64_t all = 0;
    for (int lane = 0; lane < 6; ++lane)
        all |= value << (10 * lane);
    return all;
}

// Asks codes of the same cell. The groups of lanes are exchanged and complemented and the tenth
// bits set, so that lane by lane query - code keeps the tenth bit where code <= query.
class CodeQuery {
public:
    explicit CodeQuery(BoxCode code)
        : lanes_(k_tenths | (k_values & ~exchanged(code & k_values))), flags_(code & k_flags) {}

    // 1 where the boxes may overlap such that the low corner of the common part is in this cell: it
    // is, unless both start before the cell along some axis. 0 where they certainly do not.
    unsigned may_meet(BoxCode code) const {
        const std::uint64_t missing = ~(lanes_ - code) & k_tenths;
        return (missing | (code & flags_)) == 0 ? 1U : 0U;
    }

private:
    static constexpr std::uint64_t k_values = in_all_lanes(511);
    static constexpr std::uint64_t k_tenths = in_all_lanes(512);
    static constexpr std::uint64_t k_flags = std::uint64_t{7} << 60;

    static std::uint64_t exchanged(std::uint64_t lanes) { return lanes >> 30 | lanes << 30; }

    std::uint64_t lanes_, flags_;
};

}  // namespace carom::detect
