// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/micro/face_turn.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/detect/witness.h"

namespace carom::world {

double depth_inside(const std::vector<Vec3>& corners, const Vec3& n, const Vec3& x) {
    Vec3 middle = Vec3::Zero();
    for (const Vec3& c : corners)
        middle += c / static_cast<double>(corners.size());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3& p = corners[i];
        const Vec3 side = corners[(i + 1) % corners.size()] - p;
        const double length = side.norm();
        if (!(length > 0.0)) continue;
        Vec3 inward = n.cross(side) / length;
        if (inward.dot(middle - p) < 0.0) inward = -inward;
        least = std::min(least, inward.dot(x - p));
    }
    return least;
}

std::optional<FaceTurn> turn_on_face(const Touch& touch, const ContactLaw& law, const Vec3& gravity,
                                     double hop_speed, double debt) {
    constexpr double k_level = 1e-3;  // tilt of a body in the middle of a micro-bounce
    constexpr double k_couple = 0.5;
    const Body& body = *touch.a.body;
    const motion::State& state = touch.a.state;
    const Vec3& n = touch.normal;
    const double mu = law.parameters.mu.value_or(0.0);
    const double e = restitution_of(law);

    const double approach = -n.dot(state.velocity);
    const Vec3 v_t = state.velocity + approach * n;
    const double parting = parting_speed(e * approach, body.inverse_mass, hop_speed, debt);
    const double p_n = body.mass * (parting + approach);
    const double pressing = -gravity.dot(n);
    if (!(pressing > 0.0)) return std::nullopt;
    const Vec3 half_hop = parting / pressing * (gravity + pressing * n);
    const Vec3 p_t = -body.mass * (v_t + half_hop);
    if (!(p_n > 0.0 && p_t.norm() <= mu * p_n)) return std::nullopt;

    const std::vector<Vec3> area = detect::contact_patch(
        touch.a.part->convex(), touch.a.part->pose(state), touch.b.part->convex(),
        touch.b.part->pose(touch.b.state), n, k_level);
    if (area.size() < 3) return std::nullopt;

    // (x - c) x p + couple n = I dw, with x - c = -height n + across
    const Mat3 R = state.orientation.toRotationMatrix();
    const Vec3 w = -e * state.angular_velocity;
    const Vec3 moment =
        R * (body.inertia->tensor() * (R.transpose() * (w - state.angular_velocity)));
    const double height = n.dot(state.position - area[0]);
    const Vec3 across = n.cross(Vec3(moment + height * n.cross(p_t))) / p_n;
    const Vec3 point = state.position - height * n + across;
    const double inside = depth_inside(area, n, point);
    const double couple = n.dot(moment - across.cross(p_t));
    if (!(inside > 0.0 && std::abs(couple) <= k_couple * mu * p_n * inside)) return std::nullopt;

    FaceTurn out{point, p_t + p_n * n, state.velocity + (p_t + p_n * n) * body.inverse_mass, w,
                 0.0};
    const auto kinetic = [&](const Vec3& v, const Vec3& spin) {
        const Vec3 own = R.transpose() * spin;
        return 0.5 * body.mass * v.squaredNorm() + 0.5 * own.dot(body.inertia->tensor() * own);
    };
    out.energy_lost = kinetic(state.velocity, state.angular_velocity) - kinetic(out.v, out.w);
    return out;
}

}  // namespace carom::world
