// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/step_landing.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/detect/core.h"
#include "carom/math/bracket.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/constrained/level_joint.h"
#include "carom/world/touch/overlap_depth.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

// The largest value of direction . x on a part.
double extent_along(const Vec3& direction, const detect::MovingPart& part,
                    const motion::State& state) {
    const shape::Pose pose = part.pose(state);
    if (const auto* half = std::get_if<shape::HalfSpace>(&part.convex())) {
        // it has no end along other directions
        constexpr double k_along = 1.0 - 4.0 * k_ulp;
        const bool along = direction.dot(pose.rotate(half->normal)) >= k_along;
        return along ? direction.dot(pose.position) : k_forever;
    }
    shape::Index hint = shape::k_no_index;
    const Vec3 x = detect::core_support(part.convex(), pose.rotate_inverse(direction), hint);
    return direction.dot(pose.apply(x)) + part.radius();
}

// How far two parts are apart along a direction, from b to a.
double apart_along(const Vec3& n, const detect::MovingPart& a, const motion::State& state_a,
                   const detect::MovingPart& b, const motion::State& state_b) {
    return -extent_along(-n, a, state_a) - extent_along(n, b, state_b);
}

}  // namespace

motion::State StepLanding::state_at(std::uint32_t i, double s) const {
    if (i < pieces_.size()) return pieces_[i].at(t_ + s);
    const ConstrainedBody& body = system_.bodies[i];
    return body.body->still ? body.state : body.body->prescribed->at(t_ + s);
}

// What is beyond the end of its face or edge does not touch there: the lowest point of a rim can be
// below the plane of a face, outside it, until the rim tips over and its lowest point is another.
double StepLanding::time_of(const ContactTrack& track, const ConstrainedContact& contact,
                            double from, double to) const {
    const double size = graph_.pair(contact.pair).size;
    const double beyond = -k_constrained_tolerances.beyond * size;
    // the gap, infinite beyond the end
    const auto gap = [&](double s) {
        const ContactState at =
            contact_state(track, state_at(contact.a, s), state_at(contact.b, s));
        return at.inside < beyond ? k_forever : at.gap;
    };
    return time_of_gap(std::cref(gap), contact, from, to);
}

// When a gap that is used up at the end of a part of the step came to be so; infinity where it is
// not.
double StepLanding::time_of_gap(const Gap& gap, const ConstrainedContact& contact, double from,
                                double to) const {
    const double size = graph_.pair(contact.pair).size;
    const double first = gap(from);
    const double base = std::min(0.0, first);
    if (gap(to) > base - k_constrained_tolerances.landed * size) return k_forever;
    double low = from, high = to;
    if (!(first > 0.0)) {
        const double up = time_up([&](double s) { return gap(s) - base; }, from, to);
        if (!(up > 0.0)) return from;
        low = from + up;
        high = std::min(to, from + 2.0 * up);
    }
    const auto left = [&](double s) { return gap(s) - base; };
    return first_down(std::cref(left), rounding_of(contact), low, high);
}

// What parts and comes back: a time after `from` at which it is up, 0 for none; it is not up at
// twice that time.
double StepLanding::time_up(const Gap& gap, double from, double to) const {
    double up = 0.5 * (to - from);
    for (int i = 0; i < k_bisections; ++i) {
        if (gap(from + up) > 0.0) return up;
        up *= 0.5;
    }
    return 0.0;
}

// The first time between one at which a gap is open and one at which it is not: to the rounding of
// times or, where that is more, of the gap itself.
double StepLanding::first_down(const Gap& gap, double rounding, double low, double high) const {
    double above = k_forever, below = -k_forever;  // the values next to zero
    const auto noted = [&](double s) {
        const double value = gap(s);
        (value > 0.0 ? above : below) =
            value > 0.0 ? std::min(above, value) : std::max(below, value);
        return value;
    };
    const double at_low = noted(low), at_high = noted(high);
    return math::first_not_positive(noted, low, high, at_low, at_high, [&](double from, double to) {
        const double middle = 0.5 * (from + to);
        return above - below <= rounding || !(t_ + middle > t_ + from) || !(t_ + middle < t_ + to);
    });
}

