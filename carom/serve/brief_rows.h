// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

#include "carom/record/rows.h"

namespace carom::serve {

// What a page needs of every row at once, to list, sort, draw and find them all; it asks for the
// whole rows of those that it shows. Numbers are as exact as those they were made from.

// Of an event: its beginning, and the sizes by which a list of events is sorted.
struct BriefEvent {
    double t;
    std::uint32_t a, b;
    std::uint32_t kind, law;
    double approach;      // m/s: -u . n, the speed at which the bodies came together
    double impulse_size;  // N s
    double energy_lost;   // J
};
static_assert(sizeof(BriefEvent) == 48);

// Of a segment: its beginning, to find the one that holds at a time.
struct BriefSegment {
    double t0;
    std::uint32_t body, kind;
};
static_assert(sizeof(BriefSegment) == 16);

BriefEvent brief(const record::EventRow& row);
BriefSegment brief(const record::SegmentRow& row);

}  // namespace carom::serve
