// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/gas/ball_grid.h"

#include <cmath>
#include <map>

namespace carom::world {
namespace {

// Cells no smaller than this part of the mean distance of balls. Smaller: more cells to look into
// and planes to cross, fewer balls to look at.
constexpr double k_fineness = 0.8;
// Rounding of positions, as a part of a cell. Larger: cells and searches larger by as much.
constexpr double k_slack = 1e-6;
// No more cells than this for each ball, whatever the box.
constexpr double k_most_cells = 8.0;

}  // namespace

BallGrid::BallGrid(const Aabb& box, double volume, std::size_t count, double largest_radius,
                   std::span<const BallWall> walls)
    : low_(box.low), largest_radius_(largest_radius) {
    const double balls = static_cast<double>(count);
    const double diameter = 2.0 * largest_radius * (1.0 + 4.0 * k_slack);
    double side = std::max(diameter, k_fineness * std::cbrt(volume / balls));
    const Vec3 size = box.high - box.low;
    Vec3 n;
    for (;; side *= 1.25) {
        n = (size / side).array().floor().max(1.0);
        if (n.prod() <= k_most_cells * balls + 64.0) break;
    }
    for (int k = 0; k < 3; ++k) {
        size_[k] = static_cast<std::int32_t>(n[k]);
        side_[k] = std::max(size[k] / n[k], side);
        inverse_[k] = 1.0 / side_[k];
        last_[k] = n[k] - 1.0;
    }
    slack_ = k_slack * side;
    cells_.assign(static_cast<std::size_t>(n.prod()) + 2, Cell{});  // two for whole rows at the end
    find_walls(walls);
}

Aabb BallGrid::box_of(const Eigen::Vector3i& cell) const {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
        const std::int32_t c = cell[k];
        box.low[k] = c == 0 ? -k_infinity : plane(c, k);
        box.high[k] = is_last(c, k) ? k_infinity : plane(c + 1, k);
    }
    return box;
}

void BallGrid::find_walls(std::span<const BallWall> walls) {
    constexpr std::size_t k_most_sets = 60'000;
    walls_.assign(cells_.size() - 2, 0);
    sets_.assign(1, {});
    std::map<std::vector<std::uint32_t>, std::uint16_t> known{{{}, std::uint16_t{0}}};
    std::vector<std::uint32_t> near, all;
    for (std::uint32_t w = 0; w < walls.size(); ++w)
        all.push_back(w);
    std::size_t cell = 0;
    for (std::int32_t z = 0; z < size_[2]; ++z) {
        for (std::int32_t y = 0; y < size_[1]; ++y) {
            for (std::int32_t x = 0; x < size_[0]; ++x, ++cell) {
                const Aabb box = box_of(Eigen::Vector3i(x, y, z));
                near.clear();
                for (std::uint32_t w = 0; w < walls.size(); ++w) {
                    double height = -walls[w].offset;
                    for (int k = 0; k < 3; ++k) {
                        const double n = walls[w].normal[k];
                        if (n != 0.0) height += n * (n > 0.0 ? box.low[k] : box.high[k]);
                    }
                    if (height <= largest_radius_ + slack_) near.push_back(w);
                }
                const auto& kept = known.size() < k_most_sets || near.empty() ? near : all;
                const auto found =
                    known.try_emplace(kept, static_cast<std::uint16_t>(sets_.size()));
                if (found.second) sets_.push_back(kept);
                walls_[cell] = found.first->second;
            }
        }
    }
}

std::size_t BallGrid::bytes() const {
    return cells_.capacity() * sizeof(Cell) + walls_.capacity() * sizeof(std::uint16_t);
}

}  // namespace carom::world
