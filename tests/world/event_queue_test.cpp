// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace carom::world {
namespace {

// Against a plain list that is searched from end to end.
TEST(EventQueue, AgreesWithAList) {
    std::mt19937_64 random(7);
    EventQueue queue;
    std::map<EventQueue::Slot, double> list;
    for (int i = 0; i < 20'000; ++i) {
        const auto slot = static_cast<EventQueue::Slot>(random() % 300);
        // few different times, so that there are many ties
        const double t = static_cast<double>(random() % 50);
        if (random() % 4 == 0) {
            queue.remove(slot);
            list.erase(slot);
        } else {
            queue.set(slot, t, slot);
            list[slot] = t;
        }
        ASSERT_EQ(queue.empty(), list.empty());
        if (list.empty()) continue;
        const auto first = std::min_element(list.begin(), list.end(), [](auto& x, auto& y) {
            return std::pair(x.second, x.first) < std::pair(y.second, y.first);
        });
        ASSERT_EQ(queue.first(), first->first);
        ASSERT_EQ(queue.first_time(), first->second);
        ASSERT_EQ(queue.time_of(first->first), first->second);
    }
}

TEST(EventQueue, NeverTakesOut) {
    EventQueue queue;
    queue.set(3, 1.0, 3);
    queue.set(3, EventQueue::k_never, 3);
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.first_time(), EventQueue::k_never);
    EXPECT_EQ(queue.time_of(3), EventQueue::k_never);
}

TEST(EventQueue, EqualTimesGoByRank) {
    EventQueue queue;
    queue.set(0, 1.0, 9);
    queue.set(1, 1.0, 2);
    queue.set(2, 1.0, 5);
    std::vector<EventQueue::Slot> order;
    while (!queue.empty()) {
        order.push_back(queue.first());
        queue.remove(queue.first());
    }
    EXPECT_EQ(order, (std::vector<EventQueue::Slot>{1, 2, 0}));
}

}  // namespace
}  // namespace carom::world
