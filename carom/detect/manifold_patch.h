// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "carom/detect/manifold.h"
#include "carom/detect/manifold_body.h"

namespace carom::detect {

// For manifold.cpp: the points where two outlines face each other, in a frame whose z axis is the
// normal. A is above, B below. A polygon without corners is the whole plane.

inline constexpr int k_most_visited = 32;

struct Candidate {
    Vec3 a, b;
    std::uint32_t id;
    double gap() const { return a.z() - b.z(); }
};

inline std::uint32_t point_id(Code of_a, Code of_b) {
    return (static_cast<std::uint32_t>(of_a) << 16U) | of_b;
}

// The points found so far. There is room for what two outlines and their vertices can give.
class Candidates {
public:
    explicit Candidates(double within) : within_(within) {}

    // A point, unless its gap is too large.
    void put(const Vec3& a, const Vec3& b, Code of_a, Code of_b) {
        const double gap = a.z() - b.z();
        if (gap < least_) least_ = gap;
        if (!(gap <= within_) || count_ == k_room) return;
        list_[static_cast<std::size_t>(count_++)] = {a, b, point_id(of_a, of_b)};
    }
    // The same with the roles of the bodies given: `mine` is on the body that is A or not.
    void put(bool mine_is_a, const Vec3& mine, const Vec3& other, Code of_mine, Code of_other) {
        if (mine_is_a) {
            put(mine, other, of_mine, of_other);
        } else {
            put(other, mine, of_other, of_mine);
        }
    }
    bool has(std::uint32_t id) const;

    int count() const { return count_; }
    const Candidate& operator[](int i) const { return list_[static_cast<std::size_t>(i)]; }
    double within() const { return within_; }
    // The smallest gap, of points that were too far too; infinity without points.
    double least() const { return least_; }

private:
    static constexpr int k_room = 4 * k_outline_corners + 3 * k_most_visited;

    double within_;
    double least_ = std::numeric_limits<double>::infinity();
    int count_ = 0;
    std::array<Candidate, k_room> list_;
};

// The corners of the common part of two outlines. `border` is how far outside a place still counts
// as inside.
void facing_patch(const Outline& A, const Outline& B, double border, Candidates& out);

// All vertices of a polyhedron in reach of the other body's outline, an area. They are found from
// `start`, the lowest of them, along edges; at most k_most_visited. R and t place them in the
// frame.
void facing_vertices(const shape::Polyhedron& body, shape::Index start, const Mat3& R,
                     const Vec3& t, bool body_is_a, const Outline& other, double border,
                     Candidates& out);

// Which of the points to keep, at most k_most_points, as manifold.h says; the deepest only where it
// is deeper than the others by more than k_deeper of `within`. Their number.
int chosen_points(const Candidates& all, std::array<int, k_most_points>& list);

}  // namespace carom::detect
