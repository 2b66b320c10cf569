// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/constrained_system.h"

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {
namespace {

// Conditions whose pivot is smaller than this part of the largest follow from the others. Larger:
// nearly dependent ones are taken for dependent, and forces jump.
constexpr double k_dependent = 1e-8;

// Two unit vectors across a unit normal.
struct Tangents {
    Vec3 first, second;
};
Tangents tangents(const Vec3& n) {
    const Vec3 first = n.unitOrthogonal();
    return {first, n.cross(first)};
}

}  // namespace

void ConstrainedSystem::look() {
    inverse_inertia_.resize(bodies.size());
    free_a_.resize(bodies.size());
    free_alpha_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        ConstrainedBody& b = bodies[i];
        inverse_inertia_[i].setZero();
        free_a_[i] = b.a;
        free_alpha_[i] = b.alpha;
        if (b.body->fixed) continue;
        const motion::State& s = b.state;
        inverse_inertia_[i] = inverse_inertia_in_world(*b.body, s.orientation);
        free_a_[i] = gravity;
        Vec3 torque = Vec3::Zero();
        if (!b.body->isotropic) {
            const Vec3 w = s.orientation.conjugate() * s.angular_velocity;
            torque = -(s.orientation * w.cross(b.body->inertia->tensor() * w));
        }
        if (!b.body->forces.empty()) {
            const motion::Wrench wrench = motion::total_wrench(b.body->forces, b.body->mass, s);
            free_a_[i] += b.body->inverse_mass * wrench.force;
            torque += wrench.torque;
        }
        free_alpha_[i] = inverse_inertia_[i] * torque;
    }
    for (ConstrainedPoint& p : points) {
        p.at = contact_state(p.track, bodies[p.a].state, bodies[p.b].state);
        p.u = velocity_at(bodies[p.a].state, p.at.x) - velocity_at(bodies[p.b].state, p.at.x);
    }
}

// The rows of the points that carry. ending_slips: slips that end as the step begins are taken off.
// for_forces: with friction against the slip of those that
// slide; else conditions on velocities, whose impulses are along them.
void ConstrainedSystem::make_rows(bool for_forces, bool ending_slips) {
    rows_.clear();
    for (std::uint32_t k = 0; k < points.size(); ++k) {
        const ConstrainedPoint& p = points[k];
        if (p.mode == PointMode::open) continue;
        Vec3 force = p.at.n;
        if (for_forces && p.mode == PointMode::slides) force -= p.mu * p.along;
        rows_.push_back({k, p.at.n, force, true});
        // a slip that is none, or turns round within the moment of the contact problem, has ended
        const bool ends = ending_slips && p.mode == PointMode::slides && p.mu > 0.0 &&
                          (p.u.dot(p.slip) < 0.0 || tangential(p.u, p.at.n).norm() <= no_slip);
        if (p.mode != PointMode::sticks && !ends) continue;
        const Tangents t = tangents(p.at.n);
        rows_.push_back({k, t.first, t.first, false});
        rows_.push_back({k, t.second, t.second, false});
    }
}

// matrix(i, j): what a unit of force j does to condition i.
void ConstrainedSystem::make_matrix() {
    const auto count = static_cast<Eigen::Index>(rows_.size());
    matrix_.setZero(count, count);
    for (Eigen::Index j = 0; j < count; ++j) {
        const Row& by = rows_[static_cast<std::size_t>(j)];
        const ConstrainedPoint& q = points[by.point];
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? q.a : q.b;
            const ConstrainedBody& body = bodies[id];
            if (body.body->fixed) continue;
            const double sign = first ? 1.0 : -1.0;
            const Vec3 r = q.at.x - body.state.position;
            const Vec3 a = sign * body.body->inverse_mass * by.force;
            const Vec3 alpha = sign * (inverse_inertia_[id] * r.cross(by.force));
            for (Eigen::Index i = 0; i < count; ++i) {
                const Row& row = rows_[static_cast<std::size_t>(i)];
                const ConstrainedPoint& p = points[row.point];
                if (p.a != id && p.b != id) continue;
                const Vec3 moved = a + alpha.cross(Vec3(p.at.x - body.state.position));
                matrix_(i, j) += (p.a == id ? 1.0 : -1.0) * row.along.dot(moved);
            }
        }
    }
}

