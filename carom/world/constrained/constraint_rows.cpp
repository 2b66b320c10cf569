// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/constraint_rows.h"

#include <algorithm>

namespace carom::world {
namespace {

// Conditions whose pivot is smaller than this part of the largest follow from the others. Larger:
// nearly dependent ones are taken for dependent, and forces jump.
constexpr double k_dependent = 1e-8;

using Rows6 = Eigen::Matrix<double, Eigen::Dynamic, 6>;

// From what rows take of a motion about the place x (with turns times `length`) to what they take
// of that of a body with its centre at `centre`: along . (v + w x d) + turn . w.
void shift(const Rows6& about, double length, const Vec3& x, const Vec3& centre, double sign,
           Rows6& out) {
    const Vec3 d = x - centre;
    out.resize(about.rows(), 6);
    for (Eigen::Index i = 0; i < about.rows(); ++i) {
        const Vec3 along = about.row(i).head<3>().transpose();
        const Vec3 turn = d.cross(along) + length * about.row(i).tail<3>().transpose();
        out.row(i).head<3>() = sign * along.transpose();
        out.row(i).tail<3>() = sign * turn.transpose();
    }
}

// Rows of one point, along different axes, are independent.
bool is_one_point(std::span<const ConstraintRow> rows) {
    return rows.size() <= 3 && std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
               return row.x == rows[0].x && row.turn.isZero(0.0) && row.couple.isZero(0.0);
           });
}

// The answer of the least norm of those with the least residual.
template <class Matrix>
Eigen::VectorXd least_norm(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right) {
    Eigen::CompleteOrthogonalDecomposition<Matrix> inverse;
    inverse.setThreshold(k_dependent);
    inverse.compute(matrix);
    return inverse.solve(right);
}

}  // namespace

// An orthonormal basis of the columns of a map.
void RowSolver::find_basis(const Rows6& map, Eigen::MatrixXd& basis) {
    // the points of most contacts fit: nothing is asked of the heap
    if (map.rows() <= k_few_rows) {
        few_.setThreshold(k_dependent);
        few_.compute(map);
        basis.setIdentity(map.rows(), few_.rank());
        basis.applyOnTheLeft(few_.householderQ());
    } else {
        qr_.setThreshold(k_dependent);
        qr_.compute(map);
        basis.setIdentity(map.rows(), qr_.rank());
        basis.applyOnTheLeft(qr_.householderQ());
    }
}

void RowSolver::make_group(std::span<const RowBody> bodies, std::span<const ConstraintRow> rows,
                           Group& group) {
    const auto mine =
        rows.subspan(static_cast<std::size_t>(group.first), static_cast<std::size_t>(group.count));
    group.a = mine[0].a;
    group.b = mine[0].b;
    Vec3 x = Vec3::Zero();
    for (const ConstraintRow& row : mine)
        x += row.x / static_cast<double>(group.count);
    const double radius_a = bodies[group.a].radius, radius_b = bodies[group.b].radius;
    const double length = !(radius_b > 0.0)   ? radius_a
                          : !(radius_a > 0.0) ? radius_b
                                              : std::min(radius_a, radius_b);
    taken_.resize(group.count, 6);
    given_.resize(group.count, 6);
    bool same = true;
    for (Eigen::Index i = 0; i < group.count; ++i) {
        const ConstraintRow& row = mine[static_cast<std::size_t>(i)];
        const Vec3 d = row.x - x;
        taken_.row(i) << row.along.transpose(),
            ((d.cross(row.along) + row.turn) / length).transpose();
        given_.row(i) << row.force.transpose(),
            ((d.cross(row.force) + row.couple) / length).transpose();
        same = same && row.along == row.force && row.turn == row.couple;
    }
    group.whole = is_one_point(mine);
    if (!group.whole) {
        find_basis(taken_, group.U);
        if (same) {
            group.V = group.U;
        } else {
            find_basis(given_, group.V);
        }
        group.whole = group.U.cols() == group.count && group.V.cols() == group.count;
    }
    group.rows = group.columns = group.count;
    if (!group.whole) {
        reduced_ = true;
        group.rows = group.U.cols();
        group.columns = group.V.cols();
        taken_ = Rows6(group.U.transpose().lazyProduct(taken_));
        given_ = Rows6(group.V.transpose().lazyProduct(given_));
    }
    shift(taken_, length, x, bodies[group.a].position, 1.0, group.taken_a);
    shift(taken_, length, x, bodies[group.b].position, -1.0, group.taken_b);
    shift(given_, length, x, bodies[group.a].position, 1.0, group.given_a);
    shift(given_, length, x, bodies[group.b].position, -1.0, group.given_b);
}

