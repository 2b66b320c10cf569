// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/record/recording.h"
#include "carom/shape/pose.h"

namespace carom::record {

// Moments of a body's motion between which other programs interpolate: positions along straight
// lines, orientations along the shortest arc.
struct Keys {
    std::vector<float> times;  // s, from the start of the clip, strictly rising
    std::vector<shape::Pose> poses;
};

// A piece of a recording that is shown.
struct Clip {
    double from = 0.0, to = 0.0;  // s
    double tolerance = 0.0;       // m
};

// The poses of a body's frame, as few as keep every point of the body within the clip's tolerance
// of its true place at every time: at the start of each motion, where an impact bends the path, and
// as dense as needed in between; then without those that the others tell as well. Times are as
// exact as a float, and the pose of a key is the true one at that float. A body that does not
// move at all has one key.
Keys keys_of(const world::Body& body, const Sampler& sampler, world::BodyId id,
             const std::vector<double>& segment_starts, const Clip& clip);

}  // namespace carom::record
