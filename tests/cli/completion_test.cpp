// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The completion of shells: bash's is driven as bash drives it.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <algorithm>
#include <memory>

#include "carom/impact/law.h"
#include "carom/scene/built_in.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

std::string bash(const std::string& script) {
    const std::unique_ptr<FILE, int (*)(FILE*)> out(popen(script.c_str(), "r"), &pclose);
    std::string text;
    char piece[4096];
    while (out != nullptr) {
        const std::size_t got = fread(piece, 1, sizeof piece, out.get());
        if (got == 0) break;
        text.append(piece, got);
    }
    return text;
}

class Completion : public testing::Test {
protected:
    ScratchFolder scratch_;

    Completion() {
        scratch_.write("completion", run_carom({"completion", "bash"}).out);
        scratch_.write("mine.toml", "");
        scratch_.write("mine.carom", "");
        scratch_.write("mine.txt", "");
    }
    // What comes after these words when the last one is being typed.
    std::vector<std::string> after(const std::string& words) const {
        scratch_.write("drive", fmt::format(R"(cd '{}'
source ./completion
complete -p carom >/dev/null || echo 'no completion is set'
COMP_WORDS=({})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_carom
printf '%s\n' "${{COMPREPLY[@]}}"
)",
                                            scratch_.path(""), words));
        const std::string text = bash("bash " + scratch_.path("drive") + " 2>&1");
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            lines.push_back(text.substr(at, end - at));
            at = end == std::string::npos ? text.size() : end + 1;
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    }
    static bool has(const std::vector<std::string>& list, const std::string& word) {
        return std::find(list.begin(), list.end(), word) != list.end();
    }
};

using Words = std::vector<std::string>;

TEST_F(Completion, OfCommands) {
    EXPECT_EQ(after("carom e"), (Words{"events", "export"}));
    EXPECT_EQ(after("carom --v"), Words{"--version"});
    const Words all = after("carom ''");
    for (const char* name : {"laws", "impact", "run", "scenes", "help", "completion"})
        EXPECT_TRUE(has(all, name)) << name;
    EXPECT_EQ(after("carom help resu"), Words{"resume"});
    EXPECT_EQ(after("carom completion ''"), (Words{"--help", "-h", "bash", "zsh"}));
}

TEST_F(Completion, OfOptions) {
    EXPECT_EQ(after("carom run --d"), Words{"--duration"});
    EXPECT_EQ(after("carom events --min-"),
              (Words{"--min-energy", "--min-impulse", "--min-speed"}));
    EXPECT_EQ(after("carom export x.carom --to ''"), (Words{"csv", "gltf", "html"}));
    EXPECT_EQ(after("carom sample x.carom --format n"), Words{"npz"});
    EXPECT_EQ(after("carom events x.carom --kind lasting"),
              (Words{"lasting-begin", "lasting-end"}));
    EXPECT_EQ(after("carom run --duration ''"), Words{""}) << "a number: nothing to offer";
}

TEST_F(Completion, OfScenesLawsAndFiles) {
    const Words scenes = after("carom run ''");
    for (const scene::BuiltIn& scene : scene::built_in_scenes())
        EXPECT_TRUE(has(scenes, std::string(scene.name))) << scene.name;
    EXPECT_TRUE(has(scenes, "mine.toml"));
    EXPECT_FALSE(has(scenes, "mine.carom"));
    EXPECT_FALSE(has(scenes, "mine.txt"));
    EXPECT_EQ(after("carom info m"), Words{"mine.carom"});
    EXPECT_EQ(after("carom view mi"), (Words{"mine.carom", "mine.toml"}));
    EXPECT_EQ(after("carom impact mi"), (Words{"mine.carom", "mine.toml", "mine.txt"}));
    EXPECT_EQ(after("carom scenes bow"), Words{"bowling"});
    const Words laws = after("carom impact --law ''");
    EXPECT_EQ(laws.size(), impact::laws().size());
    for (const impact::LawInfo& law : impact::laws())
        EXPECT_TRUE(has(laws, std::string(law.name))) << law.name;
    EXPECT_EQ(after("carom laws rou"), Words{"routh"});
    EXPECT_EQ(after("carom impact --law = rou"), Words{"routh"}) << "as bash takes --law=rou";
}

TEST_F(Completion, OfZshNamesTheSame) {
    const std::string zsh = run_carom({"completion", "zsh"}).out;
    EXPECT_EQ(zsh.substr(0, 15), "#compdef carom\n");
    for (const char* part : {"'run:Simulates a scene", "'--duration[", "(html gltf csv)", "bowling",
                             "routh", "_files -g \"*.(carom|part)\""})
        EXPECT_NE(zsh.find(part), std::string::npos) << part << "\n" << zsh;
    if (bash("command -v zsh").empty()) GTEST_SKIP() << "no zsh to read it";
    EXPECT_EQ(bash("zsh -n " + scratch_.write("_carom", zsh) + " 2>&1"), "");
}

TEST_F(Completion, OfAnUnknownShell) {
    expect_refused({"completion", "fish"}, {"unknown shell 'fish'", "bash and zsh"});
}

}  // namespace
}  // namespace carom::tests
