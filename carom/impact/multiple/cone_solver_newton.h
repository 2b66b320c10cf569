// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/impact/multiple/cone_solver_row.h"
#include "carom/math/types.h"

namespace carom::impact::cone {

// Semismooth Newton steps for all contacts of cone_solver.h at once, in the space of the bodies.
//
// With the contacts sorted into open, sticking and sliding ones by the signs of the residual's own
// terms, its linearisation is, contact by contact, dp = c - X du with
//     open     dp = -p;
//     sticking dp = -(u - least n + du) / epsilon, in units of the contact's own diagonal of K;
//     sliding  the same along the normal, the tangential part kept on the circle (Alart and
//              Curnier 1991),
// where epsilon is a small compliance about the present impulses: it does not move the solution,
// makes redundant contacts harmless, and costs a factor of about epsilon in each step's gain. With
// du = J dV and M dV = J^T dp the step is (1 + M^-1 J^T X J) dV = M^-1 J^T c: 6 x 6 blocks with the
// pattern of the contact graph, solved by block elimination within the envelope of an ordering from
// the graph's rim (reverse Cuthill-McKee). No step is guaranteed to help: the caller compares
// residuals.
//
// approach is slower and surer, for when steps lead nowhere: with a compliance of some size about
// fixed impulses p' (a proximal problem) the impulses are functions of the velocities,
//     p_z = max(floor, p'_z - (u_z - least) / epsilon), p_t = p'_t - u_t / epsilon clipped,
// and V - V(start) - M^-1 J^T p(V) = 0 is solved by Newton steps shortened until its norm falls;
// without friction it is the gradient of a convex function, and they must arrive.
class Newton {
public:
    // Orders the bodies. Pre: rows refer to movers. Gives the cost of one step in sweeps.
    double plan(std::span<const Row> rows, std::span<const Mover> movers);
    // One step from the rows' impulses and the movers' twists to the rows' next impulses, inside
    // their cones; false, with nothing changed, when the matrix has no inverse.
    bool step(std::span<Row> rows, std::span<const Mover> movers);
    // Solves the proximal problem about the rows' impulses and gives them its own; the movers'
    // twists are its velocities then. Gives the number of Newton steps, at most most.
    int approach(std::span<Row> rows, std::span<Mover> movers, std::span<const Twist> start,
                 double compliance, int most);

private:
    using Block = Eigen::Matrix<double, 6, 6>;
    using Six = Eigen::Matrix<double, 6, 1>;

    void find_neighbours(std::span<const Row> rows, std::size_t bodies);
    void order_bodies(std::span<const Mover> movers);
    void order_component(std::uint32_t root);
    void clear();
    void add_contact(const Row& row, std::span<const Mover> movers, const Mat3& X, const Vec3& p);
    double mismatch(std::span<const Row> rows, std::span<const Mover> movers,
                    std::span<const Twist> start, double compliance);
    void move(std::span<Mover> movers, double part) const;
    bool factor();
    void substitute();
    Block& lower(std::int32_t i, std::int32_t j) {
        return lower_[offset(i) + at(j - first_[at(i)])];
    }
    Block& upper(std::int32_t j, std::int32_t i) {
        return upper_[offset(i) + at(j - first_[at(i)])];
    }
    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
    std::size_t offset(std::int32_t i) const { return offset_[at(i)]; }

    std::vector<std::uint64_t> pairs_;            // a << 32 | b, sorted, both ways
    std::vector<std::uint32_t> neighbours_from_;  // by body, into pairs_
    std::vector<std::int32_t> place_;             // by body: its block, -1 when it cannot move
    std::vector<std::uint32_t> order_;
    std::vector<std::int32_t> first_;  // by block: first block of its envelope
    std::size_t size_ = 0;             // blocks in all envelopes
    std::vector<std::size_t> offset_;  // by block: where its envelope begins
    std::vector<Block> lower_, upper_, diagonal_;
    std::vector<Six> x_, push_;
    std::vector<Vec3> centres_;  // by row: p' of approach
};

}  // namespace carom::impact::cone
