// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// When a vertex of a polyhedron comes down onto the flat face that carries it.

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/constrained/level_joint.h"
#include "carom/world/constrained/step_landing.h"

namespace carom::world {

StepLanding::Vertex StepLanding::kind_of(const ConstrainedContact& contact,
                                         const HullOverFace& hull, shape::Index vertex) const {
    for (const ConstrainedPoint& p : points_of(contact))
        if (hull.is_vertex(p.track.id, vertex))
            return p.mode == PointMode::open ? Vertex::open : Vertex::carries;
    return Vertex::other;
}

// When a vertex came down that is down at the end of a part of the step, by Newton's method within
// a bracket; infinity where it is not down. As time_of_gap() has it.
double StepLanding::time_of_vertex(const ConstrainedContact& contact, const HullOverFace& hull,
                                   shape::Index vertex, double from, double to) const {
    const auto height = [&](double s) {
        return hull.height_at(vertex, state_at(contact.a, s), state_at(contact.b, s));
    };
    const HullOverFace::Height first = height(from), last = height(to);
    const double base = std::min(0.0, first.value);
    if (last.value > base - k_constrained_tolerances.landed * graph_.pair(contact.pair).size)
        return k_forever;
    double low = from, high = to;
    if (!(first.value > 0.0)) {
        const double up = time_up([&](double s) { return height(s).value - base; }, from, to);
        if (!(up > 0.0)) return from;
        low = from + up;
        high = std::min(to, from + 2.0 * up);
    }
    const double rounding = rounding_of(contact);
    const auto is_narrow = [&] {
        const double middle = 0.5 * (low + high);
        return !(t_ + middle > t_ + low) || !(t_ + middle < t_ + high);
    };
    const auto inside = [&](double s) { return s > low && s < high ? s : 0.5 * (low + high); };
    double s = inside(to - (last.value - base) / last.rate);
    for (int i = 0; i < k_bisections && !is_narrow(); ++i) {
        const HullOverFace::Height now = height(s);
        const double left = now.value - base;
        (left > 0.0 ? low : high) = s;
        if (left <= 0.0 && left >= -rounding) break;
        // to the other side of zero where it is all but there
        const double aim = std::abs(left) <= rounding ? -0.5 * rounding : 0.0;
        s = inside(s - (left - aim) / now.rate);
    }
    return high;
}

// The first time at which a vertex is below the face between two at which it is not, where it may
// be so.
double StepLanding::dip(const ConstrainedContact& contact, const HullOverFace& hull, const Way& way,
                        int depth) const {
    if (stays_open(way.g0, way.g1, way.s1 - way.s0) || depth == k_depth) return k_forever;
    const double s = 0.5 * (way.s0 + way.s1);
    const double g =
        hull.height(hull.at(state_at(contact.a, s), state_at(contact.b, s)), way.vertex);
    // within a step the motions are less exact than at its end
    if (g < -k_constrained_tolerances.touching * graph_.pair(contact.pair).size)
        return time_of_vertex(contact, hull, way.vertex, way.s0, s);
    const double first = dip(contact, hull, {way.vertex, way.s0, way.g0, s, g}, depth + 1);
    if (first < k_forever) return first;
    return dip(contact, hull, {way.vertex, s, g, way.s1, way.g1}, depth + 1);
}

// By the heights of vertices; k_not_known where they do not tell.
double StepLanding::first_of_hull(const ConstrainedContact& contact, HullOverFace& hull,
                                  double until) {
    const ContactPair& pair = graph_.pair(contact.pair);
    const HullOverFace::Instant start = hull.at(state_at(contact.a, 0.0), state_at(contact.b, 0.0));
    // what hangs over the border, and below the plane, can come against the sides of the other
    double least = -k_constrained_tolerances.touching * pair.size;
    for (const ConstrainedPoint& p : points_of(contact))
        least = std::min(least, p.gap);
    if (hull.is_held_level(points_of(contact), pair.size) && hull.lowest(start) >= 2.0 * least)
        return k_forever;
    const double deep = k_constrained_tolerances.landed * pair.size;
    const double slow = k_constrained_tolerances.approach * std::sqrt(system_.scale * pair.size);
    const auto beyond_border = [&](shape::Index v, double s) {
        const ContactState at =
            contact_state(hull.track_of(v), state_at(contact.a, s), state_at(contact.b, s));
        return at.inside < -k_constrained_tolerances.beyond * pair.size;
    };
    double first = k_forever;
    for (int i = 0; i < k_sooner; ++i) {
        const double to = std::min(until, first);
        const motion::State a = state_at(contact.a, to), b = state_at(contact.b, to);
        const HullOverFace::Instant end = hull.at(a, b);
        // what is higher at the end has not been down: see stays_open()
        hull.find_below(end, 0.5 * acceleration_ * to * to, found_);
        double found = k_forever;
        for (const shape::Index v : found_.list) {
            const Vertex kind = kind_of(contact, hull, v);
            if (kind == Vertex::carries) continue;
            const Way way{v, 0.0, hull.height(start, v), to, hull.height(end, v)};
            double down = k_forever;
            if (way.g1 < -deep) {
                const ContactTrack track = hull.track_of(v);
                const Vec3 n = contact_state(track, a, b).n;
                if (is_at_level_joint(graph_, system_, pair, {track.id, n, a, b}, slow)) continue;
                if (beyond_border(v, to)) return k_not_known;
                down = time_of_vertex(contact, hull, v, 0.0, std::min(to, found));
            } else if (kind == Vertex::other) {
                down = dip(contact, hull, way, 0);
            }
            if (!(down < found)) continue;
            if (beyond_border(v, down)) return k_not_known;
            found = down;
        }
        if (!(found < to)) break;
        first = found;
    }
    return first;
}

}  // namespace carom::world
