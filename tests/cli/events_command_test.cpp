// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// `carom events`: the impacts of a recording against closed forms, the filters and the sums.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "carom/impact/law.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

ProgramRun events(const std::string& recording, std::vector<std::string> options) {
    options.insert(options.begin(), {"events", recording});
    ProgramRun run = run_carom(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run;
}

std::vector<Json> event_lines(const std::string& recording, std::vector<std::string> options) {
    options.emplace_back("--json");
    return events(recording, options).answers();
}

// Cells of lines without quotes.
std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> out(1);
    for (const char c : line) {
        if (c == ',') {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    return out;
}

TEST(EventsCommand, JsonLinesOfABouncingBallAreTheClosedForm) {
    const ScratchFolder scratch;
    const std::vector<Json> lines = event_lines(record(scratch, "ball", bouncing_ball()), {});
    ASSERT_EQ(lines.size(), 4U);
    double t = std::sqrt(0.2), v = std::sqrt(20.0);
    for (const Json& line : lines) {
        std::vector<std::string> keys;
        for (const auto& [key, value] : line.items())
            keys.push_back(key);
        std::sort(keys.begin(), keys.end());
        EXPECT_EQ(keys, (std::vector<std::string>{"a", "b", "energy_lost", "impulse", "kind", "law",
                                                  "normal", "point", "restitution", "t", "u",
                                                  "u_after"}));
        EXPECT_NEAR(line.at("t").get<double>(), t, 1e-10);
        EXPECT_EQ(line.at("kind"), "impact");
        EXPECT_EQ(line.at("law"), "routh");
        // up for the ball, whichever of the two it is
        const bool ball_first = line.at("a") == "ball";
        EXPECT_EQ(line.at(ball_first ? "b" : "a"), "floor");
        const double up = ball_first ? 1.0 : -1.0;
        EXPECT_NEAR(up * line.at("normal")[2].get<double>(), 1.0, 1e-12);
        EXPECT_NEAR(up * line.at("u")[2].get<double>(), -v, 1e-9);
        EXPECT_NEAR(up * line.at("u_after")[2].get<double>(), 0.8 * v, 1e-9);
        EXPECT_NEAR(up * line.at("impulse")[2].get<double>(), 2.0 * 1.8 * v, 1e-9);
        EXPECT_NEAR(line.at("energy_lost").get<double>(), 0.36 * v * v, 1e-9);
        EXPECT_NEAR(line.at("restitution").get<double>(), 0.8, 1e-12);
        for (const double x : numbers(line.at("point")))
            EXPECT_NEAR(x, 0.0, 1e-9);
        v *= 0.8;
        t += 2.0 * v / 10.0;
    }
}

TEST(EventsCommand, CsvOnAPipeHasTheSameNumbers) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::vector<std::string> csv = events(path, {}).lines();
    const std::vector<Json> json = event_lines(path, {});
    ASSERT_EQ(csv.size(), json.size() + 1);
    EXPECT_EQ(csv[0],
              "t,kind,a,b,point_x,point_y,point_z,normal_x,normal_y,normal_z,u_x,u_y,u_z,u_after_x,"
              "u_after_y,u_after_z,impulse_x,impulse_y,impulse_z,law,energy_lost,restitution");
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::vector<std::string> row = cells(csv[i + 1]);
        ASSERT_EQ(row.size(), 22U);
        EXPECT_EQ(std::stod(row[0]), json[i].at("t"));
        EXPECT_EQ(row[1], "impact");
        EXPECT_EQ(row[2], json[i].at("a"));
        EXPECT_EQ(std::stod(row[18]), json[i].at("impulse")[2]);
        EXPECT_EQ(std::stod(row[21]), json[i].at("restitution"));
    }
    EXPECT_EQ(events(path, {"--csv"}).lines(), csv);
    const std::string table = events(path, {"--table"}).out;
    EXPECT_NE(table.find("approach (m/s)"), std::string::npos) << table;
    EXPECT_NE(table.find("4.47214"), std::string::npos) << table;
}

TEST(EventsCommand, FiltersByTimeAndSize) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const auto count = [&](const std::vector<std::string>& options) {
        return event_lines(path, options).size();
    };
    EXPECT_EQ(count({"--from", "1"}), 3U);
    EXPECT_EQ(count({"--to", "1"}), 1U);
    EXPECT_EQ(count({"--from", "1", "--to", "2"}), 2U);
    EXPECT_EQ(count({"--limit", "3"}), 3U);
    EXPECT_EQ(count({"--limit", "0"}), 0U);
    // the speeds are sqrt(20) 0.8^k: 4.47, 3.58, 2.86, 2.29 m/s
    EXPECT_EQ(count({"--min-speed", "3"}), 2U);
    EXPECT_EQ(count({"--min-impulse", "12.8"}), 2U) << "3.6 times the speed";
    EXPECT_EQ(count({"--min-energy", "2.9"}), 3U) << "0.36 times its square";
    EXPECT_EQ(count({"--kind", "impact"}), 4U);
    EXPECT_EQ(count({"--kind", "micro,sleep"}), 0U);
    EXPECT_EQ(count({"--from", "1", "--min-speed", "3"}), 1U);
}

