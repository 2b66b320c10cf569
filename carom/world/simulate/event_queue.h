// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace carom::world {

// A queue of slots by time, where a slot's time can be changed or taken away at once: nothing in it
// is ever stale.
//
// An implicit heap with four children a node and the place of each slot beside it. Equal times are
// ordered by rank, which the caller gives and which must differ between slots, so that the order
// does not depend on how the heap came about.
class EventQueue {
public:
    using Slot = std::uint32_t;
    using Rank = std::uint64_t;
    static constexpr double k_never = std::numeric_limits<double>::infinity();

    void clear();
    // Puts the slot at a time, wherever it was; k_never takes it out.
    void set(Slot slot, double t, Rank rank);
    void remove(Slot slot);

    bool empty() const { return heap_.empty(); }
    double first_time() const { return heap_.empty() ? k_never : heap_[0].t; }
    Slot first() const { return heap_[0].slot; }
    double time_of(Slot slot) const;

private:
    struct Node {
        double t;
        Rank rank;
        Slot slot;
    };
    static constexpr std::uint32_t k_nowhere = std::numeric_limits<std::uint32_t>::max();

    static bool before(const Node& x, const Node& y) {
        return x.t < y.t || (x.t == y.t && x.rank < y.rank);
    }
    void put(std::uint32_t at, const Node& node);
    void sift_up(std::uint32_t at, const Node& node);
    void sift_down(std::uint32_t at, const Node& node);

    std::vector<Node> heap_;
    std::vector<std::uint32_t> place_;  // by slot
};

}  // namespace carom::world
