// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a step of a pile changes.

#include <algorithm>

#include "carom/world/pile/pile_tolerances.h"
#include "carom/world/simulate/commit.h"
#include "carom/world/touch/touch_tolerances.h"

namespace carom::world {
namespace {

// The overlap that wakes the sleepers beside it, in the allowed errors of a gap.
constexpr double k_squeezed = 3.0;

// The sleeper of a pair, if there is one, wakes with the next step.
void disturb(const Graph& graph, const ContactPair& pair, Pile& pile) {
    for (const BodyId id : {pair.a, pair.b})
        if (graph.track(id).asleep()) pile.disturbed.push_back({id, pair.other(id)});
}

}  // namespace

// In the rest of a step a contact gets what it needs besides: its force is that of the whole step.
void Commit::add_to_contact(const PilePairOutcome& seen, const PileOutcome& outcome) {
    PersistentContact& contact = graph_.pair(seen.pair).contact;
    contact.t0 = outcome.t;
    contact.t1 = outcome.t + outcome.h;
    contact.all_at_start = true;
    contact.given += seen.impulse;
    contact.force += seen.impulse / outcome.whole;
    if (!(seen.pressure > 0.0)) return;
    contact.normal = seen.normal;
    contact.point = seen.point;
    contact.point_end = contact.point + outcome.h * seen.drift;
    for (std::size_t k = 0; k < seen.point_count; ++k) {
        PointForce point = outcome.points[seen.first_point + k];
        point.force *= outcome.h / outcome.whole;
        const auto same = std::find_if(contact.forces.begin(), contact.forces.end(),
                                       [&](const PointForce& old) { return old.id == point.id; });
        if (same == contact.forces.end()) {
            contact.forces.push_back(point);
        } else {
            point.force += same->force;
            *same = point;
        }
    }
}

// A contact remembers its force; one that carries nothing and is apart is open.
void Commit::pile_contact(const PilePairOutcome& seen, const PileOutcome& outcome, Pile& pile,
                          PileRest& rest) {
    ContactPair& pair = graph_.pair(seen.pair);
    PersistentContact& contact = pair.contact;
    const double t = outcome.t;
    pair.rebound = seen.rebound;
    const bool carries = seen.pressure > 0.0;
    if (!carries && !contact.active) return;
    if (outcome.is_rest && contact.active) {
        add_to_contact(seen, outcome);
        return;
    }
    if (!carries) {
        pair.rebound = 0.0;
        // a sleeper that it held up is given time to come back to it
        if (seen.gap > k_touch_tolerances.closed_gap * pair.size && !rest.held_up(pair)) {
            end_contact(seen.pair, t);
            return;
        }
    }
    const bool begins = !contact.active;
    if (begins) contact = PersistentContact{};
    contact.active = true;
    contact.exact = false;
    contact.loose = true;
    contact.smooth = false;
    contact.t0 = t;
    contact.t1 = t + outcome.h;
    contact.forget_points();
    const auto first = outcome.points.begin() + static_cast<std::ptrdiff_t>(seen.first_point);
    contact.forces.assign(first, first + static_cast<std::ptrdiff_t>(seen.point_count));
    if (carries) contact.normal = seen.normal;
    contact.force = seen.impulse / outcome.h;
    contact.given += seen.impulse;
    contact.couple = seen.couple / outcome.h;
    contact.given_couple += seen.couple;
    contact.all_at_start = true;
    contact.point = seen.point;
    contact.point_end = contact.point + outcome.h * seen.drift;
    if (begins) emit_contact_change(pair, EventKind::lasting_begin, t);
    if (rest.disturbs(pair, carries, t)) disturb(graph_, pair, pile);
    if (!seen.touches || !(-seen.gap > k_squeezed * k_pile_tolerances.gap * pair.size)) return;
    // whoever sleeps beside it may have to give way
    for (const BodyId id : {pair.a, pair.b}) {
        if (!graph_.track(id).in_pile()) continue;
        for (const std::uint32_t i : graph_.track(id).pairs)
            if (graph_.pair(i).contact.active) disturb(graph_, graph_.pair(i), pile);
    }
}

void Commit::pile(Pile& pile, const PileOutcome& outcome, PileRest& rest) {
    const double t = outcome.t;
    ledger_.add_lost(outcome.lost);
    ledger_.add_balance(outcome.lost);
    ledger_.add_driven(outcome.given, outcome.driven);
    ledger_.add_contact_work(outcome.driven - outcome.lost);
    ledger_.note_overlap(outcome.overlap);
    ledger_.count_queries(outcome.queries);
    ledger_.count_pile_restitutions(outcome.restitutions);
    pile.overlap = 0.0;
    for (const PilePairOutcome& seen : outcome.pairs) {
        pile_contact(seen, outcome, pile, rest);
        if (seen.touches)
            pile.overlap = std::max(pile.overlap, -seen.gap / graph_.pair(seen.pair).size);
    }
    pile.until = t + outcome.h;
    pile.is_cut = false;
    pile.debt = std::max(pile.debt - outcome.lost, -std::max(outcome.owed, outcome.credit));
    if (outcome.is_rest) {
        pile.length = std::min(pile.length, outcome.next_length / outcome.h * pile.length);
    } else {
        pile.began = t;
        pile.cuts = 0;
        pile.length = outcome.next_length;
    }
    for (const auto& [id, state] : outcome.bodies) {
        // forces were reported before the step was taken
        ledger_.work().reported(id, t);
        begin_segment(id, SegmentKind::flight, t, state);
    }
    unsure_ = outcome.by_law;
    for (const std::uint32_t i : unsure_)
        graph_.pair(i).covered_until = ContactPair::k_long_ago;
    for (const PilePairOutcome& seen : outcome.pairs) {
        ContactPair& pair = graph_.pair(seen.pair);
        pair.covered_until = seen.covered ? pile.until : ContactPair::k_long_ago;
        if (seen.covered) {
            schedule_.cancel(seen.pair);
        } else {
            pair.next = ContactPair::Next::query;
            unsure_.push_back(seen.pair);
        }
    }
    for (const auto& [id, state] : outcome.bodies)
        schedule_.box_changed(id, t, unsure_);
    for (const std::uint32_t i : unsure_)
        if (graph_.pair(i).used) schedule_.predict(i, t);
}

void Commit::join_pile(const ContactPair& pair, double t) {
    const PileId name = graph_.track(graph_.track(pair.a).in_pile() ? pair.a : pair.b).pile;
    for (const BodyId id : {pair.a, pair.b}) {
        BodyTrack& track = graph_.track(id);
        if (track.body->fixed || track.in_pile()) continue;
        // what was held flies from here on, until the pile takes its next step
        if (track.in_contact()) {
            report_forces_of(id, t);
            for (const std::uint32_t k : track.pairs)
                graph_.pair(k).contact.all_at_start = true;
        }
        track.pile = name;
        graph_.piles().at(name).bodies.push_back(id);
    }
}

void Commit::cut_step(BodyId body) {
    graph_.piles().at(graph_.track(body).pile).is_cut = true;
    work_.step(body);
}

}  // namespace carom::world
