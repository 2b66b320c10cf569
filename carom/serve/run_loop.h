// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <functional>
#include <stop_token>

#include "carom/world/world.h"

namespace carom::serve {

// Runs a world to a time in pieces of some hundredths of a second of our own time, calling `after`
// between them. Where a run is cut makes no difference to it. False when it was asked to stop.
bool run_in_pieces(world::World& world, double until, world::Listener* listener,
                   const std::stop_token& stop, const std::function<void()>& after);

}  // namespace carom::serve
