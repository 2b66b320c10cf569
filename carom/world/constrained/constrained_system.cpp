// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/constrained_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {
namespace {

// Two unit vectors across a unit normal.
std::pair<Vec3, Vec3> tangents(const Vec3& n) {
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
    row_bodies_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = *bodies[i].body;
        row_bodies_[i] = {body.inverse_mass, inverse_inertia_[i], bodies[i].state.position,
                          body.fixed ? 0.0 : body.radius};
    }
    for (ConstrainedPoint& p : points) {
        p.at = contact_state(p.track, bodies[p.a].state, bodies[p.b].state);
        p.u = velocity_at(bodies[p.a].state, p.at.x) - velocity_at(bodies[p.b].state, p.at.x);
    }
}

// The rows of the points that carry; at_start: and of those that approach. ending_slips: slips that
// end as the step begins are taken off. for_forces: with friction against the slip of those that
// slide; else conditions on velocities, whose impulses are along them.
void ConstrainedSystem::make_rows(bool for_forces, bool at_start, bool ending_slips) {
    rows_.clear();
    row_of_.clear();
    for (std::uint32_t k = 0; k < points.size(); ++k) {
        const ConstrainedPoint& p = points[k];
        if (p.mode == PointMode::open && !(at_start && p.u.dot(p.at.n) < 0.0)) continue;
        const auto add = [&](const Vec3& along, const Vec3& force, bool normal) {
            ConstraintRow row;
            row.a = p.a;
            row.b = p.b;
            row.group = p.contact;
            row.x = p.at.x;
            row.along = along;
            row.force = force;
            rows_.push_back(row);
            row_of_.push_back({k, normal});
        };
        Vec3 force = p.at.n;
        if (for_forces && p.mode == PointMode::slides) force -= p.mu * p.along;
        add(p.at.n, force, true);
        // a slip that is none, or turns round within the moment of the contact problem, has ended
        const bool ends = ending_slips && p.mode == PointMode::slides && p.mu > 0.0 &&
                          (p.u.dot(p.slip) < 0.0 || tangential(p.u, p.at.n).norm() <= no_slip);
        if (p.mode != PointMode::sticks && !ends) continue;
        const auto t = tangents(p.at.n);
        add(t.first, t.first, false);
        add(t.second, t.second, false);
    }
}

// What the rows take of the accelerations that these forces of theirs give.
Eigen::VectorXd ConstrainedSystem::taken_of(const Eigen::VectorXd& forces) const {
    std::vector<Vec3> a(bodies.size(), Vec3::Zero()), alpha(bodies.size(), Vec3::Zero());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Vec3 force = forces(static_cast<Eigen::Index>(i)) * rows_[i].force;
        for (const bool first : {true, false}) {
            const std::uint32_t id = first ? rows_[i].a : rows_[i].b;
            const Vec3 mine = first ? force : Vec3(-force);
            a[id] += row_bodies_[id].inverse_mass * mine;
            alpha[id] += row_bodies_[id].inverse_inertia *
                         Vec3(rows_[i].x - row_bodies_[id].position).cross(mine);
        }
    }
    Eigen::VectorXd taken(forces.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto side = [&](std::uint32_t id) -> Vec3 {
            return a[id] + alpha[id].cross(Vec3(rows_[i].x - row_bodies_[id].position));
        };
        taken(static_cast<Eigen::Index>(i)) =
            rows_[i].along.dot(side(rows_[i].a) - side(rows_[i].b));
    }
    return taken;
}

// The part of u' at a point that forces do not change.
// w x (w x r) and w x (x' - v - w x r) are w x (x' - v).
Vec3 ConstrainedSystem::free_acceleration(const ConstrainedPoint& p) const {
    const auto side = [&](std::uint32_t id) -> Vec3 {
        if (bodies[id].body->still) return Vec3::Zero();
        const motion::State& s = bodies[id].state;
        const Vec3 r = p.at.x - s.position;
        const Vec3& w = s.angular_velocity;
        return free_a_[id] + free_alpha_[id].cross(r) + w.cross(p.at.x_rate - s.velocity);
    };
    return side(p.a) - side(p.b);
}

