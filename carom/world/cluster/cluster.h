// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "carom/impact/multiple/multiple.h"
#include "carom/math/stop.h"
#include "carom/world/graph/graph.h"
#include "carom/world/touch/contact_point.h"
#include "carom/world/touch/manifold.h"

namespace carom::world {

// What an impact cluster did: plain data, for whoever commits it.
struct ClusterBody {
    BodyId id;
    motion::State before;
    Vec3 v, w;  // after it
    bool changed() const { return v != before.velocity || w != before.angular_velocity; }
};
struct ClusterContact {
    std::uint32_t pair;
    Vec3 point, normal;
    Vec3 u, u_after;  // velocity of a less that of b, before all of it and after
    Vec3 impulse;     // on a, N s
};
struct ClusterOutcome {
    std::vector<ClusterBody> bodies;
    std::vector<ClusterContact> contacts;  // those of one pair need not follow one another
    bool substituted = false;              // `multiple` gave it up, and it was resolved in sequence
};

// Everything that happens at one instant: the contact that is hit, and all others that feel it.
//
// A contact is in the cluster when its bodies touch, within rounding or in lasting contact, and one
// of them is changed by the cluster. Resolved in sequence, contacts are taken in layer by layer, as
// far as the impacts reach; the other ways to resolve them take all that hangs together, and where
// one of them reaches the bound of its work the cluster is resolved in sequence instead. What is
// left of the approach of lasting contacts, slower than a micro-bounce, is taken up without
// restitution: the plastic impulse.
//
// Reads the graph, changes nothing but caches of the contact search: the outcome is committed by
// the simulator.
class Cluster {
public:
    Cluster(const Graph& graph, const StopCheck* const& stop)
        : graph_(graph), stop_(stop), index_(graph.body_count()) {}

    void begin(double t);
    void add(std::uint32_t pair, const Vec3& point, const Vec3& normal);
    // All points of the pair's manifold with gaps up to `within` (m).
    void add_manifold(std::uint32_t pair, double within);
    // Takes in the contacts of the bodies that were reached since the last time.
    void expand();
    // The same until nothing more is reached.
    void expand_all() {
        for (std::size_t before = 0; before != ids_.size();) {
            before = ids_.size();
            expand();
        }
    }
    bool empty() const { return contacts_.empty(); }
    // The largest approach speed of all (m/s).
    double approach_speed() const;

    // The fastest approach that the impulses so far have left, where, and the fastest before them.
    struct Left {
        double speed, before;
        double fastest;  // velocity of any contact before, along or across its normal, m/s
        std::uint32_t pair;
        bool driven;  // a body of the cluster moves as it is told
    };
    Left approach_left() const;

    // By the laws of the pairs, as the settings say. Throws std::invalid_argument when one does not
    // apply.
    void resolve_by_law();
    // The contacts so far alone, in sequence, without expansion.
    void resolve_alone();
    // The plastic impulse: what is left of the approach, with friction, without restitution.
    void resolve_plastic();

    // Holds until the next begin().
    const ClusterOutcome& outcome();

private:
    std::uint32_t place_of(BodyId id);
    void apply(const std::vector<Vec3>& impulses);
    void resolve_in_layers();
    impact::MultipleSettings settings_of(impact::MultipleId how) const;

    const Graph& graph_;
    const StopCheck* const& stop_;
    double t_ = 0.0;
    BodyIndex index_;
    std::vector<bool> expanded_;  // by body: its other contacts are in the cluster
    struct Contact {
        std::uint32_t pair;
        Vec3 u, impulse;
    };
    std::vector<Contact> contacts_;
    impact::MultiContactProblem problem_;
    std::vector<impact::MultiContactBody> start_;  // before any impulse
    std::vector<motion::State> states_;
    std::vector<BodyId> ids_;
    std::vector<std::uint32_t> pairs_;
    std::vector<ManifoldPoint> manifold_;
    impact::SequentialSolver sequential_;
    impact::ConeSolver cones_;
    bool substituted_ = false;
    ClusterOutcome outcome_;
};

// The contacts of a cluster that do not part after it, one for each pair: they last from here on.
// Whether they are pressed, the first step tells. Those of piles are left to their steps.
void find_contacts_that_last(const Graph& graph, const ClusterOutcome& outcome,
                             std::vector<std::size_t>& out);

// One event for each pair of an outcome: its points together are one impact in their middle. Pairs
// without an impulse have none, but for the first. The first has the given kind; the others are
// impacts if it is one, else micro-collisions.
std::vector<Event> events_of(const ClusterOutcome& outcome, const Graph& graph, double t,
                             EventKind kind);

}  // namespace carom::world
