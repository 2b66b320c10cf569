// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// The impulses of a step of a pile: the velocities that its points have to part with, and how they
// are found.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/world/pile/pile_step.h"
#include "carom/world/pile/pile_tolerances.h"

namespace carom::world {
namespace {

// Sweeps of the solver at the start of a step, fewer the more points there are, since warm starts
// carry on where the last one ended; and in each of its corrections.
constexpr int k_least_sweeps = 8;
constexpr int k_most_sweeps = 100;
constexpr std::size_t k_work = 50'000;  // points times sweeps
constexpr int k_more_sweeps = 6;
constexpr int k_early_rounds = 1;
constexpr int k_most_rounds = 20;
// Part of the allowed error of a gap that the solver may leave.
constexpr double k_part_of_gap = 0.3;
// The most, in sizes, that a gap is taken to bend in a step.
constexpr double k_most_bend = 0.05;

// Of energies, relative to the kinetic one and that of micro-bounces. Larger: steps that add so
// much pass.
constexpr double k_rounding_of_energy = 1e-9;

// The second derivative of the distance of a place of a body from the plane through p with the
// normal n that turns with the other one; arms from the centres of mass.
double bend_over(const impact::ConeBody& place, const Vec3& arm, const impact::ConeBody& plane,
                 const Vec3& y, const Vec3& n) {
    const Vec3 turn = plane.w.cross(n);
    const Vec3 u = place.v + place.w.cross(arm) - plane.v;
    const Vec3 pull = place.w.cross(place.w.cross(arm));
    return n.dot(pull) + 2.0 * turn.dot(u) + plane.w.cross(turn).dot(y);
}

// What impulses may add, J. With v0 before them, v after, both in the middle of the flight, and no
// point that has to part, the exact ones have v.M(v - v0) <= 0. With d = v - v0 the energy as the
// flight begins changes by
//     v.M d - d.M d / 2 - d.M g h / 2  <=  (g h / 2).M (g h / 2) / 2,
// the energy of the micro-bounces of a step of the length h. A pile that has gained those already,
// and not lost them since, may gain no more; what an approach had that the last step has taken up
// it gets back as it parts.
double gain_allowed(double bounces, double debt) {
    return std::max(bounces - debt, 0.0);
}

}  // namespace

// The least normal velocity of a point in the middle of the flight, for the way that turning bends
// its gap with the velocities at hand: that of the plane of either body, the worse. A ball has no
// place that turns.
double PileStepper::target_velocity(std::size_t k) const {
    const impact::ConeContact& c = cone_contacts_[k];
    const PilePoint& point = points_[k];
    const bool ball_a = bodies_[c.a].ball;
    const bool ball_b = bodies_[c.b].ball;
    double bend = 0.0;
    if (!ball_a || !ball_b) {
        const impact::ConeBody& a = cone_bodies_[c.a];
        const impact::ConeBody& b = cone_bodies_[c.b];
        const Vec3 arm_a = ball_a ? Vec3(Vec3::Zero()) : c.r_a;
        const Vec3 arm_b = ball_b ? Vec3(Vec3::Zero()) : c.r_b;
        const Vec3 apart = bodies_[c.a].state.position - bodies_[c.b].state.position;
        if (!ball_b) bend = std::min(bend, bend_over(a, arm_a, b, apart + arm_a, c.normal));
        if (!ball_a) bend = std::min(bend, bend_over(b, arm_b, a, arm_b - apart, -c.normal));
    }
    const double straight = (gap_after(point.gap, point.size, h_) - point.gap) / h_;
    const double least = straight + std::min(-0.5 * h_ * bend, k_most_bend * point.size / h_);
    return point.rebound > 0.0 ? std::max(least, point.rebound) : least;
}

// The least gap that a step may end with: an overlap is taken back bit by bit.
double PileStepper::gap_after(double gap, double size, double time) const {
    // the speed, in sqrt(g L), with which an overlap parts at most
    constexpr double k_fastest_push = 0.1;
    if (gap >= 0.0) return 0.0;
    const double fastest = k_fastest_push * std::sqrt(scale_ * size);
    return gap + std::min(-k_pile_tolerances.push * gap, fastest * time);
}

bool PileStepper::adds_energy(double debt) {
    add_accounts();
    const Energies now = energies();
    const double scale = now.kinetic + now.bounces;
    return -out_.lost > gain_allowed(now.bounces, debt) + k_rounding_of_energy * scale;
}

PileStepper::Energies PileStepper::energies() const {
    Energies sum{0.0, 0.0};
    for (std::size_t k = 0; k < ids_.size(); ++k) {
        const Body& body = *graph_.track(ids_[k]).body;
        sum.kinetic += energy(body, bodies_[k].state, Vec3::Zero());
        sum.bounces += 0.5 * body.mass * half_fall_.squaredNorm();
    }
    return sum;
}

double PileStepper::solve_without_gain(double debt) {
    constexpr int k_sweeps = 2000;
    impact::ConeSettings settings;
    settings.stop = stop_;
    settings.most_sweeps = k_sweeps;
    settings.tolerance = 1e-3 * k_pile_tolerances.residual * scale_ * h_;
    settings.enough = k_pile_tolerances.residual * scale_ * h_;
    for (std::size_t k = 0; k < cone_contacts_.size(); ++k) {
        double& least = cone_contacts_[k].least;
        if (!(points_[k].rebound > 0.0)) least = std::min(least, 0.0);
    }
    cones_.solve(cone_bodies_, cone_contacts_, settings);
    if (adds_energy(debt)) give_part(gain_allowed(energies().bounces, debt));
    // where that leads, with what turning bends
    correct(k_part_of_gap * k_pile_tolerances.gap, true);
    const double left = overlap_left();
    error_ = std::max(error_, left);
    return left;
}

// As much of the impulses, the same part of each, as adds no more than this: with the part s the
// energy changes by s p.u0 + s^2 p.(u1 - u0) / 2, where u0 is the velocity of a point before and u1
// that after all of them.
void PileStepper::give_part(double allowed) {
    double first = 0.0, second = 0.0;
    for (const impact::ConeContact& c : cone_contacts_) {
        const auto before = [&](std::uint32_t k, const Vec3& arm) -> Vec3 {
            const motion::State& s = bodies_[k].state;
            return s.velocity + s.angular_velocity.cross(arm);
        };
        const auto given = [&](std::uint32_t k, const Vec3& arm) -> Vec3 {
            const impact::ConeBody& body = cone_bodies_[k];
            if (!(body.inverse_mass > 0.0)) return Vec3::Zero();
            return body.velocity_at(arm) - before(k, arm) - half_fall_;
        };
        first += c.impulse.dot(before(c.a, c.r_a) - before(c.b, c.r_b));
        second += c.impulse.dot(given(c.a, c.r_a) - given(c.b, c.r_b));
    }
    // the larger root of second s^2 / 2 + first s = allowed
    const double root = std::sqrt(std::max(first * first + 2.0 * second * allowed, 0.0));
    const double part = second > 0.0 ? std::clamp((root - first) / second, 0.0, 1.0) : 1.0;
    for (impact::ConeContact& c : cone_contacts_)
        c.impulse *= part;
    for (std::size_t k = 0; k < ids_.size(); ++k) {
        const motion::State& s = bodies_[k].state;
        impact::ConeBody& body = cone_bodies_[k];
        const Vec3 v0 = s.velocity + half_fall_;
        body.v = v0 + part * (body.v - v0);
        body.w = s.angular_velocity + part * (body.w - s.angular_velocity);
    }
}

// Returns the overlap, in sizes, that it would leave and should not; none: 0.
double PileStepper::solve() {
    impact::ConeSettings settings;
    settings.stop = stop_;
    const std::size_t points = std::max<std::size_t>(cone_contacts_.size(), 1);
    const int first = std::clamp(static_cast<int>(k_work / points), k_least_sweeps, k_most_sweeps);
    settings.most_sweeps = first;
    settings.newton = false;
    double smallest = k_forever;
    for (const BodyId id : ids_)
        smallest = std::min(smallest, graph_.track(id).body->radius);
    const double gap_speed = k_pile_tolerances.gap * smallest / h_;
    settings.tolerance =
        std::min(k_pile_tolerances.residual * scale_ * h_, k_part_of_gap * gap_speed);
    cones_.solve(cone_bodies_, cone_contacts_, settings);
    const double enough = k_most_left * k_pile_tolerances.gap;
    settings.local = k_most_left * gap_speed;
    for (int i = 0; i < k_most_rounds; ++i) {
        const bool early = i < k_early_rounds;
        bool corrected = correct(early ? k_part_of_gap * k_pile_tolerances.gap : enough, false);
        if (!corrected && overlap_left() < enough) {
            corrected = correct(enough, true);
            if (!corrected) return 0.0;
        }
        settings.most_sweeps = corrected && early ? k_more_sweeps
                               : corrected        ? std::max(first, 2 * k_more_sweeps)
                                                  : std::max(first, 4 * k_more_sweeps);
        cones_.resume(cone_bodies_, cone_contacts_, settings);
    }
    // what could not be solved counts for the length of the next step
    const double left = overlap_left();
    error_ = std::max(error_, left);
    return left;
}

}  // namespace carom::world
