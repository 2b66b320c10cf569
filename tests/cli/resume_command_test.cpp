// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom resume`: runs that were stopped or killed end as if they had not been.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "carom/cli/table.h"
#include "carom/record/recording.h"
#include "carom/scene/scene.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;

// Long enough that it can be stopped halfway, with checkpoints all along.
const double k_duration = is_sanitized() ? 4.0 : 20.0;

TEST(ResumeCommand, AKilledRunGoesOnToTheSameBits) {
    const ScratchFolder scratch;
    const std::string whole = record(scratch, "whole", gas(k_duration));
    const std::string scene = scratch.path("whole.toml");
    const std::string path = scratch.path("killed.carom");
    {
        RunningCarom running({"run", scene, "-o", path}, scratch.path(""));
        ASSERT_TRUE(wait_for_checkpoints(running, path, 2)) << running.wait().err;
        running.send(SIGKILL);
        EXPECT_EQ(running.wait().exit_code, -1);
    }
    {
        // and once more while it goes on
        RunningCarom running({"resume", path}, scratch.path(""));
        ASSERT_TRUE(wait_for_checkpoints(running, path, 6)) << running.wait().err;
        running.send(SIGKILL);
    }
    const Json before = info_of(path);
    EXPECT_EQ(before.at("finished"), false);
    EXPECT_TRUE(before.at("audit").is_null());
    EXPECT_LT(before.at("time").get<double>(), k_duration);
    const ProgramRun run = run_carom({"resume", path, "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const Json after = info_of(path);
    EXPECT_EQ(after.at("finished"), true);
    const Json expected = info_of(whole);
    for (const char* key : {"digest", "events", "segments", "audit", "impacts"})
        EXPECT_EQ(after.at(key), expected.at(key)) << key;
    EXPECT_EQ(run.answer().at("audit"), expected.at("audit"));
    EXPECT_EQ(run.answer().at("impacts"), expected.at("impacts"));
}

TEST(ResumeCommand, CtrlCStopsAtAGoodMomentAndSaysHowToGoOn) {
    const ScratchFolder scratch;
    const std::string whole = record(scratch, "whole", gas(k_duration));
    const std::string path = scratch.path("stopped.carom");
    for (const int signal : {SIGINT, SIGTERM}) {
        RunningCarom running({"run", scratch.path("whole.toml"), "-o", path, "--force"},
                             scratch.path(""));
        const bool second = signal == SIGTERM;  // then the old recording stays until the end
        const std::string written = second ? path + ".part" : path;
        ASSERT_TRUE(wait_for_checkpoints(running, written, 1)) << running.wait().err;
        running.send(signal);
        const ProgramRun stopped = running.wait();
        EXPECT_EQ(stopped.exit_code, 1) << stopped.err;
        const Json info = info_of(written);
        const double last = record::Recording(written).last_checkpoint().t;
        EXPECT_NE(stopped.err.find("'carom resume " + written + "' goes on from " +
                                   cli::seconds_text(last)),
                  std::string::npos)
            << stopped.err;
        EXPECT_EQ(info.at("finished"), false);
        EXPECT_GT(info.at("time").get<double>(), 0.0);
        const ProgramRun resumed = run_carom({"resume", written});
        EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
        EXPECT_NE(resumed.out.find("going on from"), std::string::npos) << resumed.out;
        EXPECT_FALSE(fs::exists(path + ".part"));
        EXPECT_EQ(info_of(path).at("digest"), info_of(whole).at("digest"));
    }
}

TEST(ResumeCommand, WithoutACheckpointItBeginsAnew) {
    const ScratchFolder scratch;
    std::string text = gas(k_duration);
    text.insert(text.find("gravity"), "checkpoint = 0\n");
    const std::string whole = record(scratch, "whole", text);
    const std::string path = scratch.path("stopped.carom");
    RunningCarom running({"run", scratch.path("whole.toml"), "-o", path}, scratch.path(""));
    while (running.running() && !fs::exists(path))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    running.send(SIGKILL);
    running.wait();
    ASSERT_EQ(info_of(path).at("finished"), false);
    EXPECT_EQ(info_of(path).at("checkpoints"), 0);
    const ProgramRun resumed = run_carom({"resume", path, "--quiet"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(resumed.out + resumed.err, "");
    EXPECT_EQ(info_of(path).at("digest"), info_of(whole).at("digest"));
}

// A run whose first checkpoint is far away says so when it is stopped, and so does what looks at
// it.
TEST(ResumeCommand, ARunStoppedBeforeItsFirstCheckpointSaysSo) {
    const ScratchFolder scratch;
    std::string text = gas(k_duration);
    const std::size_t line = text.find("checkpoint");
    if (line != std::string::npos) text.erase(line, text.find('\n', line) + 1 - line);
    const std::string path = scratch.path("long.carom");
    RunningCarom running(
        {"run", scratch.write("long.toml", text), "--duration", "1e12", "-o", path},
        scratch.path(""));
    while (running.running() && !fs::exists(path))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    running.send(SIGTERM);
    const ProgramRun stopped = running.wait();
    EXPECT_EQ(stopped.exit_code, 1);
    EXPECT_NE(
        stopped.err.find("no checkpoint yet, so that 'carom resume " + path + "' begins again"),
        std::string::npos)
        << stopped.err;
    const Json info = info_of(path);
    EXPECT_EQ(info.at("checkpoints"), 0);
    EXPECT_NE(stopped.err.find("stopped at " + cli::seconds_text(info.at("time").get<double>())),
              std::string::npos)
        << stopped.err;
    EXPECT_NE(run_carom({"info", path}).out.find("'carom resume' begins again"), std::string::npos);
    RunningCarom again({"resume", path}, scratch.path(""));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    again.send(SIGTERM);
    EXPECT_NE(again.wait().out.find("no checkpoint: beginning again"), std::string::npos);
}

TEST(ResumeCommand, AFinishedRecordingIsLeftAsItIs) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::string before = read_whole(path);
    const ProgramRun run = run_carom({"resume", path});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.err.find("finished"), std::string::npos) << run.err;
    EXPECT_NE(run.out.find("largest overlap"), std::string::npos) << run.out;
    const Json answer = run_carom({"resume", path, "--json"}).answer();
    EXPECT_EQ(answer.at("impacts"), 4);
    EXPECT_EQ(answer.at("audit"), info_of(path).at("audit"));
    EXPECT_EQ(read_whole(path), before);
}

TEST(ResumeCommand, OneRecordingHasOneWriter) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("gas.toml", gas(k_duration));
    const std::string path = scratch.path("gas.carom");
    RunningCarom running({"run", scene, "-o", path}, scratch.path(""));
    ASSERT_TRUE(wait_for_checkpoints(running, path, 1)) << running.wait().err;
    const ProgramRun second = run_carom({"resume", path});
    if (running.running()) {
        EXPECT_EQ(second.exit_code, 2) << second.err;
        EXPECT_NE(second.err.find(path), std::string::npos) << second.err;
    }
    EXPECT_EQ(running.wait().exit_code, 0) << "the first one does not mind";
}

// As from a version in which what the scene leaves out meant something else.
TEST(ResumeCommand, OtherSettingsThanTheScenesAreRefused) {
    const ScratchFolder scratch;
    const std::string text = bouncing_ball();
    const scene::Scene scene = scene::read_scene(scratch.write("ball.toml", text));
    world::Settings settings = scene.settings;
    settings.micro = 0.004;
    record::Header header;
    header.scene_name = "ball.toml";
    header.scene_text = text;
    header.duration = scene.duration;
    for (const world::BodySpec& body : scene.bodies) {
        header.body_names.push_back(body.name);
        header.body_materials.push_back(body.material);
    }
    const std::string path = scratch.path("ball.carom");
    { const record::Writer writer(path, header, settings, scene.contacts, {}); }
    const std::string before = read_whole(path);
    const ProgramRun run = run_carom({"resume", path});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("\"micro\":0.004"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("\"micro\":0.003"), std::string::npos) << run.err;
    EXPECT_EQ(read_whole(path), before);
}

}  // namespace
}  // namespace carom::tests
