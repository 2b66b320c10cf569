// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/impact/multiple/cone_solver_newton.h"

#include <algorithm>
#include <cmath>

namespace carom::impact::cone {
namespace {

// Compliance of a step, relative to the contact's own. Larger: each step gains less; smaller: it
// loses digits of the impulses to rounding.
constexpr double k_compliance = 1e-8;
// A pair of 6 x 6 products of the elimination, and all that a contact adds to the matrix, in units
// of one contact's part of a sweep. Measured; only the choice between steps and sweeps hangs on it.
constexpr double k_product_cost = 2.0;
constexpr double k_assembly_cost = 6.0;

using Jacobian = Eigen::Matrix<double, 3, 6>;
using Effect = Eigen::Matrix<double, 6, 3>;

// dp = c - X du in the contact's frame.
struct Linear {
    Mat3 X;
    Vec3 c;
};

Linear linearise(const Row& row, const Vec3& u) {
    Linear out{Mat3::Zero(), -row.p};
    const Vec3 stiff = Vec3(row.inverse_s1, row.inverse_s2, row.inverse_k) / k_compliance;
    const Vec3 off(u.x(), u.y(), u.z() - row.least);
    if (row.hinge) {
        out.X = stiff.asDiagonal();
        out.c = -stiff.cwiseProduct(off);
        return out;
    }
    const double reach = row.p.z() - off.z() * row.inverse_k;
    const bool closed = reach > row.floor;
    const double pz = closed ? reach : row.floor;
    if (pz == 0.0) return out;
    out.X(2, 2) = closed ? stiff.z() : 0.0;
    out.c.z() = closed ? -off.z() * stiff.z() : row.floor - row.p.z();

    const double s = 0.5 * (row.s1 + row.s2);
    const Vec2 p = row.p.head<2>();
    const Vec2 x = p - u.head<2>() / s;
    const double length = x.norm();
    const double limit = row.mu * pz;
    if (length <= limit) {
        out.X.topLeftCorner<2, 2>() = stiff.head<2>().asDiagonal();
        out.c.head<2>() = -stiff.head<2>().cwiseProduct(off.head<2>());
        return out;
    }
    // on the circle of radius mu p_z, along x
    const Vec2 d = x / length;
    const Mat2 across = Mat2::Identity() - d * d.transpose();
    const double h = limit / length;
    const double gain = 1.0 / std::max(1.0 - h, k_compliance);
    out.X.topLeftCorner<2, 2>() = h * gain / s * across;
    out.X.topRightCorner<2, 1>() = row.mu * out.X(2, 2) * d;
    out.c.head<2>() = row.mu * (row.p.z() + out.c.z()) * d - d.dot(p) * d - gain * (across * p);
    return out;
}

Jacobian jacobian(const Row& row, const Vec3& r) {
    Jacobian J;
    J.row(0) << row.t1.transpose(), r.cross(row.t1).transpose();
    J.row(1) << row.t2.transpose(), r.cross(row.t2).transpose();
    J.row(2) << row.n.transpose(), r.cross(row.n).transpose();
    return J;
}

Effect effect(const Mover& body, const Jacobian& J) {
    Effect E;
    for (int i = 0; i < 3; ++i) {
        E.block<3, 1>(0, i) = body.inverse_mass * J.block<1, 3>(i, 0).transpose();
        E.block<3, 1>(3, i) = body.turned_by(J.block<1, 3>(i, 3).transpose());
    }
    return E;
}

// The inverse by elimination with partial pivoting. (Eigen's own, of this size, spends most of its
// time on preparing products of large matrices.)
void invert(Eigen::Matrix<double, 6, 6>& A) {
    constexpr int n = 6;
    Eigen::Matrix<double, n, n> X = Eigen::Matrix<double, n, n>::Identity();
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
        if (pivot != k) {
            A.row(k).swap(A.row(pivot));
            X.row(k).swap(X.row(pivot));
        }
        for (int i = k + 1; i < n; ++i) {
            const double factor = A(i, k) / A(k, k);
            for (int j = k + 1; j < n; ++j)
                A(i, j) -= factor * A(k, j);
            for (int j = 0; j < n; ++j)
                X(i, j) -= factor * X(k, j);
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = n - 1; i >= 0; --i) {
            double x = X(i, j);
            for (int k = i + 1; k < n; ++k)
                x -= A(i, k) * X(k, j);
            X(i, j) = x / A(i, i);
        }
    }
    A = X;
}

}  // namespace

