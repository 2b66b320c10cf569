// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "carom/detect/aabb.h"
#include "carom/detect/box_code.h"
#include "carom/detect/cell_table.h"

namespace carom::detect {

// 2^n for -1022 <= n <= 1023.
inline double power_of_two(int n) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

// The cells of one level that a box touches, and the box's code in each. Everything follows from
// exact floors of the coordinates in 1/512 of the side. Needs |x| / 2^level < 2^52 and a level from
// k_finest to k_coarsest.
class CellRange {
public:
    static constexpr int k_finest = -1013;
    static constexpr int k_coarsest = 1023;

    CellRange(const Aabb& box, int level) : level_(level) {
        const double part = power_of_two(level - k_shift);
        const double inverse = power_of_two(k_shift - level);
        for (std::size_t i = 0; i < 3; ++i) {
            low_[i] = floor_of(box.low[static_cast<int>(i)], part, inverse);
            high_[i] = floor_of(box.high[static_cast<int>(i)], part, inverse);
        }
    }

    bool same_cells(const CellRange& other) const {
        bool same = level_ == other.level_;
        for (std::size_t i = 0; i < 3; ++i) {
            same = same && first(i) == other.first(i) && last(i) == other.last(i);
        }
        return same;
    }
    bool holds(const CellKey& key) const {
        return key.x >= first(0) && key.x <= last(0) && key.y >= first(1) && key.y <= last(1) &&
               key.z >= first(2) && key.z <= last(2);
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::int64_t z = first(2); z <= last(2); ++z) {
            for (std::int64_t y = first(1); y <= last(1); ++y) {
                for (std::int64_t x = first(0); x <= last(0); ++x) {
                    visit(CellKey{x, y, z, level_});
                }
            }
        }
    }

    // In a cell of the range.
    BoxCode code(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return axis_code(0, x) | axis_code(1, y) << 10 | axis_code(2, z) << 20;
    }
    BoxCode code(const CellKey& key) const { return code(key.x, key.y, key.z); }

private:
    static constexpr int k_shift = 9;

    std::int64_t first(std::size_t axis) const { return low_[axis] >> k_shift; }
    std::int64_t last(std::size_t axis) const { return high_[axis] >> k_shift; }

    // The lanes and the flag of x; those of y and z are ten and twenty bits higher, but for the
    // flags, which are one and two.
    BoxCode axis_code(std::size_t axis, std::int64_t cell) const {
        const std::int64_t corner = cell << k_shift;
        const std::int64_t low = std::max<std::int64_t>(low_[axis] - corner, 0);
        const std::int64_t high = std::min<std::int64_t>(high_[axis] - corner, 511);
        const std::uint64_t before = low_[axis] < corner ? 1U : 0U;
        return static_cast<std::uint64_t>(low) | static_cast<std::uint64_t>(511 - high) << 30 |
               before << (60 - 9 * static_cast<int>(axis));
    }

    // Exact also where x / part underflows: the comparison is with x itself.
    static std::int64_t floor_of(double x, double part, double inverse) {
        const auto whole = static_cast<std::int64_t>(x * inverse);
        return whole - (static_cast<double>(whole) * part > x ? 1 : 0);
    }

    std::array<std::int64_t, 3> low_, high_;  // in 1/512 of the side
    int level_;
};

}  // namespace carom::detect