TEST(EventsCommand, FiltersByBodyAndMaterial) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "balls", bouncing_ball(R"([[body]]
name = "ball-2"
shape = { type = "sphere", radius = 0.05 }
material = "wood"
mass = 1.0
position = [1, 0, 0.55]
)"));
    const auto count = [&](const std::vector<std::string>& options) {
        return event_lines(path, options).size();
    };
    const std::size_t all = count({}), second = count({"--body", "ball-2"});
    ASSERT_EQ(all, count({"--body", "floor"}));
    EXPECT_EQ(count({"--body", "ball"}), 4U) << "not ball-2";
    EXPECT_EQ(second, all - 4U);
    EXPECT_EQ(count({"--body", "ball*"}), all);
    EXPECT_EQ(count({"--body", "ball", "--body", "floor"}), 4U) << "between these two";
    EXPECT_EQ(count({"--body", "ball", "--body", "ball-2"}), 0U) << "they never meet";
    EXPECT_EQ(count({"--body", "ball", "--body", "ball"}), 4U);
    EXPECT_EQ(count({"--material", "wood"}), second);
    EXPECT_EQ(count({"--material", "stone"}), all);
    EXPECT_EQ(count({"--material", "wood", "--material", "rubber"}), 0U);
    EXPECT_EQ(count({"--material", "rubber", "--body", "ball-2"}), 0U);
}

TEST(EventsCommand, TheMeanForceOfABallAtRestIsItsWeight) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    const auto velocity = [&](const char* t) {
        return run_carom({"sample", path, "--at", t, "--body", "ball"})
            .answer()
            .at("velocity")[2]
            .get<double>();
    };
    const std::vector<Json> sums = event_lines(path, {"--sum", "--from", "0.5", "--to", "0.9"});
    ASSERT_EQ(sums.size(), 1U) << "the other ball is in flight";
    const Json& pair = sums[0];
    EXPECT_EQ(pair.at("a"), "ball") << "it comes first in the scene";
    EXPECT_EQ(pair.at("b"), "floor");
    EXPECT_GT(pair.at("micro").get<int>(), 10);
    // what the floor gave is the change of momentum and the weight
    const double given = 2.0 * (velocity("0.9") - velocity("0.5") + 10.0 * 0.4);
    EXPECT_NEAR(pair.at("impulse")[2].get<double>(), given, 1e-9);
    EXPECT_NEAR(pair.at("mean_force")[2].get<double>(), given / 0.4, 1e-9);
    EXPECT_NEAR(pair.at("mean_force")[2].get<double>(), 20.0, 0.2);
    EXPECT_NEAR(pair.at("impulse_sizes").get<double>(), given, 1e-9) << "all of them point up";
    EXPECT_GE(pair.at("first").get<double>(), 0.5);
    EXPECT_LE(pair.at("last").get<double>(), 0.9);
    EXPECT_GE(pair.at("largest_impulse").get<double>(),
              given / (pair.at("micro").get<double>() + pair.at("impacts").get<double>()));
}

// The floor comes first in the scene; what is summed is what the ball was given, as in its events.
TEST(EventsCommand, SumsAreOnTheFreeBody) {
    const ScratchFolder scratch;
    // the built-in scene has the floor before the ball
    const std::string path = scratch.path("bounce.carom");
    ASSERT_EQ(run_carom({"run", "bounce", "--quiet", "-o", path}).exit_code, 0);
    const std::vector<Json> sums = event_lines(path, {"--sum"});
    ASSERT_EQ(sums.size(), 1U);
    EXPECT_EQ(sums[0].at("a"), "ball");
    EXPECT_EQ(sums[0].at("b"), "floor");
    double given = 0.0;
    for (const Json& event : event_lines(path, {"--kind", "impact"}))
        given += numbers(event.at("impulse"))[2];
    EXPECT_GT(given, 0.0);
    EXPECT_NEAR(numbers(sums[0].at("impulse"))[2], given, 1e-12 * given);
    EXPECT_GT(numbers(sums[0].at("mean_force"))[2], 0.0);
}

