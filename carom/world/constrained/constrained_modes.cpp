// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The kinds of contact: which points carry, stick and slide.
//
// The contact problem on accelerations is solved as one of velocities after a short moment h
// (k_constrained_tolerances.moment): u + h u' in place of u. A point whose slip is larger than what
// friction can take in h so keeps its direction; one without slip sticks if its cone lets it.

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_system.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {
namespace {

// What the solver may leave of the contact problem, in accelerations that count: the modes that it
// gives are judged by their own forces. Larger: more problems without an answer are tried.
constexpr double k_unsure = 1e4;

// The moment of the contact problem, s.
double moment(double length, double scale) {
    return k_constrained_tolerances.moment * std::sqrt(length / scale);
}

}  // namespace

// Velocities after a moment. sticking_only: points that slide have the forces that they have, and
// only those that stick take part.
impact::ConeReport ConstrainedSystem::solve_cones(bool sticking_only, const StopCheck* stop) {
    const double h = moment(length, scale);
    cone_bodies_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = *bodies[i].body;
        cone_bodies_.push_back({h * free_a_[i], h * free_alpha_[i], body.inverse_mass,
                                body.fixed ? Mat3(Mat3::Zero()) : inverse_inertia_[i]});
    }
    cone_contacts_.clear();
    cone_points_.clear();
    const double none = no_slip;
    for (std::uint32_t k = 0; k < points.size(); ++k) {
        const ConstrainedPoint& p = points[k];
        const Vec3& n = p.at.n;
        impact::ConeContact c;
        c.a = p.a;
        c.b = p.b;
        c.r_a = p.at.x - bodies[p.a].state.position;
        c.r_b = p.at.x - bodies[p.b].state.position;
        if (sticking_only && p.mode != PointMode::sticks) {
            const auto push = [&](std::uint32_t id, const Vec3& r, const Vec3& force) {
                cone_bodies_[id].v += h * cone_bodies_[id].inverse_mass * force;
                cone_bodies_[id].w += h * (cone_bodies_[id].inverse_inertia_W * r.cross(force));
            };
            push(p.a, c.r_a, p.force);
            push(p.b, c.r_b, -p.force);
            continue;
        }
        c.normal = n;
        c.mu = p.mu;
        const auto moving = [&](std::uint32_t id, const Vec3& r) -> Vec3 {
            const motion::State& s = bodies[id].state;
            const Vec3& w = s.angular_velocity;
            return w.cross(w.cross(r)) + w.cross(p.at.x_rate - s.velocity - w.cross(r));
        };
        c.drift = h * (moving(p.a, c.r_a) - moving(p.b, c.r_b) + p.at.n_rate.dot(p.u) * n);
        const Vec3 slip = tangential(p.u, n);
        if (slip.norm() > none) c.drift += slip;
        c.impulse = h * p.force;
        if (!(c.impulse.dot(n) > 0.0)) c.impulse.setZero();
        cone_contacts_.push_back(c);
        cone_points_.push_back(k);
    }
    impact::ConeSettings settings;
    settings.stop = stop;
    settings.tolerance = 0.01 * k_constrained_tolerances.parts * scale * h;
    settings.enough = 1e3 * settings.tolerance;
    settings.most_sweeps = 2000;
    return cones_.solve(cone_bodies_, cone_contacts_, settings);
}

// What a point does by the solution of the contact problem: it slides where it slips faster than
// `slides`, carries where its impulse is more than `carries`.
void ConstrainedSystem::set_mode(ConstrainedPoint& p, const impact::ConeContact& c, double slides,
                                 double carries) {
    const Vec3 u =
        cone_bodies_[c.a].velocity_at(c.r_a) - cone_bodies_[c.b].velocity_at(c.r_b) + c.drift;
    const Vec3 slip = tangential(u, p.at.n);
    if (!(c.impulse.dot(p.at.n) > carries)) {
        p.mode = PointMode::open;
    } else if (p.mu > 0.0 && slip.norm() <= slides) {
        p.mode = PointMode::sticks;
    } else {
        p.mode = PointMode::slides;
        if (slip.norm() > 0.0) p.slip = slip.normalized();
        // where a slip begins its direction is that of friction at its limit, not of what it has
        // become within the moment
        const Vec3 friction = tangential(c.impulse, p.at.n);
        if (p.mu > 0.0 && friction.norm() > 0.5 * p.mu * c.impulse.dot(p.at.n))
            p.slip = -friction.normalized();
    }
}

