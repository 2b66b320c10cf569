// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/motion.h"
#include "carom/world/touch/manifold.h"

namespace carom::world {

// When a point of a contact manifold comes down, followed on the motions of its two bodies.
//
// The place on a stays where it is on a, that on b on b. Where a corner is above a face the normal
// turns with the face, and n . (x_a - x_b) is the gap at any time as long as the corner stays above
// it: the time of landing is then exact. Of other places the normal is taken to stay as it is; a
// landing so found is good to the turn of the normals until then, squared.
class Landing {
public:
    // A place as it is with the bodies in these states.
    Landing(const ManifoldPoint& place, const motion::State& a, const motion::State& b);

    // Whether it is a corner above a face.
    bool exact() const { return normal_of_ != Carrier::none; }
    static bool is_exact(const ManifoldPoint& place) { return carrier_of(place) != Carrier::none; }

    struct Now {
        double gap;      // m
        double closing;  // m/s
    };
    Now with(const motion::State& a, const motion::State& b) const;

    // The time, at most `until`, at which the gap has come down to this much (m, above zero), to a
    // quarter of it or to rounding: Newton's method from `first`, between t, when the gap is
    // larger, and `until`. Infinity where it is not so small by `until`, or there is no end.
    double find(const motion::Motion& a, const motion::Motion& b, double t, double first,
                double until, double gap) const;

private:
    enum class Carrier : unsigned char { none, a, b };
    static Carrier carrier_of(const ManifoldPoint& place);

    Vec3 on_a_, on_b_;  // in the frames of the bodies
    Vec3 normal_;       // in the frame of the one that carries it; of none: in the world's
    Carrier normal_of_;
};

// How long a gap takes to close that closes with this speed now, and with more or less as time goes
// on (m/s^2); no longer than with the speed alone if it stays open otherwise.
double time_to_close(double gap, double speed, double gain);

}  // namespace carom::world
