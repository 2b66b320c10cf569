// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

namespace carom::tests {

// The bouncing ball of Jia's section 3.1 in closed form, written from the springs and nothing of
// the library: mass 1, radius 1, contact velocity (v0, 0, -w0), so that K = diag(7/2, 7/2, 1).
//
// Normal and tangent do not couple. With k0 = 1 the normal motion is a quarter of a sine of
// frequency 1 and one of frequency 1/e; slip changes the tangential velocity in proportion to the
// normal impulse; stick is a sine of frequency sqrt(7/(2 eta2)).
struct BallLaw {
    double e;
    double mu;
    double eta2;
    // |tangential| / normal force while slipping in restitution. The paper's equations 11 and 19
    // say mu; its printed numbers follow e mu. The bound at which stick ends is mu in both.
    double restitution_ratio;
};

struct BallEvent {
    bool to_stick;           // else stick to slip
    double Iz;               // normal impulse there
    double v;                // tangential contact velocity there
    double spring_velocity;  // just after the change
};

struct BallResult {
    double Ix = 0.0;  // tangential impulse
    double Iz = 0.0;  // normal impulse
    double v = 0.0;   // tangential contact velocity at the end
    bool starts_in_slip = false;
    std::vector<BallEvent> events;
};

BallResult bounce_ball(double v0, double w0, const BallLaw& law);

}  // namespace carom::tests