// That of the places (m) of the bodies of a contact.
double StepLanding::rounding_of(const ConstrainedContact& contact) const {
    return k_ulp *
           (graph_.pair(contact.pair).size + system_.bodies[contact.a].state.position.norm() +
            system_.bodies[contact.b].state.position.norm());
}

// Whether a point of a contact is one of those that are followed: by its name, or as the same place
// by another (the lowest point of a rim, say). open: also those that carry nothing.
bool StepLanding::is_followed(const ConstrainedContact& contact, const ManifoldPoint& point,
                              const ContactTrack* track, const motion::State& a,
                              const motion::State& b, bool open) const {
    const double size = graph_.pair(contact.pair).size;
    for (std::size_t k = contact.first; k < contact.first + contact.count; ++k) {
        const ConstrainedPoint& q = system_.points[k];
        if (!open && q.mode == PointMode::open) continue;
        if (q.track.id == point.id) return true;
        if (track == nullptr) continue;
        if (is_same(q.track, *track, size)) return true;
        if (is_same_place(contact_state(q.track, a, b), contact_state(*track, a, b), size))
            return true;
    }
    return false;
}

// The points of a contact that are not followed, s after the start; those that are then inside came
// down after `from`. deep: how far inside, in L; within a step the quintics are less exact than at
// its end.
StepLanding::Look StepLanding::look_at(const ConstrainedContact& contact, double from, double s,
                                       double deep) {
    const ContactPair& pair = graph_.pair(contact.pair);
    const detect::MovingBody& a = graph_.track(pair.a).moving;
    const detect::MovingBody& b = graph_.track(pair.b).moving;
    const motion::State state_a = state_at(contact.a, s);
    const motion::State state_b = state_at(contact.b, s);
    const double slow = k_constrained_tolerances.approach * std::sqrt(system_.scale * pair.size);
    // what cannot be followed is seen to at the end of the step, unless it is deep
    const double unknown =
        deep > k_constrained_tolerances.landed ? k_constrained_tolerances.overlap : deep;
    Look look{s, k_touch_tolerances.manifold_reach * pair.size, k_forever};
    find_manifold(a, state_a, b, state_b, look.gap, pair.memory, manifold_);
    for (const ManifoldPoint& p : manifold_) {
        const bool inside = p.gap < -deep * pair.size;
        if (!inside && !(p.gap < look.gap)) continue;
        // points that carry nothing and are followed are known to be up
        if (is_followed(contact, p, nullptr, state_a, state_b, !inside)) continue;
        const std::optional<ContactTrack> track = track_contact(p, a, state_a, b, state_b);
        if (track && is_followed(contact, p, &*track, state_a, state_b, !inside)) continue;
        if (!inside) {
            look.gap = p.gap;
        } else if (is_at_level_joint(graph_, system_, pair, {p.id, p.normal, state_a, state_b},
                                     slow)) {
            continue;
        } else if (!track) {
            if (p.gap < -unknown * pair.size) look.landed = from;
        } else {
            look.landed =
                std::min(look.landed, time_of(*track, contact, from, std::min(s, look.landed)));
        }
    }
    return look;
}

// The first landing between two looks; where it is not sure that there is none the middle is looked
// at too.
double StepLanding::between(const ConstrainedContact& contact, const Look& from, const Look& to,
                            int depth) {
    const double d = to.s - from.s;
    if (stays_open(from.gap, to.gap, d) || depth == k_depth) return to.landed;
    const Look middle =
        look_at(contact, from.s, 0.5 * (from.s + to.s), k_constrained_tolerances.touching);
    const double first = between(contact, from, middle, depth + 1);
    return first < k_forever ? first : between(contact, middle, to, depth + 1);
}

double StepLanding::acceleration_of(const ConstrainedContact& contact) const {
    double spin = 0.0, spin_rate = 0.0;
    for (const std::uint32_t i : {contact.a, contact.b}) {
        if (i < pieces_.size()) {
            spin += pieces_[i].spin_max();
            spin_rate += pieces_[i].spin_rate_max();
        } else {
            spin += system_.bodies[i].state.angular_velocity.norm();
        }
    }
    return 2.0 * graph_.pair(contact.pair).size * (spin_rate + spin * spin);
}

