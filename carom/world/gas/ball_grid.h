// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carom/math/types.h"

namespace carom::world {

// A fixed plane; the free side is where normal.x > offset.
struct BallWall {
    Vec3 normal;  // unit, world frame
    double offset = 0.0;
    std::uint32_t body = 0;
    std::uint32_t material = 0;  // as the engine numbers them
};

// Where a ball is filed: its grid and its cell there.
struct BallPlace {
    Eigen::Vector3i cell = Eigen::Vector3i::Zero();
    std::uint16_t grid = 0;
    std::uint16_t walls = 0;  // the set of those within reach
};

// Equal boxes in which the centres of balls of like size are filed.
//
// The outermost cells go on to infinity, so that every point is in one. A ball is filed by whole
// numbers that change only when it crosses a plane between cells; rounding of its position at the
// plane is covered by `slack`, which every search adds to its reach.
class BallGrid {
public:
    static constexpr std::uint32_t k_end = std::numeric_limits<std::uint32_t>::max();
    static constexpr double k_infinity = std::numeric_limits<double>::infinity();

    // Three balls in place; of more, the first of a chain that hangs on the balls' own links.
    struct Cell {
        std::array<std::uint32_t, 3> ball{};
        std::uint32_t state = 0;  // balls in place, and 4 (1 + first of the chain)

        std::uint32_t count() const { return state & 3U; }
        bool has_more() const { return state > 3U; }
        // k_end when there is no chain
        std::uint32_t more() const { return (state >> 2) - 1U; }
        void set_more(std::uint32_t first) { state = count() | (first + 1U) << 2; }
    };
    static constexpr std::uint32_t k_most_balls = (1U << 30) - 2;

    // Over the box of the centres, for `count` balls of at most that radius; each cell knows the
    // walls that a ball in it can touch.
    BallGrid(const Aabb& box, double volume, std::size_t count, double largest_radius,
             std::span<const BallWall> walls);

    double largest_radius() const { return largest_radius_; }
    double slack() const { return slack_; }
    double least_side() const { return side_.minCoeff(); }

    std::int32_t cell_of(double x, int axis) const {
        const double at = (x - low_[axis]) * inverse_[axis];
        // no number (of sides that are infinite) is in the first cell, the only one then
        return static_cast<std::int32_t>(at > 0.0 ? std::min(at, last_[axis]) : 0.0);
    }
    bool is_last(std::int32_t cell, int axis) const { return cell + 1 == size_[axis]; }
    // The plane between cells number - 1 and number.
    double plane(std::int32_t number, int axis) const { return low_[axis] + number * side_[axis]; }

    std::size_t index(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size_[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(size_[0]) +
               static_cast<std::size_t>(x);
    }
    std::size_t index(const Eigen::Vector3i& c) const { return index(c[0], c[1], c[2]); }
    const Cell& cell(std::size_t index) const { return cells_[index]; }
    Cell& cell(std::size_t index) { return cells_[index]; }
    // Calls f with the first of the up to three cells in each row around a cell.
    template <class F>
    void around(const Eigen::Vector3i& cell, F f) const {
        const std::int32_t x = std::max(cell.x() - 1, 0);
        for (std::int32_t z = std::max(cell.z() - 1, 0); z <= std::min(cell.z() + 1, size_.z() - 1);
             ++z) {
            for (std::int32_t y = std::max(cell.y() - 1, 0);
                 y <= std::min(cell.y() + 1, size_.y() - 1); ++y)
                f(cells_[index(x, y, z)]);
        }
    }
    // The set of walls within reach of a cell, and the numbers of those.
    std::uint16_t wall_set(std::size_t cell) const { return walls_[cell]; }
    std::span<const std::uint32_t> walls(std::uint16_t set) const { return sets_[set]; }

    std::size_t bytes() const;

private:
    void find_walls(std::span<const BallWall> walls);
    // The side of a cell along an axis, infinite at the ends.
    Aabb box_of(const Eigen::Vector3i& cell) const;

    Vec3 low_, side_, inverse_, last_;
    Eigen::Vector3i size_;
    double largest_radius_, slack_;
    std::vector<Cell> cells_;
    std::vector<std::uint16_t> walls_;  // the set of each cell; 0 is none
    std::vector<std::vector<std::uint32_t>> sets_;
};

}  // namespace carom::world