double ConstrainedSystem::bias(const Row& row) const {
    const ConstrainedPoint& p = points[row.point];
    const auto side = [&](std::uint32_t id) -> Vec3 {
        const motion::State& s = bodies[id].state;
        const Vec3 r = p.at.x - s.position;
        const Vec3& w = s.angular_velocity;
        return free_a_[id] + free_alpha_[id].cross(r) + w.cross(w.cross(r)) +
               w.cross(p.at.x_rate - s.velocity - w.cross(r));
    };
    const double along = row.along.dot(side(p.a) - side(p.b));
    return row.normal ? along + p.at.n_rate.dot(p.u) : along;
}

// With more conditions than can be independent the matrix is A = P Q^T, of as many columns as the
// free bodies have degrees of freedom: P what the condition takes of their accelerations, Q what
// its force gives. Of orthogonal columns, P = U R and Q = V S, the answer of the least norm is V (R
// S^T)^+ U^T r.
bool ConstrainedSystem::solve_redundant() {
    const auto count = static_cast<Eigen::Index>(rows_.size());
    Eigen::Index free = 0;
    columns_.assign(bodies.size(), -1);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (!bodies[i].body->fixed) columns_[i] = 6 * free++;
    taken_.setZero(count, 6 * free);
    given_.setZero(count, 6 * free);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Row& row = rows_[static_cast<std::size_t>(i)];
        const ConstrainedPoint& p = points[row.point];
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? p.a : p.b;
            if (columns_[id] < 0) continue;
            const double sign = first ? 1.0 : -1.0;
            const double radius = bodies[id].body->radius;
            const Vec3 r = p.at.x - bodies[id].state.position;
            taken_.block<1, 3>(i, columns_[id]) =
                sign * bodies[id].body->inverse_mass * row.along.transpose();
            taken_.block<1, 3>(i, columns_[id] + 3) =
                sign * radius * (inverse_inertia_[id] * r.cross(row.along)).transpose();
            given_.block<1, 3>(i, columns_[id]) = sign * row.force.transpose();
            given_.block<1, 3>(i, columns_[id] + 3) =
                sign / radius * r.cross(row.force).transpose();
        }
    }
    const Eigen::Index rank = std::min(count, 6 * free);
    taken_qr_.compute(taken_);
    given_qr_.compute(given_);
    core_.noalias() =
        taken_qr_.matrixQR().topRows(rank).template triangularView<Eigen::Upper>().toDenseMatrix() *
        taken_qr_.colsPermutation().inverse();
    const Eigen::MatrixXd given =
        given_qr_.matrixQR().topRows(rank).template triangularView<Eigen::Upper>().toDenseMatrix() *
        given_qr_.colsPermutation().inverse();
    core_ = core_ * given.transpose();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse;
    inverse.setThreshold(k_dependent);
    inverse.compute(core_);
    answer_ = right_;
    answer_.applyOnTheLeft(taken_qr_.householderQ().transpose());
    residual_ = inverse.solve(answer_.head(rank));
    answer_.setZero();
    answer_.head(rank) = residual_;
    answer_.applyOnTheLeft(given_qr_.householderQ());
    return answer_.allFinite();
}

bool ConstrainedSystem::solve_rows() {
    if (rows_.empty()) {
        answer_.resize(0);
        redundant_ = false;
        return true;
    }
    const auto freedom = 6 * std::count_if(bodies.begin(), bodies.end(),
                                           [](const auto& b) { return !b.body->fixed; });
    redundant_ = redundant_ || static_cast<std::ptrdiff_t>(rows_.size()) > freedom;
    if (!redundant_) {
        make_matrix();
        const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix_);
        const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
        if (pivots.minCoeff() > k_dependent * pivots.maxCoeff()) {
            answer_ = lu.solve(right_);
            return answer_.allFinite();
        }
        redundant_ = true;
    }
    return solve_redundant();
}

