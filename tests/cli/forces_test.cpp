// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Lasting contact as the commands tell it: `carom events --forces` and `--sum`, `carom info` and
// `carom sample`, for a ball that rests, a ball that slides and rolls, and a block that slides.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

// Balls and a block of 2 kg on a plane with e = 0, gravity 10 m/s^2, for 2 s. The ball "rolls" is
// thrown with 3.5 m/s and friction 0.2: it slides 0.5 s and rolls on with 2.5 m/s. The block comes
// with 3 m/s and friction 0.25: it slides 1.2 s and 1.8 m.
constexpr const char* k_on_a_plane = R"(title = "On a plane"
[simulation]
duration = 2.0
gravity = [0, 0, -10]
sleep = false
contact = "lasting"
[[contact]]
materials = ["felt", "stone"]
e = 0.0
mu = 0.2
[[contact]]
materials = ["wood", "stone"]
e = 0.0
mu = 0.25
[[contact]]
e = 0.0
mu = 0.5
[[body]]
name = "rests"
shape = { type = "sphere", radius = 0.1 }
material = "felt"
mass = 2.0
position = [0, 5, 0.1]
[[body]]
name = "rolls"
shape = { type = "sphere", radius = 0.1 }
material = "felt"
mass = 2.0
position = [0, 0, 0.1]
velocity = [3.5, 0, 0]
[[body]]
name = "block"
shape = { type = "box", size = [0.4, 0.4, 0.1] }
material = "wood"
mass = 2.0
position = [0, -5, 0.05]
velocity = [3, 0, 0]
[[body]]
name = "floor"
shape = { type = "plane" }
material = "stone"
fixed = true
)";

std::vector<Json> lines_of(const std::string& recording, std::vector<std::string> options) {
    options.insert(options.begin(), {"events", recording, "--json"});
    const ProgramRun run = run_carom(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.answers();
}

// What a body is given by the floor, up and along x, whichever of the two is a.
double on_body(const Json& line, const char* what, const std::string& body, int axis) {
    return (line.at("a") == body ? 1.0 : -1.0) * line.at(what)[axis].get<double>();
}

// One simulation for all of them.
class ForcesTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        scratch_ = new ScratchFolder;
        path_ = record(*scratch_, "plane", k_on_a_plane);
    }
    static void TearDownTestSuite() { delete scratch_; }

    static Json state(const std::string& body, const std::string& t) {
        return run_carom({"sample", path_, "--at", t, "--body", body}).answer();
    }

    static ScratchFolder* scratch_;
    static std::string path_;
};

ScratchFolder* ForcesTest::scratch_ = nullptr;
std::string ForcesTest::path_;

TEST_F(ForcesTest, OfABallAtRestAreItsWeight) {
    const std::vector<Json> forces = lines_of(path_, {"--forces", "--body", "rests"});
    ASSERT_FALSE(forces.empty());
    double time = 0.0, given = 0.0, until = -1.0;
    for (const Json& line : forces) {
        std::vector<std::string> keys;
        for (const auto& [key, value] : line.items())
            keys.push_back(key);
        std::sort(keys.begin(), keys.end());
        EXPECT_EQ(keys, (std::vector<std::string>{"a", "acts", "b", "follows", "force", "impulse",
                                                  "normal", "point", "point_end", "t0", "t1"}));
        EXPECT_EQ(line.at("a"), "rests") << "the free body, though the floor may come first";
        const double t0 = line.at("t0"), t1 = line.at("t1");
        EXPECT_LT(t0, t1);
        if (until >= 0.0) {
            EXPECT_EQ(t0, until) << "no gaps";
        }
        until = t1;
        time += t1 - t0;
        given += on_body(line, "impulse", "rests", 2);
        EXPECT_NEAR(on_body(line, "normal", "rests", 2), 1.0, 1e-12);
        EXPECT_NEAR(on_body(line, "force", "rests", 2), 20.0, 1e-6);
        EXPECT_NEAR(on_body(line, "force", "rests", 0), 0.0, 1e-6);
        EXPECT_NEAR(line.at("point")[1].get<double>(), 5.0, 1e-9);
        EXPECT_NEAR(line.at("point")[2].get<double>(), 0.0, 1e-6);
    }
    EXPECT_GT(time, 1.9);
    EXPECT_NEAR(given, 20.0 * time, 1e-6);
}

