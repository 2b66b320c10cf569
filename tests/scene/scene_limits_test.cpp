// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Input that is too much, too deep, or not there.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "carom/scene/scene.h"

namespace carom::tests {
namespace {

namespace fs = std::filesystem;
using scene::Problem;
using scene::SceneError;

std::vector<Problem> problems_of(const std::string& text, const scene::ReadOptions& options = {}) {
    try {
        scene::read_scene_text(text, "t", options);
    } catch (const SceneError& error) {
        return error.problems();
    }
    return {};
}

std::string body(const std::string& name, double z, const std::string& shape) {
    return "[[body]]\nname = '" + name + "'\nposition = [0, 0, " + std::to_string(z) +
           "]\nshape = " + shape + "\n";
}

const std::string k_start = "[simulation]\nduration = 1\n[[contact]]\ne = 0.5\nmu = 0.3\n";
const std::string k_ball = "{ type = 'sphere', radius = 0.1 }";

TEST(SceneLimits, NestingOfAnyDepthIsRefused) {
    for (const std::size_t depth : {200U, 1000U, 1000000U}) {
        std::string lists = "x = ", tables = "x = ", keys = "x", headers = "[x";
        for (std::size_t i = 0; i < depth; ++i) {
            lists += '[';
            tables += "{a=";
            keys += ".a";
            headers += ".a";
        }
        for (const std::string& text : {lists, tables, keys + " = 1\n", headers + "]\n"})
            EXPECT_EQ(problems_of(text).size(), 1U) << text.substr(0, 10) << depth;
    }
    // all kinds together, as deep as the parser goes
    std::string mixed = "[a.a.a.a.a.a.a.a.a]\nx = ";
    std::string end;
    for (int i = 0; i < 250; ++i) {
        mixed += "{a.a.a.a.a.a.a.a.a = ";
        end += "}";
    }
    EXPECT_FALSE(problems_of(mixed + "1" + end + "\n").empty());
    // and compounds in compounds, which are right
    std::string shape = k_ball;
    for (int i = 0; i < 60; ++i)
        shape = "{ type = 'compound', parts = [{ shape = " + shape + " }] }";
    EXPECT_TRUE(problems_of(k_start + body("a", 0, shape)).empty());
}

TEST(SceneLimits, TooManyBodies) {
    scene::ReadOptions options;
    options.most_bodies = 3;
    std::string text = k_start;
    for (int i = 0; i < 3; ++i)
        text += body(std::string("b") + std::to_string(i), i, k_ball);
    EXPECT_TRUE(problems_of(text, options).empty());
    const std::string swarm =
        "[[swarm]]\nname = 's'\ncount = 1\nlow = [5, 5, 5]\nhigh = [6, 6, 6]\nshape = " + k_ball;
    ASSERT_EQ(problems_of(text + swarm, options).size(), 1U);
    EXPECT_EQ(problems_of(text + swarm, options)[0].line, 20);
    ASSERT_EQ(problems_of(text + body("c", 9, k_ball), options).size(), 1U);
}

TEST(SceneLimits, TooManyProblemsAreCounted) {
    std::string text = k_start;
    for (int i = 0; i < 1500; ++i)
        text.append("[[body]]\nname = 'b").append(std::to_string(i)).append("'\n");
    const std::vector<Problem> problems = problems_of(text);
    ASSERT_EQ(problems.size(), scene::k_most_problems + 1);
    EXPECT_EQ(problems.back().message, "and 500 more problems");
    EXPECT_EQ(problems.front().line, 6);
}

TEST(SceneLimits, TooManyMaterials) {
    std::string text = k_start;
    for (int i = 0; i < 1001; ++i) {
        const std::string number = std::to_string(i);
        text.append(body("b" + number, i, k_ball)).append("material = 'm" + number + "'\n");
    }
    ASSERT_EQ(problems_of(text).size(), 1U);
    EXPECT_NE(problems_of(text)[0].message.find("1001 materials"), std::string::npos);
}

TEST(SceneLimits, TooLargeAText) {
    const std::string text(scene::k_most_scene_bytes + 1, '\n');
    ASSERT_EQ(problems_of(text).size(), 1U);
    EXPECT_EQ(problems_of(text)[0].line, 0);
}

TEST(SceneLimits, FilesCanBeForbidden) {
    scene::ReadOptions options;
    options.files = false;
    const char* shapes[] = {"{ type = 'mesh', file = '/dev/zero' }",
                            "{ type = 'hull', file = '/etc/passwd' }",
                            "{ type = 'mesh', pieces = ['/dev/zero'] }"};
    for (const char* shape : shapes) {
        const auto problems = problems_of(k_start + body("a", 0, shape), options);
        ASSERT_EQ(problems.size(), 1U);
        EXPECT_NE(problems[0].message.find("files are not read here"), std::string::npos);
    }
}

TEST(SceneLimits, FilesThatCannotBeRead) {
    const fs::path folder = fs::path(testing::TempDir()) / "carom_scene_limits";
    fs::create_directories(folder);
    for (const fs::path& path : {folder, folder / "none.toml", fs::path("")}) {
        try {
            scene::read_scene(path);
            FAIL() << path;
        } catch (const SceneError& error) {
            ASSERT_EQ(error.problems().size(), 1U);
            EXPECT_EQ(error.problems()[0].line, 0);
        }
    }
    std::ofstream(folder / "broken.toml") << std::string("title = \"\xff\xfe\"\n\0x", 16);
    EXPECT_THROW(scene::read_scene(folder / "broken.toml"), SceneError);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace carom::tests
