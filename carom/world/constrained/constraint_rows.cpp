// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/constraint_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom::world {
namespace {

// Conditions whose pivot is smaller than this part of the largest follow from the others. Larger:
// nearly dependent ones are taken for dependent, and forces jump.
constexpr double k_dependent = 1e-8;

using Six = Eigen::Matrix<double, 6, 1>;

// From what rows take of a motion about the place x (with turns times `length`) to what they take
// of that of a body with its centre at `centre`: along . (v + w x d) + turn . w.
void shift(const Six* about, std::size_t count, double length, const Vec3& d, double sign,
           std::array<Six, 6>& out) {
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 along = sign * about[i].head<3>();
        out[i].head<3>() = along;
        out[i].tail<3>() = d.cross(along) + (sign * length) * about[i].tail<3>();
    }
}

// Rows of one point, along different axes, are independent.
bool is_one_point(std::span<const ConstraintRow> rows) {
    return rows.size() <= 3 && std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
               return row.x == rows[0].x && row.turn.isZero(0.0) && row.couple.isZero(0.0);
           });
}

// Sums of rows with the weights of a basis.
void reduce(const Columns& basis, std::vector<Six>& rows) {
    std::array<Six, 6> sums;
    for (std::size_t k = 0; k < basis.count; ++k) {
        sums[k].setZero();
        for (std::size_t i = 0; i < basis.length; ++i)
            sums[k] += basis[k][i] * rows[i];
    }
    std::copy_n(sums.begin(), basis.count, rows.begin());
}

}  // namespace

// An orthonormal basis of the columns of a map from motions to rows.
void RowSolver::find_basis_of(const std::vector<Six>& map, Columns& basis) {
    columns_.resize(map.size(), 6);
    for (std::size_t k = 0; k < 6; ++k)
        for (std::size_t i = 0; i < map.size(); ++i)
            columns_[k][i] = map[i](static_cast<Eigen::Index>(k));
    find_basis(columns_, k_dependent, basis);
}

void RowSolver::make_group(std::span<const RowBody> bodies, std::span<const ConstraintRow> rows,
                           Group& group) {
    const auto mine = rows.subspan(group.first, group.count);
    group.a = mine[0].a;
    group.b = mine[0].b;
    const RowBody& a = bodies[group.a];
    const RowBody& b = bodies[group.b];
    Vec3 x = Vec3::Zero();
    for (const ConstraintRow& row : mine)
        x += row.x / static_cast<double>(group.count);
    const double length = !(b.radius > 0.0)   ? a.radius
                          : !(a.radius > 0.0) ? b.radius
                                              : std::min(a.radius, b.radius);
    taken_.resize(group.count);
    given_.resize(group.count);
    bool same = true;
    for (std::size_t i = 0; i < group.count; ++i) {
        const ConstraintRow& row = mine[i];
        const Vec3 d = row.x - x;
        taken_[i] << row.along, (d.cross(row.along) + row.turn) / length;
        const bool gives_same = row.along == row.force && row.turn == row.couple;
        if (gives_same) {
            given_[i] = taken_[i];
        } else {
            given_[i] << row.force, (d.cross(row.force) + row.couple) / length;
        }
        same = same && gives_same;
    }
    group.whole = is_one_point(mine);
    if (!group.whole) {
        find_basis_of(taken_, group.U);
        if (same) {
            group.V = group.U;
        } else {
            find_basis_of(given_, group.V);
        }
        group.whole = group.U.count == group.count && group.V.count == group.count;
    }
    group.rows = group.columns = group.count;
    if (!group.whole) {
        reduced_ = true;
        group.rows = group.U.count;
        group.columns = group.V.count;
        reduce(group.U, taken_);
        reduce(group.V, given_);
    }
    if (a.inverse_mass > 0.0) {
        const Vec3 d = x - a.position;
        shift(taken_.data(), group.rows, length, d, 1.0, group.taken_a);
        shift(given_.data(), group.columns, length, d, 1.0, group.given_a);
    }
    if (b.inverse_mass > 0.0) {
        const Vec3 d = x - b.position;
        shift(taken_.data(), group.rows, length, d, -1.0, group.taken_b);
        shift(given_.data(), group.columns, length, d, -1.0, group.given_b);
    }
}

