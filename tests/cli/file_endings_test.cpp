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

TEST_F(FileEndings, OtherNumbersAreRefusedTooWhereTheyMakeNoSense) {
    for (const char* wrong : {"-1", "nan", "inf"}) {
        expect_refused({"events", path_, "--min-impulse", wrong},
                       {"carom events: --min-impulse", "0 or more"});
        expect_refused({"events", path_, "--min-speed", wrong},
                       {"carom events: --min-speed", "0 or more"});
    }
    EXPECT_EQ(run_carom({"events", path_, "--csv", "--min-energy", "-1"}).lines().size(), 5U);
    for (const char* wrong : {"-1", "70000", "1.5"})
        expect_refused({"view", path_, "--port", wrong}, {"--port", "whole number, 0 to 65535"});
    for (const char* wrong : {"0", "-1", "many"})
        expect_refused({"touch", "--steps", wrong}, {"--steps", "whole number, 1 to"});
    // by the name that the option has there
    expect_refused({"export", path_, "--to", "csv", "-o", "-", "--until", "9"}, {"--until 9 lies"});
}

// As a variable that is not set leaves it: not as if the option had not been given.
TEST_F(FileEndings, AnOptionNeedsAValue) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"run", "bounce", "--no-recording", "--duration"},
             {"events", path_, "--min-impulse"},
             {"events", path_, "-o"},
             {"sample", path_, "--at"},
             {"export", path_, "--to", "csv", "-o", "-", "--fps"}}) {
        std::vector<std::string> empty = words;
        empty.emplace_back();
        expect_refused(empty, {"needs a value"});
    }
}

TEST_F(FileEndings, WhatIsReadIsNotWritten) {
    const std::string recording = read_whole(path_);
    const std::string scene = scratch_.write("own.toml", bouncing_ball());
    fs::create_symlink("own.toml", scratch_.path("link.toml"));
    fs::create_hard_link(path_, scratch_.path("other.carom"));
    const std::vector<std::vector<std::string>> calls{
        {"run", scene, "-o", scene},
        {"run", scene, "-o", scratch_.path("link.toml")},
        {"run", scratch_.path("link.toml"), "-o", scratch_.path(".") + "/own.toml"},
        {"events", path_, "--csv", "-o", path_},
        {"events", path_, "--csv", "-o", scratch_.path("other.carom")},
        {"sample", path_, "--at", "1", "--format", "csv", "-o", path_}};
    for (const std::vector<std::string>& call : calls) {
        for (const bool force : {true, false}) {
            std::vector<std::string> words = call;
            if (force) words.emplace_back("--force");
            expect_refused(words, {"carom " + call.front(), "is the file that is read", "-o"});
        }
    }
    const std::string table = scratch_.path("ball.csv");
    fs::create_hard_link(path_, table);
    expect_refused({"export", path_, "--to", "csv", "-o", table, "--force"},
                   {"is the file that is read"});
    EXPECT_EQ(read_whole(path_), recording);
    EXPECT_EQ(read_whole(scene), bouncing_ball());
}

// Every message begins with the command, but for places in a scene, which editors read.
TEST_F(FileEndings, MessagesBeginWithTheCommand) {
    for (const char* command : {"run", "check", "view"})
        expect_refused({command, "nosuch"}, {"carom " + std::string(command) + ": nosuch: "});
    for (const std::vector<std::string>& call :
         std::vector<std::vector<std::string>>{{"info"},
                                               {"events"},
                                               {"resume"},
                                               {"sample", "--at", "0"},
                                               {"export", "--to", "csv"}}) {
        std::vector<std::string> words = call;
        words.insert(words.begin() + 1, "nosuch.carom");
        expect_refused(words, {"carom " + call.front() + ": nosuch.carom: "});
    }
    const std::string scene = scratch_.write("bad.toml", "[simulation]\nduration = -1\n");
    const ProgramRun run = run_carom({"run", scene});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err.find(scene + ":1:1: "), 0U) << run.err;
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
