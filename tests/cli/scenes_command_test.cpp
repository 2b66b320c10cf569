// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <gtest/gtest.h>

#include "carom/scene/built_in.h"
#include "tests/cli/simulations.h"

namespace carom::tests {
namespace {

TEST(ScenesCommand, ListsEveryBuiltInSceneWithItsTitleAndWhatToExpect) {
    const ProgramRun list = run_carom({"scenes"});
    EXPECT_EQ(list.exit_code, 0) << list.err;
    const ProgramRun json = run_carom({"scenes", "--json"});
    EXPECT_EQ(json.exit_code, 0) << json.err;
    const Json all = json.answer();
    ASSERT_EQ(all.size(), scene::built_in_scenes().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const scene::Scene scene = scene::read_built_in(scene::built_in_scenes()[i].name);
        EXPECT_EQ(all[i].at("name"), scene::built_in_scenes()[i].name);
        EXPECT_EQ(all[i].at("title"), scene.title);
        EXPECT_EQ(all[i].at("expect"), scene.expect);
        EXPECT_EQ(all[i].at("duration"), scene.duration);
        EXPECT_EQ(all[i].at("bodies"), scene.bodies.size());
        EXPECT_NE(list.out.find(scene.title), std::string::npos) << scene.name;
        EXPECT_NE(list.out.find(scene.expect), std::string::npos) << scene.name;
    }
    EXPECT_NE(list.out.find("(100 s, 1 body)"), std::string::npos) << list.out;
    EXPECT_NE(list.out.find("(2.8 s, 2 bodies)"), std::string::npos) << list.out;
}

TEST(ScenesCommand, PrintsOneAsItStands) {
    for (const scene::BuiltIn& scene : scene::built_in_scenes()) {
        const ProgramRun run = run_carom({"scenes", std::string(scene.name)});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(run.out, scene.text);
    }
    EXPECT_EQ(run_carom({"scenes", "bounce", "--json"}).answer().at("text"),
              scene::find_built_in("bounce")->text);
    // one to begin with: what it prints is a scene
    const ScratchFolder scratch;
    const std::string mine = scratch.write("mine.toml", run_carom({"scenes", "bounce"}).out);
    EXPECT_EQ(run_carom({"check", mine}).exit_code, 0);
}

TEST(ScenesCommand, AnUnknownSceneGetsASuggestion) {
    expect_refused({"scenes", "bowlin"},
                   {"no built-in scene 'bowlin'; did you mean 'bowling'?", "bounce, "});
}

}  // namespace
}  // namespace carom::tests
