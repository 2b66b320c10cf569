// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/contact_point.h"

#include <algorithm>
#include <vector>

#include "carom/detect/witness.h"

namespace carom::world {
namespace {

impact::BodyState side_state(const Side& side, const Vec3& point) {
    const motion::State& s = side.state;
    impact::BodyState out;
    out.r = point - s.position;
    out.v = s.velocity;
    out.w = s.angular_velocity;
    if (side.body->fixed) return out;
    out.inverse_mass = side.body->inverse_mass;
    out.inverse_inertia = inverse_inertia_in_world(*side.body, s.orientation);
    return out;
}

}  // namespace

Vec3 velocity_at(const motion::State& state, const Vec3& point) {
    return state.velocity + state.angular_velocity.cross(Vec3(point - state.position));
}

ContactPoint find_contact_point(const Touch& touch) {
    // approach speeds that differ by less than this part of the fastest count as equal
    constexpr double k_equal = 1e-6;
    const std::vector<Vec3> patch = detect::contact_patch(
        touch.a.part->convex(), touch.a.part->pose(touch.a.state), touch.b.part->convex(),
        touch.b.part->pose(touch.b.state), touch.normal);
    const auto approach = [&](const Vec3& x) {
        return touch.normal.dot(velocity_at(touch.b.state, x) - velocity_at(touch.a.state, x));
    };
    double fastest = approach(patch[0]);
    for (const Vec3& x : patch)
        fastest = std::max(fastest, approach(x));
    if (patch.size() == 1) return {patch[0], fastest};
    const double enough = fastest - k_equal * std::abs(fastest);
    std::vector<Vec3> first;
    for (const Vec3& x : patch)
        if (approach(x) >= enough) first.push_back(x);
    const Vec3 middle = detect::middle_of_patch(first);
    return {middle, approach(middle)};
}

impact::BodyPair make_pair(const Touch& touch, const Vec3& point) {
    return {touch.normal, side_state(touch.a, point), side_state(touch.b, point)};
}

}  // namespace carom::world