Vec3 ConstrainedSystem::relative_acceleration(const ConstrainedPoint& p) const {
    const auto side = [&](std::uint32_t id) -> Vec3 {
        const ConstrainedBody& body = bodies[id];
        const Vec3 r = p.at.x - body.state.position;
        const Vec3& w = body.state.angular_velocity;
        return body.a + body.alpha.cross(r) + w.cross(p.at.x_rate - body.state.velocity);
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

// The directions of small slips: turned until nothing accelerates across them, by Newton's method
// on their angles, with slopes by differences.
bool ConstrainedSystem::steer_slips() {
    constexpr int k_rounds = 12;
    constexpr double k_turn = 1e-6;  // for the slopes, rad
    constexpr double k_most = 0.3;   // rad at once
    // Of the scale of accelerations. Larger: friction is as much off its direction while a slip
    // begins or ends.
    constexpr double k_done = 1e-11;
    // Of slopes by differences. Larger: directions that depend on each other a little turn
    // together.
    constexpr double k_dependent = 1e-12;
    std::vector<ConstrainedPoint*> small;
    for (ConstrainedPoint& p : points)
        if (p.mode == PointMode::slides && p.mu > 0.0 && p.small) small.push_back(&p);
    const auto count = static_cast<Eigen::Index>(small.size());
    const auto of = [&](Eigen::Index k) -> ConstrainedPoint& {
        return *small[static_cast<std::size_t>(k)];
    };
    const auto turn = [](ConstrainedPoint& p, const Vec3& from, double angle) {
        p.along = std::cos(angle) * from + std::sin(angle) * p.at.n.cross(from);
    };
    Eigen::VectorXd aside(count);
    Eigen::MatrixXd slopes(count, count);
    for (int round = 0; round < k_rounds; ++round) {
        for (Eigen::Index k = 0; k < count; ++k)
            aside(k) = sideways(of(k));
        if (aside.lpNorm<Eigen::Infinity>() <= k_done * scale) return true;
        std::vector<Vec3> before;
        for (const ConstrainedPoint* p : small)
            before.push_back(p->along);
        for (Eigen::Index j = 0; j < count; ++j) {
            const Vec3& from = before[static_cast<std::size_t>(j)];
            turn(of(j), from, k_turn);
            if (!solve_forces()) return false;
            for (Eigen::Index k = 0; k < count; ++k)
                slopes(k, j) = (sideways(of(k)) - aside(k)) / k_turn;
            of(j).along = from;
        }
        const Eigen::VectorXd angles = least_norm(slopes, -aside, k_dependent);
        if (!angles.allFinite()) return false;
        const double most = angles.lpNorm<Eigen::Infinity>();
        const double part = most > k_most ? k_most / most : 1.0;
        for (Eigen::Index k = 0; k < count; ++k)
            turn(of(k), before[static_cast<std::size_t>(k)], part * angles(k));
        if (!solve_forces()) return false;
    }
    return true;
}

bool ConstrainedSystem::solve_forces() {
    make_rows(true, false, false);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    Vec3 free = Vec3::Zero();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        // the rows of a point follow one another
        const ConstrainedPoint& p = points[row_of_[i].point];
        if (i == 0 || row_of_[i].point != row_of_[i - 1].point) free = free_acceleration(p);
        const double turning = row_of_[i].normal ? p.at.n_rate.dot(p.u) : 0.0;
        right_(static_cast<Eigen::Index>(i)) = -(rows_[i].along.dot(free) + turning);
    }
    const bool refers = std::any_of(points.begin(), points.end(), [](const ConstrainedPoint& p) {
        return !p.reference.isZero(0.0);
    });
    Eigen::VectorXd start;
    if (refers) {
        start.resize(right_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i)
            start(static_cast<Eigen::Index>(i)) =
                rows_[i].along.dot(points[row_of_[i].point].reference);
        right_ -= taken_of(start);
    }
    if (!solve_rows()) return false;
    if (refers) answer_ += start;
    for (ConstrainedPoint& p : points)
        p.force.setZero();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        points[row_of_[i].point].force += answer_(static_cast<Eigen::Index>(i)) * rows_[i].force;
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
        ConstrainedPoint& p = points[row_of_[i].point];
        const Vec3 impulse = x(static_cast<Eigen::Index>(i)) * rows_[i].along;
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

void ConstrainedSystem::project_velocities(bool at_start, bool ending_slips) {
    make_rows(false, at_start, ending_slips);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        right_(static_cast<Eigen::Index>(i)) = -rows_[i].along.dot(points[row_of_[i].point].u);
    for (ConstrainedPoint& p : points)
        p.correction.setZero();
    if (solve_rows()) apply(answer_, false);
}

void ConstrainedSystem::project_positions() {
    make_rows(false, false, false);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!row_of_[i].normal) continue;
        rows_[kept] = rows_[i];
        row_of_[kept++] = row_of_[i];
    }
    rows_.resize(kept);
    row_of_.resize(kept);
    right_.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const ConstrainedPoint& p = points[row_of_[i].point];
        right_(static_cast<Eigen::Index>(i)) = p.gap - p.at.gap;
    }
    if (solve_rows()) apply(answer_, true);
}

}  // namespace carom::world
