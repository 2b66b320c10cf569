// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/touching.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/world/island/island_tolerances.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {

double closed_gap(const ContactPair& pair) {
    return pair.size *
           (pair.contact.loose ? k_touch_tolerances.closed_gap : k_touch_tolerances.exact_gap);
}

Touch touch_of(const Graph& graph, const ContactPair& pair, double t) {
    const BodyTrack& a = graph.track(pair.a);
    const BodyTrack& b = graph.track(pair.b);
    return {{a.body, &a.moving.parts()[pair.part_a], a.at(t)},
            {b.body, &b.moving.parts()[pair.part_b], b.at(t)},
            pair.normal};
}

PairStates find_manifold(const Graph& graph, const ContactPair& pair, double t, double within,
                         std::vector<ManifoldPoint>& out) {
    const BodyTrack& a = graph.track(pair.a);
    const BodyTrack& b = graph.track(pair.b);
    const PairStates states{a.at(t), b.at(t)};
    find_manifold(a.moving, states.a, b.moving, states.b, within, pair.memory, out);
    return states;
}

namespace {

// The time (s) within which points of two turning bodies that move along their normal with this
// speed at most do so by no more than `way` (m).
double time_to_cover(const PairStates& states, const ContactPair& pair, double acceleration,
                     double speed, double way) {
    const double spin =
        states.a.angular_velocity.squaredNorm() + states.b.angular_velocity.squaredNorm();
    const double most = acceleration + 2.0 * pair.size * spin;
    return 2.0 * way / (speed + std::sqrt(speed * speed + 2.0 * most * way));
}

}  // namespace

DeepestApproach find_approach_inside(const Graph& graph, const ContactPair& pair, double t,
                                     std::vector<ManifoldPoint>& scratch) {
    const PairStates states =
        find_manifold(graph, pair, t, k_touch_tolerances.manifold_reach * pair.size, scratch);
    const double acceleration = graph.acceleration_scale(std::array{pair.a, pair.b});
    DeepestApproach found{{Vec3::Zero(), 0.0},
                          pair.normal,
                          k_island_tolerances.first_step * std::sqrt(pair.size / acceleration)};
    for (const ManifoldPoint& p : scratch) {
        const Vec3 u = velocity_at(states.a, p.on_a) - velocity_at(states.b, p.on_b);
        const double approach = -u.dot(p.normal);
        if (!(approach > found.fastest.approach_speed)) continue;
        if (p.gap > k_touch_tolerances.landing_gap * pair.size) {
            found.soon = std::min(found.soon, k_before_touch * p.gap / approach);
            continue;
        }
        found.fastest = {p.middle(), approach};
        found.normal = p.normal;
    }
    // other places of a rim or a rounded surface, which the manifold does not have, come down too;
    // the deeper the bodies are in each other, the less
    double depth = 0.0;
    for (const ManifoldPoint& p : scratch)
        depth = std::max(depth, -p.gap);
    constexpr double k_least = 0.01;
    const double room = 1.0 - depth / (k_touch_tolerances.deepest * pair.size);
    const double deeper = k_touch_tolerances.deeper * pair.size * std::max(room, k_least);
    found.soon = std::min(found.soon, time_to_cover(states, pair, acceleration,
                                                    found.fastest.approach_speed, deeper));
    return found;
}

double time_to_leave(const Graph& graph, const ContactPair& pair, double t, double depth,
                     double speed) {
    const PairStates states{graph.track(pair.a).at(t), graph.track(pair.b).at(t)};
    const double acceleration = graph.acceleration_scale(std::array{pair.a, pair.b});
    return depth > 0.0 ? time_to_cover(states, pair, acceleration, speed, depth) : 0.0;
}

double time_to_part(const Touch& touch, double t, double speed) {
    const auto far = [](const Side& side) {
        const double reach = side.part->unbounded() ? 0.0 : side.body->radius;
        return side.state.position.cwiseAbs().maxCoeff() + reach;
    };
    const double gap = k_touch_tolerances.parted * (far(touch.a) + far(touch.b));
    const double least = 8.0 * (std::nextafter(t, k_forever) - t);
    return speed > 0.0 ? std::max(least, gap / speed) : least;
}

}  // namespace carom::world