void ConstrainedSystem::begin() {
    outside_ = k_constrained_tolerances.outside;
    solver_.forget();
}

bool ConstrainedSystem::find_modes(const StopCheck* stop) {
    outside_ = k_constrained_tolerances.outside;
    for (ConstrainedPoint& p : points) {
        p.reference.setZero();
        p.small = tangential(p.u, p.at.n).norm() <= no_slip;
    }
    if (find_modes_without_slip()) return true;
    const double parts = k_constrained_tolerances.parts * scale * moment(length, scale);
    const impact::ConeReport report = solve_cones(false, stop);
    if (!(report.residual <= k_unsure * parts)) return false;
    set_modes(std::max(parts, report.residual));
    solver_.forget();
    return (drop_pulling() && settle_modes(stop)) || find_modes_by_reference(stop);
}

// Where nothing slips and the forces that hold everything are well inside their cones, no slip
// begins. What is at the border of its cone is left to the contact problem, which looks a moment
// ahead.
bool ConstrainedSystem::find_modes_without_slip() {
    // of the largest force; larger: more is left to the contact problem
    constexpr double k_inside = 1e-7;
    for (ConstrainedPoint& p : points) {
        if (!p.small && p.mu > 0.0) return false;
        p.mode = p.mu > 0.0 ? PointMode::sticks : PointMode::slides;
    }
    solver_.forget();
    if (!drop_pulling()) return false;
    double largest = 0.0;
    for (const ConstrainedPoint& p : points)
        largest = std::max(largest, p.force.norm());
    return std::all_of(points.begin(), points.end(), [&](const ConstrainedPoint& p) {
        if (p.mode == PointMode::open) return true;
        const double normal = p.force.dot(p.at.n) - k_inside * largest;
        if (p.mode == PointMode::slides) return normal > 0.0;
        return normal > 0.0 && tangential(p.force, p.at.n).norm() < p.mu * normal;
    });
}

// The modes of the solved contact problem.
void ConstrainedSystem::set_modes(double slides) {
    double largest = 0.0;
    for (const impact::ConeContact& c : cone_contacts_)
        largest = std::max(largest, c.impulse.norm());
    for (std::size_t k = 0; k < points.size(); ++k)
        set_mode(points[k], cone_contacts_[k], slides, k_constrained_tolerances.carries * largest);
}

// Where no forces of the least norm are inside their cones with modes that go with them: those that
// are nearest to the forces of the contact problem.
bool ConstrainedSystem::find_modes_by_reference(const StopCheck* stop) {
    const double h = moment(length, scale);
    const double parts = k_constrained_tolerances.parts * scale * h;
    const impact::ConeReport report = solve_cones(false, stop);
    if (!(report.residual <= k_unsure * parts)) return false;
    set_modes(std::max(parts, report.residual));
    for (std::size_t k = 0; k < points.size(); ++k)
        points[k].reference = cone_contacts_[k].impulse / h;
    solver_.forget();
    return solve() && most_pressed() == nullptr && accept_forces(stop);
}

bool ConstrainedSystem::accept_forces(const StopCheck* stop) {
    // larger: contacts whose modes are in doubt slip, or stick, as much beyond their friction
    constexpr double k_most = 1e-3;
    outside_ = k_constrained_tolerances.outside;
    if (forces_inside()) return true;
    if (solver_.redundant() && sticking_holds(stop)) {
        // of all forces that do the same, those that friction can give
        const double h = moment(length, scale);
        for (std::size_t k = 0; k < cone_points_.size(); ++k)
            points[cone_points_[k]].reference = cone_contacts_[k].impulse / h;
        return solve();
    }
    const double now = outside_cones();
    outside_ = 2.0 * now;
    return now <= k_most;
}

// With the forces of the least norm other points may stick or slide than with those of the contact
// problem: where redundant points slide the motion depends on how they share their load.
bool ConstrainedSystem::settle_modes(const StopCheck* stop) {
    constexpr int k_most = 8;
    const double parts = k_constrained_tolerances.parts * scale * moment(length, scale);
    for (int i = 0; i < k_most; ++i) {
        if (forces_inside() || (solver_.redundant() && sticking_holds(stop))) return true;
        const impact::ConeReport report = solve_cones(true, stop);
        if (!(report.residual <= k_unsure * parts)) return false;
        double largest = 0.0;
        for (const ConstrainedPoint& p : points)
            largest = std::max(largest, p.force.norm());
        for (std::size_t k = 0; k < cone_points_.size(); ++k)
            set_mode(points[cone_points_[k]], cone_contacts_[k], std::max(parts, report.residual),
                     k_constrained_tolerances.carries * largest * moment(length, scale));
        solver_.forget();
        if (!drop_pulling()) return false;
    }
    return false;
}

