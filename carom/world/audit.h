// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>

#include "carom/math/types.h"
#include "carom/world/byte_stream.h"

namespace carom::world {

// A sum that keeps what rounding would lose (Neumaier).
class Sum {
public:
    void add(double x);
    double value() const { return sum_ + rest_; }
    // For checkpoints.
    double head() const { return sum_; }
    double rest() const { return rest_; }
    static Sum from(double head, double rest);

private:
    double sum_ = 0.0, rest_ = 0.0;
};

// The deepest overlap of two bodies: in m, and relative to the radius of the smaller free one of
// the two; not always of the same pair.
struct DeepestOverlap {
    double depth = 0.0, relative = 0.0;

    void note(double of_pair, double size) {
        if (of_pair > depth) depth = of_pair;
        if (of_pair > relative * size) relative = of_pair / size;
    }
    void note(const DeepestOverlap& other) {
        if (other.depth > depth) depth = other.depth;
        if (other.relative > relative) relative = other.relative;
    }
};

// What a run adds up as it goes.
struct Tally {
    std::uint64_t events = 0;   // everything that is reported to listeners
    std::uint64_t impacts = 0;  // by their laws
    std::uint64_t micro = 0;
    std::uint64_t checks = 0;  // pairs looked at
    // Impacts in piles that were not by law but by Newton's restitution one step late
    // (Settings::pile_impacts); they are no events.
    std::uint64_t pile_restitutions = 0;
    // impacts that `multiple` gave up after a bound of its work, resolved in sequence instead
    std::uint64_t substituted = 0;
    Sum energy_lost;         // by impacts, net of gains, and by falling asleep, J
    Sum energy_gained;       // the gains alone, as a positive number
    Sum driven;              // work done by bodies that move as they are told, J
    Sum pushed;              // sizes of all impulses, N s
    Sum given[3];            // momentum from fixed bodies, less what falling asleep took, N s
    Sum weighed[3];          // momentum from gravity, of the segments that have ended
    Sum contact_work;        // energy that lasting contact gave free bodies, by motions, J
    Sum force_work;          // the same, by the forces that were reported (force_work.h), J
    Sum force_work_size;     // the sizes of that work, J
    DeepestOverlap overlap;  // the deepest seen

    void save(ByteWriter& out) const;
    void load(ByteReader& in);
};

// The balance of a run, each figure measured, none assumed.
//     energy_residual = energy_end - energy_start + energy_lost - driven
//     momentum_residual = |P_end - P_start - given - weighed|
//     force_work_residual = contact_work - force_work: what the motions in lasting contact say that
//         it gave free bodies, less what the reported forces did on them
struct Audit {
    double energy_start = 0.0, energy_end = 0.0;  // kinetic and potential, J
    double energy_lost = 0.0, energy_gained = 0.0, driven = 0.0, energy_residual = 0.0;
    double momentum_residual = 0.0;  // kg m/s
    double momentum_scale = 0.0;     // sum of m |v| and of the impulses' sizes, to judge it by
    double max_overlap = 0.0;        // m
    double relative_overlap = 0.0;  // the largest, of the radius of the smaller free body of a pair
    double force_work_residual = 0.0;  // J
    double force_work_scale = 0.0;     // sum of the sizes of the work of each force, to judge it by
    std::uint64_t pile_restitutions = 0;  // Tally::pile_restitutions
    std::uint64_t substituted = 0;        // impacts resolved in sequence, as in Tally
};

}  // namespace carom::world
