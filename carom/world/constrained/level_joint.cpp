// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/level_joint.h"

#include <algorithm>
#include <optional>

#include "carom/world/touch/level_face.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

// Whether a point of the system holds the body against a fixed one along this normal, from the
// other to it.
bool is_held_along(const ConstrainedSystem& system, const Body* body, const Vec3& normal) {
    constexpr double k_level = 1e-6;  // rad; larger: joints of faces that differ by that are passed
    return std::any_of(
        system.points.begin(), system.points.end(), [&](const ConstrainedPoint& point) {
            const Body* const a = system.bodies[point.a].body;
            const Body* const b = system.bodies[point.b].body;
            if (a != body && b != body) return false;
            if (a->fixed == b->fixed) return false;
            return ((a == body ? point.at.n : Vec3(-point.at.n)) - normal).norm() <= k_level;
        });
}

// Whether the free body of a pair with a fixed one touches another fixed part than this one: a
// joint has two faces.
bool touches_another_part(const Graph& graph, const ContactPair& pair) {
    const bool first = graph.track(pair.a).body->fixed;
    const BodyId fixed = first ? pair.a : pair.b;
    const BodyId free = first ? pair.b : pair.a;
    if (graph.track(fixed).moving.parts().size() > 1) return true;
    const std::vector<std::uint32_t>& pairs = graph.track(free).pairs;
    return std::any_of(pairs.begin(), pairs.end(), [&](std::uint32_t k) {
        const ContactPair& other = graph.pair(k);
        const BodyId id = other.other(free);
        return id != fixed && other.contact.active && graph.track(id).body->fixed;
    });
}

}  // namespace

bool is_at_level_joint(const Graph& graph, const ConstrainedSystem& system, const ContactPair& pair,
                       const JointPoint& point, double slow) {
    const BodyTrack& a = graph.track(pair.a);
    const BodyTrack& b = graph.track(pair.b);
    if (a.body->fixed == b.body->fixed || !touches_another_part(graph, pair)) return false;
    const auto parts = static_cast<std::size_t>(point.id >> 32U);
    const std::size_t count_b = b.moving.parts().size();
    const Touch touch{{a.body, &a.moving.parts()[parts / count_b], point.a},
                      {b.body, &b.moving.parts()[parts % count_b], point.b},
                      point.normal};
    const std::optional<LevelFace> face =
        find_level_face(touch, k_touch_tolerances.placed * pair.size);
    if (!face || face->approach_speed > slow) return false;
    const Body* const free = a.body->fixed ? b.body : a.body;
    const Vec3 up = a.body->fixed ? Vec3(-face->normal) : face->normal;
    return is_held_along(system, free, up) || lies_on_level_face(graph, pair, face->normal);
}

}  // namespace carom::world
