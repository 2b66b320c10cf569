// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/motion/free_rotation.h"
#include "carom/motion/sphere_on_plane.h"
#include "carom/motion/sphere_ways.h"

namespace carom::motion {

// Where a sphere starts on its plane: x from the plane's point, v and b in the plane's frame (see
// ContactFrame), the spin about the normal, what counts as nothing already removed.
struct PlaneStart {
    Vec2 x, v, b;
    double spin;
    bool slips, rolls;
};

// What a segment does and until when.
struct PlaneCourse {
    SphereOnPlane::Phase phase;
    Way way;
    double length;  // of time, until slip, rolling or hold ends; may be infinite
    enum class End { none, slip_stops, roll_stops, goes_on } end;
};

// The phase that follows from a start, see SphereOnPlane. `longest` bounds what a series is made
// for.
PlaneCourse plane_course(const ContactFrame& frame, const PlaneStart& start, double longest);

// The orientation of the sphere: closed forms for a steady spin and for one about a constant axis,
// else a track.
class SphereAttitude {
public:
    SphereAttitude(const Way& way, const ContactFrame& frame, const NormalSpin& spin,
                   const Quat& first);

    // From body axes to the world's. The same way, frame and spin as above.
    Quat at(double tau, const Way& way, const ContactFrame& frame, const NormalSpin& spin) const;

private:
    Quat frame_;  // from the frame's axes to the world's
    Quat first_;  // from body axes to the frame's, at tau = 0
    std::optional<FreeRotation> steady_;
    // angle = rate tau + rate2 tau^2 / 2 about the axis (frame's axes)
    Vec3 axis_ = Vec3::Zero();
    double rate_ = 0.0, rate2_ = 0.0;
    std::optional<AttitudeTrack> track_;
};

struct SphereCourse {
    SphereContact contact;
    ContactFrame frame;
    double t0;
    double until;
    Vec3 base;  // of the centre at t0, one radius from the plane
    Vec2 x;
    NormalSpin spin;
    double spin_end;  // when it stops, after t0
    PlaneCourse plane;
    SphereAttitude attitude;
    SphereOnPlane::Removed removed;
};

}  // namespace carom::motion
