// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Where the kinds of contact change within a step.

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_step.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

constexpr int k_halvings = 60;

}  // namespace

// Whether the kinds of contact are still those of the step.
bool ConstrainedStepper::holds_at(double t) {
    set_states(t);
    if (!evaluate(t)) return false;
    for (const ConstrainedPoint& p : system_.points)
        if (p.mode != PointMode::open && p.at.inside < -k_constrained_tolerances.beyond * p.size)
            return false;
    return system_.is_valid(stop_);
}

// The time after the start at which a kind changes, infinity for none.
double ConstrainedStepper::first_change(double t, double h) {
    if (holds_at(t + h)) return k_forever;
    double low = 0.0, high = h;
    for (int i = 0; i < k_halvings; ++i) {
        check_stop(stop_);
        const double middle = 0.5 * (low + high);
        if (!(t + middle > t + low) || !(t + middle < t + high)) break;
        (holds_at(t + middle) ? low : high) = middle;
    }
    return high;
}

double ConstrainedStepper::time_of_landing(const ContactTrack& track, std::uint32_t a,
                                           std::uint32_t b, double size, double t, double h) {
    const auto gap = [&](double s) {
        const auto state = [&](std::uint32_t i) {
            if (i < free_count_) return pieces_[i].at(t + s);
            const ConstrainedBody& body = system_.bodies[i];
            return body.body->still ? body.state : body.body->prescribed->at(t + s);
        };
        return contact_state(track, state(a), state(b)).gap;
    };
    const double first = gap(0.0);
    const double base = std::min(0.0, first);
    double low = 0.0, high = h;
    if (gap(high) > base - k_constrained_tolerances.landed * size) return k_forever;
    if (!(first > 0.0)) {
        // it parts and comes back: from where it is up
        double up = 0.5 * h;
        for (int i = 0; i < k_halvings && !(gap(up) > base); ++i)
            up *= 0.5;
        if (!(gap(up) > base)) return 0.0;
        low = up;
        high = std::min(h, 2.0 * up);
    }
    for (int i = 0; i < k_halvings; ++i) {
        const double middle = 0.5 * (low + high);
        if (!(t + middle > t + low) || !(t + middle < t + high)) break;
        (gap(middle) > base ? low : high) = middle;
    }
    return high;
}

// The time after the start at which a point comes down that did not carry, infinity for none.
double ConstrainedStepper::first_landing(double t, double h) {
    double first = k_forever;
    set_states(t + h);
    place_kinematic(t + h);
    for (const Contact& contact : contacts_) {
        const ContactPair& pair = graph_.pair(contact.pair);
        const detect::MovingBody& a = graph_.track(pair.a).moving;
        const detect::MovingBody& b = graph_.track(pair.b).moving;
        const motion::State& state_a = system_.bodies[contact.a].state;
        const motion::State& state_b = system_.bodies[contact.b].state;
        find_manifold(a, state_a, b, state_b, k_touch_tolerances.manifold_reach * pair.size,
                      pair.memory, manifold_);
        for (const ManifoldPoint& p : manifold_) {
            if (!(p.gap < -k_constrained_tolerances.landed * pair.size)) continue;
            const bool carries = std::any_of(
                system_.points.begin(), system_.points.end(), [&](const ConstrainedPoint& q) {
                    return q.contact < contacts_.size() &&
                           contacts_[q.contact].pair == contact.pair && q.track.id == p.id &&
                           q.mode != PointMode::open;
                });
            if (carries) continue;
            const std::optional<ContactTrack> track = track_contact(p, a, state_a, b, state_b);
            if (!track) return 0.0;
            // the same place by another name: the lowest point of a rim, say
            const ContactState at = contact_state(*track, state_a, state_b);
            const bool known = std::any_of(
                system_.points.begin(), system_.points.end(), [&](const ConstrainedPoint& q) {
                    if (q.mode == PointMode::open || q.contact >= contacts_.size()) return false;
                    if (contacts_[q.contact].pair != contact.pair) return false;
                    return is_same(q.track, *track, pair.size) ||
                           is_same_place(contact_state(q.track, state_a, state_b), at, pair.size);
                });
            if (known) continue;
            first = std::min(first, time_of_landing(*track, contact.a, contact.b, pair.size, t, h));
        }
    }
    return first;
}

}  // namespace carom::world
