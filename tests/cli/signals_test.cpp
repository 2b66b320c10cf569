// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What SIGINT and SIGTERM leave behind: no temporary files, and recordings that go on.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "carom/cli/table.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

std::set<std::string> files_in(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

// Starts a command that writes for minutes, waits until it has begun a file, and ends it.
void expect_nothing_left(const std::vector<std::string>& arguments, const std::string& folder,
                         int signal) {
    const std::set<std::string> before = files_in(folder);
    RunningCarom carom(arguments, folder);
    for (int i = 0; i < 1000 && files_in(folder) == before && carom.running(); ++i)
        std::this_thread::sleep_for(milliseconds(10));
    EXPECT_NE(files_in(folder), before) << "it has not begun to write";
    carom.send(signal);
    const ProgramRun run = carom.wait();
    EXPECT_EQ(run.exit_code, -1) << "a signal should have ended it: " << run.err;
    EXPECT_EQ(files_in(folder), before) << arguments.front() << ", signal " << signal;
}

TEST(Signals, ATemporaryFileIsRemoved) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::string folder = scratch.path("");
    // some of them leave a core file
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
        expect_nothing_left({"export", path, "--to", "csv", "--fps", "1e9", "-o", "k.csv"}, folder,
                            signal);
        expect_nothing_left({"sample", path, "--every", "1e-9", "-o", "k.json"}, folder, signal);
    }
}

// A ball that bounces for ever.
std::string perpetual_ball() {
    std::string text = bouncing_ball();
    text.replace(text.find("e = 0.8"), 7, "e = 1.0");
    text.insert(text.find("duration"), "checkpoint = 0.5\n");
    return text;
}

// A tower of boxes that settles, falls and never sleeps.
std::string pile() {
    std::string text = R"(title = "A pile"
[simulation]
duration = 5
sleep = false
checkpoint = 0.01
[[contact]]
e = 0.1
mu = 0.5
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
)";
    for (int i = 0; i < 12; ++i) {
        text += fmt::format(R"([[body]]
name = "box{}"
shape = {{ type = "box", size = [0.1, 0.1, 0.1] }}
mass = 1.0
position = [{}, {}, {}]
)",
                            i, 0.03 * (i % 2), 0.02 * (i % 3), 0.06 + 0.11 * i);
    }
    return text;
}

// How long it takes to end after SIGTERM, one second after its start.
std::chrono::duration<double> time_to_stop(RunningCarom& carom) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    EXPECT_TRUE(carom.running()) << carom.wait().err;
    const Clock::time_point sent = Clock::now();
    carom.send(SIGTERM);
    for (int i = 0; i < 1000 && carom.running(); ++i)
        std::this_thread::sleep_for(milliseconds(10));
    return Clock::now() - sent;
}

void expect_endless_run_stops(const std::string& scene) {
    const ScratchFolder scratch;
    const std::string toml = scratch.write("endless.toml", scene);
    const double limit = is_sanitized() ? 10.0 : 1.0;
    int checkpoints = 0;
    {
        RunningCarom carom({"run", toml, "--duration", "1e12"}, scratch.path(""));
        // on a busy machine the start itself may take a while
        EXPECT_TRUE(wait_for_checkpoints(carom, scratch.path("endless.carom"), 1));
        EXPECT_LT(time_to_stop(carom).count(), limit);
        const ProgramRun run = carom.wait();
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_NE(run.err.find("carom resume endless.carom"), std::string::npos) << run.err;
        const Json info = info_of(scratch.path("endless.carom"));
        // also when it was stopped inside an event
        EXPECT_NE(run.err.find("stopped at " + cli::seconds_text(info.at("time").get<double>())),
                  std::string::npos)
            << run.err << info.at("time");
        EXPECT_FALSE(info.at("finished").get<bool>());
        EXPECT_GT(info.at("time").get<double>(), 0.0);
        checkpoints = info.at("checkpoints").get<int>();
        EXPECT_GT(checkpoints, 0);
    }
    RunningCarom carom({"resume", "endless.carom"}, scratch.path(""));
    EXPECT_TRUE(wait_for_checkpoints(carom, scratch.path("endless.carom"), checkpoints + 1));
    EXPECT_LT(time_to_stop(carom).count(), limit);
    const ProgramRun run = carom.wait();
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_EQ(run.out.find("going on from 0 s"), std::string::npos) << run.out;
}

TEST(Signals, AnEndlessBounceStopsWithinASecond) {
    expect_endless_run_stops(perpetual_ball());
}

TEST(Signals, AnEndlessPileStopsWithinASecond) {
    expect_endless_run_stops(pile());
}

TEST(Signals, AnEndlessRunWithoutRecordingStopsToo) {
    const ScratchFolder scratch;
    const std::string toml = scratch.write("endless.toml", perpetual_ball());
    RunningCarom carom({"run", toml, "--duration", "1e12", "--no-recording"}, scratch.path(""));
    EXPECT_LT(time_to_stop(carom).count(), is_sanitized() ? 10.0 : 1.0);
    EXPECT_EQ(carom.wait().exit_code, 1);
}

// 'timeout' signals the program and then its group: two signals, one request.
TEST(Signals, TwoAtOnceAreOneRequest) {
    const ScratchFolder scratch;
    const std::string toml = scratch.write("endless.toml", perpetual_ball());
    const std::string path = scratch.path("endless.carom");
    for (int i = 0; i < 5; ++i) {
        fs::remove(path);
        RunningCarom carom({"run", toml, "--duration", "1e12"}, scratch.path(""));
        ASSERT_TRUE(wait_for_checkpoints(carom, path, 1));
        carom.send(SIGTERM);
        std::this_thread::sleep_for(std::chrono::microseconds(200 * i));
        carom.send(SIGTERM);
        const ProgramRun run = carom.wait();
        EXPECT_EQ(run.exit_code, 1) << run.err;
        EXPECT_NE(run.err.find("stopped at "), std::string::npos) << run.err;
    }
}

TEST(Signals, TimesForPeopleHaveNoDigitsOfRounding) {
    EXPECT_EQ(cli::seconds_text(20.60000000000001), "20.6 s");
    EXPECT_EQ(cli::seconds_text(0.0), "0 s");
    EXPECT_EQ(cli::seconds_text(1e12), "1e+12 s");
    EXPECT_EQ(cli::seconds_text(0.123456789), "0.123456789 s");
}

}  // namespace
}  // namespace carom::tests
