// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/free_rotation.h"
#include "carom/motion/state.h"

namespace carom::motion {

// A body in flight: the centre of mass on a parabola, the body in free rotation about it.
//     c(t) = c0 + v0 (t - t0) + g (t - t0)^2 / 2,   v(t) = v0 + g (t - t0).
// Range: any time, finite data. No air.
class Ballistic {
public:
    // At rest at the origin, without gravity.
    Ballistic() = default;
    // A particle, or a body that does not turn.
    Ballistic(const Vec3& position, const Vec3& velocity, const Vec3& gravity, double t0);
    // A body: its state at t0 and its inertia in body axes about the centre of mass.
    Ballistic(const State& state, const PrincipalInertia& inertia, const Vec3& gravity, double t0);
    // A body whose principal moments are all equal: a sphere, a cube.
    static Ballistic sphere(const State& state, const Vec3& gravity, double t0);

    State at(double t) const;
    Vec3 position_at(double t) const;
    Vec3 velocity_at(double t) const { return velocity_ + (t - t0_) * gravity_; }
    Attitude attitude_at(double t) const { return rotation_.at(t); }

    const FreeRotation& rotation() const { return rotation_; }
    const Vec3& gravity() const { return gravity_; }
    double start_time() const { return t0_; }

private:
    Ballistic(const State& state, FreeRotation rotation, const Vec3& gravity, double t0);

    Vec3 position_ = Vec3::Zero(), velocity_ = Vec3::Zero(), gravity_ = Vec3::Zero();
    double t0_ = 0.0;
    FreeRotation rotation_;
};

}  // namespace carom::motion
