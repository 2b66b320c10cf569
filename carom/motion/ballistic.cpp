// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/ballistic.h"

#include <stdexcept>
#include <utility>

namespace carom::motion {

Ballistic::Ballistic(const State& state, FreeRotation rotation, const Vec3& gravity, double t0)
    : position_(state.position),
      velocity_(state.velocity),
      gravity_(gravity),
      t0_(t0),
      rotation_(std::move(rotation)) {
    if (!position_.allFinite()) {
        throw std::invalid_argument("the position has a component that is not finite");
    }
    if (!velocity_.allFinite()) {
        throw std::invalid_argument("the velocity has a component that is not finite");
    }
    if (!gravity_.allFinite()) {
        throw std::invalid_argument("the gravity has a component that is not finite");
    }
}

Ballistic::Ballistic(const Vec3& position, const Vec3& velocity, const Vec3& gravity, double t0)
    : Ballistic(State{position, Quat::Identity(), velocity, Vec3::Zero()},
                FreeRotation::steady(Quat::Identity(), Vec3::Zero(), t0), gravity, t0) {}

Ballistic::Ballistic(const State& state, const PrincipalInertia& inertia, const Vec3& gravity,
                     double t0)
    : Ballistic(state, FreeRotation(inertia, state.orientation, state.angular_velocity, t0),
                gravity, t0) {}

Ballistic Ballistic::sphere(const State& state, const Vec3& gravity, double t0) {
    return {state, FreeRotation::steady(state.orientation, state.angular_velocity, t0), gravity,
            t0};
}

Vec3 Ballistic::position_at(double t) const {
    const double tau = t - t0_;
    return position_ + tau * (velocity_ + (0.5 * tau) * gravity_);
}

State Ballistic::at(double t) const {
    const Attitude attitude = rotation_.at(t);
    return {position_at(t), attitude.orientation, velocity_at(t), attitude.angular_velocity};
}

}  // namespace carom::motion
