// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The questions of SweptHash.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "carom/detect/swept_hash.h"

namespace carom::detect {
// The smallest normal.x in the box is not above the offset; the slack bounds the rounding of the
// products and their sum, also where they underflow. None of it can overflow.
bool SweptHash::reaches(const Plane& plane, const Aabb& box) {
    using limits = std::numeric_limits<double>;
    double least = 0.0;
    double size = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double x = plane.normal[i] > 0.0 ? box.low[i] : box.high[i];
        least += plane.normal[i] * x;
        size += (std::abs(plane.normal[i]) + limits::min()) * std::abs(x);
    }
    return least - (4.0 * limits::epsilon() * size + 8.0 * limits::denorm_min()) <= plane.offset;
}

// -------------------------------------------------------------------------------- one box

// Appends the boxes of the cell that by their codes may overlap the one of the range, which holds
// the cell, such that the low corner of the common part is in this cell. Every id is written and
// the end moves on only for those that count: a branch would often be mispredicted.
void SweptHash::scan(const Cell& cell, const CellRange& range, std::vector<Id>& found) const {
    if (cell.count == 0) return;
    const CodeQuery query(range.code(cell.x, cell.y, cell.z));
    const std::size_t before = found.size();
    found.resize(before + cell.count);
    Id* end = found.data() + before;
    table_.for_each(cell, [&](Id id, BoxCode code) {
        *end = id;
        end += query.may_meet(code);
    });
    found.resize(static_cast<std::size_t>(end - found.data()));
}

// The codes are rounded: the boxes decide.
void SweptHash::keep_overlapping(const Aabb& box, std::vector<Id>& found) const {
    std::erase_if(found, [&](Id id) { return !overlap(box, bodies_[id].box); });
}

void SweptHash::search_coarser(const Aabb& box, int level, std::vector<Id>& found) const {
    const std::uint64_t coarser = (std::uint64_t{1} << index_of(level)) - 1;
    for (std::uint64_t left = used_levels_ & coarser; left != 0; left &= left - 1) {
        const int at = top_ - std::countr_zero(left);
        const CellRange range(box, at);
        range.for_each([&](const CellKey& key) {
            const Cell* cell = table_.find(key);
            if (cell != nullptr) scan(*cell, range, found);
        });
    }
}

void SweptHash::search_finer(const Cell& cell, const Aabb& box, std::vector<Id>& found) const {
    const int level = cell.level - 1;
    const CellRange range(box, level);
    for (unsigned left = cell.children; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        const CellKey key{2 * cell.x + (bit & 1), 2 * cell.y + (bit >> 1 & 1),
                          2 * cell.z + (bit >> 2), level};
        if (!range.holds(key)) continue;
        const Cell& child = *table_.find(key);
        scan(child, range, found);
        if (child.children != 0 && level > finest()) search_finer(child, box, found);
    }
}

// All boxes that overlap the given one, once each; its cells on the given level must be numbered.
void SweptHash::search(const Aabb& box, int level, std::vector<Id>& found) const {
    const bool finer = level > finest();
    const CellRange range(box, level);
    range.for_each([&](const CellKey& key) {
        const Cell* cell = table_.find(key);
        if (cell == nullptr) return;
        scan(*cell, range, found);
        if (finer && cell->children != 0) search_finer(*cell, box, found);
    });
    search_coarser(box, level, found);
    keep_overlapping(box, found);
}

void SweptHash::overlaps(Id id, std::vector<Id>& others) const {
    others.clear();
    if (contains(id) && bodies_[id].kind == Kind::plane) {
        const auto plane = std::find_if(planes_.begin(), planes_.end(),
                                        [&](const Plane& one) { return one.id == id; });
        for (Id other = 0; other < bodies_.size(); ++other) {
            const Body& body = bodies_[other];
            if (body.kind == Kind::box && reaches(*plane, body.box)) others.push_back(other);
        }
        return;
    }
    const Body& body = bounded(id);
    search(body.box, body.level, others);
    for (const Plane& plane : planes_) {
        if (reaches(plane, body.box)) others.push_back(plane.id);
    }
    std::sort(others.begin(), others.end());
    others.erase(std::lower_bound(others.begin(), others.end(), id));  // it finds itself
}

