// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/accelerated.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace carom::motion {

Quat rotation_by(const Vec3& angle) {
    const double square = angle.squaredNorm();
    // sin(x/2) / x and cos(x/2); the series is good to rounding below its bound
    constexpr double k_small = 1e-4;
    double cosine = 0.0;
    double factor = 0.0;
    if (square < k_small) {
        cosine = 1.0 - square / 8.0 * (1.0 - square / 48.0 * (1.0 - square / 120.0));
        factor = 0.5 - square / 48.0 * (1.0 - square / 80.0 * (1.0 - square / 168.0));
    } else {
        const double size = std::sqrt(square);
        cosine = std::cos(0.5 * size);
        factor = std::sin(0.5 * size) / size;
    }
    return {cosine, factor * angle.x(), factor * angle.y(), factor * angle.z()};
}

Accelerated::Accelerated(const State& state, const Vec3& a, const Vec3& alpha, double t0, double t1)
    : state_(state), a_(a), alpha_(alpha), t0_(t0), t1_(t1) {
    const bool finite = state.position.allFinite() && state.velocity.allFinite() &&
                        state.orientation.coeffs().allFinite() &&
                        state.angular_velocity.allFinite() && a.allFinite() && alpha.allFinite();
    if (!finite || !std::isfinite(t0) || !(t1 > t0)) {
        throw std::invalid_argument(
            "an accelerated motion needs a finite state, finite accelerations and an end after its "
            "start");
    }
    const double d = t1 - t0;
    const double most =
        std::max(state.angular_velocity.norm(), Vec3(state.angular_velocity + d * alpha).norm());
    const double rate = alpha.norm();
    const double beside = rate * most * most * d * d * d / 90.0;
    spin_max_ = most + beside * d;
    spin_rate_max_ = rate + 4.0 * beside;
}

Vec3 Accelerated::position_at(double t) const {
    const double d = t - t0_;
    return state_.position + d * (state_.velocity + 0.5 * d * a_);
}

Attitude Accelerated::attitude_at(double t) const {
    const double d = t - t0_;
    const Vec3& w = state_.angular_velocity;
    const Vec3 angle = d * (w + d * (0.5 * alpha_ + d / 12.0 * alpha_.cross(w)));
    return {(rotation_by(angle) * state_.orientation).normalized(), w + d * alpha_};
}

State Accelerated::at(double t) const {
    const Attitude turned = attitude_at(t);
    return {position_at(t), turned.orientation, velocity_at(t), turned.angular_velocity};
}

}  // namespace carom::motion