// The point that carries nothing and is pressed most, null for none. Pre: solve().
ConstrainedPoint* ConstrainedSystem::most_pressed() {
    ConstrainedPoint* found = nullptr;
    double most = -k_constrained_tolerances.parts * scale;
    for (ConstrainedPoint& p : points) {
        if (p.mode != PointMode::open) continue;
        const double away = p.at.n.dot(relative_acceleration(p)) + p.at.n_rate.dot(p.u);
        if (!(away < most)) continue;
        most = away;
        found = &p;
    }
    return found;
}

// Solves with the modes as they are; of redundant points those that would pull carry nothing, and
// those that are then pressed carry.
bool ConstrainedSystem::drop_pulling() {
    const double none = no_slip;
    for (std::size_t tries = 0; tries <= 4 * points.size(); ++tries) {
        if (!solve()) return false;
        double largest = 0.0;
        for (const ConstrainedPoint& p : points)
            largest = std::max(largest, p.force.norm());
        ConstrainedPoint* worst = nullptr;
        double pull = -k_constrained_tolerances.outside * largest;
        for (ConstrainedPoint& p : points) {
            const double normal = p.force.dot(p.at.n);
            if (p.mode == PointMode::open || !(normal < pull)) continue;
            pull = normal;
            worst = &p;
        }
        if (worst != nullptr) {
            worst->mode = PointMode::open;
            solver_.forget();
            continue;
        }
        ConstrainedPoint* pressed = most_pressed();
        if (pressed == nullptr) return true;
        const Vec3 slip = tangential(pressed->u, pressed->at.n);
        const bool sticks = pressed->mu > 0.0 && slip.norm() <= none;
        pressed->mode = sticks ? PointMode::sticks : PointMode::slides;
        if (slip.norm() > 0.0) pressed->slip = slip.normalized();
        solver_.forget();
    }
    return false;
}

// By how much a force is outside its cone, of the largest.
double ConstrainedSystem::outside_cones() const {
    double largest = 0.0, worst = 0.0;
    for (const ConstrainedPoint& p : points) {
        largest = std::max(largest, p.force.norm());
        const double normal = p.force.dot(p.at.n);
        worst = std::max(worst, -normal);
        if (p.mode == PointMode::sticks)
            worst = std::max(worst, tangential(p.force, p.at.n).norm() - p.mu * normal);
    }
    return worst > 0.0 ? worst / largest : 0.0;
}

bool ConstrainedSystem::is_valid(const StopCheck* stop) {
    // more than rounding
    const double back = 1e-3 * no_slip;
    const double large = 2.0 * small_slip;
    for (const ConstrainedPoint& p : points) {
        if (p.mode != PointMode::slides || !(p.mu > 0.0)) continue;
        if (p.u.dot(p.slip) < -back) return false;
        if (p.small && tangential(p.u, p.at.n).norm() > large) return false;
    }
    return forces_inside() || (solver_.redundant() && sticking_holds(stop));
}

// Whether there are forces within the cones of the points that stick which do the same.
bool ConstrainedSystem::sticking_holds(const StopCheck* stop) {
    const double h = moment(length, scale);
    constexpr double k_same = 1e-7;  // of the scale of accelerations
    const double outside = k_constrained_tolerances.outside;
    for (const ConstrainedPoint& p : points) {
        if (p.mode == PointMode::slides && p.force.dot(p.at.n) < -outside * p.force.norm())
            return false;
    }
    const impact::ConeReport report = solve_cones(true, stop);
    if (!(report.residual <= k_same * scale * h)) return false;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].body->fixed) continue;
        const Vec3 a = cone_bodies_[i].v / h - bodies[i].a;
        const Vec3 alpha = cone_bodies_[i].w / h - bodies[i].alpha;
        if (a.norm() + bodies[i].body->radius * alpha.norm() > k_same * scale) return false;
    }
    return true;
}

}  // namespace carom::world
