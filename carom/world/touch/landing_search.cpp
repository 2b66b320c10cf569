// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/landing_search.h"

#include <algorithm>
#include <limits>

#include "carom/world/island/island_tolerances.h"
#include "carom/world/touch/landing.h"
#include "carom/world/touch/touch_tolerances.h"
#include "carom/world/touch/touching.h"

namespace carom::world {
namespace {

// The part of a step below which k_before_touch gives way to more: the nearer the touch, the better
// it is known.
constexpr double k_small = 0.02;
// The part of a step ahead of the touch of a corner within which nothing else comes down first that
// has not been seen.
constexpr double k_sure = 0.1;

}  // namespace

Descent look_at_descent(const Graph& graph, const ContactPair& pair, double t,
                        std::vector<ManifoldPoint>& scratch) {
    const double t1 = pair.contact.t1;
    const double step = t1 - pair.contact.t0;
    const double down = k_touch_tolerances.landing_gap * pair.size;
    const BodyTrack& a = graph.track(pair.a);
    const BodyTrack& b = graph.track(pair.b);
    const PairStates now =
        find_manifold(graph, pair, t, k_touch_tolerances.manifold_reach * pair.size, scratch);
    const PairStates end{a.at(t1), b.at(t1)};
    const double slow = k_island_tolerances.slow_landing * pair.restitution_threshold();
    const std::vector<PointForce>& forces = pair.contact.forces;
    Descent found{0.0, std::numeric_limits<double>::infinity()};
    for (const ManifoldPoint& p : scratch) {
        const auto closing = [&](const PairStates& with) {
            const Vec3 u = velocity_at(with.a, with.a.position + (p.on_a - now.a.position)) -
                           velocity_at(with.b, with.b.position + (p.on_b - now.b.position));
            return -u.dot(p.normal);
        };
        const double approach = closing(now);
        const double later = closing(end);
        if (!(std::max(approach, later) > slow)) continue;
        const auto carries = [&](const PointForce& f) {
            return f.id == p.id && !f.force.isZero(0.0);
        };
        if (std::any_of(forces.begin(), forces.end(), carries)) continue;
        if (p.gap <= down) {
            found.fastest = std::max(found.fastest, approach);
            continue;
        }
        const double time = time_to_close(p.gap, approach, (later - approach) / (t1 - t));
        if (!(k_before_touch * time < found.wait)) continue;
        const Landing landing(p, now.a, now.b);
        if (landing.exact()) {
            const double wait = landing.find(a.motion, b.motion, t, t + time, t1, 0.5 * down) - t;
            found.wait = std::min(found.wait, wait < k_sure * step ? wait : k_before_touch * wait);
        } else {
            const double small = std::min(1.0, time / (k_small * step));
            found.wait = std::min(found.wait, (1.0 - (1.0 - k_before_touch) * small) * time);
        }
    }
    return found;
}

}  // namespace carom::world
