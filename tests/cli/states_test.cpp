// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// --states of run, resume and info, and the checkpoints of runs that take another time than the
// scene says.

#include <gtest/gtest.h>
#include <signal.h>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

// What `carom sample` says of the end of a recording.
std::vector<Json> sampled(const std::string& path, double t) {
    return run_carom({"sample", path, "--json", "--at", Json(t).dump()}).answers();
}

void expect_same_states(const Json& states, const std::vector<Json>& samples) {
    ASSERT_EQ(states.size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ(states[i].at("body"), samples[i].at("body"));
        EXPECT_TRUE(states[i].at("asleep").is_boolean());
        for (const char* name : {"position", "orientation", "velocity", "angular_velocity"}) {
            const std::vector<double> ours = numbers(states[i].at(name));
            const std::vector<double> theirs = numbers(samples[i].at(name));
            ASSERT_EQ(ours.size(), theirs.size()) << name;
            for (std::size_t k = 0; k < ours.size(); ++k)
                EXPECT_NEAR(ours[k], theirs[k], 1e-12) << name;
        }
    }
}

TEST(States, OfARunAndItsRecording) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    const std::string path = scratch.path("ball.carom");
    const Json answer = run_carom({"run", scene, "-o", path, "--json", "--states"}).answer();
    const std::vector<Json> samples = sampled(path, 2.5);
    ASSERT_EQ(samples.size(), 2U);
    expect_same_states(answer.at("states"), samples);
    const Json info = run_carom({"info", path, "--json", "--states"}).answer();
    expect_same_states(info.at("states"), samples);
    expect_same_states(run_carom({"resume", path, "--json", "--states"}).answer().at("states"),
                       samples);
    // only on request
    EXPECT_FALSE(info_of(path).contains("states"));
    EXPECT_FALSE(run_carom({"run", scene, "--no-recording", "--json"}).answer().contains("states"));
    expect_same_states(
        run_carom({"run", scene, "--no-recording", "--json", "--states"}).answer().at("states"),
        samples);
}

TEST(States, ForPeopleWithUnits) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    for (const ProgramRun& run :
         {run_carom({"info", path, "--states"}),
          run_carom({"run", scratch.path("ball.toml"), "--no-recording", "--states"})}) {
        EXPECT_EQ(run.exit_code, 0) << run.err;
        for (const char* part :
             {"at 2.5 s:", "position (m)", "velocity (m/s)", "angular velocity (rad/s)", "asleep"})
            EXPECT_NE(run.out.find(part), std::string::npos) << part << " not in\n" << run.out;
    }
}

TEST(States, ABodyAtRestIsAsleep) {
    const ScratchFolder scratch;
    const std::string scene = R"([simulation]
duration = 3
[[contact]]
e = 0
mu = 0.5
[[body]]
name = "box"
shape = { type = "box", size = [0.1, 0.1, 0.1] }
mass = 1
position = [0, 0, 0.05]
[[body]]
name = "floor"
shape = { type = "plane" }
fixed = true
)";
    const std::string path = record(scratch, "box", scene);
    const auto asleep = [](const Json& answer) {
        std::vector<bool> list;
        for (const Json& state : answer.at("states"))
            list.push_back(state.at("asleep").get<bool>());
        return list;
    };
    const std::vector<bool> expected{true, false};
    EXPECT_EQ(asleep(run_carom({"info", path, "--json", "--states"}).answer()), expected);
    EXPECT_EQ(
        asleep(run_carom({"run", scratch.path("box.toml"), "--no-recording", "--json", "--states"})
                   .answer()),
        expected);
}

// Long enough that it can be stopped halfway.
const std::string k_long = is_sanitized() ? "4" : "20";

// A run that is stopped after some time; its recording.
std::string stopped_run(const ScratchFolder& scratch, const std::string& scene,
                        const std::string& duration) {
    const std::string toml = scratch.write("stopped.toml", scene);
    const std::string path = scratch.path("stopped.carom");
    RunningCarom carom({"run", toml, "-o", path, "--duration", duration}, scratch.path(""));
    EXPECT_TRUE(wait_for_checkpoints(carom, path, 2));
    carom.send(SIGTERM);
    EXPECT_EQ(carom.wait().exit_code, 1);
    return path;
}

TEST(States, OfAnUnfinishedRecordingAreThoseOfItsLastCommit) {
    const ScratchFolder scratch;
    const std::string path = stopped_run(scratch, gas(1.0), k_long);
    const Json info = run_carom({"info", path, "--json", "--states"}).answer();
    EXPECT_FALSE(info.at("finished").get<bool>());
    expect_same_states(info.at("states"), sampled(path, info.at("time").get<double>()));
}

TEST(Checkpoints, AreATwentiethOfTheDurationThatIsRun) {
    const ScratchFolder scratch;
    const auto checkpoints = [&](const std::string& scene, const std::string& duration) {
        const std::string toml = scratch.write("gas.toml", scene);
        const std::string path = scratch.path("gas.carom");
        const ProgramRun run =
            run_carom({"run", toml, "-o", path, "--force", "--quiet", "--duration", duration});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return info_of(path).at("checkpoints").get<int>();
    };
    const int own = checkpoints(gas(0.5), "0.5");
    EXPECT_GE(own, 19);
    EXPECT_LE(own, 20);
    EXPECT_EQ(checkpoints(gas(0.5), "2"), own);
    EXPECT_EQ(checkpoints(gas(0.5), "0.1"), own);
    // a scene that says it keeps it
    std::string said = gas(0.5);
    said.insert(said.find("duration"), "checkpoint = 0.025\n");
    EXPECT_EQ(checkpoints(said, "0.5"), own);
    EXPECT_GE(checkpoints(said, "2"), 4 * own - 1);
}

TEST(Checkpoints, ARunOfAnotherDurationGoesOnToTheSameBits) {
    const ScratchFolder scratch;
    const std::string path = stopped_run(scratch, gas(1.0), k_long);
    const Json before = info_of(path);
    ASSERT_FALSE(before.at("finished").get<bool>()) << "the run was over too soon";
    const ProgramRun resumed = run_carom({"resume", path, "--quiet"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    const std::string whole = scratch.path("whole.carom");
    ASSERT_EQ(run_carom({"run", scratch.path("stopped.toml"), "-o", whole, "--quiet", "--duration",
                         k_long})
                  .exit_code,
              0);
    EXPECT_EQ(info_of(path).at("digest"), info_of(whole).at("digest"));
}

}  // namespace
}  // namespace carom::tests
