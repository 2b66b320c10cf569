// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Every file in bad/ begins with what is wrong with it, a line each:
//     # expect: LINE:COLUMN: part of the message
// All of it has to be found, there, in this order, and nothing else.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "carom/scene/scene.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> bad_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(CAROM_SOURCE_DIR "/tests/scene/bad"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

struct Expected {
    std::string place, message;
};

std::vector<Expected> expected_of(const fs::path& file) {
    std::vector<Expected> all;
    std::ifstream in(file);
    const std::string mark = "# expect: ";
    for (std::string line; std::getline(in, line) && line.starts_with(mark);) {
        line.erase(0, mark.size());
        const std::size_t end = line.find(": ");
        all.push_back({line.substr(0, end), line.substr(end + 2)});
    }
    return all;
}

class BadScene : public testing::TestWithParam<fs::path> {};

TEST_P(BadScene, IsRefusedWithEveryPlaceAndReason) {
    const std::vector<Expected> expected = expected_of(GetParam());
    ASSERT_FALSE(expected.empty());
    try {
        scene::read_scene(GetParam());
        FAIL() << "the scene was taken";
    } catch (const scene::SceneError& error) {
        SCOPED_TRACE(error.what());
        ASSERT_EQ(error.problems().size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const scene::Problem& problem = error.problems()[i];
            EXPECT_EQ(std::to_string(problem.line) + ":" + std::to_string(problem.column),
                      expected[i].place);
            EXPECT_NE(problem.message.find(expected[i].message), std::string::npos)
                << problem.message << "\nhas no: " << expected[i].message;
        }
    }
}

std::string name_of_file(const testing::TestParamInfo<fs::path>& info) {
    std::string name = info.param.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Files, BadScene, testing::ValuesIn(bad_files()), name_of_file);

TEST(BadScenes, AreMany) {
    EXPECT_GE(bad_files().size(), 70U);
}

TEST(BadScenes, SayAllOfItWithTheName) {
    try {
        scene::read_scene_text("a = 1\nb = 2\n", "my.toml");
        FAIL();
    } catch (const scene::SceneError& error) {
        std::istringstream lines(error.what());
        std::vector<std::string> all;
        for (std::string line; std::getline(lines, line);)
            all.push_back(line);
        ASSERT_EQ(all.size(), error.problems().size());
        EXPECT_EQ(all.size(), 4U) << error.what();
        EXPECT_TRUE(all[3].starts_with("my.toml:2:1: unknown key 'b'")) << all[3];
    }
}

}  // namespace
}  // namespace carom::tests
