// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Slow approach that a step takes off its contacts at its start.

#include <algorithm>
#include <cmath>

#include "carom/world/simulate/commit.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {
namespace {

// Work (J) that fixed bodies which move as they are told do in the correction of a contact.
double work_of_fixed(const Graph& graph, const IslandContactOutcome& seen, double t) {
    const ContactPair& pair = graph.pair(seen.pair);
    double work = 0.0;
    for (const BodyId id : {pair.a, pair.b}) {
        const Body& body = *graph.track(id).body;
        if (!body.fixed || body.still) continue;
        const double speed = seen.correction.dot(velocity_at(graph.track(id).at(t), seen.point));
        work += id == pair.a ? -speed : speed;
    }
    return work;
}

// The state of a body at the start of the step, with its correction.
motion::State corrected(const Graph& graph, const IslandOutcome& outcome, BodyId id) {
    for (const IslandBodyOutcome& body : outcome.bodies)
        if (body.id == id) return body.segment.state;
    return graph.track(id).at(outcome.t);
}

}  // namespace

// What an impact left of the approach of a contact, or rounding did, and the last of a slip that
// ends, is taken up as a plastic landing. Below rounding it is no event.
void Commit::correct(const IslandOutcome& outcome) {
    // of the momentum; ten times larger: as much momentum without an event
    constexpr double k_rounding = 4e-12;
    double lost = 0.0;
    for (const IslandBodyOutcome& body : outcome.bodies)
        lost += body.energy_off;
    for (const IslandContactOutcome& seen : outcome.contacts)
        lost += work_of_fixed(graph_, seen, outcome.t);
    double left = lost;
    for (const IslandContactOutcome& seen : outcome.contacts) {
        if (seen.correction.isZero(0.0)) continue;
        const ContactPair& pair = graph_.pair(seen.pair);
        const motion::State a = graph_.track(pair.a).at(outcome.t);
        const motion::State b = graph_.track(pair.b).at(outcome.t);
        Event event;
        event.t = outcome.t;
        event.kind = EventKind::micro;
        event.law = pair.law->law;
        event.a = pair.a;
        event.b = pair.b;
        event.point = seen.point;
        event.normal = seen.normal;
        event.u = velocity_at(a, seen.point) - velocity_at(b, seen.point);
        event.u_after = velocity_at(corrected(graph_, outcome, pair.a), seen.point) -
                        velocity_at(corrected(graph_, outcome, pair.b), seen.point);
        event.impulse = seen.correction;
        event.energy_lost = left;
        left = 0.0;
        const double mass =
            std::max(graph_.track(pair.a).body->mass, graph_.track(pair.b).body->mass);
        const double speed =
            a.velocity.norm() + b.velocity.norm() + std::sqrt(graph_.gravity() * pair.size);
        if (seen.correction.norm() > k_rounding * mass * speed) {
            ledger_.add_impulse(event);
        } else {
            ledger_.add_rounding(event.energy_lost);
        }
        ledger_.add_push(pair.a, pair.b, seen.point, seen.correction, a, b);
    }
    ledger_.add_balance(lost);
}

}  // namespace carom::world
