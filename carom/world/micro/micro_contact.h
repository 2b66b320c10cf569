// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/world/graph/contact_pair.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {

// What a micro-collision did: plain data, for whoever commits it.
struct MicroOutcome {
    Event event;
    motion::State a, b;  // after it
};

// A micro-collision of a pair that touches (micro_rule.h). Throws std::runtime_error, with who and
// when, where its law does not apply.
MicroOutcome resolve_micro_contact(const ContactPair& pair, const Touch& touch,
                                   const ContactPoint& at, double t);

// The same of a body that lies on a static one with an area, as a whole (face_turn.h). Empty where
// it does not apply.
std::optional<MicroOutcome> turn_round_on_face(const ContactPair& pair, const Touch& touch,
                                               const Vec3& gravity, double t);

}  // namespace carom::world
