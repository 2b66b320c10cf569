// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom info`: what a recording is, and files that are none.

#include <gtest/gtest.h>

#include <regex>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

TEST(InfoCommand, JsonOfAFinishedRecording) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const Json info = info_of(path);
    EXPECT_EQ(info.at("recording"), path);
    EXPECT_EQ(info.at("scene"), scratch.path("ball.toml"));
    EXPECT_EQ(info.at("duration"), 2.5);
    EXPECT_EQ(info.at("time"), 2.5);
    EXPECT_EQ(info.at("finished"), true);
    EXPECT_EQ(info.at("events"), 4);
    EXPECT_EQ(info.at("impacts"), 4);
    EXPECT_EQ(info.at("digest").get<std::string>().size(), 16U);
    EXPECT_EQ(info.at("settings").at("gravity"), Json({0, 0, -10}));
    EXPECT_FALSE(info.at("contacts").empty());
    EXPECT_NEAR(info.at("audit").at("energy_start").get<double>(), 21.0, 1e-12);
    const Json& bodies = info.at("bodies");
    ASSERT_EQ(bodies.size(), 2U);
    EXPECT_EQ(bodies[0].at("name"), "ball");
    EXPECT_EQ(bodies[0].at("material"), "rubber");
    EXPECT_EQ(bodies[0].at("segments"), 5) << "one, and one more after each impact";
    EXPECT_EQ(bodies[0].at("impacts"), 4);
    EXPECT_EQ(bodies[1].at("name"), "floor");
    EXPECT_EQ(bodies[1].at("segments"), 1);
    EXPECT_EQ(info.at("segments"), 6);
}

TEST(InfoCommand, TheAuditIsThatOfTheRun) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    const std::string path = scratch.path("ball.carom");
    const ProgramRun run = run_carom({"run", scene, "-o", path, "--json"});
    EXPECT_EQ(run.answer().at("audit"), info_of(path).at("audit"));
}

TEST(InfoCommand, ForPeople) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const ProgramRun run = run_carom({"info", path});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    for (const std::string& part :
         {std::string("2.5 s, finished"), std::string("4 impacts"), std::string("rubber"),
          std::string("largest overlap"), info_of(path).at("digest").get<std::string>()}) {
        EXPECT_NE(run.out.find(part), std::string::npos) << part << " not in\n" << run.out;
    }
    // settings with their units, and without the digits of rounding
    EXPECT_TRUE(std::regex_search(run.out, std::regex("gravity +0, 0, -10 m/s\\^2\n"))) << run.out;
    EXPECT_TRUE(std::regex_search(run.out, std::regex("checkpoint +0\\.125 s\n"))) << run.out;
    EXPECT_TRUE(std::regex_search(run.out, std::regex("contact +lasting\n"))) << run.out;
    const ProgramRun few = run_carom({"info", path, "--bodies", "1"});
    EXPECT_NE(few.out.find("and 1 more"), std::string::npos) << few.out;
}

TEST(InfoCommand, TheSceneComesBackAsItWas) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    EXPECT_EQ(run_carom({"info", path, "--scene"}).out, bouncing_ball());
}

TEST(InfoCommand, FilesThatAreNoRecording) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::string cut = scratch.write("cut.carom", read_whole(path).substr(0, 600));
    for (const char* command : {"info", "events", "resume"}) {
        expect_refused({command, scratch.path("none.carom")}, {"none.carom"});
        expect_refused({command, scratch.write("text.carom", "no recording\n")}, {"text.carom"});
        expect_refused({command, scratch.write("empty.carom", "")}, {"empty.carom"});
        expect_refused({command, scratch.path("")}, {scratch.path("")});
        expect_refused({command, cut}, {"cut.carom"});
        expect_refused({command}, {"REC"});
    }
}

}  // namespace
}  // namespace carom::tests
