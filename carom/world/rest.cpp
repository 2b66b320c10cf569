// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/rest.h"

#include <cmath>
#include <vector>

#include "carom/detect/witness.h"

namespace carom::world {
namespace {

// Whether x lies inside a convex polygon, seen along n, by at least the margin.
bool inside(const std::vector<Vec3>& corners, const Vec3& n, const Vec3& x, double margin) {
    // the corners may run either way round
    double turn = 0.0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3& p = corners[i];
        const Vec3 side = corners[(i + 1) % corners.size()] - p;
        const double length = side.norm();
        if (!(length > 0.0)) continue;
        const double off = n.cross(side).dot(x - p) / length;
        if (!(std::abs(off) > margin)) return false;
        if (turn != 0.0 && (off > 0.0) != (turn > 0.0)) return false;
        turn = off;
    }
    return turn != 0.0;
}

}  // namespace

void QuietSince::begin(double now, const motion::State& state) {
    t = now;
    position = state.position;
    orientation = state.orientation;
}

void QuietSince::note(double now, const motion::State& state, double radius) {
    if (!std::isfinite(t)) {
        begin(now, state);
        return;
    }
    const double turned = 2.0 * (orientation.conjugate() * state.orientation).vec().norm();
    const double moved = (state.position - position).norm() + radius * turned;
    if (moved > k_drift * radius) begin(now, state);
}

bool QuietSince::long_enough(double now, double radius, double gravity) const {
    return now - t >= k_quiet * std::sqrt(radius / gravity);
}

bool held_alone(const Touch& touch, double mu, const Vec3& gravity, double micro_speed) {
    constexpr double k_still = 2.0;    // in speeds of micro-collisions
    constexpr double k_margin = 1e-3;  // in radii
    constexpr double k_level = 1e-3;   // tilt of a body in the middle of a hop
    constexpr double k_cone = 1e-9;
    const Body& body = *touch.a.body;
    const motion::State& state = touch.a.state;
    const double speed = state.velocity.norm() + body.radius * state.angular_velocity.norm();
    if (!(speed <= k_still * micro_speed)) return false;
    const double pressing = -gravity.dot(touch.normal);
    const double along = (gravity + pressing * touch.normal).norm();
    if (!(pressing > 0.0 && along <= mu * pressing + k_cone * pressing)) return false;
    const std::vector<Vec3> patch = detect::contact_patch(
        touch.a.part->convex(), touch.a.part->pose(touch.a.state), touch.b.part->convex(),
        touch.b.part->pose(touch.b.state), touch.normal, k_level);
    if (patch.size() < 3) return false;
    const double height = touch.normal.dot(state.position - patch[0]);
    const Vec3 foot = state.position + height / pressing * gravity;
    return inside(patch, touch.normal, foot, k_margin * body.radius);
}

}  // namespace carom::world
