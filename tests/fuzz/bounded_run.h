// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <string>

#include "carom/world/world.h"

namespace carom::fuzz {

// Says what was found and aborts.
[[noreturn]] void found(const char* what, const std::string& more);

// Whether position, velocity, orientation and angular velocity are numbers.
bool is_finite(const motion::State& state);

// How far a world is run: until one of these is reached.
struct RunBounds {
    double duration = 1.0;  // s, simulated
    std::size_t events = 300;
    std::size_t segments = 3000;
    bool judge = true;  // else a crash is the only finding
};

// Scenes of more bodies are refused: instrumented code would run them for minutes. The tests of
// replay/, which are compiled as the program is, take more.
inline std::size_t most_bodies = 12;

// Runs a world, not so long that bodies go further than a thousand of their radii, and judges what
// it tells and how it ends: every event and motion is finite and in the order of time; at the end
// the states are finite, no overlap is deeper than a hundredth of the smallest body, and energy and
// momentum are in balance. What the world refuses by an exception that World::run() documents is no
// finding. `text` is told with one.
void run_bounded(world::World& world, const RunBounds& bounds, const std::string& text);

}  // namespace carom::fuzz
