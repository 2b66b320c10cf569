// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/graph/body_track.h"

#include <cmath>

#include "carom/motion/bounds.h"

namespace carom::world {

BodyTrack::BodyTrack(const Body& of, const Segment& first, const Vec3& gravity)
    : body(&of), moving(*of.shape, of.center, motion) {
    go(first, gravity);
}

void BodyTrack::go(const Segment& next, const Vec3& gravity) {
    MotionPiece piece = make_motion_piece(*body, next, gravity);
    if (bounded) {
        travel_before = travelled(next.t0);
    } else {
        box_margin = 0.0;  // how far it has travelled in its box is not known
    }
    segment = next;
    motion = std::move(piece.motion);
    motion_until = piece.until;
    speed_at_start = half_acceleration = 0.0;
    bounded = at_rest();
    const bool steps = next.kind == SegmentKind::held || next.kind == SegmentKind::constrained;
    if (next.kind != SegmentKind::flight && !steps) return;
    const double length = next.kind == SegmentKind::constrained ? next.lasting.t1 - next.t0 : 0.0;
    const motion::LocalBounds bounds = motion::bounds(motion, next.t0, length);
    speed_at_start = next.state.velocity.norm() + bounds.spin_max * body->radius;
    half_acceleration = 0.5 * (bounds.a.norm() + bounds.a_spread);
    bounded = std::isfinite(speed_at_start);
}

double speed_bound_of(const Body& body, const motion::State& state) {
    const double rim =
        body.unbounded || is_ball(body) ? 0.0 : body.radius * state.angular_velocity.norm();
    return state.velocity.norm() + rim;
}

}  // namespace carom::world