void RowSolver::make_matrix(std::span<const RowBody> bodies) {
    Eigen::Index rows = 0, columns = 0;
    for (std::size_t k = 0; k < count_; ++k) {
        groups_[k].row = rows;
        groups_[k].column = columns;
        rows += groups_[k].rows;
        columns += groups_[k].columns;
    }
    matrix_.setZero(rows, columns);
    for (std::size_t k = 0; k < count_; ++k) {
        const Group& by = groups_[k];
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? by.a : by.b;
            const RowBody& body = bodies[id];
            if (!(body.inverse_mass > 0.0)) continue;
            Rows6 moved = first ? by.given_a : by.given_b;
            moved.leftCols<3>() *= body.inverse_mass;
            moved.rightCols<3>() *= body.inverse_inertia;  // symmetric
            for (std::size_t m = 0; m < count_; ++m) {
                const Group& of = groups_[m];
                if (of.a != id && of.b != id) continue;
                const Rows6& taken = of.a == id ? of.taken_a : of.taken_b;
                matrix_.block(of.row, by.column, of.rows, by.columns).noalias() +=
                    taken.lazyProduct(moved.transpose());
            }
        }
    }
}

bool RowSolver::solve_reduced() {
    if (matrix_.rows() == matrix_.cols() && !dependent_) {
        lu_.compute(matrix_);
        const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
        if (pivots.minCoeff() > k_dependent * pivots.maxCoeff()) {
            answer_ = lu_.solve(right_);
            return answer_.allFinite();
        }
    }
    dependent_ = true;
    // one contact has no more than six unknowns: nothing is asked of the heap
    if (matrix_.rows() <= 6 && matrix_.cols() <= 6) {
        using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
        answer_ = least_norm<Small>(matrix_, right_);
    } else {
        answer_ = least_norm<Eigen::MatrixXd>(matrix_, right_);
    }
    return answer_.allFinite();
}

bool RowSolver::solve(std::span<const RowBody> bodies, std::span<const ConstraintRow> rows,
                      const Eigen::VectorXd& right, Eigen::VectorXd& forces) {
    reduced_ = false;
    forces.resize(right.size());
    if (rows.empty()) return true;
    count_ = 0;
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t end = i + 1;
        while (end < rows.size() && rows[end].group == rows[i].group)
            ++end;
        if (groups_.size() == count_) groups_.emplace_back();
        Group& group = groups_[count_++];
        group.first = static_cast<Eigen::Index>(i);
        group.count = static_cast<Eigen::Index>(end - i);
        make_group(bodies, rows, group);
        i = end;
    }
    make_matrix(bodies);
    right_.resize(matrix_.rows());
    for (std::size_t k = 0; k < count_; ++k) {
        const Group& g = groups_[k];
        const auto mine = right.segment(g.first, g.count);
        if (g.whole) {
            right_.segment(g.row, g.rows) = mine;
        } else {
            right_.segment(g.row, g.rows).noalias() = g.U.transpose() * mine;
        }
    }
    if (!solve_reduced()) return false;
    for (std::size_t k = 0; k < count_; ++k) {
        const Group& g = groups_[k];
        const auto mine = answer_.segment(g.column, g.columns);
        if (g.whole) {
            forces.segment(g.first, g.count) = mine;
        } else {
            forces.segment(g.first, g.count).noalias() = g.V * mine;
        }
    }
    return forces.allFinite();
}

}  // namespace carom::world
