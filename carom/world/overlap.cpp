// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>

#include "carom/detect/separation.h"
#include "carom/detect/swept_hash.h"
#include "carom/shape/bounds.h"
#include "carom/world/touch/touch_tolerances.h"
#include "carom/world/world.h"

namespace carom::world {
namespace {

// The deepest overlap of any two parts; negative when there is none.
double depth_of(const Body& a, const Body& b) {
    const shape::Pose pose_a = frame_pose(a, a.first);
    const shape::Pose pose_b = frame_pose(b, b.first);
    double deepest = -1.0;
    for (const shape::Part& x : a.shape->parts) {
        for (const shape::Part& y : b.shape->parts) {
            detect::PairMemory memory;
            const detect::Separation s =
                detect::separation(x.convex, shape::compose(pose_a, x.pose), y.convex,
                                   shape::compose(pose_b, y.pose), memory);
            deepest = std::max(deepest, -s.distance);
        }
    }
    return deepest;
}

}  // namespace

std::vector<Overlap> find_overlaps(std::span<const Body> bodies) {
    std::vector<detect::SweptHash::Entry> entries;
    std::vector<BodyId> unbounded;
    for (BodyId i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (body.unbounded) {
            unbounded.push_back(i);
        } else {
            entries.push_back({i, shape::bounding_box(*body.shape, frame_pose(body, body.first))});
        }
    }
    detect::SweptHash hash;
    hash.rebuild(entries);
    std::vector<detect::SweptHash::Pair> pairs;
    hash.pairs(pairs);
    for (const BodyId plane : unbounded)
        for (BodyId i = 0; i < bodies.size(); ++i)
            if (i != plane) pairs.emplace_back(std::min(i, plane), std::max(i, plane));
    std::vector<Overlap> found;
    for (const auto& [a, b] : pairs) {
        if (bodies[a].fixed && bodies[b].fixed) continue;
        const double depth = depth_of(bodies[a], bodies[b]);
        const double size = std::min(bodies[a].radius, bodies[b].radius);
        if (depth > k_touch_tolerances.placed * size) found.push_back({a, b, depth});
    }
    std::sort(found.begin(), found.end(), [](const Overlap& x, const Overlap& y) {
        if (x.depth != y.depth) return x.depth > y.depth;
        return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    return found;
}

}  // namespace carom::world
