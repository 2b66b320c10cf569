// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/infeasible.h"

namespace carom::world {

std::string infeasible_text(const Graph& graph, const ContactPair& pair, double speed, double t) {
    std::string others;
    for (const BodyId id : {pair.a, pair.b}) {
        if (graph.track(id).body->fixed) continue;
        for (const std::uint32_t i : graph.track(id).pairs) {
            const ContactPair& other = graph.pair(i);
            if (&other == &pair || !other.contact.active) continue;
            others += (others.empty() ? "" : ", ") +
                      ("'" + graph.track(other.other(id)).body->name) + "'";
        }
    }
    return "at " + std::to_string(t) + " s '" + graph.track(pair.a).body->name + "' and '" +
           graph.track(pair.b).body->name + "' close on each other with " + std::to_string(speed) +
           " m/s and cannot be kept apart" +
           (others.empty() ? "" : " (also in touch: " + others + ")") +
           ": bodies that move as they are told leave no room; stop them, or give what is between "
           "them a way out (less friction, where it is wedged)";
}

}  // namespace carom::world
