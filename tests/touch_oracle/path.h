// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "core.h"

namespace touch_oracle {

// Torque-free rotation by Taylor series in long double, order 24, kept so that any time in
// [0, latest asked] can be asked for again. Local error 1e-21 a step, about a step a radian.
class FreeRotation {
public:
    FreeRotation(const Inertia& inertia, const QuatR& orientation, const Vec& angular_velocity);

    struct State {
        QuatR orientation;
        Vec angular_velocity;  // world
    };
    State at(Real t);

    // bounds that hold for all times, from energy and angular momentum
    Real most_speed() const { return most_speed_; }
    // of any point at unit distance: centripetal and from the change of the angular velocity
    Real most_acceleration() const { return most_acceleration_; }

private:
    static constexpr std::size_t k_order = 24;
    struct Step {
        Real start, size;
        std::array<QuatR, k_order + 1> q;
        std::array<Vec, k_order + 1> w;
    };
    void add_step(Real start, const QuatR& q, const Vec& w);
    void bound(const Vec& start);

    QuatR axes_;  // from principal axes, in which all is done, to body axes
    std::array<Real, 3> moment_{}, coupling_{};  // w1' = coupling1 w2 w3, ...
    std::vector<Step> steps_;
    Real most_speed_ = 0.0L, most_acceleration_ = 0.0L;
};

// A body's motion, as far as its shape shows it: a sphere does not turn, and of a round body in
// free flight with an inertia round about the same axis only the steady turning of the axis is
// kept, L / I_across.
class Path {
public:
    Path(const Motion& motion, const Core& core);

    struct State {
        Placement place;
        Vec centre, velocity;  // of the point it turns about
        Vec angular_velocity;
    };
    State at(Real t);

    const Vec& gravity() const { return gravity_; }
    Real reach() const { return reach_; }  // of the core, from the centre
    Real most_speed() const { return most_speed_; }
    // of any of the core's points against the centre
    Real most_acceleration() const { return most_acceleration_; }

private:
    QuatR orientation_;
    Vec centre_, velocity_, gravity_;
    Vec offset_;                          // from the centre to the frame's origin, body axes
    Vec steady_;                          // angular velocity
    std::vector<FreeRotation> tumbling_;  // one or none
    Real reach_ = 0.0L, most_speed_ = 0.0L, most_acceleration_ = 0.0L;
};

}  // namespace touch_oracle
