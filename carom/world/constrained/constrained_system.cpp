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

// The rows of the points that carry. for_forces: with friction against the slip of those that
// slide; else conditions on velocities, whose impulses are along them.
void ConstrainedSystem::make_rows(bool for_forces) {
    rows_.clear();
    for (std::uint32_t k = 0; k < points.size(); ++k) {
        const ConstrainedPoint& p = points[k];
        if (p.mode == PointMode::open) continue;
        Vec3 force = p.at.n;
        if (for_forces && p.mode == PointMode::slides) force -= p.mu * p.along;
        rows_.push_back({k, p.at.n, force, true});
        if (p.mode != PointMode::sticks) continue;
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

bool ConstrainedSystem::solve_rows() {
    if (rows_.empty()) {
        answer_.resize(0);
        redundant_ = false;
        return true;
    }
    make_matrix();
    if (!redundant_) {
        const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix_);
        const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
        if (pivots.minCoeff() > k_dependent * pivots.maxCoeff()) {
            answer_ = lu.solve(right_);
            return answer_.allFinite();
        }
        redundant_ = true;
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
    cod.setThreshold(k_dependent);
    cod.compute(matrix_);
    answer_ = cod.solve(right_);
    return answer_.allFinite();
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
    bool any_small = false;
    for (ConstrainedPoint& p : points) {
        if (p.mode != PointMode::slides || !(p.mu > 0.0)) continue;
        const Vec3 slip = tangential(p.u, p.at.n);
        const double speed = slip.norm();
        p.along = p.small || !(speed > 0.0) ? tangential(p.slip, p.at.n).normalized()
                                            : Vec3(slip / speed);
        any_small = any_small || p.small;
    }
    return solve_forces() && (!any_small || steer_slips());
}

void ConstrainedSystem::find_small_slips() {
    constexpr double k_settled = 0.02;  // rad
    const double unit = std::sqrt(scale * length);
    for (ConstrainedPoint& p : points)
        p.small = p.mode == PointMode::slides && p.mu > 0.0 &&
                  tangential(p.u, p.at.n).norm() < k_constrained_tolerances.small_slip * unit;
    const bool found = solve();
    for (ConstrainedPoint& p : points) {
        if (!p.small) continue;
        const Vec3 slip = tangential(p.u, p.at.n);
        const double speed = slip.norm();
        if (speed <= k_constrained_tolerances.slip * unit) continue;
        p.small = found && (p.along - slip / speed).norm() < k_settled;
    }
}

// The directions of small slips: turned, one after the other, until nothing accelerates across
// them. Newton's method on the angle of each.
bool ConstrainedSystem::steer_slips() {
    constexpr int k_sweeps = 12;
    constexpr double k_turn = 1e-5;   // for the slope, rad
    constexpr double k_most = 0.3;    // rad at once
    constexpr double k_done = 1e-12;  // rad
    for (int sweep = 0; sweep < k_sweeps; ++sweep) {
        double turned = 0.0;
        for (ConstrainedPoint& p : points) {
            if (p.mode != PointMode::slides || !(p.mu > 0.0) || !p.small) continue;
            const Vec3 before = p.along;
            const Vec3 aside = p.at.n.cross(before);
            const double here = sideways(p);
            p.along = std::cos(k_turn) * before + std::sin(k_turn) * aside;
            if (!solve_forces()) return false;
            const double slope = (sideways(p) - here) / k_turn;
            const double angle = slope != 0.0 ? std::clamp(-here / slope, -k_most, k_most) : 0.0;
            p.along = std::cos(angle) * before + std::sin(angle) * aside;
            if (!solve_forces()) return false;
            turned = std::max(turned, std::abs(angle));
        }
        if (turned <= k_done) break;
    }
    return true;
}

bool ConstrainedSystem::solve_forces() {
    make_rows(true);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        right_(static_cast<Eigen::Index>(i)) = -bias(rows_[i]);
    if (!solve_rows()) return false;
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

void ConstrainedSystem::project_velocities() {
    make_rows(false);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        right_(static_cast<Eigen::Index>(i)) = -rows_[i].along.dot(points[rows_[i].point].u);
    for (ConstrainedPoint& p : points)
        p.correction.setZero();
    if (solve_rows()) apply(answer_, false);
}

void ConstrainedSystem::project_positions() {
    make_rows(false);
    std::erase_if(rows_, [](const Row& row) { return !row.normal; });
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const ConstrainedPoint& p = points[rows_[i].point];
        right_(static_cast<Eigen::Index>(i)) = p.gap - p.at.gap;
    }
    if (solve_rows()) apply(answer_, true);
}

}  // namespace carom::world
