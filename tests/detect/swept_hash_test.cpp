// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The broad phase against the comparison of all boxes with all: scenes that stand still.

#include "carom/detect/swept_hash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/detect/swept_truth.h"

namespace carom::tests {
namespace {

TEST(SweptHash, UniformSizes) {
    Random random(4101);
    for (int scene = 0; scene < 40; ++scene) {
        const double size = random.log_uniform(1e-3, 1e3);
        EXPECT_GT(expect_same(scatter(random, 200, 5.0 * size, 0.5 * size, size)), 20U);
    }
}

TEST(SweptHash, SizesOverFiveDecades) {
    Random random(4102);
    for (int scene = 0; scene < 40; ++scene) {
        EXPECT_GT(expect_same(scatter(random, 250, 1.0, 1e-5, 1.0)), 20U);
    }
}

// Beyond the depth of the levels: the smallest share a level.
TEST(SweptHash, SizesOverSixtyDecades) {
    Random random(4103);
    for (int scene = 0; scene < 20; ++scene) {
        std::vector<Aabb> boxes;
        for (int i = 0; i < 200; ++i) {
            const double size = random.log_uniform(1e-30, 1e30);
            boxes.push_back(box_at(size * random.normal3(), size * uniform3(random, 0.0, 1.0)));
        }
        EXPECT_GT(expect_same(boxes), 20U);
    }
}

TEST(SweptHash, Clusters) {
    Random random(4104);
    for (int scene = 0; scene < 10; ++scene) {
        std::vector<Aabb> boxes;
        for (int cluster = 0; cluster < 6; ++cluster) {
            const double width = random.log_uniform(1e-4, 1.0);
            const auto some =
                shifted(scatter(random, 50, width, 0.1 * width, 0.5 * width), random.normal3());
            boxes.insert(boxes.end(), some.begin(), some.end());
        }
        EXPECT_GT(expect_same(boxes), 100U);
    }
}

// The boxes of fast bodies: up to a thousand times longer than wide, along any axis, among slow
// ones.
TEST(SweptHash, LongBoxes) {
    Random random(4105);
    for (int scene = 0; scene < 20; ++scene) {
        std::vector<Aabb> boxes = scatter(random, 120, 3.0, 0.05, 0.2);
        for (int i = 0; i < 80; ++i) {
            Vec3 half = uniform3(random, 0.01, 0.1);
            half[i % 3] = random.log_uniform(1.0, 10.0);
            if (i % 4 == 0) half[(i + 1) % 3] = random.log_uniform(0.1, 10.0);
            boxes.push_back(box_at(uniform3(random, -3.0, 3.0), half));
        }
        EXPECT_GT(expect_same(boxes), 100U);
    }
}

TEST(SweptHash, AllCoincident) {
    const std::vector<Aabb> boxes(300, Aabb{Vec3(-1.0, 0.3, 2.0), Vec3(0.5, 0.4, 2.0)});
    EXPECT_EQ(expect_same(boxes), 300U * 299U / 2U);
    EXPECT_EQ(expect_same(std::vector<Aabb>(50, Aabb{Vec3::Zero(), Vec3::Zero()})), 50U * 49U / 2U);
}

// Cubes of a lattice touch their 26 neighbours at faces, edges and corners, and these sit exactly
// on the borders of cells of every level.
TEST(SweptHash, TouchingAtCellBorders) {
    constexpr int k_n = 6;
    for (const double side : {0.125, 1.0, 1024.0, 0.3}) {
        std::vector<Aabb> boxes;
        for (int i = 0; i < k_n * k_n * k_n; ++i) {
            const Vec3 at(i % k_n - 3, i / k_n % k_n - 3, i / (k_n * k_n) - 3);
            boxes.push_back({side * at, side * (at + Vec3::Ones())});
        }
        // along a line of n cubes 3 n - 2 ordered pairs touch, themselves included
        const int along = 3 * k_n - 2;
        const int touching = (along * along * along - k_n * k_n * k_n) / 2;
        EXPECT_EQ(expect_same(boxes), static_cast<std::size_t>(touching));
        // a hair apart they do not
        for (Aabb& box : boxes) {
            for (int i = 0; i < 3; ++i)
                box.high[i] = std::nextafter(box.high[i], -1e9);
        }
        EXPECT_EQ(expect_same(boxes), 0U);
    }
}

// Coordinates that are small multiples of powers of two, on many levels, and points on them.
TEST(SweptHash, BordersOfPowersOfTwo) {
    Random random(4106);
    for (int scene = 0; scene < 60; ++scene) {
        std::vector<Aabb> boxes;
        for (int i = 0; i < 150; ++i) {
            const int level = static_cast<int>(random.bits() % 4);
            Aabb box;
            for (int k = 0; k < 3; ++k) {
                const auto start = static_cast<double>(random.bits() % 8) - 4.0;
                const auto length = static_cast<double>(random.bits() % 3);
                box.low[k] = std::ldexp(start, level - 4);
                box.high[k] = std::ldexp(start + length, level - 4);
                if (i % 5 == 0) box.low[k] = std::nextafter(box.low[k], -1e9);
                if (i % 7 == 0) box.high[k] = std::nextafter(box.high[k], 1e9);
            }
            boxes.push_back(box);
        }
        EXPECT_GT(expect_same(boxes), 100U);
    }
}

TEST(SweptHash, FarFromTheOrigin) {
    Random random(4107);
    for (const double far : {1e6, -1e9, 1e15, -1e17, 1e30, 1e300, -1.5e308}) {
        const double scale = std::max(1.0, std::abs(far) * 1e-15);
        const auto near_there = scatter(random, 120, 5.0, 0.3, 1.0);
        auto boxes = shifted(near_there, Vec3(far, -0.7 * far, 0.5 * far), scale);
        EXPECT_GT(expect_same(boxes), 10U) << far;
        // together with some at the origin
        const auto here = scatter(random, 60, 3.0, 0.3, 1.0);
        boxes.insert(boxes.begin() + 60, here.begin(), here.end());
        EXPECT_GT(expect_same(boxes), 10U) << far;
    }
}

TEST(SweptHash, EndsOfTheNumbers) {
    constexpr double k_most = std::numeric_limits<double>::max();
    constexpr double k_least = std::numeric_limits<double>::denorm_min();
    const Vec3 one = Vec3::Ones();
    const std::vector<Aabb> boxes{{-k_most * one, k_most * one},        {0.0 * one, k_most * one},
                                  {-k_most * one, -k_least * one},      {-k_least * one, 0.0 * one},
                                  {k_least * one, 3.0 * k_least * one}, {-0.0 * one, 0.0 * one},
                                  {k_most * one, k_most * one},         {one, 2.0 * one},
                                  {-3e-310 * one, -2e-310 * one}};
    std::vector<Aabb> small(boxes.begin() + 3, boxes.begin() + 6);
    small.push_back(boxes[8]);
    EXPECT_EQ(expect_same(small), 1U);
    EXPECT_GT(expect_same(boxes), 15U);
}

TEST(SweptHash, HalfSpaces) {
    Random random(4108);
    for (int scene = 0; scene < 20; ++scene) {
        const auto boxes = scatter(random, 80, 3.0, 0.01, 1.0);
        Truth truth;
        SweptHash table;
        for (Id i = 0; i < boxes.size(); ++i) {
            const Id id = 2 * i;
            truth.boxes[id] = boxes[i];
            table.insert(id, boxes[i]);
            if (i % 10 != 0) continue;
            const HalfSpace h{random.log_uniform(1e-3, 1e3) * random.direction(), random.normal()};
            truth.half_spaces[id + 1] = h;
            table.insert_unbounded(id + 1, h.normal, h.offset);
        }
        EXPECT_GT(expect_same(table, truth), 40U);
        table.remove(21);
        truth.half_spaces.erase(21);
        expect_same(table, truth);
    }
}

// A ball's box that rests on a plane in any direction: the least corner is on the plane up to
// rounding, and may not be missed.
TEST(SweptHash, TouchedHalfSpacesAreNotMissed) {
    Random random(4109);
    std::vector<Id> others;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 normal = random.direction();
        const Aabb box =
            box_at(1e3 * random.normal3(), random.log_uniform(1e-9, 1.0) * Vec3::Ones());
        long double least = 0.0L;
        for (int k = 0; k < 3; ++k) {
            least += static_cast<long double>(normal[k]) *
                     static_cast<long double>(normal[k] > 0.0 ? box.low[k] : box.high[k]);
        }
        double offset = static_cast<double>(least);
        if (static_cast<long double>(offset) < least) offset = std::nextafter(offset, 1e9);
        SweptHash table;
        table.insert(3, box);
        table.insert_unbounded(0, normal, offset);
        table.insert_unbounded(1, normal, offset - 1e-11);  // well beyond rounding
        table.overlaps(3, others);
        ASSERT_EQ(others, std::vector<Id>{0}) << normal.transpose();
    }
}

TEST(SweptHash, HalfSpacesOfAnySize) {
    SweptHash table;
    table.insert(0, {Vec3(1e308, -1e308, 1e308), Vec3(1.1e308, -1e308, 1e308)});
    table.insert(1, {Vec3::Zero(), Vec3::Ones()});
    table.insert_unbounded(2, Vec3(1e300, 1e300, 1e300), -1e300);  // x + y + z <= -1
    table.insert_unbounded(3, Vec3(-1e-310, 0.0, 0.0), -1.0);      // beyond all numbers
    table.insert_unbounded(4, Vec3(1e-310, 0.0, 0.0), 1.0);        // everything
    table.insert_unbounded(5, Vec3(0.0, 1e308, 0.0), -1e308);      // y <= -1
    Pairs found;
    table.pairs(found);
    EXPECT_EQ(found, (Pairs{{0, 4}, {0, 5}, {1, 4}}));
}

TEST(SweptHash, ForeignBoxes) {
    Random random(4115);
    const auto boxes = scatter(random, 200, 1.0, 1e-3, 0.3);
    SweptHash table;
    std::vector<Id> others;
    table.overlaps(boxes[0], others);
    EXPECT_TRUE(others.empty());
    fill(table, boxes);
    const HalfSpace h{Vec3(0.0, 0.0, 1.0), -0.5};
    table.insert_unbounded(500, h.normal, h.offset);
    for (int i = 0; i < 500; ++i) {
        const double size = random.log_uniform(1e-6, 100.0);
        const Aabb box = box_at(uniform3(random, -1.0, 1.0), size * uniform3(random, 0.0, 1.0));
        std::vector<Id> expected;
        for (Id id = 0; id < boxes.size(); ++id) {
            if (Truth::meet(boxes[id], box)) expected.push_back(id);
        }
        if (Truth::meet(h, box)) expected.push_back(500);
        table.overlaps(box, others);
        EXPECT_EQ(others, expected);
    }
    const Aabb far = box_at(Vec3(1e300, 0.0, 0.0), Vec3::Ones());
    table.overlaps(far, others);
    EXPECT_EQ(others, std::vector<Id>{500});
}

TEST(SweptHash, Refusals) {
    constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double k_inf = std::numeric_limits<double>::infinity();
    const Aabb good{Vec3::Zero(), Vec3::Ones()};
    SweptHash table;
    table.insert(1, good);
    table.insert_unbounded(2, Vec3::UnitZ(), 0.0);
    for (const double bad : {k_nan, k_inf, -k_inf}) {
        for (int i = 0; i < 3; ++i) {
            Aabb low = good, high = good;
            low.low[i] = bad;
            high.high[i] = bad;
            for (const Aabb& box : {low, high}) {
                const SweptHash::Entry entry{3, box};
                std::vector<Id> others;
                EXPECT_THROW(table.insert(3, box), std::invalid_argument);
                EXPECT_THROW(table.update(1, box), std::invalid_argument);
                EXPECT_THROW(table.rebuild({&entry, 1}), std::invalid_argument);
                EXPECT_THROW(table.overlaps(box, others), std::invalid_argument);
            }
            Vec3 normal = Vec3::UnitX();
            normal[i] = bad;
            EXPECT_THROW(table.insert_unbounded(3, normal, 0.0), std::invalid_argument);
        }
        EXPECT_THROW(table.insert_unbounded(3, Vec3::UnitX(), bad), std::invalid_argument);
    }
    const Aabb inverted{Vec3(0.0, 1.0, 0.0), Vec3(1.0, 0.999, 1.0)};
    EXPECT_THROW(table.insert(3, inverted), std::invalid_argument);
    EXPECT_THROW(table.update(1, inverted), std::invalid_argument);
    EXPECT_THROW(table.insert_unbounded(3, Vec3::Zero(), 0.0), std::invalid_argument);
    EXPECT_THROW(table.insert(1, good), std::invalid_argument);
    EXPECT_THROW(table.insert(2, good), std::invalid_argument);
    EXPECT_THROW(table.insert_unbounded(1, Vec3::UnitX(), 0.0), std::invalid_argument);
    EXPECT_THROW(table.update(2, good), std::invalid_argument);
    EXPECT_THROW(table.update(3, good), std::invalid_argument);
    EXPECT_THROW(table.remove(3), std::invalid_argument);
    EXPECT_THROW(table.remove(4000000000U), std::invalid_argument);
    EXPECT_THROW(table.box(2), std::invalid_argument);
    std::vector<Id> others;
    EXPECT_THROW(table.overlaps(Id{3}, others), std::invalid_argument);
    const std::vector<SweptHash::Entry> twice{{5, good}, {5, good}}, taken{{5, good}, {2, good}};
    EXPECT_THROW(table.rebuild(twice), std::invalid_argument);
    EXPECT_THROW(table.rebuild(taken), std::invalid_argument);
    // and nothing has changed
    EXPECT_EQ(table.size(), 2U);
    EXPECT_FALSE(table.contains(3));
    Pairs all;
    table.pairs(all);
    EXPECT_EQ(all, (Pairs{{1, 2}}));
    EXPECT_EQ(table.box(1).high, good.high);
}

TEST(SweptHash, ClearAndUseAgain) {
    Random random(4116);
    SweptHash table;
    table.reserve(1000);
    Pairs all;
    for (const double size : {1.0, 1e-6, 1e6}) {
        const auto boxes = scatter(random, 150, 4.0 * size, 0.3 * size, size);
        fill(table, boxes);
        EXPECT_GT(expect_same(table, truth_of(boxes)), 10U);
        table.clear();
        EXPECT_EQ(table.size(), 0U);
        table.pairs(all);
        EXPECT_TRUE(all.empty());
    }
    table.rebuild({});
    table.pairs(all);
    EXPECT_TRUE(all.empty());
}

}  // namespace
}  // namespace carom::tests
