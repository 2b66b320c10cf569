// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <algorithm>
#include <cmath>

#include "carom/impact/multiple/cone_solver_newton.h"

namespace carom::impact::cone {
namespace {

// Mismatch of the velocities at which a proximal problem counts as solved, relative to that of its
// start. Larger: fewer steps, less gained by each problem.
constexpr double k_solved = 1e-10;
// Least decrease of the mismatch that a full step must bring; Armijo's rule.
constexpr double k_decrease = 1e-4;
constexpr int k_most_halvings = 12;

// p(u) of the proximal problem and X = -dp/du.
struct Law {
    Mat3 X;
    Vec3 p;
};

Law compliant_law(const Row& row, const Vec3& centre, const Vec3& u, double compliance) {
    const double s = 0.5 * (row.s1 + row.s2);
    const double stiff_t = 1.0 / (compliance * s);
    const double stiff_n = row.inverse_k / compliance;
    Law law{Vec3(stiff_t, stiff_t, stiff_n).asDiagonal(),
            centre - Vec3(stiff_t * u.x(), stiff_t * u.y(), stiff_n * (u.z() - row.least))};
    if (row.hinge) return law;
    if (law.p.z() <= row.floor) {
        law.p.z() = row.floor;
        law.X(2, 2) = 0.0;
    }
    const double length = law.p.head<2>().norm();
    const double limit = row.mu * law.p.z();
    if (length <= limit) return law;
    const Vec2 d = law.p.head<2>() / length;
    law.X.topLeftCorner<2, 2>() = limit / length * stiff_t * (Mat2::Identity() - d * d.transpose());
    law.X.topRightCorner<2, 1>() = row.mu * law.X(2, 2) * d;
    law.p.head<2>() = limit * d;
    return law;
}

}  // namespace

// push_ becomes V(start) - V + M^-1 J^T p(V); gives its norm, with turns taken at the lengths of
// the arms.
double Newton::mismatch(std::span<const Row> rows, std::span<const Mover> movers,
                        std::span<const Twist> start, double compliance) {
    push_.assign(order_.size(), Six::Zero());
    for (std::size_t k = 0; k < order_.size(); ++k) {
        const std::uint32_t body = order_[k];
        push_[k].head<3>() = start[body].v - movers[body].v;
        push_[k].tail<3>() = start[body].w - movers[body].w;
    }
    double arms = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const Mover& A = movers[row.a];
        const Mover& B = movers[row.b];
        const Vec3 p_W = row.to_W(compliant_law(row, centres_[i], row.u(A, B), compliance).p);
        if (const std::int32_t a = place_[row.a]; a >= 0) {
            push_[at(a)].head<3>() += A.inverse_mass * p_W;
            push_[at(a)].tail<3>() += A.turned_by(row.r_a.cross(p_W));
            arms = std::max(arms, row.r_a.squaredNorm());
        }
        if (const std::int32_t b = place_[row.b]; b >= 0) {
            push_[at(b)].head<3>() -= B.inverse_mass * p_W;
            push_[at(b)].tail<3>() -= B.turned_by(row.r_b.cross(p_W));
            arms = std::max(arms, row.r_b.squaredNorm());
        }
    }
    double squared = 0.0;
    for (const Six& f : push_)
        squared += f.head<3>().squaredNorm() + arms * f.tail<3>().squaredNorm();
    return std::sqrt(squared);
}

void Newton::move(std::span<Mover> movers, double part) const {
    for (std::size_t k = 0; k < order_.size(); ++k) {
        Mover& body = movers[order_[k]];
        body.v += part * x_[k].head<3>();
        body.w += part * x_[k].tail<3>();
    }
}

int Newton::approach(std::span<Row> rows, std::span<Mover> movers, std::span<const Twist> start,
                     double compliance, int most) {
    centres_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        centres_[i] = rows[i].p;
    double now = mismatch(rows, movers, start, compliance);
    const double solved = k_solved * now;
    int count = 0;
    while (count < most && now > solved) {
        ++count;
        clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Row& row = rows[i];
            const Vec3 u = row.u(movers[row.a], movers[row.b]);
            add_contact(row, movers, compliant_law(row, centres_[i], u, compliance).X,
                        Vec3::Zero());
        }
        x_ = push_;
        if (!factor()) break;
        substitute();

        // the whole step, or the first of its halves that brings the mismatch down
        double part = 1.0;
        move(movers, part);
        double next = mismatch(rows, movers, start, compliance);
        for (int i = 0; i < k_most_halvings && !(next <= (1.0 - k_decrease * part) * now); ++i) {
            part *= 0.5;
            move(movers, -part);
            next = mismatch(rows, movers, start, compliance);
        }
        if (!(next < now)) break;
        now = next;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Vec3 u = rows[i].u(movers[rows[i].a], movers[rows[i].b]);
        rows[i].p = compliant_law(rows[i], centres_[i], u, compliance).p;
    }
    return count;
}

}  // namespace carom::impact::cone