void Newton::find_neighbours(std::span<const Row> rows, std::size_t bodies) {
    pairs_.clear();
    for (const Row& row : rows) {
        if (place_[row.a] < 0 || place_[row.b] < 0) continue;
        pairs_.push_back(std::uint64_t{row.a} << 32 | row.b);
        pairs_.push_back(std::uint64_t{row.b} << 32 | row.a);
    }
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    neighbours_from_.assign(bodies + 1, 0);
    for (const std::uint64_t pair : pairs_)
        ++neighbours_from_[(pair >> 32) + 1];
    for (std::size_t i = 0; i < bodies; ++i)
        neighbours_from_[i + 1] += neighbours_from_[i];
}

// Breadth first from the root, neighbours in order of their degree.
void Newton::order_component(std::uint32_t root) {
    const auto degree = [&](std::uint32_t i) {
        return neighbours_from_[i + 1] - neighbours_from_[i];
    };
    std::size_t next = order_.size();
    order_.push_back(root);
    place_[root] = 1;
    while (next < order_.size()) {
        const std::uint32_t body = order_[next++];
        const std::size_t from = order_.size();
        for (std::uint32_t k = neighbours_from_[body]; k < neighbours_from_[body + 1]; ++k) {
            const auto other = static_cast<std::uint32_t>(pairs_[k]);
            if (place_[other] != 0) continue;
            place_[other] = 1;
            order_.push_back(other);
        }
        std::sort(order_.begin() + static_cast<std::ptrdiff_t>(from), order_.end(),
                  [&](std::uint32_t i, std::uint32_t j) {
                      return degree(i) != degree(j) ? degree(i) < degree(j) : i < j;
                  });
    }
}

// Each connected part from the body that is farthest from its first one, then all reversed.
void Newton::order_bodies(std::span<const Mover> movers) {
    order_.clear();
    for (std::uint32_t i = 0; i < movers.size(); ++i) {
        if (place_[i] != 0) continue;
        const std::size_t from = order_.size();
        order_component(i);
        const std::uint32_t rim = order_.back();
        for (std::size_t k = from; k < order_.size(); ++k)
            place_[order_[k]] = 0;
        order_.resize(from);
        order_component(rim);
    }
    std::reverse(order_.begin(), order_.end());
    for (std::size_t k = 0; k < order_.size(); ++k)
        place_[order_[k]] = static_cast<std::int32_t>(k);
}

double Newton::plan(std::span<const Row> rows, std::span<const Mover> movers) {
    place_.resize(movers.size());
    for (std::size_t i = 0; i < movers.size(); ++i)
        place_[i] = movers[i].can_move() ? 0 : -1;
    find_neighbours(rows, movers.size());
    order_bodies(movers);

    // the envelope, and the products of blocks inside it
    first_.resize(order_.size());
    offset_.resize(order_.size());
    std::size_t size = 0;
    double products = 0.0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
        auto first = static_cast<std::int32_t>(k);
        const std::uint32_t body = order_[k];
        for (std::uint32_t n = neighbours_from_[body]; n < neighbours_from_[body + 1]; ++n)
            first = std::min(first, place_[static_cast<std::uint32_t>(pairs_[n])]);
        first_[k] = first;
        offset_[k] = size;
        const auto width = static_cast<double>(k) - first;
        size += k - at(first);
        products += 0.5 * width * width + 2.0 * width + 2.0;
    }
    size_ = size;
    const auto contacts = static_cast<double>(std::max<std::size_t>(rows.size(), 1));
    return k_assembly_cost + k_product_cost * products / contacts;
}

