// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom run`: the summary, the audit and the recording, and what may go wrong with files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;

TEST(RunCommand, JsonHasTheFieldsAndTheBallLosesWhatItMust) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    const std::string path = scratch.path("out.carom");
    const ProgramRun run = run_carom({"run", scene, "-o", path, "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "") << "no progress on a pipe";
    const Json answer = run.answer();
    EXPECT_EQ(answer.at("scene"), scene);
    EXPECT_EQ(answer.at("duration"), 2.5);
    EXPECT_EQ(answer.at("recording"), path);
    EXPECT_GE(answer.at("wall").get<double>(), 0.0);
    // bounces at T, T (1 + 2 e), T (1 + 2 e + 2 e^2), ... with T = sqrt(0.2): four before 2.5 s
    EXPECT_EQ(answer.at("impacts"), 4);
    EXPECT_EQ(answer.at("micro"), 0);
    EXPECT_EQ(answer.at("events"), 4);
    const Json& audit = answer.at("audit");
    const double start = 2.0 * 10.0 * 1.05;
    const double after = 20.0 * std::pow(0.8, 8);  // of 20 J kinetic, each time 0.64
    EXPECT_NEAR(audit.at("energy_start").get<double>(), start, 1e-12);
    EXPECT_NEAR(audit.at("energy_lost").get<double>(), 20.0 - after, 1e-9);
    EXPECT_NEAR(audit.at("energy_end").get<double>(), start - 20.0 + after, 1e-9);
    EXPECT_NEAR(audit.at("energy_residual").get<double>(), 0.0, 1e-11);
    EXPECT_NEAR(audit.at("momentum_residual").get<double>(), 0.0, 1e-11);
    EXPECT_NEAR(audit.at("max_overlap").get<double>(), 0.0, 1e-12);
    EXPECT_TRUE(fs::is_regular_file(path));
}

// Whittaker's law gives this rod more energy than it had: the run says so, and with --strict fails.
TEST(RunCommand, ABrokenPromiseIsTold) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("rod.toml", R"(
[simulation]
duration = 0.2
gravity = [0, 0, 0]
[[contact]]
law = "whittaker"
e = 0.9
mu = 0.5
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
[[body]]
name = "rod"
shape = { type = "box", size = [1.0, 0.05, 0.05] }
position = [0, 0, 0.5]
axis = [0, 1, 0]
angle = 45
velocity = [-1.0, 0, -1.0]
)");
    const std::string path = scratch.path("out.carom");
    const ProgramRun plain = run_carom({"run", scene, "-o", path});
    EXPECT_EQ(plain.exit_code, 0) << plain.err;
    EXPECT_NE(plain.out.find("promise broken: energy gained without a driver"), std::string::npos)
        << plain.out;
    const ProgramRun strict =
        run_carom({"run", scene, "-o", path, "--force", "--json", "--strict"});
    EXPECT_EQ(strict.exit_code, 1);
    EXPECT_EQ(strict.answer().at("broken_promises").size(), 1);
    EXPECT_NE(strict.err.find("a promise is broken: energy gained"), std::string::npos)
        << strict.err;
    EXPECT_TRUE(fs::exists(path)) << "what was recorded is kept";
    const std::string ball = scratch.write("ball.toml", bouncing_ball());
    const ProgramRun kept = run_carom({"run", ball, "--no-recording", "--json", "--strict"});
    EXPECT_EQ(kept.exit_code, 0) << kept.err;
    EXPECT_TRUE(kept.answer().at("broken_promises").empty());
}

TEST(RunCommand, TheSummaryIsForPeople) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    const ProgramRun run = run_in(scratch.path(""), {"run", scene});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    for (const char* part :
         {"A ball\n", "expect: it bounces\n", "2.5 s in", "4 impacts, 0 micro-collisions",
          "energy at the start", "21 J", "energy residual", "momentum residual", "largest overlap",
          "ball.carom"}) {
        EXPECT_NE(run.out.find(part), std::string::npos) << part << " not in\n" << run.out;
    }
    EXPECT_TRUE(fs::exists(scratch.path("ball.carom"))) << "named after the scene, where we are";
}

