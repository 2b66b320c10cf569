// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/event.h"

namespace carom::world {

const char* name_of(EventKind kind) {
    switch (kind) {
        case EventKind::impact:
            return "impact";
        case EventKind::micro:
            return "micro";
        case EventKind::lasting_begin:
            return "lasting-begin";
        case EventKind::lasting_end:
            return "lasting-end";
        case EventKind::sleep:
            return "sleep";
        case EventKind::wake:
            return "wake";
    }
    return "?";
}

const char* name_of(SegmentKind kind) {
    switch (kind) {
        case SegmentKind::given:
            return "given";
        case SegmentKind::flight:
            return "flight";
        case SegmentKind::asleep:
            return "asleep";
        case SegmentKind::forced:
            return "forced";
        case SegmentKind::held:
            return "held";
        case SegmentKind::on_plane:
            return "on-plane";
    }
    return "?";
}

}  // namespace carom::world