// Whether a gap with these values at both ends of a time d is open all the time.
bool StepLanding::stays_open(double g0, double g1, double d) const {
    return g0 >= 0.0 && g1 >= 0.0 &&
           std::sqrt(g0) + std::sqrt(g1) >= d * std::sqrt(0.5 * acceleration_);
}

double StepLanding::first(const std::vector<ConstrainedContact>& contacts, double t, double h) {
    t_ = t;
    double first = k_forever;
    for (const ConstrainedContact& contact : contacts) {
        const ContactPair& pair = graph_.pair(contact.pair);
        acceleration_ = acceleration_of(contact);
        const double until = std::min(h, first);
        std::optional<HullOverFace> hull = HullOverFace::of(
            points_of(contact), graph_.track(pair.a).moving, graph_.track(pair.b).moving);
        double found = hull ? first_of_hull(contact, *hull, until) : k_not_known;
        if (found == k_not_known) found = first_of_contact(contact, until);
        first = std::min(first, found);
    }
    return first;
}

// By points of the contact search. A manifold shows the points that are deepest then, not those
// that came down first: where something is down, what was down before it is looked for.
double StepLanding::first_of_contact(const ConstrainedContact& contact, double until) {
    const double deep = k_constrained_tolerances.landed;
    const Look from = look_at(contact, 0.0, 0.0, deep);
    double first = k_forever;
    for (int i = 0; i < k_sooner; ++i) {
        const double to = std::min(until, first);
        const double found = between(contact, from, look_at(contact, 0.0, to, deep), 0);
        if (!(found < to)) break;
        first = found;
    }
    return first;
}

double StepLanding::depth_at(const ConstrainedContact& contact, double s) const {
    const ContactPair& pair = graph_.pair(contact.pair);
    return overlap_depth(graph_.track(pair.a).moving, state_at(contact.a, s),
                         graph_.track(pair.b).moving, state_at(contact.b, s), pair.memory);
}

// Whether the bodies may be deeper in each other than this, by how far they are apart along the
// normal of their first point: a bound, where separation() has the depth.
bool StepLanding::may_be_deeper(const ConstrainedContact& contact, double s, double depth) const {
    const ContactPair& pair = graph_.pair(contact.pair);
    const std::vector<detect::MovingPart>& parts_a = graph_.track(pair.a).moving.parts();
    const std::vector<detect::MovingPart>& parts_b = graph_.track(pair.b).moving.parts();
    if (contact.count == 0 || parts_a.size() > 1 || parts_b.size() > 1) return true;
    const motion::State a = state_at(contact.a, s), b = state_at(contact.b, s);
    const Vec3 n = contact_state(system_.points[contact.first].track, a, b).n;
    return !(apart_along(n, parts_a[0], a, parts_b[0], b) >= -depth);
}

double StepLanding::first_overlap(const std::vector<ConstrainedContact>& contacts, double t,
                                  double h) {
    t_ = t;
    double first = k_forever;
    for (const ConstrainedContact& contact : contacts) {
        const ContactPair& pair = graph_.pair(contact.pair);
        const double deeper = pair.contact.loose ? k_constrained_tolerances.loose_deeper
                                                 : k_constrained_tolerances.deeper;
        double most = -k_forever;
        double low = 0.0;
        for (const double part : {0.5, 1.0}) {
            const double high = part * std::min(h, first);
            const double depth =
                may_be_deeper(contact, high, deeper * pair.size) ? depth_at(contact, high) : 0.0;
            if (!(depth > deeper * pair.size)) {
                low = high;
                continue;
            }
            if (most == -k_forever)
                most = std::max(0.0, depth_at(contact, 0.0)) + deeper * pair.size;
            if (!(depth > most)) continue;
            const auto left = [&](double s) { return most - depth_at(contact, s); };
            first = first_down(std::cref(left), 0.0, low, high);
            break;
        }
    }
    return first;
}

}  // namespace carom::world
