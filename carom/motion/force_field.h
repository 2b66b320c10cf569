// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <variant>
#include <vector>

#include "carom/motion/state.h"

namespace carom::motion {

// Forces on a rigid body of mass m with centre of mass c, velocity v and angular velocity w, all in
// the world frame. Torques are about the centre of mass.

// F = m g.
struct Gravity {
    Vec3 g;
};
// F = -linear v - quadratic |v| v; torque = -rotational w. Still air. Coefficients >= 0 in
// kg/s, kg/m and N m s.
struct Drag {
    double linear = 0.0;
    double quadratic = 0.0;
    double rotational = 0.0;
};
// From the point of the body given in body axes from the centre of mass to a world anchor:
// with r = point - anchor, F = -(stiffness (|r| - rest_length) + damping (d|r|/dt)) r / |r|, at the
// point. stiffness (N/m), damping (N s/m), rest_length (m) >= 0. With a rest length the force has
// no direction at |r| = 0, and is taken as zero there; without one it is smooth and the damping is
// isotropic: F = -stiffness r - damping dr/dt.
struct Spring {
    Vec3 body_point = Vec3::Zero();
    Vec3 anchor = Vec3::Zero();
    double stiffness = 0.0;
    double damping = 0.0;
    double rest_length = 0.0;
};
// F = -m strength r |r|^(power - 1) with r = c - centre: the pull grows as |r|^power. -2 is
// Newton's gravity with strength G M, 1 a harmonic trap. A negative strength repels.
struct CentralField {
    Vec3 centre = Vec3::Zero();
    double strength = 0.0;
    double power = -2.0;
};

// A penalty spring in place of a floor, for comparison with impulses. With x = normal.c - offset,
// F = -(stiffness x + damping dx/dt) normal at the centre of mass, where x < 0 and only while it
// pushes; else none. normal is made unit; stiffness (N/m) > 0, damping (N s/m) >= 0. This is the
// force while it pushes: see forced.h for when it does.
struct Cushion {
    Vec3 normal = Vec3::UnitZ();
    double offset = 0.0;
    double stiffness = 0.0;
    double damping = 0.0;
};

using ForceField = std::variant<Gravity, Drag, Spring, CentralField, Cushion>;
const char* name_of(const ForceField& field);  // "drag", as scenes have it

struct Wrench {
    Vec3 force;
    Vec3 torque;
};

// The sum over the fields, in their order.
Wrench total_wrench(const std::vector<ForceField>& fields, double mass, const State& state);

// Throws std::invalid_argument for parameters that are not finite or out of range.
void check_fields(const std::vector<ForceField>& fields);

}  // namespace carom::motion
