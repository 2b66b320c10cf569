// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <limits>

#include "carom/world/contact_point.h"

namespace carom::world {

// When bodies fall asleep.
//
// A body is quiet while all of its impacts are micro-collisions and it stays where it is: its
// centre and, by its turning, its farthest point have moved by less than k_drift radii since the
// quiet began. Bodies that touch each other and have all been quiet for k_quiet sqrt(L / g) fall
// asleep together, unless one of them touches a moving body. The time is long beside that in which
// an unstable balance falls over, so that only what would stay is put to sleep.
//
// A body that touches nothing but one still fixed body falls asleep at once when it could not move:
// slower than twice the micro-collisions, the slope within the friction cone, and the vertical
// through its centre of mass inside the area of contact. Weight and support then balance exactly.
//
// A sleeper is still. It wakes when an awake body touches it, together with all sleepers in touch
// with it.
inline constexpr double k_drift = 1e-3;
inline constexpr double k_quiet = 10.0;

// Since when a body has been quiet, and where it was then.
struct QuietSince {
    double t = std::numeric_limits<double>::infinity();  // infinite: not quiet
    Vec3 position = Vec3::Zero();
    motion::Quat orientation = motion::Quat::Identity();

    void begin(double now, const motion::State& state);
    void end() { t = std::numeric_limits<double>::infinity(); }
    // After a micro-collision: begins when not quiet, begins anew when the body has moved.
    void note(double now, const motion::State& state, double radius);
    bool long_enough(double now, double radius, double gravity) const;
};

// Whether body a of the touch is held where it is by the still body b: see above.
bool held_alone(const Touch& touch, double mu, const Vec3& gravity, double micro_speed);

}  // namespace carom::world
