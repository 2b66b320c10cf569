// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/state.h"

namespace carom::motion {

// A body under a constant force and a constant angular acceleration: one step of a lasting contact.
// With d = t - t0,
//     c = c0 + v0 d + a d^2 / 2,    v = v0 + a d,    w = w0 + alpha d,
//     q = exp(w0 d + alpha d^2 / 2 + alpha x w0 d^3 / 12) q0.
// The orientation is the fourth-order Magnus expansion of that angular velocity; where w0 and alpha
// are parallel it is exact. Its own angular velocity differs from w by less than
// |alpha| |w|^2 d^4 / 90, which bounds.h adds to the spin.
// Good from t0 to t1; evaluated outside of it the same formulas go on.
class Accelerated {
public:
    Accelerated() = default;
    // Throws std::invalid_argument unless all is finite and t1 > t0.
    Accelerated(const State& state, const Vec3& a, const Vec3& alpha, double t0, double t1);

    State at(double t) const;
    Vec3 position_at(double t) const;
    Vec3 velocity_at(double t) const { return state_.velocity + (t - t0_) * a_; }
    Attitude attitude_at(double t) const;

    const Vec3& acceleration() const { return a_; }
    const Vec3& angular_acceleration() const { return alpha_; }
    double start_time() const { return t0_; }
    double end_time() const { return t1_; }
    // The largest angular velocity from t0 to t1, and how fast it changes.
    double spin_max() const { return spin_max_; }
    double spin_rate_max() const { return spin_rate_max_; }

private:
    State state_;
    Vec3 a_ = Vec3::Zero(), alpha_ = Vec3::Zero();
    double t0_ = 0.0, t1_ = 0.0;
    double spin_max_ = 0.0, spin_rate_max_ = 0.0;
};

// The rotation by a vector: its length in rad, its direction the axis.
Quat rotation_by(const Vec3& angle);

}  // namespace carom::motion
