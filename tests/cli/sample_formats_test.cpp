// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What `carom sample` writes: CSV, NPZ, and files that appear whole or not at all.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/npz_reader.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_odd_name = "high, \"very\" high";

ProgramRun sample(const std::string& recording, std::vector<std::string> options) {
    options.insert(options.begin(), {"sample", recording, "--at", "0.1,0.5"});
    ProgramRun run = run_carom(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run;
}

TEST(SampleFormats, CsvHasTheNumbersOfJson) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    const std::vector<std::string> csv = sample(path, {"--format", "csv"}).lines();
    const std::vector<Json> json = sample(path, {"--json"}).answers();
    ASSERT_EQ(csv.size(), json.size() + 1);
    EXPECT_EQ(csv[0], "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    for (std::size_t i = 0; i < json.size(); ++i) {
        std::string expected = json[i].at("t").dump() + ",";
        const std::string name = json[i].at("body");
        expected += name == k_odd_name ? R"("high, ""very"" high")" : name;
        std::vector<double> row;
        for (const char* key : {"position", "orientation", "velocity", "angular_velocity"}) {
            for (const double x : numbers(json[i].at(key)))
                row.push_back(x);
        }
        ASSERT_EQ(csv[i + 1].substr(0, expected.size()), expected);
        std::size_t at = expected.size();
        for (const double x : row) {
            ASSERT_EQ(csv[i + 1][at], ',');
            std::size_t used = 0;
            EXPECT_EQ(std::stod(csv[i + 1].substr(at + 1), &used), x) << csv[i + 1];
            at += 1 + used;
        }
        EXPECT_EQ(at, csv[i + 1].size());
    }
}

TEST(SampleFormats, NpzHasTheNumbersOfJson) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    const std::string file = scratch.path("states.npz");
    EXPECT_EQ(sample(path, {"-o", file}).out, "");
    const std::vector<Json> json = sample(path, {}).answers();
    const auto arrays = read_npz(file);
    using Shape = std::vector<std::size_t>;
    ASSERT_EQ(arrays.size(), 6U);
    EXPECT_EQ(arrays.at("t").values, (std::vector<double>{0.1, 0.5}));
    EXPECT_EQ(arrays.at("orientation").shape, (Shape{2, 3, 4}));
    for (const char* key : {"position", "orientation", "velocity", "angular_velocity"}) {
        std::vector<double> expected;
        for (const Json& line : json) {
            for (const double x : numbers(line.at(key)))
                expected.push_back(x);
        }
        EXPECT_EQ(arrays.at(key).values, expected) << key;
    }
    EXPECT_EQ(arrays.at("velocity").shape, (Shape{2, 3, 3}));
    // three names of 17 characters at most, four bytes each
    const NpyArray& bodies = arrays.at("bodies");
    EXPECT_EQ(bodies.type, "<U17");
    EXPECT_EQ(bodies.shape, (Shape{3}));
    ASSERT_EQ(bodies.bytes.size(), 3U * 17U * 4U);
    std::string odd;
    for (std::size_t i = 0; i < 17; ++i)
        odd += bodies.bytes[4 * (17 + i)];
    EXPECT_EQ(odd, k_odd_name);
    EXPECT_EQ(bodies.bytes.substr(0, 4), std::string("b\0\0\0", 4));
    EXPECT_EQ(bodies.bytes[16], '\0') << "'ball' is filled up";
}

TEST(SampleFormats, NpzIsTheSameBytesTwice) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    sample(path, {"-o", scratch.path("one.npz")});
    sample(path, {"-o", scratch.path("two"), "--format", "npz"});
    EXPECT_EQ(read_whole(scratch.path("one.npz")), read_whole(scratch.path("two")));
}

TEST(SampleFormats, AFileHasWhatStandardOutputWouldHaveHad) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    const std::string file = scratch.path("states.csv");
    sample(path, {"-o", file});
    EXPECT_EQ(read_whole(file), sample(path, {"--format", "csv"}).out);
    EXPECT_EQ(sample(path, {"--format", "csv", "-o", "-"}).out, read_whole(file));
}

TEST(SampleFormats, AnExistingFileNeedsForce) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    const std::string file = scratch.write("states.jsonl", "mine\n");
    expect_refused({"sample", path, "--at", "0", "-o", file}, {file, "exists", "--force"});
    EXPECT_EQ(read_whole(file), "mine\n");
    sample(path, {"-o", file, "--force"});
    EXPECT_EQ(read_whole(file), sample(path, {}).out);
    expect_refused({"sample", path, "--at", "0", "-o", scratch.path("no/such.csv")}, {"folder"});
    expect_refused({"sample", path, "--at", "0", "-o", scratch.path(""), "--force"}, {"folder"});
    expect_refused({"sample", path, "--at", "0", "-o", "/dev/null", "--force"}, {"regular file"});
    expect_refused({"sample", path, "--at", "0", "-o", "/proc/x"}, {"/proc/x"});
    // nothing half-written is left
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(scratch.path("")))
        ++files;
    EXPECT_EQ(files, 3U) << "scene, recording and samples";
}

TEST(SampleFormats, AFullDiskIsAFailure) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "rest", resting_ball());
    RunOptions options;
    options.output_file = "/dev/full";
    for (const char* command : {"sample", "events", "info"}) {
        std::vector<std::string> arguments{command, path};
        if (arguments[0] == "sample") arguments.insert(arguments.end(), {"--fps", "1000"});
        const ProgramRun run = run_carom(arguments, {}, options);
        EXPECT_EQ(run.exit_code, 1) << command;
        EXPECT_NE(run.err.find("No space left"), std::string::npos) << command << run.err;
    }
}

}  // namespace
}  // namespace carom::tests
