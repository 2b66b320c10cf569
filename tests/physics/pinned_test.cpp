// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Ten scenes have the bits that tests/physics/pinned.txt says, on one platform: what changes them
// by mistake is seen. When physics is changed on purpose,
//     CAROM_PIN=1 build/release/tests/physics/physics_tests --gtest_filter='Pinned.*'
// writes the file anew; the commit then says why.

#include <gnu/libc-version.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

#include "carom/scene/built_in.h"
#include "tests/physics/lab.h"

namespace carom::tests {
namespace {

using world::ContactMode;

constexpr const char* k_file = CAROM_SOURCE_DIR "/tests/physics/pinned.txt";

// The compiler of what is tested, C library and build decide the last bits.
std::string platform() {
#if defined(__x86_64__) && defined(CAROM_GCC) && defined(NDEBUG)
    return "x86-64, g++ " + std::to_string(CAROM_GCC) + ", glibc " + gnu_get_libc_version() +
           ", optimised";
#else
    return "another compiler, processor or build than x86-64, g++, optimised";
#endif
}

struct Pinned {
    const char* scene;
    ContactMode contact;
    double duration;  // s
};
// Flights, impacts by several laws, micro-collisions, closed forms, exact contact, islands, gas.
constexpr Pinned k_pinned[] = {
    {"bowling", ContactMode::lasting, 2.8},  {"bowling", ContactMode::micro, 2.6},
    {"coins", ContactMode::lasting, 2.0},    {"dice", ContactMode::lasting, 2.0},
    {"dominoes", ContactMode::lasting, 0.5}, {"euler-disk", ContactMode::micro, 0.2},
    {"gas", ContactMode::lasting, 0.5},      {"marbles", ContactMode::lasting, 1.0},
    {"pencil", ContactMode::lasting, 2.0},   {"pool-break", ContactMode::micro, 1.0},
};

// Sixty balls and boxes that fall onto each other in a shaft: a pile.
World heap() {
    World world({}, contacts(0.3, 0.4));
    add_floor(world);
    for (int side = 0; side < 4; ++side) {
        const Vec3 out =
            Eigen::AngleAxisd(0.5 * std::numbers::pi * side, Vec3::UnitZ()) * Vec3(0.33, 0.0, 2.0);
        world.add({.name = "wall " + std::to_string(side),
                   .shape = shared(shape::make_box(side % 2 == 0 ? Vec3(0.05, 0.61, 4.0)
                                                                 : Vec3(0.61, 0.05, 4.0))),
                   .pose = at(out),
                   .fixed = true});
    }
    for (int i = 0; i < 60; ++i) {
        const bool ball = i % 2 == 0;
        const Vec3 place(0.2 * (i % 3 - 1) + 0.003 * (i % 7), 0.2 * (i / 3 % 3 - 1),
                         0.1 + 0.17 * (i / 9));
        world.add({.name = "body " + std::to_string(i),
                   .shape = ball ? shared(shape::make_sphere(0.06))
                                 : shared(shape::make_box({0.12, 0.1, 0.08})),
                   .pose = at(place, {1.0, 0.3 * (i % 5), 0.5}, 0.4 * i),
                   .mass = 1.0});
    }
    return world;
}

// Every bit of what was told, and of where all bodies are at the end.
void add_line(std::ostream& out, const std::string& name, double duration, World& world) {
    Log log;
    world.run(duration, &log);
    out << name << ' ' << duration << " s: told " << std::hex << std::setfill('0') << std::setw(16)
        << hash(log) << " end " << std::setw(16) << hash(world) << std::dec << '\n';
}

std::string run_all() {
    std::ostringstream out;
    out << "platform: " << platform() << '\n';
    for (const Pinned& pinned : k_pinned) {
        scene::Scene scene = scene::read_built_in(pinned.scene);
        scene.settings.contact = pinned.contact;
        World world = scene::make_world(scene);
        add_line(out, std::string(pinned.scene) + ' ' + world::name_of(pinned.contact),
                 pinned.duration, world);
    }
    World pile = heap();
    add_line(out, "heap lasting", 1.0, pile);
    return out.str();
}

TEST(Pinned, ScenesHaveTheSameBits) {
    std::ifstream file(k_file);
    std::ostringstream stored;
    stored << file.rdbuf();
    const bool pin = std::getenv("CAROM_PIN") != nullptr;
    const std::string wanted = "platform: " + platform() + '\n';
    if (!pin && !stored.str().starts_with(wanted)) {
        GTEST_SKIP() << "pinned.txt is of '" << stored.str().substr(0, stored.str().find('\n'))
                     << "', this is '" << platform() << "'";
    }
    const std::string now = run_all();
    if (pin) {
        std::ofstream(k_file) << now;
        return;
    }
    EXPECT_EQ(stored.str(), now) << "if this was on purpose, " << k_file << " should be\n"
                                 << now << "which 'CAROM_PIN=1 physics_tests "
                                 << "--gtest_filter=Pinned.*' writes there";
}

}  // namespace
}  // namespace carom::tests
