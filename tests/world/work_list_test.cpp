// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The work list gives what it was given, in its order, also while more comes.

#include "carom/world/simulate/work_list.h"

#include <gtest/gtest.h>

namespace carom::world {
namespace {

TEST(WorkList, EachListKeepsItsOrder) {
    WorkList work;
    EXPECT_FALSE(work.has_wake() || work.has_step() || work.has_changed());
    work.step(5);
    work.changed(9);
    work.wake(3, 4);
    work.step(2);
    work.wake(1, k_no_body);
    EXPECT_TRUE(work.has_wake() && work.has_step() && work.has_changed());
    const WorkList::Wake first = work.next_wake();
    EXPECT_EQ(first.body, 3U);
    EXPECT_EQ(first.by, 4U);
    EXPECT_EQ(work.next_wake().body, 1U);
    EXPECT_FALSE(work.has_wake());
    EXPECT_EQ(work.next_step(), 5U);
    EXPECT_EQ(work.next_step(), 2U);
    EXPECT_FALSE(work.has_step());
    EXPECT_EQ(work.next_changed(), 9U);
    EXPECT_FALSE(work.has_changed());
}

TEST(WorkList, WhatComesWhileItIsWorkedOffComesLast) {
    WorkList work;
    work.step(0);
    work.step(1);
    std::vector<BodyId> taken;
    while (work.has_step()) {
        const BodyId id = work.next_step();
        taken.push_back(id);
        if (id < 4) work.step(id + 2);
    }
    EXPECT_EQ(taken, (std::vector<BodyId>{0, 1, 2, 3, 4, 5}));
}

TEST(WorkList, TheSameBodyMayComeTwice) {
    WorkList work;
    work.changed(7);
    work.changed(7);
    EXPECT_EQ(work.next_changed(), 7U);
    EXPECT_TRUE(work.has_changed());
}

TEST(WorkList, ClearForgetsAll) {
    WorkList work;
    work.wake(0, 1);
    work.step(2);
    work.step(3);
    work.next_step();
    work.changed(4);
    work.clear();
    EXPECT_FALSE(work.has_wake() || work.has_step() || work.has_changed());
    work.step(8);
    EXPECT_EQ(work.next_step(), 8U);
}

}  // namespace
}  // namespace carom::world
