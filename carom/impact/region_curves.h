// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/impact/problem.h"

namespace carom::impact {

// Points and curves in impulse space from which the permissible region can be drawn. Every curve is
// a list of points; closed ones repeat the first point at the end.
struct RegionCurves {
    std::vector<std::vector<Vec3>> ellipsoid;  // meridians of the energy ellipsoid E = E0
    std::vector<Vec3> maximum_compression;     // the ellipse of the ellipsoid with u_z = 0
    std::vector<Vec3> cone_rim;                // friction cone at the height of the ellipsoid's top
    std::vector<std::vector<Vec3>> cone_lines;  // from the tip to the rim
    std::vector<Vec3> cone_on_ellipsoid;        // where cone and ellipsoid meet
    std::vector<Vec3> sticking;                 // line of sticking inside the ellipsoid
};

// resolution: points on one curve, and a sixth of it curves on one surface. Pre: u not zero.
RegionCurves region_curves(const Contact& contact, double mu, int resolution = 96);

}  // namespace carom::impact
