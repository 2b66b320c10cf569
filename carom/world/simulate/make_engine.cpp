// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/make_engine.h"

#include "carom/world/gas/ball_engine.h"
#include "carom/world/simulate/simulator.h"

namespace carom::world {

std::unique_ptr<Engine> make_engine(const EngineInput& input) {
    if (BallEngine::fits(input.settings, input.bodies)) return std::make_unique<BallEngine>(input);
    return std::make_unique<Simulator>(input);
}

}  // namespace carom::world
