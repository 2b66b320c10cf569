// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The broad phase while boxes come, go and move: always the truth, whatever happened before.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "carom/detect/swept_hash.h"
#include "tests/detect/swept_truth.h"

namespace carom::tests {
namespace {

// Ten thousand random changes, compared with the truth after every hundred.
void run_history(std::uint64_t seed, const std::function<Aabb(Random&)>& make, double step) {
    Random random(seed);
    SweptHash table;
    Truth truth;
    constexpr Id k_ids = 160;
    std::size_t pairs = 0;
    for (int operation = 1; operation <= 10000; ++operation) {
        const Id id = static_cast<Id>(random.bits() % k_ids);
        const auto dice = random.bits() % 100;
        if (!table.contains(id)) {
            if (dice < 3) {
                const HalfSpace h{random.direction(), random.uniform(-3.0, 0.0)};
                truth.half_spaces[id] = h;
                table.insert_unbounded(id, h.normal, h.offset);
            } else {
                truth.boxes[id] = make(random);
                table.insert(id, truth.boxes[id]);
            }
        } else if (dice < 20 || truth.half_spaces.count(id) != 0) {
            table.remove(id);
            truth.boxes.erase(id);
            truth.half_spaces.erase(id);
        } else if (dice < 30) {
            truth.boxes[id] = make(random);
            table.update(id, truth.boxes[id]);
        } else {
            Aabb& box = truth.boxes[id];
            const Vec3 by = step * (box.high - box.low).maxCoeff() * random.normal3();
            box = {box.low + by, box.high + by + 0.1 * by.cwiseAbs()};
            table.update(id, box);
        }
        if (operation == 5000) {  // all anew
            std::vector<SweptHash::Entry> entries;
            for (const auto& [one, box] : truth.boxes)
                entries.push_back({one, box});
            std::reverse(entries.begin(), entries.end());
            table.rebuild(entries);
        }
        if (operation % 100 != 0) continue;
        pairs += expect_same(table, truth);
        if (testing::Test::HasFailure()) {
            FAIL() << "after operation " << operation << " of seed " << seed;
        }
    }
    EXPECT_GT(pairs, 4000U);
}

TEST(SweptHistory, HistoryOfOneSize) {
    run_history(
        4110, [](Random& r) { return box_at(uniform3(r, -2.0, 2.0), uniform3(r, 0.1, 0.4)); }, 0.3);
}

TEST(SweptHistory, HistoryOfManySizes) {
    run_history(
        4111,
        [](Random& r) {
            const double size = r.log_uniform(1e-4, 1.0);
            return box_at(uniform3(r, -1.0, 1.0), size * uniform3(r, 0.0, 1.0));
        },
        1.0);
}

TEST(SweptHistory, HistoryOfLongAndFlatBoxesAndPoints) {
    run_history(
        4112,
        [](Random& r) {
            Vec3 half(r.log_uniform(1e-3, 3.0), r.log_uniform(1e-3, 3.0), r.log_uniform(1e-3, 3.0));
            for (int i = 0; i < 3; ++i) {
                if (r.uniform() < 0.3) half[i] = 0.0;
            }
            return box_at(uniform3(r, -2.0, 2.0), half);
        },
        0.2);
}

TEST(SweptHistory, HistoryOfWildSizes) {
    run_history(
        4113,
        [](Random& r) {
            const double size =
                r.uniform() < 0.9 ? r.log_uniform(0.1, 1.0) : r.log_uniform(1e-25, 1e25);
            return box_at(std::max(1.0, size) * uniform3(r, -1.0, 1.0),
                          size * uniform3(r, 0.0, 1.0));
        },
        0.5);
}

// A single traveller leaves no trace that could fill the table or confuse it.
TEST(SweptHistory, LongJourney) {
    SweptHash table;
    table.insert(0, box_at(Vec3::Zero(), 50.0 * Vec3::Ones()));
    table.insert(1, box_at(Vec3::Zero(), 0.5 * Vec3::Ones()));
    std::vector<Id> others;
    for (int i = 0; i < 100000; ++i) {
        const Vec3 at(0.7 * i, -1.3 * i, 0.1 * i);
        table.update(1, box_at(at, 0.5 * Vec3::Ones()));
        if (i % 37 == 0) table.update(0, box_at(at + Vec3(50.4, 0.0, 0.0), 50.0 * Vec3::Ones()));
        table.overlaps(1, others);
        ASSERT_EQ(others, std::vector<Id>{0}) << i;
    }
    table.overlaps(0, others);
    EXPECT_EQ(others, std::vector<Id>{1});
}

TEST(SweptHistory, AnswersDoNotDependOnTheOrderOfInsertion) {
    Random random(4114);
    auto boxes = scatter(random, 300, 1.0, 1e-3, 0.5);
    for (int i = 0; i < 10; ++i) {
        const Vec3 point = uniform3(random, -1.0, 1.0);
        boxes.push_back({point, point});
    }
    const auto answer = [](const SweptHash& table) {
        Pairs all;
        table.pairs(all);
        for (Id id = 0; id < table.size(); ++id) {
            std::vector<Id> others;
            table.overlaps(id, others);
            for (const Id other : others)
                all.emplace_back(id, other);
        }
        return all;
    };
    SweptHash first;
    fill(first, boxes);
    const Pairs expected = answer(first);
    std::vector<SweptHash::Entry> entries;
    for (Id id = 0; id < boxes.size(); ++id)
        entries.push_back({id, boxes[id]});
    for (int trial = 0; trial < 20; ++trial) {
        for (std::size_t i = entries.size(); i > 1; --i) {
            std::swap(entries[i - 1], entries[random.bits() % i]);
        }
        SweptHash table;
        if (trial % 2 == 0) {
            for (const auto& entry : entries)
                table.insert(entry.id, entry.box);
        } else {
            table.insert(7, boxes[0]);
            table.rebuild(entries);
        }
        EXPECT_EQ(answer(table), expected);
    }
    std::vector<SweptHash::Entry> by_size = entries;  // each new one the largest so far
    std::sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) {
        return (a.box.high - a.box.low).maxCoeff() < (b.box.high - b.box.low).maxCoeff();
    });
    SweptHash growing;
    for (const auto& entry : by_size)
        growing.insert(entry.id, entry.box);
    EXPECT_EQ(answer(growing), expected);
}

}  // namespace
}  // namespace carom::tests