TEST(RunCommand, QuietIsSilent) {
    const ScratchFolder scratch;
    const ProgramRun run = run_in(scratch.path(""), {"run", "bounce", "--quiet"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out + run.err, "");
    EXPECT_TRUE(fs::exists(scratch.path("bounce.carom")));
}

TEST(RunCommand, NoRecordingLeavesNoFile) {
    const ScratchFolder scratch;
    const ProgramRun run = run_in(scratch.path(""), {"run", "bounce", "--no-recording", "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(run.answer().at("recording").is_null());
    EXPECT_TRUE(fs::is_empty(scratch.path("")));
    expect_refused({"run", "bounce", "--no-recording", "-o", "x.carom"}, {"--no-recording"});
}

// Nor do recordings hold their number.
TEST(RunCommand, ThreadsAreNoMatterOfTheResult) {
    const ScratchFolder scratch;
    const auto run = [&](const char* threads) {
        const std::string path = scratch.path(std::string("dice-") + threads + ".carom");
        const ProgramRun done = run_carom({"run", "dice", "-o", path, "--duration", "0.5", "--json",
                                           "--states", "--threads", threads});
        EXPECT_EQ(done.exit_code, 0) << done.err;
        Json answer = done.answer();
        answer.erase("wall");
        answer.erase("recording");
        const Json info = run_carom({"info", path, "--json"}).answer();
        answer["settings"] = info.at("settings");
        answer["digest"] = info.at("digest");
        return answer;
    };
    EXPECT_EQ(run("1"), run("4"));
    for (const char* wrong : {"0", "-1", "two", "1000", "99999999999999999999"})
        expect_refused({"run", "dice", "--no-recording", "--threads", wrong}, {"--threads", "256"});
}

TEST(RunCommand, AnotherDuration) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    const auto impacts = [&](const char* duration) {
        return run_carom({"run", scene, "--no-recording", "--json", "--duration", duration})
            .answer()
            .at("impacts");
    };
    EXPECT_EQ(impacts("0.4"), 0);
    EXPECT_EQ(impacts("0.5"), 1);
    EXPECT_EQ(impacts("2.7"), 5) << "T (1 + 2 (0.8 + 0.64 + 0.512 + 0.4096)) = 2.56 s";
    for (const char* wrong : {"0", "-1", "nan", "inf", "soon"})
        expect_refused({"run", scene, "--no-recording", "--duration", wrong}, {"--duration"});
}

TEST(RunCommand, TheSameBitsTwice) {
    const ScratchFolder scratch;
    const std::string one = record(scratch, "one", gas(1.0));
    const std::string two = record(scratch, "two", gas(1.0));
    EXPECT_EQ(info_of(one).at("digest"), info_of(two).at("digest"));
    EXPECT_NE(info_of(one).at("digest"), info_of(record(scratch, "three", gas(1.1))).at("digest"));
}

TEST(RunCommand, AnExistingRecordingNeedsForceAndStaysWhenTheSceneIsBad) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::string before = read_whole(path);
    const std::string scene = scratch.path("ball.toml");
    expect_refused({"run", scene, "-o", path}, {path, "exists", "--force"});
    EXPECT_EQ(read_whole(path), before);
    const std::string bad = scratch.write("bad.toml", "[simulation]\nduration = 0\n");
    expect_refused({"run", bad, "-o", path, "--force"}, {bad + ":2:"});
    EXPECT_EQ(read_whole(path), before);
    const ProgramRun run =
        run_carom({"run", scene, "-o", path, "--force", "--duration", "1", "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(info_of(path).at("duration"), 1);
    EXPECT_FALSE(fs::exists(path + ".part"));
}

TEST(RunCommand, ABadSceneLeavesNoRecording) {
    const ScratchFolder scratch;
    const std::string bad = scratch.write("bad.toml", "[simulation\n");
    expect_refused({"run", bad, "-o", scratch.path("x.carom")}, {bad + ":1:"});
    expect_refused({"run", "no-such-scene", "-o", scratch.path("x.carom")}, {"no-such-scene"});
    EXPECT_FALSE(fs::exists(scratch.path("x.carom")));
}

TEST(RunCommand, PlacesWhereNoRecordingCanBe) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    expect_refused({"run", scene, "-o", scratch.path("no/such/x.carom")}, {"no/such", "folder"});
    expect_refused({"run", scene, "-o", scratch.path("")}, {"folder"});
    expect_refused({"run", scene, "-o", "/dev/null", "--force"}, {"/dev/null", "regular file"});
    expect_refused({"run", scene, "-o", scene + "/x.carom"}, {"folder"});
    // root may write anywhere but here
    expect_refused({"run", scene, "-o", "/proc/x.carom"}, {"/proc/x.carom"});
    if (geteuid() != 0) {
        fs::create_directory(scratch.path("closed"));
        fs::permissions(scratch.path("closed"), fs::perms::owner_read | fs::perms::owner_exec);
        expect_refused({"run", scene, "-o", scratch.path("closed/x.carom")}, {"x.carom"});
    }
}

}  // namespace
}  // namespace carom::tests
