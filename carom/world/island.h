// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "carom/impact/multiple/cone_solver.h"
#include "carom/world/body.h"
#include "carom/world/patch.h"

namespace carom::world {

// One step of bodies that stay in touch.
//
// From t to t + h the velocities go from v0 to v1 linearly, so that a body moves by (v0 + v1) h /
// 2: exact under constant acceleration. v1 follows from gravity, the body's free rotation (its
// angular momentum stays) and the impulses of the contacts, which together solve, with exact
// friction cones (cone_solver.h), at every point of every patch
//     u_n(v1) >= -gap / h,    complementary to the normal impulse;
// an overlap parts with no more than a quarter of `hard`, and in a step that was cut short takes
// the time `whole` of a whole step.
// Patches and gaps are those of the middle of the step, at x0 + v0 h / 2 (Moreau's midpoint). A gap
// that is left over, of whatever sign, is so gone after two steps; and a corner that is still open
// carries nothing before its gap is used up.
//
// A point that would come down with more than `hard` (m/s) within the step is left out of it: it is
// an impact, to be resolved by its law at its time.
//
// Fixed bodies are seen with the velocity that they have at the end of the step where the contact
// will then be.
struct PointForce {
    std::uint64_t id;
    Vec3 force;  // on a, N
    double gap;  // at the end of the step
    bool slips;  // friction was at its limit
};

struct IslandBody {
    const Body* body;
    const detect::MovingBody* moving;
    motion::State start;   // at t
    motion::State middle;  // as predicted
    Vec3 v1, w1;           // at t + h; of a fixed body as it is told
    double power;          // that fixed bodies put into it, W
};

struct IslandPoint {
    PatchPoint at;          // in the middle of the step
    Vec3 force;             // on a, N
    double approach;        // speed at which it closes with the velocities at the start
    double bend;            // gap that is not what it was at the start less the approach
    double gap_end;         // as it will be at the end
    double slip, slip_end;  // tangential speeds with the velocities at the start and at the end
    bool loaded;            // carried something in the last step
    bool slipped;           // slips at the start
    bool slips;             // at the end
    bool left_out;          // comes down hard in this step
};

struct IslandContact {
    std::uint32_t a, b;     // bodies of the island
    std::uint32_t pair;     // the caller's name for it
    double mu, hard, size;  // size: the radius of the smaller free body, m
    bool bounded;           // neither is a half-space
    double within;          // gaps up to this are looked at, m
    detect::BodyMemory* memory;
    const std::vector<PointForce>* last;  // points of the last step
    bool fresh;                           // which has just ended
    std::size_t first_point, point_count;
};

// dw/dt of a body that nothing turns.
Vec3 free_spin_rate(const Body& body, const motion::State& state);

class Island {
public:
    void clear();
    std::uint32_t add_body(const Body& body, const detect::MovingBody& moving,
                           const motion::State& start);
    void add_contact(const IslandContact& contact) { contacts_.push_back(contact); }

    // Patches in the middle of a step from t to t + h.
    void look(double t, double h);
    // By how much the way to the middle of the step changes gaps other than by the approach,
    // relative to the size: what the curvature of paths and surfaces does that a step does not see.
    double gap_error() const;
    // How far bodies turn in the step that was solved, and slip past each other, as a part of what
    // a patch is good for. Spheres may turn, and what slides on a half-space may slide.
    double way(double h) const;
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
    // The one with the largest slip.
    std::optional<Stop> stop() const;
    // Its slip at the end of the step solved last.
    double slip_after(const Stop& stop) const;

    std::vector<IslandBody>& bodies() { return bodies_; }
    const std::vector<IslandBody>& bodies() const { return bodies_; }
    std::vector<IslandContact>& contacts() { return contacts_; }
    std::vector<IslandPoint>& points() { return points_; }

private:
    void place(IslandBody& body, double t, double h);
    void look_at(IslandContact& contact, double h);

    std::vector<IslandBody> bodies_;
    std::vector<IslandContact> contacts_;
    std::vector<IslandPoint> points_;
    std::vector<PatchPoint> patch_;
    std::vector<impact::ConeBody> cone_bodies_;
    std::vector<impact::ConeContact> cone_contacts_;
    impact::ConeSolver solver_;
};

}  // namespace carom::world
