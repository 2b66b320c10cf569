// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::world {

// Every tolerance of the world room that is no setting: all are relative. Each line says what a
// value ten times larger would do. See settings.h for those that a user may change.
struct Tolerances {
    // A gap that rounding cannot make, relative to the coordinates and sizes. Larger: bodies that
    // part are looked at again later, and a contact in that time is found that much late.
    double parted = 1e-14;
    // Parting speed, in speeds of micro-collisions, below which a lasting contact is pushed anew.
    // Larger: contacts that just open are pushed once more than needed.
    double parting = 1e-3;
    // Overlap at the start, relative to the smaller radius, that counts as touching. Larger: more
    // carelessly placed scenes are accepted.
    double placed = 1e-9;
};

inline constexpr Tolerances k_tolerances{};

}  // namespace carom::world