void Newton::clear() {
    lower_.assign(size_, Block::Zero());
    upper_.assign(size_, Block::Zero());
    diagonal_.assign(order_.size(), Block::Identity());
    x_.assign(order_.size(), Six::Zero());
}

// Adds a contact to the matrix, 1 + M^-1 J^T X J, and to the right side, M^-1 J^T p.
void Newton::add_contact(const Row& row, std::span<const Mover> movers, const Mat3& X,
                         const Vec3& p) {
    const std::int32_t a = place_[row.a];
    const std::int32_t b = place_[row.b];
    Jacobian XJ_a, XJ_b;
    Effect E_a, E_b;
    if (a >= 0) {
        const Jacobian J = jacobian(row, row.r_a);
        XJ_a = X * J;
        E_a = effect(movers[row.a], J);
        diagonal_[at(a)] += E_a * XJ_a;
        x_[at(a)] += E_a * p;
    }
    if (b >= 0) {
        const Jacobian J = -jacobian(row, row.r_b);
        XJ_b = X * J;
        E_b = effect(movers[row.b], J);
        diagonal_[at(b)] += E_b * XJ_b;
        x_[at(b)] += E_b * p;
    }
    if (a < 0 || b < 0) return;
    (a > b ? lower(a, b) : upper(a, b)) += E_a * XJ_b;
    (a > b ? upper(b, a) : lower(b, a)) += E_b * XJ_a;
}

// A = L U in blocks, L with unit blocks on its diagonal; diagonal_ becomes the inverse of U's.
bool Newton::factor() {
    const auto count = static_cast<std::int32_t>(order_.size());
    for (std::int32_t i = 0; i < count; ++i) {
        const std::int32_t first = first_[at(i)];
        for (std::int32_t j = first; j < i; ++j) {
            Block& L = lower(i, j);
            Block& U = upper(j, i);
            for (std::int32_t k = std::max(first, first_[at(j)]); k < j; ++k) {
                L.noalias() -= lower(i, k).lazyProduct(upper(k, j));
                U.noalias() -= lower(j, k).lazyProduct(upper(k, i));
            }
            L = (L * diagonal_[at(j)]).eval();
        }
        Block& D = diagonal_[at(i)];
        for (std::int32_t k = first; k < i; ++k)
            D.noalias() -= lower(i, k).lazyProduct(upper(k, i));
        invert(D);
        if (!D.allFinite()) return false;
    }
    return true;
}

void Newton::substitute() {
    const auto count = static_cast<std::int32_t>(order_.size());
    for (std::int32_t i = 0; i < count; ++i)
        for (std::int32_t k = first_[at(i)]; k < i; ++k)
            x_[at(i)] -= lower(i, k) * x_[at(k)];
    for (std::int32_t i = count - 1; i >= 0; --i) {
        x_[at(i)] = (diagonal_[at(i)] * x_[at(i)]).eval();
        for (std::int32_t k = first_[at(i)]; k < i; ++k)
            x_[at(k)] -= upper(k, i) * x_[at(i)];
    }
}

bool Newton::step(std::span<Row> rows, std::span<const Mover> movers) {
    clear();
    for (const Row& row : rows) {
        const Linear local = linearise(row, row.u(movers[row.a], movers[row.b]));
        add_contact(row, movers, local.X, local.c);
    }
    if (!factor()) return false;
    substitute();
    const auto change = [&](std::uint32_t body, const Vec3& r) -> Vec3 {
        if (place_[body] < 0) return Vec3::Zero();
        const Six& x = x_[at(place_[body])];
        return x.head<3>() + x.tail<3>().cross(r);
    };
    for (Row& row : rows) {
        const Linear local = linearise(row, row.u(movers[row.a], movers[row.b]));
        const Vec3 du = row.to_C(change(row.a, row.r_a) - change(row.b, row.r_b));
        row.p = clipped(row, row.p + local.c - local.X * du);
    }
    return true;
}

}  // namespace carom::impact::cone
