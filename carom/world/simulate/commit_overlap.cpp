// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The overlap of bodies in lasting contact, measured on their motions.

#include <algorithm>
#include <bit>

#include "carom/world/simulate/commit.h"
#include "carom/world/touch/overlap_depth.h"

namespace carom::world {
namespace {

// Of the intervals of a pair one in so many is looked at, in islands and in piles. Ten times
// larger: a deep overlap of a few steps is seen as much more seldom; smaller: it costs more.
constexpr std::uint64_t k_one_in_island = 4;
constexpr std::uint64_t k_one_in_pile = 16;

// Numbers without a pattern, the same in every run (splitmix64).
std::uint64_t scrambled(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

}  // namespace

// Looks at the pairs of a body whose motion ends, at times of the intervals in which neither of the
// two has changed its motion. The first of the two that ends sees to the pair.
void Commit::sample_overlaps(BodyId id, double t) {
    const BodyTrack& track = graph_.track(id);
    if (!track.in_contact() && !track.in_pile()) return;
    for (const std::uint32_t i : track.pairs) {
        const ContactPair& pair = graph_.pair(i);
        const BodyTrack& other = graph_.track(pair.other(id));
        const bool covered = track.in_pile() && pair.covered_until >= t;
        if (!pair.contact.active && !covered) continue;
        const double from = std::max(track.segment.t0, other.body->fixed ? 0.0 : other.segment.t0);
        if (!(t > from)) continue;
        const std::uint64_t bits =
            scrambled(std::bit_cast<std::uint64_t>(from) ^ (std::uint64_t{pair.a} << 32U) ^ pair.b);
        if (bits % (track.in_pile() ? k_one_in_pile : k_one_in_island) != 0) continue;
        const double part = static_cast<double>(scrambled(bits) >> 11U) * 0x1p-53;
        const double then = from + part * (t - from);
        const BodyTrack &a = graph_.track(pair.a), &b = graph_.track(pair.b);
        ledger_.note_overlap(overlap_depth(a.moving, a.at(then), b.moving, b.at(then), pair.memory),
                             pair.size);
    }
}

}  // namespace carom::world
