// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/math/stop.h"
#include "carom/world/audit.h"
#include "carom/world/graph/graph.h"
#include "carom/world/island/island.h"

namespace carom::world {

// What a step of an island did: plain data, for whoever commits it.
struct IslandBodyOutcome {
    BodyId id;
    bool held;                // by a contact that is still active; else it flies from here on
    Segment segment;          // from the start of the step on
    double energy_off = 0.0;  // that the corrections of its contacts took, J
};
struct IslandContactOutcome {
    std::uint32_t pair;
    bool open;                             // carries nothing and is apart at the end of the step
    Vec3 force;                            // on a, N
    Vec3 couple;                           // on a, about the centre of pressure, N m
    Vec3 normal;                           // of its last point
    bool has_points;                       // normal is one
    Vec3 point, point_end;                 // centre of pressure at the start and at the end
    std::size_t first_point, point_count;  // of IslandOutcome::points
    // Impulse on a at the start: an approach that an impact left, N s.
    Vec3 correction = Vec3::Zero();
    bool loose = true;    // see PersistentContact
    bool smooth = false;  // the impulse is a quartic in time, see PersistentContact
    std::array<Vec3, 4> course{};
    double landing;  // when a deferred point comes down, s after the start; infinite: none
};
struct IslandOutcome {
    double t = 0.0, h = 0.0;
    bool exact = false;       // a step of an exact motion (constrained/)
    bool goes_on = false;     // whose kinds of contact stay as they are at its end
    bool in_balance = false;  // nothing moves and nothing will
    double next_step = 0.0;   // the length to begin the next one with, s
    DeepestOverlap overlap;
    double left = 0.0;  // what the velocities leave of their conditions, m/s
    std::vector<IslandBodyOutcome> bodies;
    std::vector<IslandContactOutcome> contacts;
    std::vector<PointForce> points;
};

// One step of bodies that stay in touch: its length, its solution, and what is left of it for the
// next (island.h has the equations). The step is as long as the errors of the gaps at its end
// allow, ends where a slip stops (of one or two bodies) and where a deferred point lands.
//
// Reads the graph, changes nothing but caches of the contact search: the outcome is committed by
// the simulator.
class IslandStepper {
public:
    // Islands that hardly move are solved to rounding up to so many bodies.
    static constexpr std::size_t k_exact_bodies = 100;

    IslandStepper(const Graph& graph, const StopCheck* const& stop)
        : graph_(graph), stop_(stop), index_(graph.body_count()) {}

    // Pre: the points of each contact are those of t (PersistentContact::forces): of the step that
    // has just ended, or of start_points(). may_rest: the island may fall asleep if it is in
    // balance. Holds until the next call.
    const IslandOutcome& step(const Component& component, double t, bool may_rest);

    // The points of a contact at t where no step has just ended: those of its manifold, with the
    // forces they had.
    void start_points(const ContactPair& pair, double t, std::vector<PointForce>& out);

    // Whether a component hardly moves: no place of it does; balls may spin.
    static bool is_slow(const Graph& graph, const std::vector<BodyId>& bodies);

private:
    void take(const Component& component, double t);
    double first_length() const;
    double solve_with_control(double t, double h);
    double solve_velocities(double h);
    double locate_stop(double t, double h, const impact::ConeSettings& settings);
    impact::ConeSettings cone_settings(double h) const;
    bool in_balance(double h) const;
    void give_contacts(double h);
    void give_bodies(double t, double h);
    void give_places(const IslandContact& contact, double h, IslandContactOutcome& out);
    PointForce* end_of(const IslandPoint& point, const IslandContact& contact, std::size_t first,
                       std::size_t count);
    double find_landing(const IslandContact& contact, double t, double h) const;

    const Graph& graph_;
    const StopCheck* const& stop_;
    BodyIndex index_;
    const Component* component_ = nullptr;
    bool slow_ = false;
    double scale_ = 0.0;  // of accelerations, m/s^2
    Island island_;
    std::vector<ManifoldPoint> manifold_;
    std::vector<std::uint8_t> held_;  // by place: whether an active contact holds it
    IslandOutcome out_;
};

}  // namespace carom::world
