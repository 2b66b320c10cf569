// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/touch/manifold_batch.h"

#include <algorithm>

namespace carom::world {
namespace {

// Searches of a piece, unless the next ones have the same memory; a piece costs 0.5 us besides. Ten
// times larger: threads wait for the last of few long pieces.
constexpr std::size_t k_piece = 16;
// Searches from which on threads are worth waking, which takes 25 us (two processors; awake ones
// 2 us); a search takes 0.3 us (balls, boxes) to 5 us (cylinders). Ten times larger: piles of less
// than some 300 bodies are left to one thread; smaller: those of balls take longer than with one.
constexpr std::size_t k_worth = 128;

}  // namespace

void ManifoldBatch::clear() {
    searches_.clear();
    answers_.clear();
    piece_count_ = 0;
    found_ = 0;
}

std::uint32_t ManifoldBatch::add(const Search& search) {
    searches_.push_back(search);
    return static_cast<std::uint32_t>(searches_.size() - 1);
}

// What is to be found into pieces.
void ManifoldBatch::cut() {
    for (std::size_t first = found_; first < searches_.size();) {
        std::size_t last = std::min(first + k_piece, searches_.size());
        while (last < searches_.size() && searches_[last].memory == searches_[last - 1].memory)
            ++last;
        if (pieces_.size() == piece_count_) pieces_.emplace_back();
        Piece& piece = pieces_[piece_count_++];
        piece.first = first;
        piece.last = last;
        first = last;
    }
}

void ManifoldBatch::find_piece(std::uint32_t number) {
    Piece& piece = pieces_[number];
    piece.points.clear();
    for (std::size_t i = piece.first; i < piece.last; ++i) {
        const Search& search = searches_[i];
        const std::size_t before = piece.points.size();
        append_manifold(*search.a, *search.state_a, *search.b, *search.state_b, search.within,
                        *search.memory, piece.points);
        answers_[i] = {number, static_cast<std::uint32_t>(before),
                       static_cast<std::uint32_t>(piece.points.size() - before)};
    }
}

void ManifoldBatch::find(const StopCheck* stop) {
    const std::uint32_t first = piece_count_;
    const bool worth = searches_.size() - found_ >= k_worth;
    cut();
    answers_.resize(searches_.size());
    const auto work = [&](std::size_t k) { find_piece(first + static_cast<std::uint32_t>(k)); };
    const std::size_t count = piece_count_ - first;
    if (worth) {
        workers_.run(count, stop, work);
    } else {
        for (std::size_t k = 0; k < count; ++k) {
            check_stop(stop);
            work(k);
        }
    }
    found_ = searches_.size();
}

std::span<const ManifoldPoint> ManifoldBatch::points(std::uint32_t search) const {
    const Answer& answer = answers_[search];
    return std::span(pieces_[answer.piece].points).subspan(answer.first, answer.count);
}

}  // namespace carom::world
