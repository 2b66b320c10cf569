// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The examples of docs/scenes.md are right.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "carom/scene/scene.h"

namespace carom::tests {
namespace {

std::string document() {
    std::ostringstream text;
    text << std::ifstream(CAROM_SOURCE_DIR "/docs/scenes.md").rdbuf();
    return text.str();
}

std::vector<std::string> examples() {
    const std::string text = document();
    const std::string begin = "```toml\n";
    std::vector<std::string> found;
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
        at += begin.size();
        found.push_back(text.substr(at, text.find("```", at) - at));
    }
    return found;
}

// The parts of a scene that an example leaves out.
std::string made_whole(const std::string& example) {
    const auto has = [&example](const char* word) {
        return example.find(word) != std::string::npos;
    };
    std::string text;
    if (!has("[simulation]")) text += "[simulation]\nduration = 1\n";
    if (!has("[[contact]]")) text += "[[contact]]\ne = 0.5\nmu = 0.3\n";
    text += example;
    if (!has("[[body]]") && !has("[[swarm]]")) {
        text +=
            "[[body]]\nname = 'b'\nmaterial = 'rubber'\n"
            "shape = { type = 'sphere', radius = 1 }\n";
    }
    return text;
}

void read(const std::string& text) {
    try {
        scene::read_scene_text(text, "example");
    } catch (const scene::SceneError& error) {
        ADD_FAILURE() << text << "\n" << error.what();
    }
}

TEST(ScenesDocument, ExamplesAreRight) {
    ASSERT_GE(examples().size(), 7U);
    int shapes = 0;
    for (const std::string& example : examples()) {
        if (!example.starts_with("shape = ")) {
            read(made_whole(example));
            continue;
        }
        std::istringstream lines(example);
        for (std::string line; std::getline(lines, line);) {
            ++shapes;
            if (line.find("file") != std::string::npos) continue;
            read(made_whole("[[body]]\nname = 'b'\nfixed = true\n" + line + "\n"));
        }
    }
    EXPECT_EQ(shapes, 9);
}

// What the reader calls the known keys is in the document.
TEST(ScenesDocument, HasEveryKey) {
    const std::string text = document();
    for (const char* table :
         {"zz = 1\n[simulation]\nduration = 1\n", "[simulation]\nduration = 1\nzz = 1\n",
          "[simulation]\nduration = 1\n[[body]]\nzz = 1\n",
          "[simulation]\nduration = 1\n[[swarm]]\nzz = 1\n"}) {
        try {
            scene::read_scene_text(table, "t");
            FAIL();
        } catch (const scene::SceneError& error) {
            const std::string message = error.what();
            const std::string mark = "the keys are ";
            std::size_t at = message.find(mark);
            ASSERT_NE(at, std::string::npos) << message;
            std::istringstream keys(
                message.substr(at + mark.size(), message.find('\n', at) - at - mark.size()));
            for (std::string key; keys >> key;) {
                if (key == "and") continue;
                if (key.back() == ',') key.pop_back();
                const bool there = text.find("`" + key + "`") != std::string::npos ||
                                   text.find("`[" + key + "]`") != std::string::npos ||
                                   text.find("`[[" + key + "]]`") != std::string::npos;
                EXPECT_TRUE(there) << key;
            }
        }
    }
}

}  // namespace
}  // namespace carom::tests
