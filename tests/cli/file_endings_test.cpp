// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Files that commands write: their names say what is in them, and wrong ones are refused.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;

class FileEndings : public testing::Test {
protected:
    ScratchFolder scratch_;
    std::string path_ = record(scratch_, "ball", bouncing_ball());

    void expect_written(const std::vector<std::string>& arguments, const std::string& begin) {
        std::vector<std::string> words = arguments;
        words.insert(words.begin() + 1, path_);
        const ProgramRun run = run_carom(words);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        EXPECT_EQ(read_whole(arguments.back()).substr(0, begin.size()), begin) << arguments.back();
    }
    void expect_not_written(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& in_message) {
        std::vector<std::string> words = arguments;
        words.insert(words.begin() + 1, path_);
        expect_refused(words, in_message);
        EXPECT_FALSE(fs::exists(arguments.back()));
    }
};

TEST_F(FileEndings, OfSample) {
    expect_not_written(
        {"sample", "--at", "1", "-o", scratch_.path("x.xlsx")},
        {"x.xlsx", "unknown ending '.xlsx'", ".json, .jsonl, .csv and .npz", "--format"});
    expect_not_written({"sample", "--at", "1", "-o", scratch_.path("x.cvs")},
                       {"did you mean '.csv'?"});
    expect_written({"sample", "--at", "1", "-o", scratch_.path("x.csv")}, "t,body,");
    expect_written({"sample", "--at", "1", "-o", scratch_.path("x.jsonl")}, "{\"t\":1,");
    expect_written({"sample", "--at", "1", "-o", scratch_.path("none")}, "{\"t\":1,");
    // who says the format may call the file anything
    expect_written({"sample", "--at", "1", "--format", "csv", "-o", scratch_.path("x.xlsx")},
                   "t,body,");
}

TEST_F(FileEndings, OfExport) {
    expect_not_written({"export", "--to", "csv", "-o", scratch_.path("x.pdf")},
                       {"x.pdf", "unknown ending '.pdf'", ".csv"});
    expect_not_written({"export", "--to", "gltf", "-o", scratch_.path("x.obj")},
                       {"'.obj'", ".glb and .gltf"});
    expect_not_written({"export", "--to", "html", "-o", scratch_.path("x.glb")},
                       {"'.glb'", ".html and .htm"});
    expect_written({"export", "--to", "gltf", "-o", scratch_.path("x.gltf")}, "{");
    expect_written({"export", "--to", "gltf", "-o", scratch_.path("x.glb")}, "glTF");
    expect_written({"export", "--to", "gltf", "-o", scratch_.path("none")}, "glTF");
}

TEST_F(FileEndings, OfEvents) {
    expect_not_written({"events", "-o", scratch_.path("x.xlsx")},
                       {"unknown ending '.xlsx'", ".csv, .json, .jsonl and .txt"});
    expect_written({"events", "-o", scratch_.path("x.csv")}, "t,kind,a,b,");
    expect_written({"events", "-o", scratch_.path("x.jsonl")}, "{\"t\":");
    expect_written({"events", "-o", scratch_.path("x.txt")}, "t (s)");
    expect_written({"events", "--sum", "-o", scratch_.path("sum.csv")}, "a,b,impacts,");
    expect_written({"events", "--forces", "-o", scratch_.path("forces.csv")}, "t0,t1,a,b,");
    expect_written({"events", "--json", "-o", scratch_.path("x.dat")}, "{\"t\":");
    // a file that is there stays, unless --force says otherwise
    const std::string file = scratch_.path("x.csv");
    const std::string before = read_whole(file);
    expect_refused({"events", path_, "--limit", "1", "-o", file}, {"exists", "--force"});
    EXPECT_EQ(read_whole(file), before);
    EXPECT_EQ(run_carom({"events", path_, "--limit", "1", "-o", file, "--force"}).exit_code, 0);
    EXPECT_LT(read_whole(file).size(), before.size());
    // the same as on standard output
    EXPECT_EQ(run_carom({"events", path_, "--csv"}).out, before);
    EXPECT_EQ(run_carom({"events", path_, "--csv", "-o", "-"}).out, before);
}

TEST_F(FileEndings, ARecordingIsNoStream) {
    const ProgramRun run = run_in(scratch_.path(""), {"run", "bounce", "-o", "-"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("carom run: -: a recording cannot be written to standard output"),
              std::string::npos)
        << run.err;
    EXPECT_FALSE(fs::exists(scratch_.path("-")));
}

TEST_F(FileEndings, CountsAreWholeNumbers) {
    for (const char* wrong : {"-1", "1.5", "many", ""}) {
        expect_refused({"events", path_, "--limit", wrong}, {"--limit", "whole number"});
        expect_refused({"info", path_, "--bodies", wrong}, {"--bodies", "whole number"});
    }
    EXPECT_EQ(run_carom({"events", path_, "--csv", "--limit", "0"}).lines().size(), 1U);
}

TEST_F(FileEndings, AFullDiskMentionsResume) {
    const std::string scene = scratch_.write("gas.toml", gas(3.0));
    const std::string path = scratch_.path("gas.carom");
    RunOptions options;
    options.file_size = 300'000;
    const ProgramRun run = run_carom({"run", scene, "-o", path, "--quiet"}, {}, options);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.err.find(path + ": cannot be written"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("'carom resume " + path + "' goes on"), std::string::npos) << run.err;
    EXPECT_EQ(run_carom({"resume", path, "--quiet"}).exit_code, 0);
    EXPECT_EQ(info_of(path).at("digest"),
              info_of(record(scratch_, "whole", gas(3.0))).at("digest"));
}

// A log on the same full disk cannot take the message; the program must not die of that.
TEST_F(FileEndings, AFullLogLeavesTheExitCode) {
    const std::string scene = scratch_.write("gas.toml", gas(3.0));
    const std::string path = scratch_.path("gas.carom");
    RunOptions full;
    full.error_file = "/dev/full";
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
             {"run", "no-such-scene"}, {"run", scene, "--duratoin", "1"}, {"smaple"}, {"impact"}})
        EXPECT_EQ(run_carom(wrong, "{}\n", full).exit_code, 2) << wrong.front();
    full.file_size = 300'000;
    EXPECT_EQ(run_carom({"run", scene, "-o", path, "--quiet"}, {}, full).exit_code, 1);
    EXPECT_EQ(run_carom({"resume", path, "--quiet"}).exit_code, 0);
}

}  // namespace
}  // namespace carom::tests
