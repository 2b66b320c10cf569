// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/built_in.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace carom::tests {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

TEST(BuiltIn, EverySceneOfTheFolderToTheByte) {
    const fs::path folder = CAROM_SOURCE_DIR "/scenes";
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        ++count;
        const scene::BuiltIn* found = scene::find_built_in(entry.path().stem().string());
        ASSERT_NE(found, nullptr) << entry.path();
        EXPECT_EQ(found->text, contents(entry.path())) << entry.path();
    }
    EXPECT_GE(count, 1U);
    EXPECT_EQ(scene::built_in_scenes().size(), count);
    for (const scene::BuiltIn& file : scene::built_in_files())
        EXPECT_EQ(file.text, contents(folder / std::string(file.name))) << file.name;
}

TEST(BuiltIn, AllAreRightAndSayWhatToExpect) {
    for (const scene::BuiltIn& built_in : scene::built_in_scenes()) {
        SCOPED_TRACE(built_in.name);
        try {
            const scene::Scene scene = scene::read_built_in(built_in.name);
            EXPECT_EQ(scene.name, built_in.name);
            EXPECT_EQ(scene.folder, scene::k_built_in_folder);
            EXPECT_FALSE(scene.title.empty());
            EXPECT_FALSE(scene.expect.empty());
            EXPECT_FALSE(scene.bodies.empty());
            const scene::Scene again =
                scene::read_scene_text(scene.text, scene.name, fs::path(scene.folder));
            EXPECT_EQ(again.bodies.size(), scene.bodies.size());
        } catch (const scene::SceneError& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

TEST(BuiltIn, AreFoundByNameFromAnywhere) {
    const scene::Scene scene = scene::read_scene("bounce");
    EXPECT_EQ(scene.name, "bounce");
    EXPECT_EQ(scene.bodies.size(), 2U);
}

TEST(BuiltIn, UnknownNamesListTheKnown) {
    try {
        scene::read_scene("bounse");
        FAIL();
    } catch (const scene::SceneError& error) {
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with("bounse: there is no such file")) << message;
        EXPECT_NE(message.find("did you mean 'bounce'?"), std::string::npos) << message;
        EXPECT_NE(message.find("built in are"), std::string::npos) << message;
    }
    EXPECT_THROW(scene::read_built_in("bounse"), scene::SceneError);
}

TEST(BuiltIn, NamesAreInOrder) {
    const auto scenes = scene::built_in_scenes();
    EXPECT_TRUE(std::is_sorted(scenes.begin(), scenes.end(),
                               [](const auto& a, const auto& b) { return a.name < b.name; }));
}

}  // namespace
}  // namespace carom::tests
