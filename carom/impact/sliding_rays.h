// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/impact/problem.h"

namespace carom::impact {

// A ray of constant sliding: a slip direction that friction does not turn.
struct SlidingRay {
    double angle;     // of the slip, in [0, 2 pi) from the contact frame's x axis
    double growth;    // change of the slip speed per normal impulse: < 0 converging, > 0 diverging
    bool attracting;  // neighbouring slip directions turn towards it
};

struct SlidingRays {
    std::array<SlidingRay, 4> ray;
    int count = 0;
};

// All rays of constant sliding of K with friction mu, by rising angle: the zeros of
// f(th) = mu (D sin 2th - K12 cos 2th) - K13 sin th + K23 cos th, D = (K11 - K22)/2.
// None is listed where every direction is a ray (isotropic K without coupling).
SlidingRays sliding_rays(const Mat3& K, double mu);

}  // namespace carom::impact
