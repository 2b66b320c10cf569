// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>

#include "carom/world/cluster/cluster.h"
#include "carom/world/micro/micro_tolerances.h"

namespace carom::world {

std::vector<Event> events_of(const ClusterOutcome& outcome, const Graph& graph, double t,
                             EventKind kind) {
    const std::vector<ClusterContact>& contacts = outcome.contacts;
    std::vector<Event> events;
    std::vector<bool> done(contacts.size(), false);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (done[k]) continue;
        const ContactPair& pair = graph.pair(contacts[k].pair);
        Event event;
        double weight = 0.0;
        Vec3 point = Vec3::Zero(), u = Vec3::Zero(), u_after = Vec3::Zero();
        for (std::size_t j = k; j < contacts.size(); ++j) {
            const ClusterContact& c = contacts[j];
            if (c.pair != contacts[k].pair) continue;
            done[j] = true;
            const double w = c.impulse.norm();
            weight += w;
            point += w * c.point;
            u += w * c.u;
            u_after += w * c.u_after;
            event.impulse += c.impulse;
            event.energy_lost -= 0.5 * c.impulse.dot(c.u + c.u_after);
        }
        if (k > 0 && weight == 0.0) continue;
        event.t = t;
        event.kind = k == 0 || kind == EventKind::impact ? kind : EventKind::micro;
        event.law = pair.law->law;
        event.a = pair.a;
        event.b = pair.b;
        event.normal = contacts[k].normal;
        event.point = weight > 0.0 ? Vec3(point / weight) : contacts[k].point;
        event.u = weight > 0.0 ? Vec3(u / weight) : contacts[k].u;
        event.u_after = weight > 0.0 ? Vec3(u_after / weight) : contacts[k].u;
        const double u_n = event.u.dot(event.normal);
        event.restitution = u_n != 0.0 ? -event.u_after.dot(event.normal) / u_n : 0.0;
        events.push_back(event);
    }
    return events;
}

void find_contacts_that_last(const Graph& graph, const ClusterOutcome& outcome,
                             std::vector<std::size_t>& out) {
    out.clear();
    for (std::size_t k = 0; k < outcome.contacts.size(); ++k) {
        const ClusterContact& contact = outcome.contacts[k];
        const ContactPair& pair = graph.pair(contact.pair);
        if (pair.contact.active || !graph.can_last(pair)) continue;
        if (graph.track(pair.a).in_pile() || graph.track(pair.b).in_pile()) continue;
        const double graze = k_micro_tolerances.parting * pair.micro_bounce();
        if (contact.u_after.dot(contact.normal) > graze) continue;
        const bool known = std::any_of(out.begin(), out.end(), [&](std::size_t other) {
            return outcome.contacts[other].pair == contact.pair;
        });
        if (!known) out.push_back(k);
    }
}

}  // namespace carom::world
