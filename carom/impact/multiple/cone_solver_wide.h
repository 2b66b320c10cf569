// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/impact/multiple/cone_solver_row.h"

namespace carom::impact::cone {

// The sweeps of cone_solver.h with one step for the direction of each slide, four contacts at a
// time.
//
// Contacts are put side by side that share no body which can move, and each behind all earlier ones
// that share one with it: the answer is that of a sweep over the contacts one by one, but for
// rounding. Contacts that press when they are taken come first, so that those that do not, side by
// side, can be passed over together. Same input, same bits, with or without the wide registers of
// the machine. Knows neither hinges nor floors nor drifts.

// What one sweep changed: squared, in the energy of the impulses (J), and as velocity (m/s).
struct Change {
    double energy, velocity;
};

inline constexpr std::size_t k_lanes = 4;
using Lanes = double
    __attribute__((vector_size(k_lanes * sizeof(double)), aligned(k_lanes * sizeof(double))));

// A body: v and the inverse mass, w and the inverse inertia (xx; xy, xz, yy, yz; zz).
struct WideBody {
    Lanes v_mass, w_xx, middle, zz;
};

struct WideTwist {
    Lanes v, w;  // the last entry counts for nothing
};

// Rows side by side, entries as in Row; half is (s1 - s2) / 2, inverse_mean 2 / (s1 + s2). A lane
// without a row has the body behind all others on both sides, and does nothing.
struct WideRow {
    std::uint32_t a[k_lanes], b[k_lanes], row[k_lanes];
    std::uint32_t count;
    bool idle;
    Lanes n[3], r_a[3], r_b[3], t1[3], t2[3];
    Lanes s1, s2, k, inverse_s1, inverse_s2, inverse_k, kappa1, kappa2, trace, mu;
    Lanes half, inverse_mean;
    Lanes least, slip;
    Lanes p[3], step[3], direction[3];
};

// Which registers to use: the widest that the machine has, or those that every one has.
enum class Registers : std::uint8_t { widest, any };

class WideRows {
public:
    explicit WideRows(Registers registers = Registers::widest) : registers_(registers) {}

    void clear(std::size_t bodies);
    // Takes the rows from `first` on; rows is the same list in all calls until clear.
    void add(std::span<const Row> rows, std::size_t first, std::span<const Mover> movers);
    // Takes impulses and twists from the rows and bodies, and gives them back.
    void begin(std::span<const Row> rows, std::span<const Mover> movers);
    void end(std::span<Row> rows, std::span<Mover> movers) const;

    // One pass over all contacts, or those that were not idle in the last pass over all, behind
    // extrapolate(beta); see ConeSolver::iterate.
    Change sweep(double beta, bool all, std::span<Row> rows);
    void extrapolate(double beta);

private:
    std::uint32_t place_for(const Row& row, std::span<const Mover> movers);
    std::uint32_t next_with_room(std::uint32_t wide);

    Registers registers_;
    std::vector<WideRow> wide_;
    std::vector<WideBody> bodies_;
    std::vector<WideTwist> before_, direction_;
    std::vector<std::uint32_t> active_;     // of wide_, that were not idle when all were looked at
    std::vector<std::uint32_t> free_from_;  // for each body, the first of wide_ behind all its rows
    std::vector<std::uint32_t> room_;  // for each of wide_, where to look for room; itself: here
};

}  // namespace carom::impact::cone
