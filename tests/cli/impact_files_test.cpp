// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Files, streams, sizes and the call itself: what `carom impact` does when they go wrong.

#include <gtest/gtest.h>

#include <fstream>

#include "tests/cli/run_carom.h"

namespace carom::tests {
namespace {

constexpr const char* k_good_line =
    R"({"id":"good","law":"routh","K":[[3.5,0,0],[0,3.5,0],[0,0,1]],"u":[-3,0,-5],"mu":0.4,"e":0.5})"
    "\n";

constexpr std::size_t k_megabyte = std::size_t{1} << 20;

// A file with a good line, one of 100 MB (piece again and again) and, unless it is cut off there,
// another good one. Written in pieces, so that this process stays small.
std::string write_long_line(const ScratchFolder& scratch, std::string_view piece, bool cut_off) {
    const std::string path = scratch.path("long");
    std::string block;
    while (block.size() < k_megabyte)
        block += piece;
    std::ofstream file(path, std::ios::binary);
    file << k_good_line;
    for (int i = 0; i < 100; ++i)
        file << block;
    if (!cut_off) file << "\n" << k_good_line;
    return path;
}

// Solves the file with room for 600 MB and checks the answers around the long line.
void expect_long_line_is_passed_over(const std::string& path, bool cut_off) {
    RunOptions options;
    options.input_file = path;
    // the sanitizers map more than they use
    if (!is_sanitized()) options.address_space = 600 * k_megabyte;
    const ProgramRun run = run_carom({"impact"}, {}, options);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), cut_off ? 2U : 3U);
    EXPECT_TRUE(answers[0].contains("impulse"));
    EXPECT_EQ(answers[1].value("line", 0), 2);
    EXPECT_NE(answers[1].value("error", "").find("longer than"), std::string::npos);
    if (!cut_off) {
        EXPECT_EQ(answers[2], answers[0]);
    }
    if (!is_sanitized()) {
        EXPECT_LT(run.peak_kib, 80 * 1024) << "the line was held whole";
    }
}

TEST(ImpactFiles, ALineOfHundredMegabytesIsPassedOverInBoundedMemory) {
    const ScratchFolder scratch;
    expect_long_line_is_passed_over(write_long_line(scratch, "x", false), false);
}

TEST(ImpactFiles, ALongLineOfJsonIsPassedOverToo) {
    const ScratchFolder scratch;
    expect_long_line_is_passed_over(write_long_line(scratch, "{\"id\":[1,2,3],", false), false);
}

TEST(ImpactFiles, ALongLineOfBlanksAtTheEndOfTheInputIsPassedOver) {
    const ScratchFolder scratch;
    expect_long_line_is_passed_over(write_long_line(scratch, " ", true), true);
}

TEST(ImpactFiles, ALineOfOneMegabyteIsStillRead) {
    std::string line = k_good_line;
    line.insert(1, std::string(k_megabyte, ' '));
    const ProgramRun run = run_impact(line + k_good_line);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> lines = run.lines();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], lines[1]);
}

TEST(ImpactFiles, FilesAreReadInOrderAndADashIsStandardInput) {
    const ScratchFolder scratch;
    const std::string rest = R"("law":"frictionless","K":[[1,0],[0,1]],"u":[1,-1],"e":1})"
                             "\n";
    const std::string first = scratch.write("first", "{\"id\":1," + rest);
    const std::string third = scratch.write("third", "{\"id\":3," + rest);
    const ProgramRun run = run_carom({"impact", first, "-", third}, "{\"id\":2," + rest);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<Json> answers = run.answers();
    ASSERT_EQ(answers.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(answers[i].at("id"), i + 1);
}

TEST(ImpactFiles, AMissingFileIsExitCodeTwo) {
    const ScratchFolder scratch;
    const std::string missing = scratch.path("missing.jsonl");
    const ProgramRun run = run_carom({"impact", missing});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find(missing), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("No such file"), std::string::npos) << run.err;
}

TEST(ImpactFiles, AMissingFileAfterAGoodOneLosesNoAnswers) {
    const ScratchFolder scratch;
    const std::string good = scratch.write("good", k_good_line);
    const ProgramRun run = run_carom({"impact", good, scratch.path("missing")});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_TRUE(run.answer().contains("impulse"));
}

TEST(ImpactFiles, AFolderIsNoFile) {
    const ScratchFolder scratch;
    const ProgramRun run = run_carom({"impact", scratch.path("")});
    EXPECT_NE(run.exit_code, 0);
    EXPECT_NE(run.err.find("directory"), std::string::npos) << run.err;
}

TEST(ImpactFiles, AFullDiskIsExitCodeOne) {
    RunOptions options;
    options.output_file = "/dev/full";
    std::string many;
    for (int i = 0; i < 3000; ++i)
        many += k_good_line;
    for (const std::string& input : {std::string(k_good_line), many}) {
        const ProgramRun run = run_carom({"impact"}, input, options);
        EXPECT_EQ(run.exit_code, 1);
        EXPECT_NE(run.err, "");
    }
}

TEST(ImpactFiles, AFullDiskIsExitCodeOneForEveryKindOfOutput) {
    RunOptions options;
    options.output_file = "/dev/full";
    for (const char* option : {"--table", "--all", "--region", "--trace", "--examples"}) {
        const ProgramRun run = run_carom({"impact", option}, k_good_line, options);
        EXPECT_EQ(run.exit_code, 1) << option;
        EXPECT_NE(run.err, "") << option;
    }
}

TEST(ImpactFiles, AWrongCallIsExitCodeTwo) {
    const std::vector<std::vector<std::string>> calls{
        {"impact", "--fast"},
        {"impact", "--law"},
        {"impact", "--law", "ruoth"},
        {"impact", "--law", "routh", "--all"},
        {"impact", "--table", "--json"},
        {"imapct"},
        {},
        {"--nonsense"},
    };
    for (const std::vector<std::string>& call : calls) {
        const ProgramRun run = run_carom(call, k_good_line);
        EXPECT_EQ(run.exit_code, 2) << (call.empty() ? "no command" : call.back());
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err, "");
    }
    const ProgramRun misspelt = run_carom({"impact", "--law", "ruoth"}, k_good_line);
    EXPECT_NE(misspelt.err.find("'routh'"), std::string::npos) << misspelt.err;
}

TEST(ImpactFiles, HelpAndVersionAreOnStandardOutput) {
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"--help"}, {"impact", "--help"}, {"laws", "--help"}}) {
        const ProgramRun run = run_carom(call);
        EXPECT_EQ(run.exit_code, 0);
        EXPECT_EQ(run.err, "");
        EXPECT_NE(run.out.find("--help"), std::string::npos) << run.out;
    }
    const ProgramRun version = run_carom({"--version"});
    EXPECT_EQ(version.exit_code, 0);
    EXPECT_EQ(version.out.substr(0, 6), "carom ");
}

// The example of the help text works when it is typed as shown.
TEST(ImpactFiles, TheExampleOfTheHelpCanBeSolved) {
    const ProgramRun help = run_carom({"impact", "--help"});
    bool tried = false;
    for (const std::string& line : help.lines()) {
        const std::size_t start = line.find("{\"id\":1,");
        if (start == std::string::npos) continue;
        tried = true;
        const ProgramRun run = run_impact(line.substr(start));
        EXPECT_EQ(run.exit_code, 0) << line;
        EXPECT_TRUE(run.answer().contains("impulse"));
    }
    EXPECT_TRUE(tried);
}

}  // namespace
}  // namespace carom::tests
