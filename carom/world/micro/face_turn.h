// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>

#include "carom/world/micro/micro_rule.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {

// A micro-collision of a body that lies on a still one with an area, all at once.
//
// Corner by corner a block that lies on a ramp rocks, and rocking it creeps. Here the whole body is
// made to bounce in place: with s the speed at which the centre of mass approaches, g_n and g_t
// gravity into and along the surface, and T = 2 v_n / g_n the time of the coming micro-bounce,
//     v_n -> max(e s, v_hop),   v_t -> -g_t T / 2,   w -> -e w,
// so that it comes down where it went up. In the steady state that is the micro-collision's exact
// reversal.
// The impulse for it acts where its moment is right, in a point of the plane of contact; friction
// gives a couple about the normal. It is used where that point lies inside the area of contact, the
// impulse in the friction cone, and the couple is at most half of what friction can give there:
// mu p_n times the distance of the point from the area's edge.
struct FaceTurn {
    Vec3 point;
    Vec3 impulse;  // on body a
    Vec3 v, w;     // of body a, after it
    double energy_lost;
};

// Body a of the touch is free, b is still. Empty where it does not apply.
std::optional<FaceTurn> turn_on_face(const Touch& touch, const ContactLaw& law, const Vec3& gravity,
                                     double hop_speed, double debt);

// How far inside a convex polygon, seen along n, the point x lies; negative outside. The corners
// may run either way round.
double depth_inside(const std::vector<Vec3>& corners, const Vec3& n, const Vec3& x);

}  // namespace carom::world
