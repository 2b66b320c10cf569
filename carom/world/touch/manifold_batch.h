// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/math/stop.h"
#include "carom/world/touch/manifold.h"
#include "carom/world/workers.h"

namespace carom::world {

// The manifolds of many pairs of bodies, found on several threads. Each search reads the two bodies
// and changes its own memory only, so that the answers are those of find_manifold, bit for bit,
// with any number of threads.
class ManifoldBatch {
public:
    // What a search is given stays where it is until it has been found.
    struct Search {
        const detect::MovingBody* a;
        const motion::State* state_a;
        const detect::MovingBody* b;
        const motion::State* state_b;
        double within;  // m
        detect::BodyMemory* memory;
    };

    explicit ManifoldBatch(int threads) : workers_(threads) {}

    void clear();
    // Its number. Searches with the same memory follow one another: they are done in that order.
    std::uint32_t add(const Search& search);
    // Finds all that were added since the last time.
    void find(const StopCheck* stop);
    // The points of a search that has been found; they hold until clear().
    std::span<const ManifoldPoint> points(std::uint32_t search) const;
    std::size_t size() const { return searches_.size(); }

private:
    // Neighbouring searches that one thread does, and their points one behind the other.
    struct Piece {
        std::size_t first, last;
        std::vector<ManifoldPoint> points;
    };
    struct Answer {
        std::uint32_t piece, first, count;
    };
    void cut();
    void find_piece(std::uint32_t piece);

    Workers workers_;
    std::vector<Search> searches_;
    std::vector<Answer> answers_;
    std::vector<Piece> pieces_;      // kept with their memory
    std::uint32_t piece_count_ = 0;  // in use
    std::size_t found_ = 0;          // searches
};

}  // namespace carom::world
