// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Problems of many contacts at one instant, as lines of `carom impact`.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/cli/run_carom.h"

namespace carom::tests {
namespace {

constexpr const char* k_inertia = "[[0.4,0,0],[0,0.4,0],[0,0,0.4]]";

// Balls of mass and radius 1 in a touching line along x, and more fields at the top.
std::string chain_line(const std::vector<double>& speeds, std::string_view more) {
    std::string bodies, contacts;
    for (std::size_t i = 0; i < speeds.size(); ++i) {
        bodies += fmt::format(R"({}{{"mass":1,"inertia":{},"position":[{},0,0],"v":[{},0,0]}})",
                              i > 0 ? "," : "", k_inertia, 2 * i, speeds[i]);
        if (i == 0) continue;
        contacts += fmt::format(R"({}{{"a":{},"b":{},"point":[{},0,0],"normal":[1,0,0]}})",
                                i > 1 ? "," : "", i, i - 1, 2 * i - 1);
    }
    return fmt::format(R"({{"id":"chain",{},"bodies":[{}],"contacts":[{}]}})", more, bodies,
                       contacts);
}

// A ball in a corner: the floor below and a wall at its right, both of body 1.
std::string corner_line(std::string_view top, std::string_view floor, std::string_view wall) {
    return fmt::format(
        R"({{"id":7{},"bodies":[{{"mass":1,"inertia":{},"position":[0,0,1],"v":[3,0.5,-2]}},)"
        R"("fixed"],"contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1]{}}},)"
        R"({{"a":0,"b":1,"point":[1,0,1],"normal":[-2,0,0]{}}}]}})",
        top, k_inertia, floor, wall);
}

std::vector<double> speeds_of(const Json& answer) {
    std::vector<double> speeds;
    for (const Json& body : answer.at("bodies"))
        speeds.push_back(numbers(body.at("v")).at(0));
    return speeds;
}

void expect_numbers(const Json& list, const std::vector<double>& expected) {
    const std::vector<double> found = numbers(list);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-14) << list;
}

TEST(MultiContactLines, TheCradle) {
    const ProgramRun run = run_impact(chain_line({1, 0, 0, 0, 0}, R"("law":"frictionless","e":1)"));
    EXPECT_EQ(run.exit_code, 0);
    const Json answer = run.answer();
    EXPECT_EQ(answer.at("id"), "chain");
    EXPECT_EQ(answer.at("multiple"), "sequential");
    EXPECT_EQ(speeds_of(answer), (std::vector<double>{0, 0, 0, 0, 1}));
    EXPECT_EQ(answer.at("rounds"), 4);
    EXPECT_EQ(answer.at("energy_lost"), 0.0);
    EXPECT_EQ(answer.at("approach_left"), 0.0);
    for (const Json& contact : answer.at("contacts"))
        expect_numbers(contact.at("impulse"), {1, 0, 0});
    expect_numbers(answer.at("contacts").at(0).at("u"), {-1, 0, 0});
    expect_numbers(answer.at("contacts").at(3).at("u_after"), {1, 0, 0});
    for (const char* name : {"energy", "separation", "cone", "normal"})
        EXPECT_EQ(answer.at("permissible").at(name), true) << name;
}

// The wall is hit first, at 3 against 2; neither impact without friction is felt by the other.
TEST(MultiContactLines, EachContactHasItsOwnLaw) {
    const std::string line =
        corner_line("", R"(,"law":"frictionless","e":0.5)", R"(,"law":"frictionless","e":0.25)");
    const Json answer = run_impact(line).answer();
    expect_numbers(answer.at("bodies").at(0).at("v"), {-0.75, 0.5, 1.0});
    expect_numbers(answer.at("bodies").at(1).at("v"), {0, 0, 0});
    expect_numbers(answer.at("contacts").at(0).at("impulse"), {0, 0, 3});
    expect_numbers(answer.at("contacts").at(1).at("impulse"), {-3.75, 0, 0});
    // 13 / 2 before; 1.5625 / 2 after, the speed along y left out
    EXPECT_NEAR(answer.at("energy_lost").get<double>(), 5.71875, 1e-14);
}

