// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/world/event.h"

namespace carom::world {

// Which bodies take part in something, and at which place of its lists. Emptied in constant time.
class BodyIndex {
public:
    explicit BodyIndex(std::size_t bodies = 0) : entries_(bodies) {}
    void resize(std::size_t bodies) { entries_.resize(bodies); }
    void clear() { ++stamp_; }
    bool has(BodyId id) const { return entries_[id].stamp == stamp_; }
    std::uint32_t operator[](BodyId id) const { return entries_[id].place; }
    void set(BodyId id, std::size_t place) {
        entries_[id] = {stamp_, static_cast<std::uint32_t>(place)};
    }

private:
    struct Entry {
        std::uint64_t stamp = 0;
        std::uint32_t place = 0;
    };
    std::vector<Entry> entries_;
    std::uint64_t stamp_ = 1;
};

}  // namespace carom::world
