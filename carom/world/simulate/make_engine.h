// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>

#include "carom/world/engine.h"

namespace carom::world {

// The fastest engine that takes these bodies.
std::unique_ptr<Engine> make_engine(const EngineInput& input);

}  // namespace carom::world