void RowSolver::make_matrix(std::span<const RowBody> bodies) {
    matrix_.assign(rows_ * columns_count_, 0.0);
    for (std::size_t k = 0; k < count_; ++k) {
        const Group& by = groups_[k];
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? by.a : by.b;
            const RowBody& body = bodies[id];
            if (!(body.inverse_mass > 0.0)) continue;
            const SixRows& given = first ? by.given_a : by.given_b;
            for (std::size_t j = 0; j < by.columns; ++j) {
                Six moved;
                moved << body.inverse_mass * given[j].head<3>(),
                    body.inverse_inertia * given[j].tail<3>();
                for (std::size_t m = 0; m < count_; ++m) {
                    const Group& of = groups_[m];
                    if (of.a != id && of.b != id) continue;
                    const SixRows& taken = of.a == id ? of.taken_a : of.taken_b;
                    double* out = matrix_.data() + of.row * columns_count_ + by.column + j;
                    for (std::size_t i = 0; i < of.rows; ++i, out += columns_count_)
                        *out += taken[i].dot(moved);
                }
            }
        }
    }
}

bool RowSolver::solve_reduced(std::span<const RowBody> bodies) {
    const auto is_finite = [&] {
        return std::all_of(answer_.begin(), answer_.end(),
                           [](double x) { return std::isfinite(x); });
    };
    if (rows_ == columns_count_ && !dependent_) {
        answer_ = right_;
        if (eliminate(matrix_.data(), answer_.data(), rows_, k_dependent)) return is_finite();
        make_matrix(bodies);
    }
    dependent_ = true;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = static_cast<Eigen::Index>(rows_);
    const auto columns = static_cast<Eigen::Index>(columns_count_);
    const Eigen::VectorXd found =
        least_norm(Eigen::Map<const RowMajor>(matrix_.data(), rows, columns),
                   Eigen::Map<const Eigen::VectorXd>(right_.data(), rows), k_dependent);
    answer_.assign(found.begin(), found.end());
    return is_finite();
}

bool RowSolver::solve(std::span<const RowBody> bodies, std::span<const ConstraintRow> rows,
                      const Eigen::VectorXd& right, Eigen::VectorXd& forces) {
    reduced_ = false;
    forces.resize(right.size());
    if (rows.empty()) return true;
    count_ = rows_ = columns_count_ = 0;
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t end = i + 1;
        while (end < rows.size() && rows[end].group == rows[i].group)
            ++end;
        if (groups_.size() == count_) groups_.emplace_back();
        Group& group = groups_[count_++];
        group.first = i;
        group.count = end - i;
        make_group(bodies, rows, group);
        group.row = rows_;
        group.column = columns_count_;
        rows_ += group.rows;
        columns_count_ += group.columns;
        i = end;
    }
    make_matrix(bodies);
    right_.resize(rows_);
    for (std::size_t k = 0; k < count_; ++k) {
        const Group& g = groups_[k];
        const double* const mine = right.data() + g.first;
        double* const out = right_.data() + g.row;
        if (g.whole) {
            std::copy_n(mine, g.count, out);
            continue;
        }
        for (std::size_t j = 0; j < g.rows; ++j)
            out[j] = std::inner_product(mine, mine + g.count, g.U[j], 0.0);
    }
    if (!solve_reduced(bodies)) return false;
    for (std::size_t k = 0; k < count_; ++k) {
        const Group& g = groups_[k];
        const double* const mine = answer_.data() + g.column;
        double* const out = forces.data() + g.first;
        if (g.whole) {
            std::copy_n(mine, g.count, out);
            continue;
        }
        std::fill_n(out, g.count, 0.0);
        for (std::size_t j = 0; j < g.columns; ++j)
            for (std::size_t i = 0; i < g.count; ++i)
                out[i] += mine[j] * g.V[j][i];
    }
    return forces.allFinite();
}

}  // namespace carom::world