TEST(EventsCommand, SumsAddUpTheirEvents) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "gas", gas(0.5));
    const std::vector<Json> sums = event_lines(path, {"--sum"});
    ASSERT_GT(sums.size(), 10U);
    double hits = 0.0, sizes = 0.0, last = 1e300;
    for (const Json& pair : sums) {
        hits += pair.at("impacts").get<double>() + pair.at("micro").get<double>();
        EXPECT_LE(pair.at("impulse_sizes").get<double>(), last) << "the largest first";
        last = pair.at("impulse_sizes").get<double>();
        sizes += last;
    }
    double expected = 0.0;
    const std::vector<Json> all = event_lines(path, {"--kind", "impact,micro"});
    for (const Json& event : all) {
        const std::vector<double> p = numbers(event.at("impulse"));
        expected += std::hypot(p[0], p[1], p[2]);
    }
    EXPECT_EQ(hits, static_cast<double>(all.size()));
    EXPECT_NEAR(sizes, expected, 1e-9 * expected);
    EXPECT_EQ(event_lines(path, {"--sum", "--limit", "3"}).size(), 3U);
    const std::vector<std::string> csv = events(path, {"--sum"}).lines();
    EXPECT_EQ(csv.size(), sums.size() + 1);
    EXPECT_EQ(cells(csv[0]).size(), 20U);
    EXPECT_EQ(cells(csv[1]).size(), 20U);
    EXPECT_NE(events(path, {"--sum", "--table"}).out.find("mean force"), std::string::npos);
}

TEST(EventsCommand, SleepHasNoImpulse) {
    const ScratchFolder scratch;
    const std::string scene = bouncing_ball();
    std::string soft = scene;
    soft.replace(soft.find("e = 0.8"), 7, "e = 0.1");
    soft.replace(soft.find("duration"), 0, "contact = \"micro\"\n");
    const std::string path = record(scratch, "soft", soft);
    const std::vector<Json> sleeps = event_lines(path, {"--kind", "sleep"});
    ASSERT_EQ(sleeps.size(), 1U);
    EXPECT_EQ(sleeps[0].at("a"), "ball");
    for (const char* key :
         {"b", "point", "normal", "u", "u_after", "impulse", "law", "restitution"}) {
        EXPECT_TRUE(sleeps[0].at(key).is_null()) << key;
    }
    EXPECT_TRUE(event_lines(path, {"--kind", "sleep", "--min-impulse", "0"}).empty());
    const std::vector<std::string> csv = events(path, {"--kind", "sleep"}).lines();
    ASSERT_EQ(csv.size(), 2U);
    EXPECT_EQ(cells(csv[1]).size(), 22U);
    EXPECT_NE(events(path, {"--table"}).out.find("sleep"), std::string::npos);
}

TEST(EventsCommand, WrongCallsAreRefused) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    expect_refused({"events", path, "--body", "bal"}, {"no body 'bal'", "did you mean 'ball'?"});
    expect_refused({"events", path, "--body", "x*"}, {"no body 'x*'", "carom info"});
    expect_refused({"events", path, "--material", "ruber"}, {"'ruber'", "'rubber'"});
    expect_refused({"events", path, "--kind", "impct"}, {"'impct'", "'impact'", "sleep"});
    expect_refused({"events", path, "--to", "3"}, {"--to 3", "from 0 to 2.5 s"});
    expect_refused({"events", path, "--from", "-1"}, {"--from -1", "from 0 to 2.5 s"});
    expect_refused({"events", path, "--from", "nan"}, {"--from"});
    expect_refused({"events", path, "--from", "2", "--to", "1"}, {"later"});
    expect_refused({"events", path, "--min-speed", "nan"}, {"--min-speed"});
    expect_refused({"events", path, "--json", "--csv"}, {"--csv"});
    expect_refused({"events", scratch.path("none.carom")}, {"none.carom"});
    expect_refused({"events", scratch.path("ball.toml")}, {"ball.toml"});
}

// An impact has two bodies: here the first one of a good recording loses one.
TEST(EventsCommand, AnImpactOfOneBodyIsDamage) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const Json first = event_lines(path, {"--limit", "1"})[0];
    const Json bodies = info_of(path).at("bodies");
    const bool ball_first = bodies[0].at("name") == "ball";
    const double t = first.at("t").get<double>();
    std::uint32_t words[4] = {ball_first ? 0U : 1U, ball_first ? 1U : 0U, 0,
                              static_cast<std::uint32_t>(impact::LawId::routh)};
    const auto row_of = [&] {
        return std::string(reinterpret_cast<const char*>(&t), sizeof t)
            .append(reinterpret_cast<const char*>(words), sizeof words);
    };
    const std::string bytes = read_whole(path);
    const std::size_t row = bytes.find(row_of());
    ASSERT_NE(row, std::string::npos);
    for (const std::uint32_t other : {0xffffffffU, words[0]}) {
        words[1] = other;
        std::string damaged = bytes;
        scratch.write("damaged.carom", damaged.replace(row, row_of().size(), row_of()));
        for (const char* option : {"--sum", "--csv", "--json", "--table"}) {
            expect_refused({"events", scratch.path("damaged.carom"), option},
                           {"damaged.carom: an event ", "the file is damaged"});
        }
    }
}

}  // namespace
}  // namespace carom::tests
