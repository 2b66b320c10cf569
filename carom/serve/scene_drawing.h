// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

#include "carom/scene/scene.h"

namespace carom::serve {

// The size of a drawing, in its own units.
inline constexpr double k_drawing_width = 320.0;
inline constexpr double k_drawing_height = 200.0;

// A small picture of a scene at time 0, as JSON text for a page to draw:
//
//   {"width":320,"height":200,"colours":["#4e79a7",...],"items":[...]}
//
// in the order in which they are to be painted. x goes right and y down, within the size as far as
// they are to be seen. An item has `kind`, `colour` (a number in the list), `fixed` and
//   ground   points: a patch of a floor about the bodies
//   ball     at, radius
//   capsule  from, to, radius
//   face     points, shade: a visible face; shade is 0 in shadow and 1 in full light
// The view is orthographic, from above and from the side of negative y. Free bodies fill it; one
// that is many times as far from the others as they are from each other is left out of the frame.
std::string drawing_text(const scene::Scene& scene);

}  // namespace carom::serve
