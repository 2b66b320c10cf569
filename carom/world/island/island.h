// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "carom/world/body.h"
#include "carom/world/graph/contact_pair.h"
#include "carom/world/touch/manifold.h"

namespace carom::world {

// One step of bodies that stay in touch.
//
// From t to t + h the velocities go from v0 to v1 linearly, so that a body moves by (v0 + v1) h /
// 2: exact under constant acceleration. v1 follows from gravity, the body's free rotation (its
// angular momentum stays) and the impulses of the contacts, which together solve, with exact
// friction cones (cone_solver.h), at every point of every contact manifold
//     u_n(v1) >= -gap / h,    complementary to the normal impulse;
// an overlap parts with no more than a quarter of the restitution threshold `hard`, and in a step
// that was cut short takes the time `whole` of a whole step. Manifolds and gaps are those of the
// middle of the step, at x0 + v0 h / 2 (Moreau's midpoint). A gap that is left over, of whatever
// sign, is so gone after two steps; and a corner that is still open carries nothing before its gap
// is used up.
//
// A place that carries load moves: a corner turns with its body, the lowest place of a rim runs
// along it. Where the arm r from the centre of mass was at the start and is in the middle tells
// where it will be at the end, and u(v1) is taken there: the drift w x (r_end - r_middle) is part
// of u, and what it does to the gap in half a step, drift_n h / 4, is taken off the gap. So rolling
// on a rim and turning over an edge are of second order in h, and the gap of third.
//
// A place that carries nothing yet comes down on a curve, with c = n . (w x (w x r)) of a less that
// of b: it is held where gap + u_n h / 2 + c h^2 / 8 at the end of the step would be below zero. A
// rim that rolls so runs out of its places' way. One that would come down with more than `hard`
// (m/s), sqrt(u_n^2 - 2 c gap), within the step is deferred, left out of it: it is a landing
// impact, to be resolved by its law at its time. So is one that the step would have to hold up, and
// that would be as fast when it arrives at the end of it, gathering speed evenly.
//
// Fixed bodies are seen with the velocity that they have at the end of the step where the contact
// will then be.
struct IslandBody {
    const Body* body;
    const detect::MovingBody* moving;
    motion::State start;   // at t
    Vec3 alpha;            // how its angular velocity changes, rad/s^2, as far as is known
    motion::State middle;  // as predicted
    motion::State end;     // as solved
    Vec3 v1, w1;           // at t + h; of a fixed body as it is told
    double power;          // that fixed bodies put into it, W
};

struct IslandPoint {
    ManifoldPoint at;       // in the middle of the step
    Vec3 force;             // on a, N
    double approach;        // speed at which it closes with the velocities at the start
    double landing;         // the fastest that it can come down with in the step
    double curve;           // what turning adds to the second derivative of its gap, m/s^2
    Vec3 drift;             // what the arms' turning till the end of the step adds to u
    double gap_end;         // as it will be at the end
    double slip, slip_end;  // tangential speeds with the velocities at the start and at the end
    double gap_start;       // as the last step has left it
    bool carried;           // something in the last step, by itself
    bool loaded;            // the same, or has been touching
    bool slipped;           // slips at the start
    bool slips;             // at the end
    bool left_out;          // deferred: comes down in this step, which ends with it

    // Whether it comes down with more than `hard`, for all that its turning away slows it.
    bool is_hard(double hard) const {
        return landing * landing - 2.0 * curve * std::max(0.0, at.gap) > hard * hard;
    }
};

struct IslandContact {
    std::uint32_t a, b;     // bodies of the island
    std::uint32_t pair;     // the caller's name for it
    double mu, hard, size;  // restitution threshold, m/s; radius of the smaller free body, m
    bool bounded;           // neither is a half-space
    double within;          // gaps up to this are looked at, m
    detect::BodyMemory* memory;
    const std::vector<PointForce>* last;  // points of the last step
    bool fresh;                           // which has just ended
    std::size_t first_point, point_count;
    std::size_t first_end, end_count;  // points at the end of the step
};

// A point as it is at the end of the step.
struct EndPoint {
    std::uint64_t id;
    double gap;
    Vec3 arm_a, arm_b;
};

// dw/dt of a body that nothing turns.
Vec3 free_spin_rate(const Body& body, const motion::State& state);

class Island {
public:
    void clear();
    std::uint32_t add_body(const Body& body, const detect::MovingBody& moving,
                           const motion::State& start, const Vec3& alpha);
    void add_contact(const IslandContact& contact) { contacts_.push_back(contact); }

    // Manifolds in the middle of a step from t to t + h.
    void look(double t, double h);
    // When the first place lands that is waited for, if all velocities stay as they are; s from the
    // start, infinity for none. Pre: look().
    double first_landing() const;
    // Manifolds at the end of the step that was solved; returns by how much gaps there are other
    // than the step meant them to be, relative to the size: what the curvature of paths and
    // surfaces did, and corners that nobody had seen.
    double look_end(double t, double h);
    // How far bodies turn in the step that was solved, and slip past each other, as a part of what
    // a manifold is good for. Spheres may turn, and what slides on a half-space may slide.
    double way(double h) const;
    // Whether places that come down slowly are left out of a step too, which then ends with their
    // landing: till then others carry what they will. Without, the load is theirs from the start.
    void wait_for_landings(bool wait) { waits_ = wait; }
    // Velocities at the end and forces. Pre: look() with the same h.
    impact::ConeReport solve(double h, double whole, const Vec3& gravity,
                             const impact::ConeSettings& settings);
    // A point that slips at the start and sticks at the end: where friction changed over on the
    // way.
    struct Stop {
        std::size_t contact;
        std::uint64_t id;
        double slip;  // at the start
    };
    // The one with the largest slip, where nothing slips any more in the end and the step, of the
    // length h, would be wrong by a way that counts.
    std::optional<Stop> stop(double h) const;
    // Its slip at the end of the step solved last.
    double slip_after(const Stop& stop) const;

    std::vector<IslandBody>& bodies() { return bodies_; }
    const std::vector<IslandBody>& bodies() const { return bodies_; }
    const std::vector<IslandContact>& contacts() const { return contacts_; }
    const std::vector<IslandPoint>& points() const { return points_; }
    const std::vector<EndPoint>& end_points() const { return end_points_; }

private:
    void place(IslandBody& body, double t, double h);
    void look_at(IslandContact& contact, double h);
    double error_at_end(const IslandContact& contact) const;
    void make_conditions(double h, double whole);
    impact::ConeReport solve_conditions(const impact::ConeSettings& settings);
    void take_forces(double h);
    bool leave_out_landings(double h);
    bool lands_in_step(const IslandPoint& point, const IslandContact& contact) const;

    std::vector<IslandBody> bodies_;
    std::vector<IslandContact> contacts_;
    std::vector<IslandPoint> points_;
    std::vector<EndPoint> end_points_;
    std::vector<ManifoldPoint> patch_;
    // the problem of the step: all conditions, those that were taken into it, and its bodies
    std::vector<impact::ConeContact> conditions_, cone_contacts_;
    std::vector<bool> taken_;
    bool waits_ = false;
    std::vector<impact::ConeBody> cone_bodies_, free_bodies_;
    impact::ConeSolver solver_;
};

}  // namespace carom::world
