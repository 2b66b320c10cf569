// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom sample`: states at any times against closed forms, and calls that are wrong.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

std::vector<Json> samples(const std::string& recording, std::vector<std::string> options) {
    options.insert(options.begin(), {"sample", recording});
    const ProgramRun run = run_carom(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.answers();
}

// Where the bouncing ball of simulations.h is, from the closed form.
struct Height {
    double z, v;
};
Height ball_at(double t) {
    double start = -std::sqrt(0.2), up = std::sqrt(20.0);  // as if it had been thrown before
    while (t >= start + 2.0 * up / 10.0) {
        start += 2.0 * up / 10.0;
        up *= 0.8;
    }
    const double s = t - start;
    return {0.05 + up * s - 5.0 * s * s, up - 10.0 * s};
}

TEST(SampleCommand, GivenTimesInTheirOrderAreTheClosedForm) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::vector<double> times{0.0, 2.5, 0.1, 0.44, 0.45, 1.0, 1.7, 2.4};
    const std::vector<Json> lines =
        samples(path, {"--at", "0,2.5,0.1,0.44,0.45,1,1.7,2.4", "--body", "ball"});
    ASSERT_EQ(lines.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Json& line = lines[i];
        EXPECT_EQ(line.size(), 6U);
        EXPECT_EQ(line.at("t"), times[i]);
        EXPECT_EQ(line.at("body"), "ball");
        const Height expected = ball_at(times[i]);
        EXPECT_NEAR(line.at("position")[2].get<double>(), expected.z, 1e-9) << times[i];
        EXPECT_NEAR(line.at("velocity")[2].get<double>(), expected.v, 1e-9) << times[i];
        EXPECT_EQ(line.at("position")[0], 0);
        EXPECT_EQ(line.at("orientation"), Json({1, 0, 0, 0}));
        EXPECT_EQ(line.at("angular_velocity"), Json({0, 0, 0}));
    }
}

TEST(SampleCommand, OrientationTurnsAsItMust) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    const std::vector<Json> lines = samples(path, {"--at", "0.75", "--body", "high*"});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].at("body"), "high, \"very\" high");
    const std::vector<double> q = numbers(lines[0].at("orientation"));
    EXPECT_NEAR(q[0], std::cos(0.75), 1e-12) << "2 rad/s about z";
    EXPECT_NEAR(q[3], std::sin(0.75), 1e-12);
    EXPECT_NEAR(lines[0].at("position")[2].get<double>(), 100.0 - 5.0 * 0.75 * 0.75, 1e-10);
    EXPECT_EQ(lines[0].at("angular_velocity"), Json({0, 0, 2}));
}

TEST(SampleCommand, ThePositionIsThatOfTheShapesFrameTheVelocityTheCentreOfMasss) {
    const ScratchFolder scratch;
    // a dumb-bell whose frame is at one of its balls turns about its middle
    const std::string path = record(scratch, "bell", R"([simulation]
duration = 1.0
gravity = [0, 0, 0]
[[contact]]
e = 1.0
mu = 0.0
[[body]]
name = "bell"
mass = 1.0
position = [0, 0, 0]
velocity = [0, 0, 3]
angular_velocity = [0, 0, 2]
[body.shape]
type = "compound"
parts = [{ type = "sphere", radius = 0.1 }, { type = "sphere", radius = 0.1, position = [2, 0, 0] }]
)");
    const std::vector<Json> lines = samples(path, {"--at", "0,0.5"});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].at("position"), Json({0, 0, 0}));
    const std::vector<double> p = numbers(lines[1].at("position"));
    EXPECT_NEAR(p[0], 1.0 - std::cos(1.0), 1e-12);
    EXPECT_NEAR(p[1], -std::sin(1.0), 1e-12);
    EXPECT_NEAR(p[2], 1.5, 1e-12);
    EXPECT_EQ(lines[1].at("velocity"), Json({0, 0, 3}));
}

TEST(SampleCommand, GridsHitBothEnds) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const auto times = [&](const std::vector<std::string>& options) {
        std::vector<double> out;
        for (const Json& line : samples(path, options)) {
            if (line.at("body") == "ball") out.push_back(line.at("t"));
        }
        return out;
    };
    const std::vector<double> frames = times({"--fps", "60"});
    ASSERT_EQ(frames.size(), 151U);
    for (std::size_t i = 0; i < frames.size(); ++i)
        EXPECT_DOUBLE_EQ(frames[i], static_cast<double>(i) / 60.0);
    EXPECT_EQ(frames.back(), 2.5);
    EXPECT_EQ(times({"--every", "1"}), (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(times({"--every", "0.5", "--from", "1", "--to", "2"}),
              (std::vector<double>{1, 1.5, 2}));
    EXPECT_EQ(times({"--every", "0.1"}).size(), 26U) << "rounding loses no end";
    EXPECT_EQ(times({"--fps", "10", "--from", "0.3", "--to", "0.3"}), (std::vector<double>{0.3}));
}

TEST(SampleCommand, EveryTimeHasEveryBodyInTheScenesOrder) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::vector<Json> lines = samples(path, {"--at", "1,2"});
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].at("body"), "ball");
    EXPECT_EQ(lines[1].at("body"), "floor");
    EXPECT_EQ(lines[2].at("t"), 2);
    EXPECT_EQ(samples(path, {"--at", "1", "--body", "floor", "--body", "ball"}).size(), 2U);
    // options may stand before the recording
    EXPECT_EQ(run_carom({"sample", "--at", "1,2", "--body", "ball", path}).answers().size(), 2U);
}

TEST(SampleCommand, WrongCallsAreRefused) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const auto refused = [&](std::vector<std::string> options,
                             const std::vector<std::string>& parts) {
        options.insert(options.begin(), {"sample", path});
        expect_refused(options, parts);
    };
    refused({}, {"--at", "--fps", "--every"});
    refused({"--at", "2.6"}, {"--at 2.6", "from 0 to 2.5 s"});
    refused({"--at", "1,-0.1"}, {"--at -0.1"});
    refused({"--at", "nan"}, {"--at"});
    refused({"--at", "1,soon"}, {"--at"});
    refused({"--at", "1", "--fps", "60"}, {"--at", "--fps"});
    refused({"--every", "1", "--fps", "60"}, {"--every", "--fps"});
    refused({"--at", "1", "--from", "0"}, {"--from"});
    refused({"--fps", "0"}, {"--fps"});
    refused({"--fps", "-5"}, {"--fps"});
    refused({"--fps", "inf"}, {"--fps"});
    refused({"--every", "0"}, {"--every"});
    refused({"--every", "1e-300"}, {"1e12"});
    refused({"--fps", "60", "--to", "7"}, {"--to 7", "from 0 to 2.5 s"});
    refused({"--at", "1", "--body", "bell"}, {"'bell'", "'ball'"});
    refused({"--at", "1", "--format", "cvs"}, {"'cvs'", "'csv'"});
    refused({"--at", "1", "--format", "npz"}, {"-o"});
    expect_refused({"sample", scratch.path("none.carom"), "--at", "0"}, {"none.carom"});
    expect_refused({"sample", scratch.path("ball.toml"), "--at", "0"}, {"ball.toml"});
}

}  // namespace
}  // namespace carom::tests
