// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Where a few contacts of many have to mend something: they and what they reach. See resume() in
// cone_solver.h.

#include "carom/impact/multiple/cone_solver.h"

namespace carom::impact {
namespace {

// Rows that are solved where few have changed, in sweeps over all, before all are swept. Larger:
// more is wasted where the change goes through all of it.
constexpr double k_relaxed = 0.5;

}  // namespace

void ConeSolver::link_rows() {
    const auto moves = [&](std::uint32_t body) { return movers_[body].can_move(); };
    linked_from_.assign(movers_.size() + 1, 0);
    for (const cone::Row& row : rows_)
        for (const std::uint32_t body : {row.a, row.b})
            if (moves(body)) ++linked_from_[body + 1];
    for (std::size_t i = 0; i < movers_.size(); ++i)
        linked_from_[i + 1] += linked_from_[i];
    linked_.resize(linked_from_.back());
    std::vector<std::uint32_t>& next = order_;  // no longer needed once contacts are taken
    next.assign(linked_from_.begin(), linked_from_.end());
    for (std::uint32_t i = 0; i < rows_.size(); ++i)
        for (const std::uint32_t body : {rows_[i].a, rows_[i].b})
            if (moves(body)) linked_[next[body]++] = i;
}

// Solves rows that are broken by more than `change` (m/s), and those that such changes reach. False
// when that goes too far.
bool ConeSolver::relax(double change) {
    link_rows();
    due_.assign(rows_.size(), 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const cone::Row& row = rows_[i];
        due_[i] = row.least - row.u(movers_[row.a], movers_[row.b]).z() > change ? 1 : 0;
    }
    auto left = static_cast<std::int64_t>(k_relaxed * static_cast<double>(rows_.size()));
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (due_[i] == 0) continue;
            if (--left < 0) return false;
            due_[i] = 0;
            cone::Row& row = rows_[i];
            cone::Mover& A = movers_[row.a];
            cone::Mover& B = movers_[row.b];
            const Vec3 u = row.u(A, B);
            const Vec3 p =
                row.plain ? solve_row<true>(row, row.p, u) : solve_special(row, row.p, u);
            const Vec3 step = p - row.p;
            row.p = p;
            row.push(A, B, step);
            if (!(row.trace * row.energy(step) > change * change)) continue;
            for (const std::uint32_t body : {row.a, row.b})
                for (std::uint32_t k = linked_from_[body]; k < linked_from_[body + 1]; ++k)
                    if (linked_[k] != i) due_[linked_[k]] = 1;
            again = true;
        }
    }
    return true;
}

}  // namespace carom::impact
