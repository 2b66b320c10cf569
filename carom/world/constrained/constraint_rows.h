// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/math/types.h"
#include "carom/world/constrained/row_algebra.h"

namespace carom::world {

// A rigid body as rows see it; one that cannot be moved has no inverse mass and inertia.
struct RowBody {
    double inverse_mass = 0.0;
    Mat3 inverse_inertia = Mat3::Zero();  // world axes
    Vec3 position = Vec3::Zero();         // of the centre of mass
    double radius = 0.0;                  // m; makes lengths of angles
};

// One linear condition on the relative motion of two bodies, and the force that holds it. With u
// the velocity (or acceleration) of a less that of b at the place x and w that of turning, it takes
//     along . u + turn . (w_a - w_b),
// and a unit of its force gives a the force `force` at x and the couple `couple`, b the opposite.
// A contact that slides takes its normal and gives the normal with friction; a joint gives what it
// takes.
struct ConstraintRow {
    std::uint32_t a = 0, b = 0;  // bodies
    std::uint32_t group = 0;     // rows of one group follow one another and have the same bodies
    Vec3 x = Vec3::Zero();
    Vec3 along = Vec3::Zero(), turn = Vec3::Zero();
    Vec3 force = Vec3::Zero(), couple = Vec3::Zero();
};

// The forces f of rows that change what they take by given amounts: K f = right, where K_ij is what
// row i takes of the motion that a unit of force j gives. Of the answers of redundant rows (the
// corners under a box) the one of the least norm.
//
// What the rows of one group take and give is linear in the six numbers of the relative motion of
// two bodies: with P and Q these (rows x 6), P = U R and Q = V S with orthonormal columns, and the
// answer of the least norm is f = V y, with the conditions U^T. So a group of any number of rows
// has at most six unknowns. Groups that depend on each other (a box between two walls) take the
// least norm of all y.
class RowSolver {
public:
    // False where the answer is not finite.
    bool solve(std::span<const RowBody> bodies, std::span<const ConstraintRow> rows,
               const Eigen::VectorXd& right, Eigen::VectorXd& forces);
    // Whether rows were redundant the last time.
    bool redundant() const { return reduced_ || dependent_; }
    // Forgets that groups depended on each other: call it when rows are others.
    void forget() { dependent_ = false; }

private:
    using Six = Eigen::Matrix<double, 6, 1>;
    using SixRows = std::array<Six, 6>;
    struct Group {
        std::size_t first = 0, count = 0;  // rows
        std::size_t row = 0, rows = 0;     // conditions
        std::size_t column = 0, columns = 0;
        std::uint32_t a = 0, b = 0;
        bool whole = false;  // U and V are the identity
        Columns U, V;
        // By the motions of a and b; only of bodies that can be moved.
        SixRows taken_a, taken_b, given_a, given_b;
    };
    void make_group(std::span<const RowBody> bodies, std::span<const ConstraintRow> rows,
                    Group& group);
    void find_basis_of(const std::vector<Six>& map, Columns& basis);
    void make_matrix(std::span<const RowBody> bodies);
    bool solve_reduced(std::span<const RowBody> bodies);

    std::vector<Group> groups_;
    std::size_t count_ = 0;  // of groups_ in use
    std::vector<Six> taken_, given_;
    Columns columns_;
    std::size_t rows_ = 0, columns_count_ = 0;
    std::vector<double> matrix_;  // rows one after another
    std::vector<double> right_, answer_;
    bool reduced_ = false, dependent_ = false;
};

}  // namespace carom::world
