// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/world/world_support.h"

namespace carom::world {
namespace {

ContactLaw with_e(double e) {
    ContactLaw law;
    law.parameters.e = e;
    law.parameters.mu = 0.0;
    return law;
}

TEST(Contacts, TheMostSpecificRuleDecides) {
    Contacts contacts;
    contacts.set("steel", "wood", with_e(0.3));
    contacts.set("*", "*", with_e(0.1));
    contacts.set("*", "steel", with_e(0.2));
    const MaterialId steel = contacts.material("steel");
    const MaterialId wood = contacts.material("wood");
    const MaterialId felt = contacts.material("felt");
    EXPECT_EQ(contacts.find(steel, wood)->parameters.e, 0.3);
    EXPECT_EQ(contacts.find(wood, steel)->parameters.e, 0.3);
    EXPECT_EQ(contacts.find(felt, steel)->parameters.e, 0.2);
    EXPECT_EQ(contacts.find(steel, steel)->parameters.e, 0.2);
    EXPECT_EQ(contacts.find(felt, wood)->parameters.e, 0.1);
}

TEST(Contacts, AmongEqualsTheLast) {
    Contacts contacts;
    contacts.set("a", "b", with_e(0.1));
    contacts.set("b", "a", with_e(0.2));
    EXPECT_EQ(contacts.find(contacts.material("a"), contacts.material("b"))->parameters.e, 0.2);
}

TEST(Contacts, NoRuleNoLaw) {
    Contacts contacts;
    contacts.set("a", "b", with_e(0.1));
    EXPECT_EQ(contacts.find(contacts.material("a"), contacts.material("a")), nullptr);
}

TEST(Contacts, RefusesWhatTheLawRefuses) {
    Contacts contacts;
    EXPECT_THROW(contacts.set("*", "*", with_e(1.5)), std::invalid_argument);
}

TEST(Contacts, RefusesSpringsThatAreNone) {
    for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
        Contacts contacts;
        ContactLaw law = with_e(0.5);
        law.stiffness = wrong;
        EXPECT_THROW(contacts.set("*", "*", law), std::invalid_argument) << wrong;
        law = with_e(0.5);
        law.power = wrong;
        EXPECT_THROW(contacts.set("*", "*", law), std::invalid_argument) << wrong;
    }
}

TEST(Contacts, AWorldSaysWhichLawCannotBeCoupled) {
    Contacts contacts;
    ContactLaw law = with_e(0.5);
    law.law = impact::LawId::smith;
    law.parameters.mu = 0.3;
    contacts.set("*", "*", law);
    Settings settings;
    settings.multiple = impact::MultipleId::coupled;
    World world(settings, contacts);
    world.add(world_test::body("ball", shape::make_sphere(0.1), world_test::at({0, 0, 1})));
    world.add(world_test::floor_plane());
    try {
        world.run(1.0);
        FAIL() << "ran";
    } catch (const std::invalid_argument& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "'default' and 'default': the law 'smith' has no forces to couple; 'coupled' takes "
            "frictionless, routh and compliant");
    }
}

TEST(Contacts, AWorldSaysWhichPairHasNoLaw) {
    Contacts contacts;
    contacts.set("rubber", "rubber", with_e(0.1));
    World world({}, contacts);
    BodySpec ball = world_test::body("ball", shape::make_sphere(0.1), world_test::at({0, 0, 1}));
    ball.material = "rubber";
    world.add(ball);
    world.add(world_test::floor_plane());
    try {
        world.run(1.0);
        FAIL() << "ran";
    } catch (const std::invalid_argument& error) {
        EXPECT_EQ(std::string(error.what()),
                  "no contact law for 'rubber' and 'default'; set one, or one for \"*\"");
    }
}

}  // namespace
}  // namespace carom::world
