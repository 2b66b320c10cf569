// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Falling asleep, alone and together, and waking: see rest.h.

#include <algorithm>

#include "carom/world/simulate/simulator.h"

namespace carom::world {

bool Simulator::fall_asleep_alone(const ContactPair& pair, const Touch& touch, double t) {
    if (!in_.settings.sleep) return false;
    if (!touch.a.body->forces.empty() || !touch.b.body->forces.empty()) return false;
    const bool a_static = touch.a.body->still;
    const bool b_static = touch.b.body->still;
    if (a_static == b_static) return false;
    const BodyId id = a_static ? pair.b : pair.a;
    for (const std::uint32_t i : graph_.track(id).pairs) {
        const ContactPair& other = graph_.pair(i);
        if (&other != &pair && graph_.touched_lately(other, t)) return false;
    }
    const Touch seen = a_static ? Touch{touch.b, touch.a, -touch.normal} : touch;
    if (!held_alone(seen, pair.mu(), in_.settings.gravity, pair.micro.hop_speed())) return false;
    commit_.fall_asleep(id, t);
    graph_.track(id).slept_with.clear();
    return true;
}

void Simulator::fall_asleep_together(BodyId first, double t) {
    const BodyTrack& track = graph_.track(first);
    if (track.body->fixed || track.asleep()) return;
    std::vector<BodyId> bodies;
    if (!graph_.find_quiet(first, t, bodies)) return;
    std::sort(bodies.begin(), bodies.end());
    for (const BodyId id : bodies) {
        commit_.fall_asleep(id, t);
        graph_.track(id).slept_with = bodies;
    }
    for (const BodyId id : bodies)
        schedule_.body_changed(id, t);
}

// A sleeper wakes, and with it all that sleep in touch with it; one that slept in a pile wakes
// alone, into a pile.
void Simulator::wake(BodyId first, BodyId by, double t) {
    if (graph_.track(first).slept_in_pile) {
        const PileId name =
            graph_.track(by).in_pile() ? graph_.track(by).pile : graph_.free_pile_name();
        Pile& pile = graph_.piles()[name];
        pile.until = std::max(pile.until, t);
        wake_into_pile(first, by, name, t);
        return;
    }
    const std::vector<BodyId> sleepers = graph_.sleepers_with(first);
    for (const BodyId id : sleepers) {
        commit_.wake(id, by, t);
        const BodyTrack& track = graph_.track(id);
        if (in_.settings.contact == ContactMode::lasting && track.body->forces.empty()) {
            commit_.end_motion(id, t, track.at(t));
        } else {
            commit_.begin_segment(id, track.free_kind(), t, track.at(t));
            work_.changed(id);
        }
    }
}

}  // namespace carom::world
