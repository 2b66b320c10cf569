// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Forces of rows against the pseudo-inverse of the whole matrix, made row by row.

#include "carom/world/constrained/constraint_rows.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <random>

namespace carom::world {
namespace {

class ConstraintRows : public testing::Test {
protected:
    double any() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
    Vec3 vector() { return {any(), any(), any()}; }

    RowBody body() {
        RowBody out;
        out.inverse_mass = 0.5 + std::abs(any());
        const Mat3 m = Mat3::Random();
        out.inverse_inertia = m * m.transpose() + Mat3::Identity();
        out.position = vector();
        out.radius = 0.7;
        return out;
    }

    // Points of one contact, all with the same normal, as those of a face.
    void add_face(std::uint32_t a, std::uint32_t b, std::uint32_t group, int points, bool sticks,
                  double mu) {
        const Vec3 n = vector().normalized();
        const Vec3 t = n.unitOrthogonal();
        for (int k = 0; k < points; ++k) {
            ConstraintRow row;
            row.a = a;
            row.b = b;
            row.group = group;
            row.x = any() * t + any() * n.cross(t);
            row.along = n;
            row.force = sticks ? n : Vec3(n - mu * t);
            rows.push_back(row);
            if (!sticks) continue;
            for (const Vec3& along : {t, Vec3(n.cross(t))}) {
                row.along = row.force = along;
                rows.push_back(row);
            }
        }
    }

    // What row i takes of the motion that a unit of force j gives.
    double entry(const ConstraintRow& i, const ConstraintRow& j) const {
        double sum = 0.0;
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? j.a : j.b;
            const double sign = first ? 1.0 : -1.0;
            const RowBody& by = bodies[id];
            const Vec3 v = sign * by.inverse_mass * j.force;
            const Vec3 w =
                sign * by.inverse_inertia * (Vec3(j.x - by.position).cross(j.force) + j.couple);
            if (i.a == id) sum += i.along.dot(v + w.cross(Vec3(i.x - by.position))) + i.turn.dot(w);
            if (i.b == id) sum -= i.along.dot(v + w.cross(Vec3(i.x - by.position))) + i.turn.dot(w);
        }
        return sum;
    }

    // Of right-hand sides that can be met, the answer of the least norm.
    void expect_least_norm(double limit) {
        const auto count = static_cast<Eigen::Index>(rows.size());
        Eigen::MatrixXd K(count, count);
        for (Eigen::Index i = 0; i < count; ++i)
            for (Eigen::Index j = 0; j < count; ++j)
                K(i, j) =
                    entry(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
        const Eigen::VectorXd right = K * Eigen::VectorXd::Random(count);
        Eigen::JacobiSVD<Eigen::MatrixXd> svd(K, Eigen::ComputeFullU | Eigen::ComputeFullV);
        svd.setThreshold(1e-10);
        const Eigen::VectorXd truth = svd.solve(right);
        Eigen::VectorXd forces;
        ASSERT_TRUE(solver.solve(bodies, rows, right, forces));
        EXPECT_LE((forces - truth).norm(), limit * truth.norm());
        EXPECT_EQ(solver.redundant(), svd.rank() < count);
        solver.forget();
        rows.clear();
    }

    std::vector<RowBody> bodies;
    std::vector<ConstraintRow> rows;
    RowSolver solver;

private:
    std::mt19937 random_{5};
};

TEST_F(ConstraintRows, OneContactOfAnyNumberOfPoints) {
    for (int n = 0; n < 40; ++n) {
        bodies = {body(), RowBody{}};
        add_face(0, 1, 7, 1 + n % 6, n % 2 == 0, 0.3);
        expect_least_norm(1e-9);
    }
}

TEST_F(ConstraintRows, SeveralBodies) {
    for (int n = 0; n < 40; ++n) {
        bodies = {body(), body(), body(), RowBody{}};
        add_face(0, 3, 0, 4, n % 2 == 0, 0.2);
        add_face(0, 1, 1, 1 + n % 4, n % 3 == 0, 0.4);
        add_face(1, 2, 2, 3, false, 0.0);
        expect_least_norm(1e-8);
    }
}

// Held from two sides the contacts depend on each other.
TEST_F(ConstraintRows, ContactsThatDependOnEachOther) {
    for (int n = 0; n < 20; ++n) {
        bodies = {body(), RowBody{}, RowBody{}};
        add_face(0, 1, 0, 4, true, 0.0);
        add_face(0, 2, 1, 4, true, 0.0);
        expect_least_norm(1e-8);
    }
}

// Rows that take and give turning, as those of a hinge do.
TEST_F(ConstraintRows, Couples) {
    for (int n = 0; n < 20; ++n) {
        bodies = {body(), body(), RowBody{}};
        const Vec3 axis = vector().normalized(), x = vector();
        for (int k = 0; k < 5; ++k) {
            ConstraintRow row;
            row.a = 0;
            row.b = 1;
            row.x = x;
            if (k < 3) {
                row.along = row.force = Vec3::Unit(k);
            } else {
                row.turn = row.couple =
                    k == 3 ? axis.unitOrthogonal() : Vec3(axis.cross(axis.unitOrthogonal()));
            }
            rows.push_back(row);
        }
        add_face(1, 2, 1, 4, true, 0.0);
        expect_least_norm(1e-8);
    }
}

TEST_F(ConstraintRows, NothingToSolve) {
    Eigen::VectorXd forces(3);
    EXPECT_TRUE(solver.solve(bodies, rows, Eigen::VectorXd(0), forces));
    EXPECT_EQ(forces.size(), 0);
    EXPECT_FALSE(solver.redundant());
}

}  // namespace
}  // namespace carom::world
