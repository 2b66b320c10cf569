// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

// The comparison of all boxes with all, and the scenes for it.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "carom/detect/swept_hash.h"
#include "tests/support/random_problems.h"

namespace carom::tests {

using carom::Aabb;
using detect::SweptHash;
using Id = SweptHash::Id;
using Pairs = std::vector<SweptHash::Pair>;

struct HalfSpace {
    Vec3 normal;
    double offset;
};

// What is in the table, kept as plainly as can be.
struct Truth {
    std::map<Id, Aabb> boxes;
    std::map<Id, HalfSpace> half_spaces;

    static bool meet(const Aabb& a, const Aabb& b) {
        for (int i = 0; i < 3; ++i) {
            if (a.high[i] < b.low[i] || b.high[i] < a.low[i]) return false;
        }
        return true;
    }
    // some corner is in the half-space
    static bool meet(const HalfSpace& h, const Aabb& a) {
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 x((corner & 1) != 0 ? a.low.x() : a.high.x(),
                         (corner & 2) != 0 ? a.low.y() : a.high.y(),
                         (corner & 4) != 0 ? a.low.z() : a.high.z());
            if (h.normal.dot(x) <= h.offset) return true;
        }
        return false;
    }
    Pairs pairs() const {
        Pairs all;
        for (auto a = boxes.begin(); a != boxes.end(); ++a) {
            for (auto b = std::next(a); b != boxes.end(); ++b) {
                if (meet(a->second, b->second)) all.emplace_back(a->first, b->first);
            }
            for (const auto& [id, h] : half_spaces) {
                if (meet(h, a->second)) all.push_back(std::minmax(a->first, id));
            }
        }
        std::sort(all.begin(), all.end());
        return all;
    }
};

// Both questions give just the pairs of the truth, in order. Returns how many there are.
inline std::size_t expect_same(const SweptHash& table, const Truth& truth) {
    const Pairs expected = truth.pairs();
    Pairs found;
    table.pairs(found);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(table.size(), truth.boxes.size() + truth.half_spaces.size());
    std::map<Id, std::vector<Id>> of;
    for (const auto& [a, b] : expected) {
        of[a].push_back(b);
        of[b].push_back(a);
    }
    std::vector<Id> others;
    const auto check = [&](Id id) {
        std::sort(of[id].begin(), of[id].end());
        table.overlaps(id, others);
        EXPECT_EQ(others, of[id]) << "of id " << id;
    };
    for (const auto& entry : truth.boxes)
        check(entry.first);
    for (const auto& entry : truth.half_spaces)
        check(entry.first);
    return expected.size();
}

inline Truth truth_of(const std::vector<Aabb>& boxes) {
    Truth truth;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        truth.boxes[static_cast<Id>(i)] = boxes[i];
    return truth;
}

inline void fill(SweptHash& table, const std::vector<Aabb>& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i)
        table.insert(static_cast<Id>(i), boxes[i]);
}

inline std::size_t expect_same(const std::vector<Aabb>& boxes) {
    SweptHash table;
    fill(table, boxes);
    return expect_same(table, truth_of(boxes));
}

inline Vec3 uniform3(Random& random, double low, double high) {
    const double x = random.uniform(low, high);
    const double y = random.uniform(low, high);
    return {x, y, random.uniform(low, high)};
}

inline Aabb box_at(const Vec3& centre, const Vec3& half) {
    return {centre - half, centre + half};
}

// n boxes in a cube of the given half-width, with half-extents between small and large.
inline std::vector<Aabb> scatter(Random& random, int n, double width, double small, double large) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < n; ++i) {
        const double size = random.log_uniform(small, large);
        const Vec3 half = size * uniform3(random, 0.3, 1.0);
        boxes.push_back(box_at(uniform3(random, -width, width), half));
    }
    return boxes;
}

inline std::vector<Aabb> shifted(std::vector<Aabb> boxes, const Vec3& by, double scale = 1.0) {
    for (Aabb& box : boxes)
        box = {scale * box.low + by, scale * box.high + by};
    return boxes;
}

}  // namespace carom::tests
