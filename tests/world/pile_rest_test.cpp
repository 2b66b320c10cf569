// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// When bodies of a pile fall asleep, and which forces disturb a sleeper.

#include "carom/world/sleep/pile_rest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/world/pile/pile_tolerances.h"
#include "tests/world/graph_scene.h"

namespace carom::world {
namespace {

using world_test::all_by;
using world_test::cube;
using world_test::fixed;
using world_test::floor_plane;
using world_test::GraphScene;
using world_test::k_g;
using world_test::moving;

using Sleepers = std::vector<BodyId>;

const double k_unit = std::sqrt(std::sqrt(0.75) / k_g);  // sqrt(L / g) of a cube, s
const double k_long = 1.01 * k_pile_tolerances.quiet * k_unit;

// Two stacks of two cubes, 0 under 1 and 2 under 3, that do not touch each other; all have been
// quiet since 0 and carry what is above them.
struct Stacks {
    explicit Stacks(const BodySpec& floor = floor_plane())
        : scene(Settings{}, all_by("routh", 0.5, 0.4)) {
        for (int k = 0; k < 4; ++k)
            scene.add(cube({k < 2 ? 0.0 : 5.0, 0, k % 2 == 0 ? 0.5 : 1.5}));
        scene.add(floor);
        for (const BodyId low : {0U, 2U}) {
            press(low, low + 1, -k_g);
            press(low, 4, 2.0 * k_g);
        }
        for (const BodyId id : all())
            track(id).quiet.begin(0.0, track(id).at(0.0));
    }
    void press(BodyId a, BodyId b, double force) {
        PersistentContact& contact = scene.graph().pair(scene.hold(a, b)).contact;
        contact.force = {0, 0, force};
        contact.normal = {0, 0, force > 0.0 ? 1.0 : -1.0};
    }
    BodyTrack& track(BodyId id) { return scene.graph().track(id); }
    ContactPair& pair(BodyId a, BodyId b) { return scene.graph().pair(scene.pair(a, b)); }
    Sleepers sleepers(double t) { return PileRest(scene.graph(), stop).find_sleepers(all(), t); }
    static Sleepers all() { return {0, 1, 2, 3}; }
    GraphScene scene;
    const StopCheck* stop = nullptr;
};

TEST(PileRest, AQuietPileFallsAsleep) {
    Stacks stacks;
    EXPECT_EQ(stacks.sleepers(k_long), Stacks::all());
    EXPECT_TRUE(stacks.sleepers(0.9 * k_pile_tolerances.quiet * k_unit).empty()) << "too early";
}

// A restless body that bears a load keeps its own part awake, and no other.
TEST(PileRest, ARestlessPartStaysAwake) {
    Stacks stacks;
    stacks.track(1).quiet.end();
    stacks.press(0, 1, -4.0 * k_g);  // more than three of its weights
    EXPECT_EQ(stacks.sleepers(k_long), (Sleepers{2, 3}));
}

// One that is free of loads keeps nobody awake but itself.
TEST(PileRest, ALooseOneLetsTheRestSleep) {
    Stacks stacks;
    stacks.track(1).quiet.end();
    EXPECT_EQ(stacks.sleepers(k_long), (Sleepers{0, 2, 3}));
}

TEST(PileRest, WhatTouchesNothingDoesNotSleep) {
    Stacks stacks;
    stacks.pair(0, 1).contact.active = false;
    EXPECT_EQ(stacks.sleepers(k_long), (Sleepers{0, 2, 3}));
}

TEST(PileRest, WhatLiesOnAMovingFloorStaysAwake) {
    Stacks stacks(moving(floor_plane(), {1, 0, 0}));
    EXPECT_EQ(stacks.sleepers(k_long), (Sleepers{1, 3})) << "only the lower ones touch it";
}

// A sleeper (0) of the stack: its contacts remember what they bore when it fell asleep.
struct Sleeping : Stacks {
    Sleeping() {
        scene.put_to_sleep(0);
        track(0).slept_in_pile = true;
        track(1).pile = 0;
        for (ContactPair* contact : {&pair(0, 1), &pair(0, 4)})
            contact->contact.at_rest = contact->contact.force;
        // the corners that it stands on
        for (const double x : {-0.5, 0.5})
            for (const double y : {-0.5, 0.5})
                pair(0, 4).contact.forces.push_back(
                    {0, Vec3(0, 0, 0.5 * k_g), 0.0, false, Vec3(x, y, -0.5), Vec3(x, y, 0)});
    }
};
const double k_patient = 1.01 * k_pile_tolerances.patience * k_unit;

TEST(PileRest, TellsWhatHeldASleeperUp) {
    Sleeping sleeping;
    PileRest rest(sleeping.scene.graph(), sleeping.stop);
    EXPECT_TRUE(rest.held_up(sleeping.pair(0, 4)));
    EXPECT_TRUE(rest.held_up(sleeping.pair(0, 1))) << "half of the most that it bore";
    sleeping.pair(0, 1).contact.at_rest = {0, 0, -0.2 * k_g};
    EXPECT_FALSE(rest.held_up(sleeping.pair(0, 1)));
    EXPECT_FALSE(rest.held_up(sleeping.pair(2, 3))) << "nobody sleeps there";
}

TEST(PileRest, TheSameForceDisturbsNobody) {
    Sleeping sleeping;
    PileRest rest(sleeping.scene.graph(), sleeping.stop);
    for (const double t : {1.0, 1.0 + k_patient, 100.0})
        EXPECT_FALSE(rest.disturbs(sleeping.pair(0, 1), true, t));
}

// A push from the side that friction below cannot hold: mu times the weight of both is 0.8 g.
TEST(PileRest, APushThatNothingHoldsWakesASleeperAfterAWhile) {
    Sleeping sleeping;
    PileRest rest(sleeping.scene.graph(), sleeping.stop);
    ContactPair& pair = sleeping.pair(0, 1);
    pair.contact.point = sleeping.track(0).at(0.0).position;
    pair.contact.force = {5.0 * k_g, 0, -k_g};
    EXPECT_FALSE(rest.disturbs(pair, true, 1.0)) << "at first it is noted";
    EXPECT_FALSE(rest.disturbs(pair, true, 1.0 + 0.5 * k_patient)) << "patience";
    EXPECT_TRUE(rest.disturbs(pair, true, 1.0 + k_patient));
}

// A load from above that the floor bears is taken as the new rest.
TEST(PileRest, ALoadThatIsHeldIsTheNewRest) {
    Sleeping sleeping;
    PileRest rest(sleeping.scene.graph(), sleeping.stop);
    ContactPair& pair = sleeping.pair(0, 1);
    pair.contact.point = {0, 0, 1};
    pair.contact.force = {0, 0, -10.0 * k_g};
    EXPECT_FALSE(rest.disturbs(pair, true, 1.0));
    EXPECT_FALSE(rest.disturbs(pair, true, 1.0 + k_patient));
    EXPECT_EQ(pair.contact.at_rest, pair.contact.force);
}

// A push that ends before the patience does counts for nothing.
TEST(PileRest, AShortPushIsForgotten) {
    Sleeping sleeping;
    PileRest rest(sleeping.scene.graph(), sleeping.stop);
    ContactPair& pair = sleeping.pair(0, 1);
    const Vec3 usual = pair.contact.force;
    pair.contact.point = sleeping.track(0).at(0.0).position;
    pair.contact.force = {5.0 * k_g, 0, -k_g};
    EXPECT_FALSE(rest.disturbs(pair, true, 1.0));
    pair.contact.force = usual;
    EXPECT_FALSE(rest.disturbs(pair, true, 1.0 + 0.5 * k_patient));
    pair.contact.force = {5.0 * k_g, 0, -k_g};
    EXPECT_FALSE(rest.disturbs(pair, true, 1.0 + k_patient));
}

}  // namespace
}  // namespace carom::world
