// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/math/types.h"

namespace carom::bench {

// Spheres and cubes of one size dropped into a bin, half of each: what a part feeder sees. The bin
// is open at the top and stands on z = 0.
//
// The bodies start at rest in layers, a little turned and displaced by a fixed pattern, so that
// nothing lies exactly on anything.
struct PileBody {
    bool sphere;
    Vec3 position;
    Vec3 axis;     // unit
    double angle;  // rad
};

struct PileScene {
    double size = 0.1;      // diameter and edge, m
    double density = 1000;  // kg/m^3
    double width = 1.5;     // of the bin, inside, m
    double wall = 0.1;      // thickness, m
    double height = 4.0;    // of the walls, m
    double e = 0.2;
    double mu = 0.5;
    std::vector<PileBody> bodies;
};

PileScene make_pile(int bodies);

// What came of a run.
struct PileResult {
    double cpu = 0.0;      // s, of all threads
    double wall = 0.0;     // s
    double overlap = 0.0;  // the largest of any two bodies over the run, m
    double kinetic = 0.0;  // of the centres of mass at the end, J
    int asleep = 0;        // at the end
};

PileResult run_carom(const PileScene& scene, double duration, int threads);
PileResult run_ode(const PileScene& scene, double duration, double step);

}  // namespace carom::bench
