// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <type_traits>

#include "carom/record/recording.h"

namespace carom::cli {

inline constexpr std::uint64_t k_rows_at_once = 65'536;

// Every event of a recording in the order of time, without holding all of them in memory. Stops
// when `visit` returns false (if it returns anything).
template <class Visit>
void for_each_event(const record::Recording& recording, Visit&& visit) {
    const std::uint64_t all = recording.progress().events;
    for (std::uint64_t first = 0; first < all; first += k_rows_at_once) {
        for (const world::Event& event : recording.read_events(first, k_rows_at_once)) {
            if constexpr (std::is_void_v<decltype(visit(event))>) {
                visit(event);
            } else if (!visit(event)) {
                return;
            }
        }
    }
}

// Every segment, in the order they were told.
template <class Visit>
void for_each_segment(const record::Recording& recording, Visit&& visit) {
    const std::uint64_t all = recording.progress().segments;
    for (std::uint64_t first = 0; first < all; first += k_rows_at_once) {
        for (const world::Segment& segment : recording.read_segments(first, k_rows_at_once))
            visit(segment);
    }
}

// Every contact force in the order of their ends. Stops when `visit` returns false.
template <class Visit>
void for_each_force(const record::Recording& recording, Visit&& visit) {
    const std::uint64_t all = recording.progress().forces;
    for (std::uint64_t first = 0; first < all; first += k_rows_at_once) {
        for (const world::ContactForce& force : recording.read_forces(first, k_rows_at_once)) {
            if (!visit(force)) return;
        }
    }
}

}  // namespace carom::cli
