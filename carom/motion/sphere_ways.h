// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <variant>

#include "carom/motion/attitude_track.h"
#include "carom/motion/hodograph.h"
#include "carom/motion/slip_series.h"
#include "carom/motion/sphere_contact.h"

namespace carom::motion {

// How a sphere goes along its plane, in the plane's own two axes (see ContactFrame), as functions
// of the time tau since its start: displacement d, velocity v and acceleration a of the centre, b =
// r n x w and its rate. One struct for each closed form.

struct Planar {
    Vec2 d, v, b;
};
struct PlanarRates {
    Vec2 a, b_rate;
};

// The spin about the normal: value at tau = 0 and constant rate.
struct NormalSpin {
    double first, rate;
};

// Constant acceleration.
struct LineWay {
    Vec2 v, a, b, b_rate;

    Planar at(double tau) const;
    PlanarRates rates(double /*tau*/) const { return {a, b_rate}; }
    double variable_at(double tau) const { return tau; }
    void series(double s, const ContactFrame& frame, const NormalSpin& spin,
                AttitudeTrack::Series& out) const;
};

// v' = rate J v + pull: the acceleration turns steadily. Rolling on a turning plane (rate W/(1+k)),
// and going round with it (rate W, no pull). b = b0 + W J d - (v - v0) in both.
struct CircleWay {
    double rate;
    Vec2 v, pull, b;
    double turn_rate;

    Planar at(double tau) const;
    PlanarRates rates(double tau) const;
    double variable_at(double tau) const { return tau; }
    void series(double s, const ContactFrame& frame, const NormalSpin& spin,
                AttitudeTrack::Series& out) const;
    // The first time at which |v' - g| comes to the limit from below; infinity if never.
    double exceeds(const Vec2& g, double limit) const;
};

// A slope that stands still: u of the hodograph is the slip, or the velocity of rolling.
struct SlopeWay {
    Hodograph u;
    bool slides;
    Vec2 u0, v, b, g;
    double kappa;

    Planar at(double tau) const { return at_parameter(tau, u.parameter_at(tau)); }
    Planar at_parameter(double tau, double p) const;
    PlanarRates rates(double tau) const;
    double variable_at(double tau) const;
    void series(double s, const ContactFrame& frame, const NormalSpin& spin,
                AttitudeTrack::Series& out) const;
    // unit vector of u, its limit at the end
    Vec2 direction(double tau) const;
};

// A turning plane with friction that no closed form has.
struct SeriesWay {
    SlipSeries u;
    bool slides;
    Vec2 x;
    double kappa, turn_rate;

    Planar at(double tau) const;
    PlanarRates rates(double tau) const;
    double variable_at(double tau) const { return u.variable_at(tau); }
    void series(double s, const ContactFrame& frame, const NormalSpin& spin,
                AttitudeTrack::Series& out) const;
};

using Way = std::variant<LineWay, CircleWay, SlopeWay, SeriesWay>;

}  // namespace carom::motion