Vec3 ConstrainedSystem::relative_acceleration(const ConstrainedPoint& p) const {
    const auto side = [&](std::uint32_t id) -> Vec3 {
        const ConstrainedBody& body = bodies[id];
        const Vec3 r = p.at.x - body.state.position;
        const Vec3& w = body.state.angular_velocity;
        return body.a + body.alpha.cross(r) + w.cross(w.cross(r)) +
               w.cross(p.at.x_rate - body.state.velocity - w.cross(r));
    };
    return side(p.a) - side(p.b);
}

// The part of u' across the direction of the slip, along the surface.
double ConstrainedSystem::sideways(const ConstrainedPoint& p) const {
    return p.at.n.cross(p.along).dot(relative_acceleration(p));
}

bool ConstrainedSystem::solve() {
    for (ConstrainedPoint& p : points) {
        if (p.mode != PointMode::slides || !(p.mu > 0.0)) continue;
        const Vec3 slip = tangential(p.u, p.at.n);
        const double speed = slip.norm();
        p.along = p.small || !(speed > 0.0) ? tangential(p.slip, p.at.n).normalized()
                                            : Vec3(slip / speed);
    }
    return solve_forces();
}

void ConstrainedSystem::find_small_slips() {
    constexpr double k_settled = 0.02;  // rad
    for (ConstrainedPoint& p : points)
        p.small = p.mode == PointMode::slides && p.mu > 0.0 &&
                  tangential(p.u, p.at.n).norm() < small_slip;
    if (std::none_of(points.begin(), points.end(),
                     [](const ConstrainedPoint& p) { return p.small; }))
        return;
    const bool found = solve() && steer_slips();
    for (ConstrainedPoint& p : points) {
        if (!p.small) continue;
        const Vec3 slip = tangential(p.u, p.at.n);
        const double speed = slip.norm();
        if (speed > no_slip) p.small = found && (p.along - slip / speed).norm() < k_settled;
        if (p.small && found) p.slip = p.along;
    }
}

// The directions of small slips: turned until nothing accelerates across them. Of one slip by
// Newton's method on its angle, of several together by part of the angle that each is off, less
// where that does not bring them nearer.
bool ConstrainedSystem::steer_slips() {
    std::vector<ConstrainedPoint*> small;
    for (ConstrainedPoint& p : points)
        if (p.mode == PointMode::slides && p.mu > 0.0 && p.small) small.push_back(&p);
    return small.size() == 1 ? steer_slip(*small[0]) : steer_together(small);
}

bool ConstrainedSystem::steer_slip(ConstrainedPoint& p) {
    constexpr int k_rounds = 12;
    constexpr double k_turn = 1e-5;   // for the slope, rad
    constexpr double k_most = 0.3;    // rad at once
    constexpr double k_done = 1e-12;  // rad
    for (int round = 0; round < k_rounds; ++round) {
        const Vec3 before = p.along;
        const Vec3 aside = p.at.n.cross(before);
        const double here = sideways(p);
        p.along = std::cos(k_turn) * before + std::sin(k_turn) * aside;
        if (!solve_forces()) return false;
        const double slope = (sideways(p) - here) / k_turn;
        const double angle = slope != 0.0 ? std::clamp(-here / slope, -k_most, k_most) : 0.0;
        p.along = std::cos(angle) * before + std::sin(angle) * aside;
        if (!solve_forces()) return false;
        if (std::abs(angle) <= k_done) break;
    }
    return true;
}