TEST_F(ForcesTest, OfABallThatSlidesAndRolls) {
    for (const Json& line : lines_of(path_, {"--forces", "--body", "rolls"})) {
        const double t0 = line.at("t0"), t1 = line.at("t1");
        EXPECT_NEAR(on_body(line, "force", "rolls", 2), 20.0, 1e-6);
        // it goes along with the ball
        EXPECT_EQ(line.at("follows"), "centre-of-a");
        EXPECT_EQ(line.at("acts"), "by-motion");
        for (const auto& [t, point] : {std::pair(t0, "point"), std::pair(t1, "point_end")}) {
            const double slid = std::min(t, 0.5);
            const double x = 3.5 * slid - slid * slid + 2.5 * (t - slid);
            EXPECT_NEAR(line.at(point)[0].get<double>(), x, 1e-9) << line.dump();
        }
        // friction as long as it slides, none when it rolls
        const double sliding = std::max(0.0, std::min(t1, 0.5) - t0);
        EXPECT_NEAR(on_body(line, "impulse", "rolls", 0), -4.0 * sliding, 1e-6) << line.dump();
    }
    const Json slides = state("rolls", "0.4"), rolls = state("rolls", "1.5");
    EXPECT_NEAR(slides.at("velocity")[0].get<double>(), 3.5 - 2.0 * 0.4, 1e-9);
    EXPECT_NEAR(slides.at("position")[0].get<double>(), 3.5 * 0.4 - 0.16, 1e-9);
    EXPECT_NEAR(rolls.at("velocity")[0].get<double>(), 2.5, 1e-9);
    EXPECT_NEAR(rolls.at("position")[0].get<double>(), 1.75 - 0.25 + 2.5, 1e-9);
    EXPECT_NEAR(rolls.at("angular_velocity")[1].get<double>(), 25.0, 1e-8);
}

TEST_F(ForcesTest, OfABlockThatSlides) {
    double along = 0.0, up = 0.0, time = 0.0;
    for (const Json& line : lines_of(path_, {"--forces", "--material", "wood"})) {
        along += on_body(line, "impulse", "block", 0);
        up += on_body(line, "impulse", "block", 2);
        time += line.at("t1").get<double>() - line.at("t0").get<double>();
    }
    EXPECT_GT(time, 1.9);
    EXPECT_NEAR(along, -6.0, 1e-3) << "all of its momentum";
    EXPECT_NEAR(up, 20.0 * time, 1e-3);
    EXPECT_NEAR(state("block", "1.9").at("position")[0].get<double>(), 1.8, 1e-5);
}

TEST_F(ForcesTest, CsvAndTableHaveTheSameNumbers) {
    const std::vector<Json> json = lines_of(path_, {"--forces"});
    const std::vector<std::string> csv = run_carom({"events", path_, "--forces"}).lines();
    ASSERT_EQ(csv.size(), json.size() + 1);
    EXPECT_EQ(csv[0],
              "t0,t1,a,b,point_x,point_y,point_z,normal_x,normal_y,normal_z,impulse_x,impulse_y,"
              "impulse_z,force_x,force_y,force_z,point_end_x,point_end_y,point_end_z,follows,acts");
    for (std::size_t i = 0; i < json.size(); ++i) {
        EXPECT_EQ(std::count(csv[i + 1].begin(), csv[i + 1].end(), ','), 20);
        EXPECT_EQ(std::stod(csv[i + 1]), json[i].at("t0"));
        const std::string acts = json[i].at("acts"), follows = json[i].at("follows");
        const std::string end = csv[i + 1].substr(0, csv[i + 1].size() - acts.size() - 1);
        EXPECT_EQ(csv[i + 1], end + "," + acts);
        const std::string number = end.substr(0, end.size() - follows.size() - 1);
        EXPECT_EQ(end, number + "," + follows);
        EXPECT_EQ(std::stod(number.substr(number.rfind(',') + 1)), json[i].at("point_end")[2]);
    }
    const std::string table = run_carom({"events", path_, "--forces", "--table"}).out;
    EXPECT_NE(table.find("force on a (N)"), std::string::npos) << table;
}

