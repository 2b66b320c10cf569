// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/world/graph/graph.h"
#include "carom/world/simulate/event_queue.h"
#include "carom/world/simulate/ledger.h"
#include "carom/world/touch/manifold.h"

namespace carom::world {

// What the queue holds.
enum class NextKind : std::uint8_t {
    box_ends,     // the swept box of a body has to be renewed
    motion_ends,  // a body needs another motion: the end of its step, face or integration
    query,        // a pair surely does not touch before: it is looked at again
    touch,        // a pair touches
    landing       // a point of an active contact comes down
};
struct NextEvent {
    double t;
    NextKind kind;
    BodyId body;         // of box_ends and motion_ends
    std::uint32_t pair;  // of the others
};

// When to look at whom. One queue holds, for every near pair, a time before which it certainly does
// not touch (or at which it does), and for every body the time at which its swept box or its motion
// ends. Entries of one time are taken in the order: bodies by number, then pairs by their bodies.
class Schedule {
public:
    Schedule(Graph& graph, Ledger& ledger) : graph_(graph), ledger_(ledger) {}

    // All of it anew, from t on. Landings are kept by their pairs.
    void rebuild(double t);
    double first_time() const { return queue_.first_time(); }
    NextEvent first() const;

    // Finds the pair's next touch, or a bound on it, from t on.
    void predict(std::uint32_t pair, double t);
    void renew_box(BodyId body, double t);
    // A body has another motion: its box if need be, and the times of all its pairs.
    void body_changed(BodyId body, double t);
    // Several at once, each pair once.
    void bodies_changed(const std::vector<BodyId>& bodies, double t);
    // Only the box of a body, if need be: its pairs are seen to by a step. Pairs that are new are
    // appended to `fresh`.
    void box_changed(BodyId body, double t, std::vector<std::uint32_t>& fresh);
    // A new box in any case; its pairs are seen to by a step that follows.
    void box_renewed(BodyId body, double t);

    void query_at(std::uint32_t pair, double t);
    void touch_at(std::uint32_t pair, double t);
    void landing_at(std::uint32_t pair, double t);
    void cancel(std::uint32_t pair);
    // When a pair is due for a landing; infinite if it is not.
    double landing_of(std::uint32_t pair) const;

private:
    EventQueue::Slot slot_of(std::uint32_t pair) const {
        return static_cast<EventQueue::Slot>(graph_.body_count()) + pair;
    }
    void queue_body(BodyId body);
    void queue_pair(std::uint32_t pair, double t);
    void settle_overlap(std::uint32_t pair, double t, double depth);

    Graph& graph_;
    Ledger& ledger_;
    EventQueue queue_;
    BodyIndex changed_;
    std::vector<std::uint32_t> fresh_, gone_;
    std::vector<ManifoldPoint> manifold_;
};

}  // namespace carom::world