void SweptHash::overlaps(const Aabb& box, std::vector<Id>& others) const {
    if (!is_valid(box)) {
        throw std::invalid_argument("a box must be finite, with low <= high along each axis");
    }
    others.clear();
    const int level = level_for(box);
    if (used_levels_ != 0 && level <= top_) {
        search(box, level, others);
    } else if (used_levels_ != 0) {  // larger than all: it has too many cells
        for (Id other = 0; other < bodies_.size(); ++other) {
            const Body& body = bodies_[other];
            if (body.kind == Kind::box && overlap(box, body.box)) others.push_back(other);
        }
    }
    for (const Plane& plane : planes_) {
        if (reaches(plane, box)) others.push_back(plane.id);
    }
    std::sort(others.begin(), others.end());
}

// -------------------------------------------------------------------------------- all pairs

// Pairs on one level: those in each cell.
void SweptHash::pairs_in_cells(std::vector<Pair>& all) const {
    std::vector<Id> ids, met;
    std::vector<BoxCode> codes;
    for (const Cell& cell : table_.cells()) {
        if (cell.count < 2) continue;
        ids.clear();
        codes.clear();
        table_.for_each(cell, [&](Id id, BoxCode code) {
            ids.push_back(id);
            codes.push_back(code);
        });
        met.resize(ids.size());
        for (std::size_t i = 1; i < ids.size(); ++i) {
            const CodeQuery query(codes[i]);
            std::size_t n = 0;
            for (std::size_t j = 0; j < i; ++j) {
                met[n] = ids[j];
                n += query.may_meet(codes[j]);
            }
            const Id id = ids[i];
            for (std::size_t k = 0; k < n; ++k) {
                if (!overlap(bodies_[id].box, bodies_[met[k]].box)) continue;
                all.push_back(std::minmax(id, met[k]));
            }
        }
    }
}

void SweptHash::pairs_across_levels(std::vector<Pair>& all) const {
    std::vector<Id> found;
    for (Id id = 0; id < bodies_.size(); ++id) {
        const Body& body = bodies_[id];
        if (body.kind != Kind::box) continue;
        found.clear();
        search_coarser(body.box, body.level, found);
        keep_overlapping(body.box, found);
        for (const Id other : found)
            all.push_back(std::minmax(id, other));
        for (const Plane& plane : planes_) {
            if (reaches(plane, body.box)) all.push_back(std::minmax(id, plane.id));
        }
    }
}

// By counting the first ids, which are dense; then each first id's few pairs.
void SweptHash::sort_pairs(std::vector<Pair>& all) const {
    std::vector<std::size_t> begin(bodies_.size() + 1, 0);
    for (const Pair& pair : all)
        ++begin[pair.first + 1];
    for (std::size_t i = 1; i < begin.size(); ++i)
        begin[i] += begin[i - 1];
    std::vector<Id> seconds(all.size());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const Pair& pair : all)
        seconds[next[pair.first]++] = pair.second;
    for (Id first = 0; first < bodies_.size(); ++first) {
        const auto from = seconds.begin() + static_cast<std::ptrdiff_t>(begin[first]);
        const auto to = seconds.begin() + static_cast<std::ptrdiff_t>(begin[first + 1]);
        std::sort(from, to);
        for (std::size_t i = begin[first]; i < begin[first + 1]; ++i)
            all[i] = {first, seconds[i]};
    }
}

void SweptHash::pairs(std::vector<Pair>& all) const {
    all.clear();
    pairs_in_cells(all);
    if (!std::has_single_bit(used_levels_) || !planes_.empty()) pairs_across_levels(all);
    sort_pairs(all);
}

}  // namespace carom::detect