TEST_F(ForcesTest, FiltersChooseIntervals) {
    const std::vector<Json> all = lines_of(path_, {"--forces"});
    const auto count = [&](const std::vector<std::string>& more) {
        std::vector<std::string> options{"--forces"};
        options.insert(options.end(), more.begin(), more.end());
        return lines_of(path_, options).size();
    };
    const auto among = [&](auto&& wanted) {
        return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), wanted));
    };
    EXPECT_EQ(count({"--body", "floor"}), all.size());
    EXPECT_EQ(count({"--body", "rests", "--body", "rolls"}), 0U) << "they never touch";
    EXPECT_EQ(count({"--material", "felt"}),
              count({"--body", "rests"}) + count({"--body", "rolls"}));
    EXPECT_EQ(count({"--from", "0.7", "--to", "0.8"}),
              among([](const Json& line) { return line.at("t1") >= 0.7 && line.at("t0") <= 0.8; }));
    EXPECT_EQ(count({"--min-impulse", "0.5"}), among([](const Json& line) {
                  const std::vector<double> p = numbers(line.at("impulse"));
                  return std::hypot(p[0], p[1], p[2]) >= 0.5;
              }));
    EXPECT_EQ(count({"--limit", "1"}), 1U);
    expect_refused({"events", path_, "--forces", "--kind", "impact"}, {"--forces", "--body"});
    expect_refused({"events", path_, "--forces", "--min-speed", "1"}, {"--forces"});
    expect_refused({"events", path_, "--forces", "--min-energy", "1"}, {"--forces"});
}

// Momentum: what the floor gave by events and forces is the change of velocity and the weight.
TEST_F(ForcesTest, SumsBalanceMomentum) {
    const double from = 0.3, to = 1.7;
    const std::vector<Json> sums = lines_of(path_, {"--sum", "--from", "0.3", "--to", "1.7"});
    ASSERT_EQ(sums.size(), 3U);
    for (const char* body : {"rests", "rolls", "block"}) {
        const auto pair = std::find_if(sums.begin(), sums.end(),
                                       [&](const Json& line) { return line.at("a") == body; });
        ASSERT_NE(pair, sums.end());
        EXPECT_NEAR(pair->at("lasting_time").get<double>(), to - from, 1e-9);
        const Json before = state(body, "0.3"), after = state(body, "1.7");
        for (int i = 0; i < 3; ++i) {
            const double weight = i == 2 ? 20.0 * (to - from) : 0.0;
            const double gained = 2.0 * (after.at("velocity")[i].get<double>() -
                                         before.at("velocity")[i].get<double>());
            const double given =
                pair->at("impulse")[i].get<double>() + pair->at("lasting_impulse")[i].get<double>();
            EXPECT_NEAR(given, gained + weight, 1e-6) << body << " axis " << i;
            EXPECT_NEAR(pair->at("mean_force")[i].get<double>(), given / (to - from), 1e-9);
        }
    }
    // one part of it at a time
    for (const Json& line : lines_of(path_, {"--sum", "--forces"})) {
        EXPECT_EQ(line.at("begins"), 0);
        EXPECT_EQ(line.at("impulse_sizes"), 0);
        EXPECT_GT(line.at("lasting_time").get<double>(), 1.9);
    }
    for (const Json& line : lines_of(path_, {"--sum", "--kind", "lasting-begin"})) {
        EXPECT_GE(line.at("begins").get<int>(), 1);
        EXPECT_EQ(line.at("lasting_time"), 0);
    }
}

TEST_F(ForcesTest, InfoCountsThem) {
    const Json info = info_of(path_);
    EXPECT_EQ(info.at("forces"), lines_of(path_, {"--forces"}).size());
    EXPECT_EQ(info.at("lasting"), lines_of(path_, {"--kind", "lasting-begin"}).size());
    EXPECT_GE(info.at("lasting").get<int>(), 3);
    EXPECT_GE(info.at("lasting_segments").get<int>(), 4);
    EXPECT_GE(info.at("bodies")[0].at("lasting").get<int>(), 1);
    EXPECT_EQ(info.at("settings").at("contact"), "lasting");
    const std::string text = run_carom({"info", path_}).out;
    EXPECT_NE(text.find("lasting contacts"), std::string::npos) << text;
    EXPECT_NE(text.find("contact forces"), std::string::npos) << text;
}

}  // namespace
}  // namespace carom::tests
