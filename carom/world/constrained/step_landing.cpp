// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/step_landing.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/math/bracket.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/constrained/level_joint.h"
#include "carom/world/touch/overlap_depth.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

constexpr int k_bisections = 60;
// Halvings of a step in which landings are looked for. One more: a dip of a corner of a quarter of
// that depth is seen.
constexpr int k_depth = 5;
// How often something that came down sooner is looked for. One more: as many points may come down
// one after the other within a step.
constexpr int k_sooner = 8;

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
    const double first = gap(from);
    const double base = std::min(0.0, first);
    if (gap(to) > base - k_constrained_tolerances.landed * size) return k_forever;
    double low = from, high = to;
    if (!(first > 0.0)) {
        // it parts and comes back: from where it is up
        double up = 0.5 * (to - from);
        for (int i = 0; i < k_bisections && !(gap(from + up) > base); ++i)
            up *= 0.5;
        if (!(gap(from + up) > base)) return from;
        low = from + up;
        high = std::min(to, from + 2.0 * up);
    }
    return first_down([&](double s) { return gap(s) - base; }, low, high);
}

// The first time, to rounding, between one at which a gap is open and one at which it is not.
template <class Gap>
double StepLanding::first_down(Gap&& gap, double low, double high) const {
    return math::first_not_positive(
        gap, low, high, gap(low), gap(high), [&](double from, double to) {
            const double middle = 0.5 * (from + to);
            return !(t_ + middle > t_ + from) || !(t_ + middle < t_ + to);
        });
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
    const bool sure = std::min(from.gap, to.gap) >= acceleration_ * d * d / 8.0;
    if (sure || depth == k_depth) return to.landed;
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

double StepLanding::first(const std::vector<ConstrainedContact>& contacts, double t, double h) {
    const double deep = k_constrained_tolerances.landed;
    t_ = t;
    double first = k_forever;
    for (const ConstrainedContact& contact : contacts) {
        acceleration_ = acceleration_of(contact);
        const Look from = look_at(contact, 0.0, 0.0, deep);
        // a manifold shows the points that are deepest then, not those that came down first: where
        // something is down, what was down before it is looked for
        for (int i = 0; i < k_sooner; ++i) {
            const double until = std::min(h, first);
            const double found = between(contact, from, look_at(contact, 0.0, until, deep), 0);
            if (!(found < until)) break;
            first = found;
        }
    }
    return first;
}

double StepLanding::depth_at(const ConstrainedContact& contact, double s) const {
    const ContactPair& pair = graph_.pair(contact.pair);
    return overlap_depth(graph_.track(pair.a).moving, state_at(contact.a, s),
                         graph_.track(pair.b).moving, state_at(contact.b, s), pair.memory);
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
            const double depth = depth_at(contact, high);
            if (!(depth > deeper * pair.size)) {
                low = high;
                continue;
            }
            if (most == -k_forever)
                most = std::max(0.0, depth_at(contact, 0.0)) + deeper * pair.size;
            if (!(depth > most)) continue;
            first = first_down([&](double s) { return most - depth_at(contact, s); }, low, high);
            break;
        }
    }
    return first;
}

}  // namespace carom::world
