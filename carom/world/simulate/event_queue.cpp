// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/event_queue.h"

#include <algorithm>

namespace carom::world {

void EventQueue::clear() {
    heap_.clear();
    place_.clear();
}

double EventQueue::time_of(Slot slot) const {
    if (slot >= place_.size() || place_[slot] == k_nowhere) return k_never;
    return heap_[place_[slot]].t;
}

void EventQueue::put(std::uint32_t at, const Node& node) {
    heap_[at] = node;
    place_[node.slot] = at;
}

void EventQueue::sift_up(std::uint32_t at, const Node& node) {
    while (at > 0) {
        const std::uint32_t parent = (at - 1) / 4;
        if (!before(node, heap_[parent])) break;
        put(at, heap_[parent]);
        at = parent;
    }
    put(at, node);
}

void EventQueue::sift_down(std::uint32_t at, const Node& node) {
    const auto size = static_cast<std::uint32_t>(heap_.size());
    for (;;) {
        const std::uint32_t first = 4 * at + 1;
        if (first >= size) break;
        std::uint32_t best = first;
        for (std::uint32_t i = first + 1; i < std::min(first + 4, size); ++i)
            if (before(heap_[i], heap_[best])) best = i;
        if (!before(heap_[best], node)) break;
        put(at, heap_[best]);
        at = best;
    }
    put(at, node);
}

void EventQueue::set(Slot slot, double t, Rank rank) {
    if (!(t < k_never)) {
        remove(slot);
        return;
    }
    if (slot >= place_.size()) place_.resize(slot + 1, k_nowhere);
    const Node node{t, rank, slot};
    std::uint32_t at = place_[slot];
    if (at == k_nowhere) {
        at = static_cast<std::uint32_t>(heap_.size());
        heap_.push_back(node);
        sift_up(at, node);
        return;
    }
    if (before(node, heap_[at])) {
        sift_up(at, node);
    } else {
        sift_down(at, node);
    }
}

void EventQueue::remove(Slot slot) {
    if (slot >= place_.size() || place_[slot] == k_nowhere) return;
    const std::uint32_t at = place_[slot];
    place_[slot] = k_nowhere;
    const Node last = heap_.back();
    heap_.pop_back();
    if (at == heap_.size()) return;
    if (at > 0 && before(last, heap_[(at - 1) / 4])) {
        sift_up(at, last);
    } else {
        sift_down(at, last);
    }
}

}  // namespace carom::world
