// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "carom/detect/aabb.h"
#include "carom/detect/cell_range.h"
#include "carom/detect/cell_table.h"

namespace carom::detect {

// The broad phase: which boxes overlap, where a few of many boxes change at a time.
//
// A hierarchical spatial hash. Level l is a grid of cubes of side 2^l. Each box is kept on one
// level, in all the cells it touches there. The side is more than the middle extent of a box, and
// more than 1/16 of its largest one: a compact box touches 8 cells at most, about 4 on average, and
// the long and thin box of a fast small body a row of small cells, 2 across and 17 along, not one
// huge cell that everybody would have to look into. A search looks into the cells that the box
// touches on its own level, on every coarser level in use, and, by way of the children that exist,
// on the finer ones. Codes in the cells (BoxCode) tell most of the boxes that do not overlap.
//
// Two boxes that overlap share the point p = max(low_a, low_b). The cell of p is a cell of both,
// and the pair is counted in this cell only: once, without any marks.
//
// Nothing is missed. Cell coordinates are exact floors: scaling by a power of two does not round,
// and levels are chosen so that |x| / 2^l < 2^52. Boxes are compared with each other as given. Only
// sizes are treated roughly: boxes smaller than 2^-32 of the largest cell share one level, which
// costs time in such a scene, not truth.
//
// Half-spaces {x : normal.x <= offset} are kept apart and tried with every box, with the rounding
// of normal.x on the safe side. They do not pair with each other.
//
// Answers are sorted, and depend on the boxes alone, not on the order in which they came. An id is
// the caller's; memory goes with the largest one (64 bytes each). Questions do not change anything,
// so that several threads may ask at once. update() and remove() allocate nothing once the table
// has the size that the scene needs.
//
// Every call refuses bad input with std::invalid_argument and then has changed nothing.
// Source: the hierarchical spatial hash of Overmars 1992 as used by Mirtich 1996; the treatment of
// long boxes, finer levels and rounding is our own.
class SweptHash {
public:
    using Id = std::uint32_t;
    using Pair = std::pair<Id, Id>;
    struct Entry {
        Id id;
        Aabb box;
    };

    void insert(Id id, const Aabb& box);
    void insert_unbounded(Id id, const Vec3& normal, double offset);
    // A new box for a bounded id; cheapest while it touches the same cells.
    void update(Id id, const Aabb& box);
    void remove(Id id);

    // Replaces all boxes at once (the half-spaces stay): faster than one by one.
    void rebuild(std::span<const Entry> boxes);
    void clear();
    // Room for ids below n.
    void reserve(std::size_t n);

    bool contains(Id id) const { return id < bodies_.size() && bodies_[id].kind != Kind::none; }
    // Boxes and half-spaces.
    std::size_t size() const { return bounded_ + planes_.size(); }
    // Of a bounded id.
    const Aabb& box(Id id) const;

    // Every other id that overlaps this one, ascending. What was in `others` is replaced.
    void overlaps(Id id, std::vector<Id>& others) const;
    // Every id that overlaps a box that is not in the table, ascending.
    void overlaps(const Aabb& box, std::vector<Id>& others) const;
    // All overlapping pairs (a, b) with a < b, sorted.
    void pairs(std::vector<Pair>& all) const;

private:
    static constexpr int k_depth = 32;  // levels below the coarsest one

    enum class Kind : std::uint8_t { none, box, plane };
    struct alignas(64) Body {
        Aabb box;
        int level = 0;
        Kind kind = Kind::none;
    };
    struct Plane {
        Id id;
        Vec3 normal;  // scaled so that its largest component is between 1/8 and 1/4
        double offset;
    };

    static bool reaches(const Plane& plane, const Aabb& box);
    const Body& bounded(Id id) const;
    Body& make_body(Id id);
    int fitting_level(const Aabb& box) const;
    int level_for(const Aabb& box) const;
    std::size_t index_of(int level) const { return static_cast<std::size_t>(top_ - level); }
    int finest() const;

    void count_in(int level);
    void count_out(int level);
    void reset_levels(int top);
    void admit(int level);
    void place(Id id, int level);
    void displace(Id id);
    void move_cells(Id id, const CellRange& before, const CellRange& after);

    void scan(const Cell& cell, const CellRange& range, std::vector<Id>& found) const;
    void search_coarser(const Aabb& box, int level, std::vector<Id>& found) const;
    void search_finer(const Cell& cell, const Aabb& box, std::vector<Id>& found) const;
    void search(const Aabb& box, int level, std::vector<Id>& found) const;
    void keep_overlapping(const Aabb& box, std::vector<Id>& found) const;
    void pairs_in_cells(std::vector<Pair>& all) const;
    void pairs_across_levels(std::vector<Pair>& all) const;
    void sort_pairs(std::vector<Pair>& all) const;

    CellTable table_;
    std::vector<Body> bodies_;  // by id
    std::vector<Plane> planes_;
    std::size_t bounded_ = 0;
    // Boxes on level top_ - i, and as a mask which of these are not zero.
    std::array<std::uint32_t, k_depth + 1> level_counts_{};
    std::uint64_t used_levels_ = 0;
    int top_ = 0;  // the coarsest level so far, where there are boxes
};

}  // namespace carom::detect
