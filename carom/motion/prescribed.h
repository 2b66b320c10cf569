// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/free_rotation.h"
#include "carom/motion/state.h"

namespace carom::motion {

// A motion that is given and that no impact changes: a fixed body, a conveyor, a platter, a paddle.
//
// The body turns with a constant angular velocity w (world axes) about an axis through a point that
// moves with constant velocity V:
//     c(t) = P + V (t - t0) + Rot(w (t - t0)) (c0 - P),   v(t) = V + w x (Rot(w (t - t0)) (c0 -
//     P)).
// Still (w = V = 0) and constant velocity (w = 0) are special cases. Range: any time, finite data.
class Prescribed {
public:
    // Still at the origin.
    Prescribed() = default;
    static Prescribed still(const Vec3& position, const Quat& orientation);
    static Prescribed gliding(const Vec3& position, const Quat& orientation, const Vec3& velocity,
                              double t0);
    static Prescribed turning(const Vec3& position, const Quat& orientation, const Vec3& axis_point,
                              const Vec3& axis_velocity, const Vec3& angular_velocity, double t0);

    State at(double t) const;
    Vec3 position_at(double t) const;
    Attitude attitude_at(double t) const { return rotation_.at(t); }

    // c(t0 + tau) = base + V tau + cosine cos(|w| tau) + sine sin(|w| tau)
    const Vec3& base() const { return base_; }
    const Vec3& cosine() const { return cosine_; }
    const Vec3& sine() const { return sine_; }
    const Vec3& axis_velocity() const { return axis_velocity_; }
    const Vec3& angular_velocity() const { return angular_velocity_; }
    double start_time() const { return t0_; }
    double spin() const { return spin_; }
    // |w| (t - t0) reduced to [-pi, pi]
    double angle_at(double t) const;

private:
    FreeRotation rotation_;
    Vec3 base_ = Vec3::Zero(), cosine_ = Vec3::Zero(), sine_ = Vec3::Zero();
    Vec3 axis_velocity_ = Vec3::Zero(), angular_velocity_ = Vec3::Zero();
    double spin_ = 0.0;
    double t0_ = 0.0;
};

}  // namespace carom::motion
