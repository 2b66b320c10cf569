// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/infeasible.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "carom/world/touch/contact_point.h"

namespace carom::world {

double infeasible_speed(const Graph& graph, const ContactPair& pair, double fastest, double t) {
    // what is all but nothing beside the speed of the bodies themselves is rounding
    constexpr double k_nothing = 1e-6;
    double slow = k_infeasible_speed * pair.restitution_threshold();
    for (const BodyId id : {pair.a, pair.b})
        slow = std::max(slow, k_nothing * graph.track(id).at(t).velocity.norm());
    // ten times larger: presses that leave a tenth of their speed are not told
    constexpr double k_part = 0.01;
    return graph.gravity() > 0.0 ? slow : std::max(slow, k_part * fastest);
}

double driving_speed(const Graph& graph, std::span<const std::uint32_t> pairs, double t) {
    double fastest = 0.0;
    std::optional<Vec3> first;
    for (const std::uint32_t i : pairs) {
        const ContactPair& pair = graph.pair(i);
        for (const BodyId id : {pair.a, pair.b}) {
            if (!graph.track(id).body->fixed) continue;
            const Vec3 u = velocity_at(graph.track(id).at(t), pair.contact.point);
            if (!first) first = u;
            fastest = std::max(fastest, (u - *first).norm());
        }
    }
    return fastest;
}

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

namespace {

// What closes in on a body from several sides leaves it no velocity: the run ends with who they
// are.
void check_cluster_feasible(const Cluster& cluster, const Graph& graph, const ContactPair& pair,
                            double t) {
    // approach that is left, relative to that before
    constexpr double k_left = 0.1;
    const Cluster::Left left = cluster.approach_left();
    if (!left.driven) return;
    if (!(left.speed > k_left * left.before)) return;
    if (!(left.speed > infeasible_speed(graph, pair, left.fastest, t))) return;
    throw std::runtime_error(infeasible_text(graph, graph.pair(left.pair), left.speed, t));
}

}  // namespace

void resolve_hit(Cluster& cluster, const Graph& graph, const ContactPair& pair, double t) {
    try {
        cluster.resolve_by_law();
        if (graph.can_last(pair) && cluster.approach_speed() > 0.0) cluster.resolve_plastic();
        check_cluster_feasible(cluster, graph, pair, t);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error("at " + std::to_string(t) + " s, '" +
                                 graph.track(pair.a).body->name + "' and '" +
                                 graph.track(pair.b).body->name + "': " + error.what());
    }
}

void check_pile_feasible(Graph& graph, const Pile& pile, const PileStepper::Left& left, double t) {
    constexpr int k_steps = 20;
    int& count = graph.track(pile.bodies.front()).infeasible_steps;
    const bool fast =
        left.speed > 0.0 &&
        left.speed > k_infeasible_speed * graph.pair(left.pair).restitution_threshold();
    count = fast && left.driven ? count + 1 : 0;
    if (count > k_steps)
        throw std::runtime_error(infeasible_text(graph, graph.pair(left.pair), left.speed, t));
}

}  // namespace carom::world
