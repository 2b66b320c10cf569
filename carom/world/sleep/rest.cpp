// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/sleep/rest.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/detect/witness.h"
#include "carom/world/micro/face_turn.h"

namespace carom::world {
namespace {

// Kinetic energy along the surface, and off it, over the mass.
struct Moving {
    double along, off;
};
Moving moving(const Body& body, const motion::State& state, const Vec3& n) {
    const Vec3 v_n = n.dot(state.velocity) * n;
    const Vec3 w_n = n.dot(state.angular_velocity) * n;
    const auto turning = [&](const Vec3& w) {
        const Vec3 w_body = state.orientation.conjugate() * w;
        return 0.5 * w_body.dot(body.inertia->tensor() * w_body) * body.inverse_mass;
    };
    return {0.5 * (state.velocity - v_n).squaredNorm() + turning(w_n),
            0.5 * v_n.squaredNorm() + turning(state.angular_velocity - w_n)};
}

}  // namespace

void QuietSince::begin(double now, const motion::State& state) {
    t = now;
    position = state.position;
    orientation = state.orientation;
}

void QuietSince::note(double now, const motion::State& state, double radius, const Vec3& gravity,
                      double drift) {
    if (!std::isfinite(t)) {
        begin(now, state);
        return;
    }
    const Vec3 down = gravity.normalized();
    const Vec3 turned = 2.0 * (state.orientation * orientation.conjugate()).vec();
    const double yaw = turned.dot(down);
    const double moved = (state.position - position).norm() + radius * (turned - yaw * down).norm();
    if (moved > drift * radius || std::abs(yaw) > k_yaw) begin(now, state);
}

bool QuietSince::long_enough(double now, double radius, double gravity, double quiet) const {
    return now - t >= quiet * std::sqrt(radius / gravity);
}

bool held_alone(const Touch& touch, double mu, const Vec3& gravity, double hop_speed) {
    // tilt of a body in the middle of a micro-bounce, and on its rim
    constexpr double k_level = 3e-4;
    constexpr double k_whirl = 20.0;
    constexpr double k_hops = 12.0;
    constexpr double k_cone = 1e-9;
    constexpr double k_tips = 0.1;
    const Body& body = *touch.a.body;
    const motion::State& state = touch.a.state;
    const double pressing = -gravity.dot(touch.normal);
    const double sliding = (gravity + pressing * touch.normal).norm();
    if (!(pressing > 0.0 && sliding <= (mu + k_cone) * pressing)) return false;
    const Moving energy = moving(body, state, touch.normal);
    const double way = k_way * body.radius;
    const double hops = hop_speed * hop_speed;
    if (energy.along > std::max(0.0, mu * pressing - sliding) * way) return false;
    if (energy.off > std::max(pressing * way, k_hops * hops)) return false;
    const double level = std::max(k_level, k_whirl * hops / (pressing * body.radius));
    const std::vector<Vec3> patch = detect::contact_patch(
        touch.a.part->convex(), touch.a.part->pose(touch.a.state), touch.b.part->convex(),
        touch.b.part->pose(touch.b.state), touch.normal, level);
    if (patch.size() < 3) return false;
    const double height = touch.normal.dot(state.position - patch[0]);
    const Vec3 foot = state.position + height / pressing * gravity;
    const double inside = depth_inside(patch, touch.normal, foot);
    const double rise = std::hypot(height, inside) - height;
    return inside > 0.0 && energy.along + energy.off <= k_tips * pressing * rise;
}

}  // namespace carom::world
