// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::world {

struct MicroTolerances {
    // Parting speed, in micro-bounce speeds, below which a lasting contact is pushed anew. Ten
    // times larger: contacts that just open are pushed once more than needed.
    double parting = 1e-3;
};
inline constexpr MicroTolerances k_micro_tolerances{};

}  // namespace carom::world