// What stands at the top is for contacts that have none of their own.
TEST(MultiContactLines, TheTopHasTheDefaults) {
    const std::string own =
        corner_line("", R"(,"law":"routh","mu":0.5,"e":0.5)", R"(,"law":"frictionless","e":0.5)");
    const std::string top =
        corner_line(R"(,"law":"routh","mu":0.5,"e":0.5)", "", R"(,"law":"frictionless")");
    const Json answer = run_impact(own).answer();
    EXPECT_EQ(run_impact(top).answer(), answer);
    EXPECT_FALSE(answer.contains("ignored"));
    EXPECT_NE(numbers(answer.at("bodies").at(0).at("w")), (std::vector<double>{0, 0, 0}));
}

TEST(MultiContactLines, ALawForAllContactsLeavesHinges) {
    const std::string line =
        corner_line(R"(,"e":0.5,"mu":0.5)", R"(,"law":"routh")", R"(,"law":"hinge")");
    const Json hinged = run_impact(line).answer();
    // the hinge stops the ball's rightmost point, and friction at the floor is there or not
    const Json slippery = run_impact(line, {"--law", "frictionless"}).answer();
    for (const Json& answer : {hinged, slippery}) {
        for (const double u : numbers(answer.at("contacts").at(1).at("u_after")))
            EXPECT_NEAR(u, 0.0, 1e-9);
    }
    const std::vector<double> push = numbers(slippery.at("contacts").at(0).at("impulse"));
    EXPECT_EQ(push.at(0), 0.0);
    EXPECT_EQ(push.at(1), 0.0);
    EXPECT_NE(numbers(hinged.at("contacts").at(0).at("impulse")).at(0), 0.0);
    EXPECT_EQ(slippery.at("ignored"), Json::parse(R"(["mu"])"));
}

// A body that is driven keeps its motion, and others feel it.
TEST(MultiContactLines, DrivenBodies) {
    const Json answer =
        run_impact(R"({"law":"frictionless","e":1,"bodies":[{"mass":2,"inertia":)" +
                   std::string(k_inertia) +
                   R"(,"position":[0,0,1]},{"fixed":true,"v":[0,0,1],"w":[0,0,3]}],)"
                   R"("contacts":[{"a":0,"b":1,"point":[0,0,0],"normal":[0,0,1]}]})")
            .answer();
    EXPECT_TRUE(answer.at("id").is_null());
    expect_numbers(answer.at("bodies").at(0).at("v"), {0, 0, 2});
    expect_numbers(answer.at("bodies").at(1).at("v"), {0, 0, 1});
    expect_numbers(answer.at("bodies").at(1).at("w"), {0, 0, 3});
}

// The wished impulse P is in the world frame, as all vectors of a problem of many contacts.
TEST(MultiContactLines, WishedImpulsesAreInTheWorldFrame) {
    const std::string line = corner_line("", R"(,"law":"frictionless","e":0)",
                                         R"(,"law":"region-projected","mu":0.9,"P":[-4,-0.1,0.2])");
    const Json answer = run_impact(line).answer();
    expect_numbers(answer.at("contacts").at(1).at("impulse"), {-4, -0.1, 0.2});
}

TEST(MultiContactLines, TiesByIndexOrAtRandom) {
    const auto run = [](std::string_view more) {
        return run_impact(chain_line({1, 0, 0, 0, -1},
                                     fmt::format(R"("law":"frictionless","e":0.6,{})", more)))
            .answer();
    };
    const Json by_index = run(R"("ties":"index")");
    std::set<std::string> seen;
    for (int seed = 0; seed < 12; ++seed) {
        const std::string more = fmt::format(R"("ties":"random","seed":{})", seed);
        EXPECT_EQ(run(more), run(more));
        seen.insert(run(more).at("bodies").dump());
    }
    EXPECT_GT(seen.size(), 1U);
    EXPECT_EQ(seen.count(by_index.at("bodies").dump()), 1U);
}

