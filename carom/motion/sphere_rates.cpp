// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/motion/sphere_course.h"

namespace carom::motion {
namespace {

constexpr double k_slack = 16.0 * std::numeric_limits<double>::epsilon();

// In the plane: the acceleration, how far it can be from there, |b| and |b'|.
struct PlanarBounds {
    Vec2 a;
    double a_spread;
    double b_max;
    double b_rate_max;
};

PlanarBounds bounds_of(const LineWay& way, const ContactFrame& /*frame*/, double tau,
                       double horizon) {
    // |b| is convex
    const double b_max = std::max(way.at(tau).b.norm(), way.at(tau + horizon).b.norm());
    return {way.a, 0.0, b_max, way.b_rate.norm()};
}

PlanarBounds bounds_of(const CircleWay& way, const ContactFrame& /*frame*/, double tau,
                       double horizon) {
    const Planar now = way.at(tau);
    const Vec2 a = way.rate * quarter_turn(now.v) + way.pull;
    const double size = a.norm();
    const double speed = now.v.norm() + (way.pull.isZero(0.0) ? 0.0 : size * horizon);
    // b' = W J v - v'; at rest on the plane both are the same
    const double b_rate = way.rate == way.turn_rate ? 0.0 : std::abs(way.turn_rate) * speed + size;
    return {a, size * (std::min(2.0, std::abs(way.rate) * horizon / 3.0) + k_slack),
            now.b.norm() + b_rate * horizon, b_rate};
}

// The direction of u turns one way, by less than half a turn; |u| is convex.
PlanarBounds bounds_of(const SlopeWay& way, const ContactFrame& frame, double tau, double horizon) {
    const Vec2 first = way.direction(tau);
    const double chord = (way.direction(tau + horizon) - first).norm() + k_slack;
    const Vec2 a = way.rates(tau).a;
    if (way.slides) {
        const double b_rate = frame.kappa * frame.mu_g;
        return {a, frame.mu_g * chord, way.at(tau).b.norm() + b_rate * horizon, b_rate};
    }
    const double b_max = std::max(way.at(tau).b.norm(), way.at(tau + horizon).b.norm());
    return {a, way.u.friction() * chord, b_max, way.u.pull() + way.u.friction()};
}

PlanarBounds bounds_of(const SeriesWay& way, const ContactFrame& frame, double tau,
                       double horizon) {
    const Vec2 g = frame.slope_vector();
    if (way.slides) {
        const double b_rate = frame.kappa * frame.mu_g;
        return {g, frame.mu_g * (1.0 + k_slack), way.at(tau).b.norm() + b_rate * horizon, b_rate};
    }
    // v' = (k g + W J v - brake) / (1 + k)
    const double share = 1.0 / (1.0 + frame.kappa);
    const double turned = std::abs(frame.turn_rate) * way.u.speed_max();
    const double b_rate = frame.kappa * share * (frame.slope + turned) + share * frame.roll_brake;
    return {frame.kappa * share * g, share * (turned + frame.roll_brake) * (1.0 + k_slack),
            way.u.y_max(), b_rate};
}

}  // namespace

SphereOnPlane::Rates SphereOnPlane::rates(double t, double horizon) const {
    const SphereCourse& c = *course_;
    const double longest = std::min(c.plane.length, c.spin_end);
    const double tau = std::clamp(t - c.t0, 0.0, longest);
    const double d = std::min(horizon, longest - tau);
    const PlanarBounds plane =
        std::visit([&](const auto& way) { return bounds_of(way, c.frame, tau, d); }, c.plane.way);
    const double spin = std::max(std::abs(c.spin.first + tau * c.spin.rate),
                                 std::abs(c.spin.first + (tau + d) * c.spin.rate));
    const double grow = 1.0 + k_slack;
    return {c.frame.to_world(plane.a),
            plane.a_spread > 0.0 ? plane.a_spread + k_slack * plane.a.norm() : 0.0,
            std::hypot(plane.b_max / c.frame.radius, spin) * grow,
            std::hypot(plane.b_rate_max / c.frame.radius, c.spin.rate) * grow};
}

}  // namespace carom::motion
