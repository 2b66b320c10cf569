// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The same scene gives the same bits: twice, in pieces, and from a checkpoint.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

class Bits : public ::testing::TestWithParam<const char*> {
protected:
    static scene::Scene read() {
        scene::Scene scene =
            scene::read_scene(CAROM_SOURCE_DIR "/scenes/" + std::string(GetParam()) + ".toml");
        scene.duration = std::min(scene.duration, 0.3);
        scene.settings.checkpoint = 0.1;
        return scene;
    }
};

// Keeps the last checkpoint before a given time too.
class Keeper : public Log {
public:
    void on_checkpoint(double t, std::span<const std::uint8_t> bytes) override {
        if (!saved.empty()) return;
        saved.assign(bytes.begin(), bytes.end());
        at = t;
    }
    std::vector<std::uint8_t> saved;
    double at = 0.0;
};

TEST_P(Bits, Twice) {
    const scene::Scene scene = read();
    World one = scene::make_world(scene);
    World two = scene::make_world(scene);
    Log first, second;
    one.run(scene.duration, &first);
    two.run(scene.duration, &second);
    EXPECT_EQ(hash(first), hash(second));
    EXPECT_EQ(hash(one), hash(two));
}

TEST_P(Bits, InPieces) {
    const scene::Scene scene = read();
    World whole = scene::make_world(scene);
    World pieces = scene::make_world(scene);
    Log first, second;
    whole.run(scene.duration, &first);
    const int count = 37;
    for (int i = 1; i <= count; ++i)
        pieces.run(i == count ? scene.duration : scene.duration * i / count, &second);
    EXPECT_EQ(first.events.size(), second.events.size());
    EXPECT_EQ(hash(first), hash(second));
    EXPECT_EQ(hash(whole), hash(pieces));
}

// A listener changes nothing.
TEST_P(Bits, Unwatched) {
    const scene::Scene scene = read();
    World watched = scene::make_world(scene);
    World alone = scene::make_world(scene);
    Log log;
    watched.run(scene.duration, &log);
    alone.run(scene.duration);
    EXPECT_EQ(hash(watched), hash(alone));
}

TEST_P(Bits, FromACheckpoint) {
    const scene::Scene scene = read();
    World whole = scene::make_world(scene);
    Keeper keeper;
    whole.run(scene.duration, &keeper);
    ASSERT_FALSE(keeper.saved.empty());
    World resumed = scene::make_world(scene);
    resumed.restore(keeper.saved);
    EXPECT_EQ(resumed.time(), keeper.at);
    Log after;
    resumed.run(scene.duration, &after);
    EXPECT_EQ(hash(whole), hash(resumed));
    std::erase_if(keeper.events, [&](const Event& event) { return event.t <= keeper.at; });
    EXPECT_EQ(keeper.events.size(), after.events.size());
    EXPECT_EQ(whole.audit().energy_residual, resumed.audit().energy_residual);
    EXPECT_EQ(whole.audit().energy_lost, resumed.audit().energy_lost);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Bits,
                         ::testing::Values("coins", "dice", "dominoes", "gas", "marbles-spheres",
                                           "platter", "pool-break", "ramp-slide"),
                         [](const auto& scene) {
                             std::string name = scene.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace carom::tests
