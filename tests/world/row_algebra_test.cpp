// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/row_algebra.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <limits>

namespace carom::world {
namespace {

// Of a given rank, with singular values that span three decades.
Eigen::MatrixXd of_rank(Eigen::Index rows, Eigen::Index columns, Eigen::Index rank) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, columns);
    for (Eigen::Index k = 0; k < rank; ++k)
        out += std::pow(10.0, -3.0 * static_cast<double>(k) / 6.0) * Eigen::VectorXd::Random(rows) *
               Eigen::VectorXd::Random(columns).transpose();
    return out;
}

TEST(RowAlgebra, BasesAreOrthonormalAndSpanWhatTheyShould) {
    for (Eigen::Index n = 1; n <= 30; ++n) {
        const Eigen::Index rank = std::min<Eigen::Index>(1 + n % 6, n);
        const Eigen::MatrixXd A = of_rank(n, 6, rank);
        Columns columns, basis;
        columns.resize(static_cast<std::size_t>(n), 6);
        Eigen::Map<Eigen::MatrixXd>(columns.values.data(), n, 6) = A;
        find_basis(columns, 1e-8, basis);
        ASSERT_EQ(basis.count, static_cast<std::size_t>(rank));
        const Eigen::Map<Eigen::MatrixXd> Q(basis.values.data(), n, rank);
        EXPECT_LE((Q.transpose() * Q - Eigen::MatrixXd::Identity(rank, rank)).norm(), 1e-14);
        EXPECT_LE((Q * (Q.transpose() * A) - A).norm(), 1e-14 * A.norm());
    }
}

// Columns that all but follow from others are as orthogonal.
TEST(RowAlgebra, NearlyDependentColumnsGiveAnOrthonormalBasis) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Ones(8, 6);
    A.rightCols(5) += 1e-6 * Eigen::MatrixXd::Random(8, 5);
    Columns columns, basis;
    columns.resize(8, 6);
    Eigen::Map<Eigen::MatrixXd>(columns.values.data(), 8, 6) = A;
    find_basis(columns, 1e-8, basis);
    ASSERT_EQ(basis.count, 6U);
    const Eigen::Map<Eigen::MatrixXd> Q(basis.values.data(), 8, 6);
    EXPECT_LE((Q.transpose() * Q - Eigen::MatrixXd::Identity(6, 6)).norm(), 1e-13);
}

TEST(RowAlgebra, Elimination) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    for (Eigen::Index n = 1; n <= 20; ++n) {
        RowMajor A = RowMajor::Random(n, n);
        A(0, 0) = 0.0;  // the first pivot is another row's
        if (n == 1) A(0, 0) = -3.0;
        const Eigen::VectorXd x = Eigen::VectorXd::Random(n);
        Eigen::VectorXd b = A * x;
        RowMajor work = A;
        ASSERT_TRUE(eliminate(work.data(), b.data(), static_cast<std::size_t>(n), 1e-12));
        EXPECT_LE((b - x).norm(), 1e-11 * x.norm()) << n;
    }
    RowMajor singular{{1.0, 2.0}, {2.0, 4.0}};
    Eigen::Vector2d b(1.0, 1.0);
    EXPECT_FALSE(eliminate(singular.data(), b.data(), 2, 1e-8));
}

TEST(RowAlgebra, LeastNormIsThePseudoInverse) {
    for (Eigen::Index rank = 1; rank <= 6; ++rank) {
        for (const auto& [rows, columns] : {std::pair(6, 6), {9, 7}, {7, 9}, {20, 6}}) {
            const Eigen::MatrixXd A = of_rank(rows, columns, rank);
            const Eigen::VectorXd b = Eigen::VectorXd::Random(rows);
            Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
            svd.setThreshold(1e-8);
            const Eigen::VectorXd truth = svd.solve(b);
            EXPECT_LE((least_norm(A, b, 1e-8) - truth).norm(), 1e-10 * truth.norm());
        }
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(least_norm(Eigen::MatrixXd::Constant(2, 2, nan), Eigen::VectorXd::Ones(2), 1e-8)
                     .allFinite());
}

}  // namespace
}  // namespace carom::world
