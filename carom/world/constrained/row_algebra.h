// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace carom::world {

// Small dense systems that may be redundant, without the heap once the vectors have grown. Only
// least_norm() of many unknowns uses a decomposition of Eigen's, which takes long to compile.

// Vectors of one length, one after another.
struct Columns {
    std::size_t length = 0, count = 0;
    std::vector<double> values;

    void resize(std::size_t of_length, std::size_t of_count) {
        length = of_length;
        count = of_count;
        values.resize(length * count);
    }
    double* operator[](std::size_t k) { return values.data() + k * length; }
    const double* operator[](std::size_t k) const { return values.data() + k * length; }
};

// An orthonormal basis of what the columns span, those with the largest rest first: Gram and
// Schmidt's method with pivots, each made orthogonal twice. Columns whose rest is smaller than the
// part `dependent` of the largest follow from the others. The columns are written over.
void find_basis(Columns& columns, double dependent, Columns& basis);

// Solves A x = b with pivots by rows; A, of n rows one after another, and b are written over, b by
// x. False, where a pivot is not larger than the part `dependent` of the largest.
bool eliminate(double* A, double* b, std::size_t n, double dependent);

// Of all x with the least |A x - b| the one of the least norm. Columns of A that are nearly
// dependent are taken for dependent, see find_basis(). Not finite where A or b is not.
Eigen::VectorXd least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double dependent);

}  // namespace carom::world
