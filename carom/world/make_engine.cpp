// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/make_engine.h"

#include "carom/world/pair_engine.h"

namespace carom::world {

std::unique_ptr<Engine> make_engine(const EngineInput& input) {
    return std::make_unique<PairEngine>(input);
}

}  // namespace carom::world
