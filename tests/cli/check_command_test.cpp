// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom check`: everything that is wrong with a scene, or what is in it.

#include <gtest/gtest.h>

#include "carom/scene/built_in.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

TEST(CheckCommand, ARightSceneIsSummedUp) {
    const ScratchFolder scratch;
    const ProgramRun run = run_carom({"check", scratch.write("ball.toml", bouncing_ball())});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    for (const char* part : {"A ball", "it bounces", "2.5 s", "1 that move (2 kg), 1 fixed",
                             "rubber (1), stone (1)", "routh", "e = 0.8, mu = 0.5"}) {
        EXPECT_NE(run.out.find(part), std::string::npos) << part << " not in\n" << run.out;
    }
}

TEST(CheckCommand, JsonSaysTheSame) {
    const ScratchFolder scratch;
    const ProgramRun run =
        run_carom({"check", scratch.write("ball.toml", bouncing_ball()), "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const Json answer = run.answer();
    EXPECT_EQ(answer.at("right"), true);
    EXPECT_EQ(answer.at("duration"), 2.5);
    EXPECT_EQ(answer.at("gravity"), Json({0, 0, -10}));
    EXPECT_EQ(answer.at("moving"), 1);
    EXPECT_EQ(answer.at("fixed"), 1);
    EXPECT_EQ(answer.at("mass"), 2);
    EXPECT_EQ(answer.at("materials"), Json({{"rubber", 1}, {"stone", 1}}));
    // one ball alone never meets its own material
    ASSERT_EQ(answer.at("contacts").size(), 1U);
    EXPECT_EQ(answer.at("contacts")[0], Json({{"materials", {"rubber", "stone"}},
                                              {"law", "routh"},
                                              {"parameters", {{"e", 0.8}, {"mu", 0.5}}}}));
    EXPECT_TRUE(answer.at("problems").empty());
}

TEST(CheckCommand, BuiltInScenesAreFoundByNameAndRight) {
    ASSERT_FALSE(scene::built_in_scenes().empty());
    for (const scene::BuiltIn& built_in : scene::built_in_scenes()) {
        const ScratchFolder scratch;
        const ProgramRun run = run_in(scratch.path(""), {"check", std::string(built_in.name)});
        EXPECT_EQ(run.exit_code, 0) << built_in.name << ": " << run.err;
    }
}

TEST(CheckCommand, EveryProblemHasItsPlace) {
    const ScratchFolder scratch;
    const std::string path = scratch.write("bad.toml", R"([simulation]
duration = -1
gravty = [0, 0, -10]
[[body]]
name = "ball"
shape = { type = "sphere", radius = "large" }
)");
    const ProgramRun run = run_carom({"check", path});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    for (const char* place : {":2:", ":3:", ":6:"}) {
        EXPECT_NE(run.err.find(path + place), std::string::npos) << place << "\n" << run.err;
    }
    EXPECT_NE(run.err.find("gravity"), std::string::npos) << "the nearest key\n" << run.err;

    const ProgramRun json = run_carom({"check", path, "--json"});
    EXPECT_EQ(json.exit_code, 2);
    const Json answer = json.answer();
    EXPECT_EQ(answer.at("right"), false);
    EXPECT_GE(answer.at("problems").size(), 3U);
    EXPECT_EQ(answer.at("problems")[0].at("line"), 2);
    EXPECT_GE(answer.at("problems")[0].at("column"), 1);
    EXPECT_EQ(json.err, run.err);
}

TEST(CheckCommand, AMissingFileNamesTheBuiltInScenes) {
    expect_refused({"check", "no-such-scene.toml"}, {"no-such-scene.toml", "bounce"});
    expect_refused({"check"}, {"SCENE"});
}

TEST(Commands, AnUnknownCommandIsToldWhichThereAre) {
    expect_refused({"smaple"}, {"unknown command 'smaple'", "did you mean 'sample'?", "laws",
                                "impact", "touch", "check", "run", "resume", "info", "events"});
    expect_refused({"zzzzzzzz"}, {"unknown command 'zzzzzzzz'; the commands are"});
    expect_refused({}, {"a command is needed"});
}

TEST(Commands, EveryCommandHasCompleteHelp) {
    const Json commands = {"laws",   "impact", "lab",    "touch", "scenes",
                           "check",  "run",    "resume", "info",  "events",
                           "sample", "view",   "export", "help",  "completion"};
    for (const Json& name : commands) {
        const ProgramRun run = run_carom({name.get<std::string>(), "--help"});
        EXPECT_EQ(run.exit_code, 0) << name;
        EXPECT_NE(run.out.find("Exit codes"), std::string::npos) << name;
        // types of C++ where the kind of value should stand, and counts of arguments
        for (const char* inside : {"FLOAT", "TEXT", "INT", "0x)"})
            EXPECT_EQ(run.out.find(inside), std::string::npos) << name << ": " << inside;
        // every option says what it takes
        for (const char* bare : {"--output  ", "--host =", "--duration  "})
            EXPECT_EQ(run.out.find(bare), std::string::npos) << name << ": " << bare;
    }
    EXPECT_NE(
        run_carom({"view", "--help"}).out.find("carom view [OPTIONS] [REC|SCENE [REC|SCENE]]\n"),
        std::string::npos);
    for (const char* command : {"check", "run", "resume", "info", "events", "sample"}) {
        const ProgramRun run = run_carom({command, "--help"});
        EXPECT_EQ(run.exit_code, 0) << command;
        EXPECT_NE(run.out.find("Exit codes"), std::string::npos) << command;
        EXPECT_NE(run.out.find("json"), std::string::npos) << command;
        const ProgramRun wrong = run_carom({command, "x", "--no-such-option"});
        EXPECT_EQ(wrong.exit_code, 2) << command;
    }
}

}  // namespace
}  // namespace carom::tests
