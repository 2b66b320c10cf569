// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/make_engine.h"

#include "carom/world/ball_engine.h"
#include <cstdlib>
#include "carom/world/pair_engine.h"
#include "carom/world/simulate/simulator.h"

namespace carom::world {

std::unique_ptr<Engine> make_engine(const EngineInput& input) {
    if (BallEngine::fits(input.settings, input.bodies)) return std::make_unique<BallEngine>(input);
    if (std::getenv("CAROM_OLD")) return std::make_unique<PairEngine>(input);
    return std::make_unique<Simulator>(input);
}

}  // namespace carom::world
