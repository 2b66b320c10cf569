// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <limits>

#include "carom/world/touch/contact_point.h"

namespace carom::world {

// When bodies fall asleep.
//
// A body is quiet while all of its impacts are micro-collisions and it stays where it is: since the
// quiet began its centre has moved and its axes have tilted by less than k_drift (radii, rad), and
// it has turned about the vertical by less than k_yaw. Bodies that touch each other and have all
// been quiet for k_quiet sqrt(L / g) fall asleep together, unless one of them touches a moving
// body. So what goes on slower than micro-bounces is taken as rest. The time is long beside
// that in which an unstable balance falls over.
//
// A body that touches nothing but one still fixed body falls asleep at once when it could not go
// anywhere: the slope is within the friction cone, and the vertical through its centre of mass goes
// through the area of contact, so that weight and support balance; and what it still moves is next
// to nothing. With r its radius, v the micro-bounce speed of micro_rule.h, and d the least distance
// of that vertical from the area's edge,
//     along the surface:  m v_t^2/2 + I w_n^2/2 <= the work of the friction to spare over k_way r
//     off it:             m v_n^2/2 + w_t.I w_t/2 <= m max(g k_way r, 12 v^2)
//     together:           less than a tenth of m g (sqrt(h^2 + d^2) - h), which tips it over.
//
// A sleeper is still. It wakes when an awake body touches it, together with all sleepers in touch
// with it.
inline constexpr double k_drift = 0.02;
inline constexpr double k_yaw = 0.3;
inline constexpr double k_quiet = 10.0;
inline constexpr double k_way = 1e-3;

// Since when a body has been quiet, and where it was then.
struct QuietSince {
    double t = std::numeric_limits<double>::infinity();  // infinite: not quiet
    Vec3 position = Vec3::Zero();
    motion::Quat orientation = motion::Quat::Identity();

    void begin(double now, const motion::State& state);
    void end() { t = std::numeric_limits<double>::infinity(); }
    // After a micro-collision: begins when not quiet, begins anew when the body has moved by more
    // than drift radii.
    void note(double now, const motion::State& state, double radius, const Vec3& gravity,
              double drift = k_drift);
    bool long_enough(double now, double radius, double gravity, double quiet = k_quiet) const;
};

// Whether body a of the touch is held where it is by the still body b: see above.
bool held_alone(const Touch& touch, double mu, const Vec3& gravity, double hop_speed);

}  // namespace carom::world
