// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/body_contact.h"
#include "carom/motion/state.h"

namespace carom::world {

// The deepest overlap (m) of any two parts of two bodies in these states; not above 0 when there is
// none. `near` says where to begin; what is found is not kept.
double overlap_depth(const detect::MovingBody& a, const motion::State& state_a,
                     const detect::MovingBody& b, const motion::State& state_b,
                     const detect::BodyMemory& near);

}  // namespace carom::world
