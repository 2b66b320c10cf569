// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Goes over the inputs in this folder and over those that the fuzzers begin with. A finding aborts,
// as in the fuzzer; and no input may take five seconds. README.md says how one is added.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/bounded_run.h"

extern "C" {
int scene_run_one_input(const std::uint8_t* data, std::size_t size);
int mesh_scene_one_input(const std::uint8_t* data, std::size_t size);
int checkpoint_one_input(const std::uint8_t* data, std::size_t size);
int recording_one_input(const std::uint8_t* data, std::size_t size);
int http_one_input(const std::uint8_t* data, std::size_t size);
int what_if_one_input(const std::uint8_t* data, std::size_t size);
}

namespace {

namespace fs = std::filesystem;

const fs::path k_fuzz = fs::path(CAROM_SOURCE_DIR) / "tests/fuzz";

using Target = int (*)(const std::uint8_t*, std::size_t);

void replay(const fs::path& folder, Target target) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    ASSERT_FALSE(files.empty()) << folder;
    for (const fs::path& file : files) {
        SCOPED_TRACE(file.string());
        std::ifstream in(file, std::ios::binary);
        const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
        const auto began = std::chrono::steady_clock::now();
        target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
    }
}

TEST(FuzzReplay, ScenesThatAreRun) {
    replay(k_fuzz / "replay/scene_run", scene_run_one_input);
}

TEST(FuzzReplay, BuiltInScenesAreRun) {
    // the gas has a thousand
    const std::size_t most = std::exchange(carom::fuzz::most_bodies, 2000);
    replay(fs::path(CAROM_SOURCE_DIR) / "scenes", scene_run_one_input);
    carom::fuzz::most_bodies = most;
}

TEST(FuzzReplay, ScenesWithMeshFiles) {
    replay(k_fuzz / "mesh_corpus", mesh_scene_one_input);
    replay(k_fuzz / "replay/mesh_scene", mesh_scene_one_input);
}

TEST(FuzzReplay, Checkpoints) {
    replay(k_fuzz / "replay/checkpoint", checkpoint_one_input);
}

TEST(FuzzReplay, Recordings) {
    replay(k_fuzz / "replay/recording", recording_one_input);
}

TEST(FuzzReplay, HttpRequests) {
    replay(k_fuzz / "http_corpus", http_one_input);
    replay(k_fuzz / "replay/http", http_one_input);
}

TEST(FuzzReplay, WhatIfBodies) {
    replay(k_fuzz / "what_if_corpus", what_if_one_input);
    replay(k_fuzz / "replay/what_if", what_if_one_input);
}

}  // namespace