bool ConstrainedSystem::steer_together(const std::vector<ConstrainedPoint*>& small) {
    constexpr int k_rounds = 24;
    // rad; a slip is small for some 1e-5 of the time that bodies move in. Larger: its friction is
    // as much off its direction
    constexpr double k_done = 1e-8;
    double part = 1.0, last = k_forever;
    for (int round = 0; round < k_rounds; ++round) {
        double most = 0.0;
        std::vector<double> angles;
        for (const ConstrainedPoint* p : small) {
            const Vec3 rate = tangential(relative_acceleration(*p), p->at.n);
            const double along = std::max(rate.dot(p->along), 0.0);
            angles.push_back(std::atan2(sideways(*p), along));
            most = std::max(most, std::abs(angles.back()));
        }
        if (most <= k_done) break;
        if (!(most < 0.9 * last)) part *= 0.5;
        last = most;
        for (std::size_t k = 0; k < small.size(); ++k) {
            const double angle = part * angles[k];
            const Vec3 aside = small[k]->at.n.cross(small[k]->along);
            small[k]->along = std::cos(angle) * small[k]->along + std::sin(angle) * aside;
        }
        if (!solve_forces()) return false;
    }
    return true;
}

bool ConstrainedSystem::solve_forces() {
    make_rows(true, false);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        right_(static_cast<Eigen::Index>(i)) = -bias(rows_[i]);
    const bool refers = std::any_of(points.begin(), points.end(), [](const ConstrainedPoint& p) {
        return !p.reference.isZero(0.0);
    });
    Eigen::VectorXd start;
    if (refers) {
        start.resize(right_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i)
            start(static_cast<Eigen::Index>(i)) =
                rows_[i].along.dot(points[rows_[i].point].reference);
        make_matrix();
        right_.noalias() -= matrix_ * start;
    }
    if (!solve_rows()) return false;
    if (refers) answer_ += start;
    for (ConstrainedPoint& p : points)
        p.force.setZero();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        points[rows_[i].point].force += answer_(static_cast<Eigen::Index>(i)) * rows_[i].force;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].body->fixed) continue;
        bodies[i].a = free_a_[i];
        bodies[i].alpha = free_alpha_[i];
    }
    for (const ConstrainedPoint& p : points) {
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? p.a : p.b;
            ConstrainedBody& body = bodies[id];
            if (body.body->fixed) continue;
            const Vec3 force = first ? p.force : Vec3(-p.force);
            const Vec3 r = p.at.x - body.state.position;
            body.a += body.body->inverse_mass * force;
            body.alpha += inverse_inertia_[id] * r.cross(force);
        }
    }
    return true;
}

void ConstrainedSystem::apply(const Eigen::VectorXd& x, bool to_positions) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        ConstrainedPoint& p = points[row.point];
        const Vec3 impulse = x(static_cast<Eigen::Index>(i)) * row.along;
        if (!to_positions) p.correction += impulse;
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? p.a : p.b;
            ConstrainedBody& body = bodies[id];
            if (body.body->fixed) continue;
            const Vec3 mine = first ? impulse : Vec3(-impulse);
            const Vec3 v = body.body->inverse_mass * mine;
            const Vec3 w = inverse_inertia_[id] * Vec3(p.at.x - body.state.position).cross(mine);
            if (to_positions) {
                body.state.position += v;
                body.state.orientation =
                    (motion::rotation_by(w) * body.state.orientation).normalized();
            } else {
                body.state.velocity += v;
                body.state.angular_velocity += w;
            }
        }
    }
}

void ConstrainedSystem::project_velocities(bool ending_slips) {
    make_rows(false, ending_slips);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        right_(static_cast<Eigen::Index>(i)) = -rows_[i].along.dot(points[rows_[i].point].u);
    for (ConstrainedPoint& p : points)
        p.correction.setZero();
    if (solve_rows()) apply(answer_, false);
}

void ConstrainedSystem::project_positions() {
    make_rows(false, false);
    std::erase_if(rows_, [](const Row& row) { return !row.normal; });
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const ConstrainedPoint& p = points[rows_[i].point];
        right_(static_cast<Eigen::Index>(i)) = p.gap - p.at.gap;
    }
    if (solve_rows()) apply(answer_, true);
}

}  // namespace carom::world
