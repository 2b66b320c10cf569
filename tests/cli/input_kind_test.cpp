// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// A recording where a scene is expected, and the other way round.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

TEST(InputKind, ARecordingIsNoScene) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::string out = scratch.path("out.carom");
    const std::vector<std::vector<std::string>> calls{{"run", path, "-o", out}, {"check", path}};
    for (const std::vector<std::string>& call : calls) {
        expect_refused(call,
                       {"carom " + call.front() + ": ", path + ": is a recording, not a scene",
                        "carom info " + path, "carom view " + path, "carom resume " + path});
    }
    EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(InputKind, ASceneIsNoRecording) {
    const ScratchFolder scratch;
    const std::string scene = scratch.write("ball.toml", bouncing_ball());
    const std::string nameless = scratch.write("scene", bouncing_ball());
    const std::vector<std::vector<std::string>> calls{
        {"info"}, {"events"}, {"sample", "--at", "1"}, {"resume"}, {"export", "--to", "csv"}};
    for (const std::vector<std::string>& call : calls) {
        for (const std::string& input : {scene, nameless}) {
            std::vector<std::string> words = call;
            words.insert(words.begin() + 1, input);
            expect_refused(words, {"carom " + call.front() + ": ",
                                   input + ": is a scene, not a recording", "carom run " + input});
        }
        std::vector<std::string> words = call;
        words.insert(words.begin() + 1, "bounce");
        expect_refused(words, {"bounce: is a built-in scene, not a recording", "carom run bounce"});
    }
}

TEST(InputKind, NeitherIsAFileOfProblems) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    const std::string scene = scratch.path("ball.toml");
    for (const char* command : {"impact", "touch"}) {
        expect_refused({command, path}, {path + ": is a recording, not a file of problems"});
        expect_refused({command, scene}, {scene + ": is a scene, not a file of problems"});
    }
}

TEST(InputKind, WhatIsNeitherIsToldAsBefore) {
    const ScratchFolder scratch;
    const std::string text = scratch.write("notes.txt", "nothing of the kind\n");
    expect_refused({"info", text}, {text, "is no recording"});
    expect_refused({"run", text, "-o", scratch.path("x.carom")}, {text + ":1:"});
    expect_refused({"info", scratch.path("missing.carom")}, {"missing.carom", "No such file"});
}

TEST(InputKind, ARecordingWithADamagedBeginningIsNoScene) {
    const ScratchFolder scratch;
    const std::string path = record(scratch, "ball", bouncing_ball());
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).put('x');
    expect_refused({"info", path}, {path + ": is no recording"});
}

}  // namespace
}  // namespace carom::tests
