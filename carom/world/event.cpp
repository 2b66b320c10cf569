// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/event.h"

#include <utility>

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
        case SegmentKind::constrained:
            return "constrained";
        case SegmentKind::on_plane:
            return "on-plane";
    }
    return "?";
}

const char* name_of(ForcePlace place) {
    switch (place) {
        case ForcePlace::line:
            return "line";
        case ForcePlace::centre_of_a:
            return "centre-of-a";
    }
    return "?";
}

const char* name_of(ForceCourse course) {
    switch (course) {
        case ForceCourse::evenly:
            return "evenly";
        case ForceCourse::at_start:
            return "at-start";
        case ForceCourse::by_motion:
            return "by-motion";
    }
    return "?";
}

namespace {

// Not -v, which would make -0 of 0.
void turn_round(Vec3& v) {
    v = Vec3::Zero() - v;
}

}  // namespace

Event seen_from_other(Event event) {
    std::swap(event.a, event.b);
    for (Vec3* v : {&event.normal, &event.u, &event.u_after, &event.impulse})
        turn_round(*v);
    return event;
}

ContactForce seen_from_other(ContactForce force) {
    std::swap(force.a, force.b);
    turn_round(force.normal);
    turn_round(force.impulse);
    turn_round(force.couple);
    turn_round(force.force_start);
    turn_round(force.force_end);
    return force;
}

}  // namespace carom::world
