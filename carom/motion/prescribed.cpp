// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/prescribed.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace carom::motion {
namespace {

void check(const Vec3& v, const char* message) {
    if (!v.allFinite()) throw std::invalid_argument(message);
}

}  // namespace

Prescribed Prescribed::still(const Vec3& position, const Quat& orientation) {
    return turning(position, orientation, position, Vec3::Zero(), Vec3::Zero(), 0.0);
}

Prescribed Prescribed::gliding(const Vec3& position, const Quat& orientation, const Vec3& velocity,
                               double t0) {
    return turning(position, orientation, position, velocity, Vec3::Zero(), t0);
}

Prescribed Prescribed::turning(const Vec3& position, const Quat& orientation,
                               const Vec3& axis_point, const Vec3& axis_velocity,
                               const Vec3& angular_velocity, double t0) {
    check(position, "the position has a component that is not finite");
    check(axis_point, "the point on the axis has a component that is not finite");
    check(axis_velocity, "the velocity of the axis has a component that is not finite");
    Prescribed out;
    out.rotation_ = FreeRotation::steady(orientation, angular_velocity, t0);
    out.t0_ = t0;
    out.axis_velocity_ = axis_velocity;
    out.angular_velocity_ = angular_velocity;
    out.spin_ = angular_velocity.stableNorm();
    out.base_ = position;
    const Vec3 arm = position - axis_point;
    if (out.spin_ > 0.0 && !arm.isZero(0.0)) {
        const Vec3 axis = angular_velocity / out.spin_;
        const Vec3 along = axis.dot(arm) * axis;
        out.base_ = axis_point + along;
        out.cosine_ = arm - along;
        out.sine_ = axis.cross(arm);
    }
    return out;
}

double Prescribed::angle_at(double t) const {
    using Real = long double;
    const Real turns = static_cast<Real>(spin_) * (static_cast<Real>(t) - static_cast<Real>(t0_)) /
                       (2 * std::numbers::pi_v<Real>);
    return 2.0 * std::numbers::pi * static_cast<double>(turns - std::rint(turns));
}

Vec3 Prescribed::position_at(double t) const {
    Vec3 position = base_ + (t - t0_) * axis_velocity_;
    if (spin_ > 0.0) {
        const double angle = angle_at(t);
        position += std::cos(angle) * cosine_ + std::sin(angle) * sine_;
    }
    return position;
}

State Prescribed::at(double t) const {
    const Attitude attitude = rotation_.at(t);
    State state{base_ + (t - t0_) * axis_velocity_, attitude.orientation, axis_velocity_,
                angular_velocity_};
    if (spin_ > 0.0) {
        const double angle = angle_at(t);
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        state.position += c * cosine_ + s * sine_;
        state.velocity += spin_ * (c * sine_ - s * cosine_);
    }
    return state;
}

}  // namespace carom::motion