TEST(MultiContactLines, SequencesAreCutOff) {
    // plastic balls between walls that close in come to rest only in the limit
    const std::string line =
        chain_line({1, 0, 0, -2}, R"("law":"frictionless","e":0,"most_rounds":7)");
    const Json cut = run_impact(line).answer();
    EXPECT_EQ(cut.at("rounds"), 7);
    EXPECT_GT(cut.at("approach_left").get<double>(), 1e-3);
    EXPECT_EQ(cut.at("permissible").at("separation"), false);
    const Json loose =
        run_impact(chain_line({1, 0, 0, -2}, R"("law":"frictionless","e":0,"tolerance":1e-4)"))
            .answer();
    EXPECT_LE(loose.at("approach_left").get<double>(), 2e-4);
    EXPECT_GT(loose.at("approach_left").get<double>(), 1e-6);
}

TEST(MultiContactLines, WhatHasNoUseIsNamed) {
    const std::string line =
        corner_line(R"(,"multiple":"sequential","restitution":"newton","law":"frictionless","e":0)",
                    R"(,"mu":0.3)", "");
    EXPECT_EQ(run_impact(line).answer().at("ignored"),
              Json::parse(R"(["restitution","contacts[0].mu"])"));
}

TEST(MultiContactLines, EveryWayAnswers) {
    const Json answer =
        run_impact(chain_line({1, 0, 0}, R"("law":"frictionless","e":1,"power":1)"), {"--all"})
            .answer();
    std::vector<std::string> names;
    for (const Json& way : answer.at("answers")) {
        names.push_back(way.at("multiple").get<std::string>() +
                        way.value("/settings/restitution"_json_pointer, std::string()));
        ASSERT_TRUE(way.contains("bodies")) << way;
        double momentum = 0.0;
        for (const double v : speeds_of(way))
            momentum += v;
        EXPECT_NEAR(momentum, 1.0, 1e-12);
        EXPECT_GE(way.at("energy_lost").get<double>(), -1e-9);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"sequential", "coupled", "simultaneousnewton",
                                               "simultaneouspoisson"}));
    EXPECT_EQ(speeds_of(answer.at("answers").at(0)), (std::vector<double>{0, 0, 1}));
    // three equal balls with linear springs: LAWS, section 14
    const std::vector<double> coupled = speeds_of(answer.at("answers").at(1));
    EXPECT_NEAR(coupled.at(0), -0.130262, 1e-6);
    EXPECT_NEAR(coupled.at(2), 0.980032, 1e-6);
}

// The words of joint problems make none of a problem of one contact.
TEST(MultiContactLines, AWordIsNoField) {
    const ProgramRun run = run_impact(
        R"({"id":"contacts","law":"frictionless","K":[[1,0,0],[0,1,0],[0,0,1]],"u":[0,0,-1],"e":1})");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_TRUE(run.answer().contains("impulse"));
}

TEST(MultiContactLines, Tables) {
    const std::string line = chain_line({1, 0}, R"("law":"frictionless","e":1)");
    const ProgramRun one = run_impact(line, {"--table"});
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_NE(one.out.find("problem \"chain\", sequential: energy lost 0 J, rounds 1"),
              std::string::npos)
        << one.out;
    EXPECT_NE(one.out.find("1-0 frictionless  1, 0, 0"), std::string::npos) << one.out;
    const ProgramRun all = run_impact(line, {"--table", "--all"});
    for (const char* way : {"sequential", "coupled", "simultaneous/newton", "simultaneous/poisson"})
        EXPECT_NE(all.out.find(way), std::string::npos) << all.out;
}

}  // namespace
}  // namespace carom::tests
