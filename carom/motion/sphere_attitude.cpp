// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/motion/sphere_course.h"

namespace carom::motion {
namespace {

// Of the sine of the angle between the angular velocity and its rate: below it the axis is
// constant. Ten times larger would let an orientation be off by ten ulp of the angle turned.
constexpr double k_same_axis = 4.0 * std::numeric_limits<double>::epsilon();

struct LinearSpin {
    Vec3 w, rate;  // frame's axes
};

// Where the angular velocity is linear in time.
std::optional<LinearSpin> linear_spin(const Way& way, const ContactFrame& frame,
                                      const NormalSpin& spin) {
    if (const auto* line = std::get_if<LineWay>(&way)) {
        return LinearSpin{frame.angular_velocity(line->b, spin.first),
                          frame.angular_velocity(line->b_rate, spin.rate)};
    }
    // at rest on a turning plane there is nothing but the spin
    const auto* circle = std::get_if<CircleWay>(&way);
    if (circle != nullptr && circle->rate == circle->turn_rate) {
        return LinearSpin{Vec3(0.0, 0.0, spin.first), Vec3(0.0, 0.0, spin.rate)};
    }
    return std::nullopt;
}

}  // namespace

SphereAttitude::SphereAttitude(const Way& way, const ContactFrame& frame, const NormalSpin& spin,
                               const Quat& first)
    : frame_(Quat(frame.axes).normalized()),
      first_((frame_.conjugate() * first.normalized()).normalized()) {
    const auto linear = linear_spin(way, frame, spin);
    if (!linear) {
        track_.emplace(first_);
        return;
    }
    if (linear->rate.isZero(0.0)) {
        steady_ = FreeRotation::steady(first_, linear->w, 0.0);
        return;
    }
    const double size = linear->w.norm() * linear->rate.norm();
    if (linear->w.cross(linear->rate).norm() > k_same_axis * size) {
        track_.emplace(first_);
        return;
    }
    axis_ = linear->rate.normalized();
    rate_ = axis_.dot(linear->w);
    rate2_ = axis_.dot(linear->rate);
}

Quat SphereAttitude::at(double tau, const Way& way, const ContactFrame& frame,
                        const NormalSpin& spin) const {
    if (steady_) return frame_ * steady_->at(tau).orientation;
    if (!track_) {
        using Real = long double;
        const Real t = static_cast<Real>(tau);
        const Real half = t * (static_cast<Real>(rate_) + t * static_cast<Real>(rate2_) / 2) / 2;
        const Real turns = half / (2 * std::numbers::pi_v<Real>);
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(turns - std::rint(turns));
        const Vec3 part = std::sin(angle) * axis_;
        return frame_ * (Quat(std::cos(angle), part.x(), part.y(), part.z()) * first_);
    }
    const double s = std::visit([&](const auto& w) { return w.variable_at(tau); }, way);
    const auto source = [&](double from, AttitudeTrack::Series& out) {
        std::visit([&](const auto& w) { w.series(from, frame, spin, out); }, way);
    };
    return frame_ * track_->at(s, source);
}

}  // namespace carom::motion
