// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/schedule.h"

#include <algorithm>
#include <cmath>

#include "carom/world/micro/micro_tolerances.h"
#include "carom/world/touch/touching.h"

namespace carom::world {
namespace {

// How long two bodies surely stay apart that were so far apart when they had travelled so far.
double time_to_meet(const BodyTrack& a, const BodyTrack& b, double t, double separation,
                    double travelled_a, double travelled_b) {
    const double left =
        separation - (a.travelled(t) - travelled_a) - (b.travelled(t) - travelled_b);
    if (!(left > 0.0)) return 0.0;
    const double speed = a.speed_bound(t) + b.speed_bound(t);
    const double gain = a.half_acceleration + b.half_acceleration;
    const double root = speed + std::sqrt(speed * speed + 4.0 * gain * left);
    return root > 0.0 ? 2.0 * left / root : k_forever;
}

}  // namespace

void Schedule::queue_body(BodyId body) {
    queue_.set(body, graph_.track(body).box_until, body);
}

void Schedule::queue_pair(std::uint32_t i, double t) {
    const ContactPair& pair = graph_.pair(i);
    const EventQueue::Rank rank =
        (EventQueue::Rank{1} << 63U) | (EventQueue::Rank{pair.a} << 31U) | EventQueue::Rank{pair.b};
    queue_.set(slot_of(i), t, rank);
}

void Schedule::rebuild(double t) {
    changed_.resize(graph_.body_count());
    queue_.clear();
    graph_.broad_phase().rebuild(t);
    for (BodyId i = 0; i < graph_.body_count(); ++i)
        queue_body(i);
}

NextEvent Schedule::first() const {
    const EventQueue::Slot slot = queue_.first();
    const double t = queue_.first_time();
    if (slot < graph_.body_count()) {
        const bool ends = graph_.track(slot).motion_until <= t;
        return {t, ends ? NextKind::motion_ends : NextKind::box_ends, slot, 0};
    }
    const auto pair = static_cast<std::uint32_t>(slot - graph_.body_count());
    switch (graph_.pair(pair).next) {
        case ContactPair::Next::touch:
            return {t, NextKind::touch, k_no_body, pair};
        case ContactPair::Next::landing:
            return {t, NextKind::landing, k_no_body, pair};
        case ContactPair::Next::query:
            break;
    }
    return {t, NextKind::query, k_no_body, pair};
}

void Schedule::query_at(std::uint32_t pair, double t) {
    graph_.pair(pair).next = ContactPair::Next::query;
    queue_pair(pair, t);
}

void Schedule::touch_at(std::uint32_t pair, double t) {
    graph_.pair(pair).next = ContactPair::Next::touch;
    queue_pair(pair, t);
}

void Schedule::landing_at(std::uint32_t pair, double t) {
    graph_.pair(pair).next = ContactPair::Next::landing;
    queue_pair(pair, t);
}

void Schedule::cancel(std::uint32_t pair) {
    graph_.pair(pair).next = ContactPair::Next::query;
    queue_.remove(slot_of(pair));
}

double Schedule::landing_of(std::uint32_t pair) const {
    const bool due = graph_.pair(pair).next == ContactPair::Next::landing;
    return due ? queue_.time_of(slot_of(pair)) : k_forever;
}

void Schedule::predict(std::uint32_t i, double t) {
    constexpr double k_horizon = 1e3;  // s; of a sleeper and an unbounded body neither box ends
    constexpr long k_steps = 16;
    constexpr double k_sure = 0.999;  // of a distance, whatever rounding does
    // use the separation bound if it covers at least this part of the horizon; otherwise query
    constexpr double k_worth = 0.02;
    ContactPair& pair = graph_.pair(i);
    const BodyTrack& a = graph_.track(pair.a);
    const BodyTrack& b = graph_.track(pair.b);
    if (pair.contact.active && pair.next == ContactPair::Next::landing) return;
    pair.next = ContactPair::Next::query;
    if (pair.covered_until >= t && (a.in_pile() || b.in_pile())) {
        queue_.remove(slot_of(i));
        return;
    }
    const bool known = pair.separation > 0.0 && t >= pair.separation_time && a.bounded && b.bounded;
    const double separation = known ? pair.separation : 0.0;
    pair.separation = 0.0;
    // an active contact is seen to by the step of its component
    if ((pair.contact.active && !a.in_pile() && !b.in_pile()) || (a.at_rest() && b.at_rest())) {
        queue_.remove(slot_of(i));
        return;
    }
    // a body whose step is still to come at this instant has a motion that ends before its box
    const double until =
        std::min({a.box_until, b.box_until, a.motion_until, b.motion_until, t + k_horizon});
    if (!(until > t)) {
        queue_pair(i, t);
        return;
    }
    if (known) {
        const double safe =
            t + time_to_meet(a, b, t, separation, pair.travelled_a, pair.travelled_b);
        if (safe - t >= k_worth * (until - t)) {
            pair.separation = separation;
            queue_pair(i, std::min(safe, until));
            return;
        }
    }
    ledger_.count_query();
    const detect::BodyContact found = detect::body_contact(
        a.moving, b.moving, t, until, pair.memory, {.most_steps = k_steps, .leave_first = true});
    if (a.bounded && b.bounded) {
        pair.separation = k_sure * found.contact.start;
        pair.separation_time = t;
        pair.travelled_a = a.travelled(t);
        pair.travelled_b = b.travelled(t);
    }
    pair.part_a = found.part_a;
    pair.part_b = found.part_b;
    pair.normal = found.contact.apart.normal;
    switch (found.contact.kind) {
        case detect::ContactKind::touch:
            touch_at(i, found.contact.t);
            break;
        case detect::ContactKind::overlap:
            settle_overlap(i, t, -found.contact.apart.distance);
            break;
        case detect::ContactKind::unsettled:
            // along each other, apart by rounding: they touch
            if (graph_.can_last(pair) && !a.in_pile() && !b.in_pile() &&
                found.contact.apart.distance <= k_touch_tolerances.placed * pair.size) {
                touch_at(i, found.contact.t);
                break;
            }
            [[fallthrough]];
        case detect::ContactKind::none:
            queue_pair(i, found.contact.t);
            break;
    }
}

// Rounding can leave two bodies inside each other by some 1e-15 of their coordinates: they hit each
// other now if they approach, else they are looked at again when they have parted.
void Schedule::settle_overlap(std::uint32_t i, double t, double depth) {
    ContactPair& pair = graph_.pair(i);
    ledger_.note_overlap(depth, pair.size);
    const ContactPoint point = find_contact_point(touch_of(graph_, pair, t));
    // where one corner parts another may come down
    double soon = k_forever;
    if (!(point.approach_speed > 0.0)) {
        const DeepestApproach inside = find_approach_inside(graph_, pair, t, manifold_);
        pair.normal = inside.normal;
        soon = inside.soon;
        const bool in_pile = graph_.track(pair.a).in_pile() || graph_.track(pair.b).in_pile();
        const double slow = graph_.can_last(pair) && !in_pile
                                ? k_micro_tolerances.parting * pair.micro_bounce()
                                : pair.restitution_threshold();
        if (inside.fastest.approach_speed > slow) {
            touch_at(i, t);
            return;
        }
    }
    const bool in_pile = graph_.track(pair.a).in_pile() || graph_.track(pair.b).in_pile();
    if (in_pile && !(point.approach_speed > pair.restitution_threshold())) {
        // the next step of the pile sees to it
        pair.covered_until = k_forever;
        queue_.remove(slot_of(i));
        return;
    }
    if (point.approach_speed > 0.0) {
        touch_at(i, t);
        return;
    }
    // a little later they have parted
    const double wait =
        std::min(soon, 2.0 * time_to_leave(graph_, pair, t, depth, -point.approach_speed));
    queue_pair(i, std::max(std::nextafter(t, k_forever), t + wait));
}

void Schedule::box_changed(BodyId body, double t, std::vector<std::uint32_t>& fresh) {
    BroadPhase& boxes = graph_.broad_phase();
    if (!boxes.is_still_boxed(body, t)) {
        gone_.clear();
        boxes.renew(body, t, fresh, gone_);
        for (const std::uint32_t pair : gone_)
            queue_.remove(slot_of(pair));
    }
    queue_body(body);
}

void Schedule::box_renewed(BodyId body, double t) {
    fresh_.clear();
    gone_.clear();
    graph_.broad_phase().renew(body, t, fresh_, gone_);
    for (const std::uint32_t pair : gone_)
        queue_.remove(slot_of(pair));
    queue_body(body);
}

void Schedule::renew_box(BodyId body, double t) {
    box_renewed(body, t);
    for (const std::uint32_t pair : fresh_)
        predict(pair, t);
}

void Schedule::body_changed(BodyId body, double t) {
    fresh_.clear();
    box_changed(body, t, fresh_);
    const std::vector<std::uint32_t>& pairs = graph_.track(body).pairs;
    for (std::size_t k = 0; k < pairs.size(); ++k)
        predict(pairs[k], t);
}

void Schedule::bodies_changed(const std::vector<BodyId>& bodies, double t) {
    for (const BodyId id : bodies) {
        if (!graph_.broad_phase().is_still_boxed(id, t)) {
            renew_box(id, t);
        } else {
            queue_body(id);
        }
    }
    changed_.clear();
    for (const BodyId id : bodies)
        changed_.set(id, 0);
    for (const BodyId id : bodies) {
        const std::vector<std::uint32_t>& pairs = graph_.track(id).pairs;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const BodyId other = graph_.pair(pairs[k]).other(id);
            if (changed_.has(other) && other < id) continue;
            predict(pairs[k], t);
        }
    }
}

}  // namespace carom::world
