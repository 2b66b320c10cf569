// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Every built-in scene, in both modes of contact, keeps the promises of a run (promises.h), as
// 'carom run --strict' asks. Those that do not are listed with what was measured: the list can only
// become shorter.

#include "carom/world/promises.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "carom/scene/built_in.h"
#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using world::ContactMode;

// A promise that a scene does not keep yet.
struct Broken {
    const char* scene;
    ContactMode contact;
    const char* what;  // as Promise::what
    double measured;   // Promise::relative, rounded up
};
constexpr const char* k_gained = "energy gained without a driver";
constexpr Broken k_broken[] = {
    {"dominoes", ContactMode::micro, k_gained, 0.05},
    {"euler-disk", ContactMode::micro, k_gained, 0.51},
    {"marbles", ContactMode::micro, k_gained, 0.014},
    {"platter", ContactMode::micro, k_gained, 0.5},
};

const Broken* find_broken(const std::string& scene, ContactMode contact, const std::string& what) {
    const auto* found =
        std::find_if(std::begin(k_broken), std::end(k_broken), [&](const Broken& broken) {
            return scene == broken.scene && contact == broken.contact && what == broken.what;
        });
    return found == std::end(k_broken) ? nullptr : found;
}

std::vector<std::string> scene_names() {
    std::vector<std::string> names;
    for (const scene::BuiltIn& built_in : scene::built_in_scenes())
        names.emplace_back(built_in.name);
    return names;
}

class Strict : public testing::TestWithParam<std::tuple<std::string, ContactMode>> {};

TEST_P(Strict, KeepsItsPromises) {
    const auto& [name, contact] = GetParam();
    scene::Scene scene = scene::read_built_in(name);
    scene.settings.contact = contact;
    // half a minute of micro-collisions otherwise
    if (name == "dominoes" && contact == ContactMode::micro) {
        scene.settings.micro = 0.02;
        scene.duration = 0.5;
    }
    World world = scene::make_world(scene);
    world.run(scene.duration);
    for (const world::Promise& promise : world::promises_of(world)) {
        const Broken* known = find_broken(name, contact, promise.what);
        if (known == nullptr) {
            EXPECT_TRUE(promise.kept()) << promise.sentence();
        } else {
            EXPECT_FALSE(promise.kept()) << promise.what << ": is kept now (" << promise.relative
                                         << "); take it off the list";
            EXPECT_LE(promise.relative, known->measured) << promise.what << ": is worse than known";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Strict,
                         testing::Combine(testing::ValuesIn(scene_names()),
                                          testing::Values(ContactMode::micro,
                                                          ContactMode::lasting)),
                         [](const auto& scene) {
                             std::string name = std::get<0>(scene.param);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name + "_" + world::name_of(std::get<1>(scene.param));
                         });

}  // namespace
}  // namespace carom::tests
