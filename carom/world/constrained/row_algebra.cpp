// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/row_algebra.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::world {
namespace {

double dot(const double* x, const double* y, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

// y += factor x
void add(double factor, const double* x, double* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        y[i] += factor * x[i];
}

}  // namespace

void find_basis(Columns& columns, double dependent, Columns& basis) {
    const std::size_t n = columns.length;
    basis.resize(n, 0);
    basis.values.resize(n * std::min(n, columns.count));
    double largest = 0.0;
    while (basis.count < std::min(n, columns.count)) {
        // those that are done are at the front
        const std::size_t done = basis.count;
        std::size_t best = done;
        double most = -1.0;
        for (std::size_t j = done; j < columns.count; ++j) {
            const double size = dot(columns[j], columns[j], n);
            if (!(size > most)) continue;
            most = size;
            best = j;
        }
        double* const column = columns[done];
        if (best != done) std::swap_ranges(column, column + n, columns[best]);
        for (std::size_t k = 0; k < done; ++k)
            add(-dot(basis[k], column, n), basis[k], column, n);
        const double size = std::sqrt(dot(column, column, n));
        largest = std::max(largest, size);
        if (!(size > dependent * largest)) return;
        double* const next = basis[done];
        for (std::size_t i = 0; i < n; ++i)
            next[i] = column[i] / size;
        ++basis.count;
        for (std::size_t j = basis.count; j < columns.count; ++j)
            add(-dot(next, columns[j], n), next, columns[j], n);
    }
}

bool eliminate(double* A, double* b, std::size_t n, double dependent) {
    double least = 0.0, largest = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(A[i * n + k]) > std::abs(A[best * n + k])) best = i;
        double* const pivot = A + k * n;
        if (best != k) {
            std::swap_ranges(pivot + k, pivot + n, A + best * n + k);
            std::swap(b[k], b[best]);
        }
        const double size = std::abs(pivot[k]);
        least = k == 0 ? size : std::min(least, size);
        largest = std::max(largest, size);
        if (!(least > dependent * largest)) return false;
        for (std::size_t i = k + 1; i < n; ++i) {
            double* const row = A + i * n;
            const double factor = -row[k] / pivot[k];
            if (factor == 0.0) continue;
            add(factor, pivot + k + 1, row + k + 1, n - k - 1);
            b[i] += factor * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        const double* const row = A + k * n;
        b[k] = (b[k] - dot(row + k + 1, b + k + 1, n - k - 1)) / row[k];
    }
    return true;
}

namespace {

// With orthonormal bases Q of what the columns of A span and Z of what its rows span,
// A = Q C Z^T with C = Q^T A Z, and x = Z C^-1 Q^T b.
Eigen::VectorXd least_norm_of_few(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                  double dependent) {
    const auto rows = static_cast<std::size_t>(A.rows());
    const auto count = static_cast<std::size_t>(A.cols());
    const auto at = [&](std::size_t i, std::size_t j) {
        return A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    };
    Columns columns, Q, Z;
    columns.resize(rows, count);
    for (std::size_t j = 0; j < count; ++j)
        for (std::size_t i = 0; i < rows; ++i)
            columns[j][i] = at(i, j);
    find_basis(columns, dependent, Q);
    columns.resize(count, rows);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < count; ++j)
            columns[i][j] = at(i, j);
    find_basis(columns, dependent, Z);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(A.cols());
    // where they are not equal, one is at the limit
    const std::size_t rank = std::min(Q.count, Z.count);
    std::vector<double> core(rank * rank), y(rank), across(rows);
    for (std::size_t k = 0; k < rank; ++k) {
        y[k] = dot(Q[k], b.data(), rows);
        std::fill(across.begin(), across.end(), 0.0);
        for (std::size_t j = 0; j < count; ++j)
            for (std::size_t i = 0; i < rows; ++i)
                across[i] += Z[k][j] * at(i, j);
        for (std::size_t i = 0; i < rank; ++i)
            core[i * rank + k] = dot(Q[i], across.data(), rows);
    }
    if (!eliminate(core.data(), y.data(), rank, 0.0)) return x;
    for (std::size_t k = 0; k < rank; ++k)
        add(y[k], Z[k], x.data(), count);
    return x;
}

// By Householder's method, which takes blocks.
Eigen::VectorXd least_norm_of_many(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                   double dependent) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse;
    inverse.setThreshold(dependent);
    inverse.compute(A);
    return inverse.solve(b);
}

}  // namespace

Eigen::VectorXd least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double dependent) {
    constexpr Eigen::Index k_few = 12;
    if (!A.allFinite() || !b.allFinite())
        return Eigen::VectorXd::Constant(A.cols(), std::numeric_limits<double>::quiet_NaN());
    return std::max(A.rows(), A.cols()) <= k_few ? least_norm_of_few(A, b, dependent)
                                                 : least_norm_of_many(A, b, dependent);
}

}  // namespace carom::world
