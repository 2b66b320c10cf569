// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "carom/detect/body_contact.h"
#include "carom/detect/swept_box.h"
#include "carom/world/body.h"
#include "carom/world/sleep/rest.h"

namespace carom::world {

// A name for a pile: nothing but the same for all its bodies.
using PileId = std::uint32_t;
inline constexpr PileId k_no_pile = std::numeric_limits<PileId>::max();

// A body on its way: its motion, its swept box, its pairs, and what the regimes remember of it.
// What searches over many pairs read comes first, on one line of the cache.
struct alignas(64) BodyTrack {
    const Body* body = nullptr;
    PileId pile = k_no_pile;  // the pile whose steps it takes
    bool slept_in_pile = false;
    bool pending = false;  // its motion has ended at this instant; its component is about to step
    Segment segment;
    motion::Motion motion{};
    double motion_until = 0.0;  // from then on it needs another one
    detect::MovingBody moving;  // points to the body's shape and to motion

    // The swept box in the broad phase holds the body until box_until. Any point may travel by
    // box_margin, from where it was when travelled() was box_read, and stay inside.
    double box_until = 0.0;
    Aabb box;
    bool boxed = false;  // has a box; half-spaces do not
    double box_read = 0.0;
    double box_margin = 0.0;
    bool universal = false;  // near everything: an unbounded body that is no static half-space

    // Travel bound: no point of the body has travelled farther than travel_before until the segment
    // began, nor farther than speed_bound d + half_acceleration d^2 in the time d after; unless
    // bounded is false.
    double travel_before = 0.0;
    double speed_at_start = 0.0, half_acceleration = 0.0;
    bool bounded = false;

    QuietSince quiet;
    std::vector<BodyId> slept_with;    // sleepers in touch when it fell asleep
    std::vector<std::uint32_t> pairs;  // that it takes part in
    double last_step = 0.0;            // length of its last island step, s; 0: none

    // Exact steps that its component has taken beyond what the time they covered allows
    // (constrained_tolerances.h).
    double spent_steps = 0.0;
    // Energy that steps of islands put into its component while it is awake, in m g r of its
    // bodies.
    double fed = 0.0;
    int infeasible_steps = 0;  // of its component that followed each other

    // Zeno guard: impacts of this body at one instant.
    double guard_t = -1.0;
    std::uint64_t guard_count = 0;

    BodyTrack(const Body& of, const Segment& first, const Vec3& gravity);
    BodyTrack(const BodyTrack&) = delete;
    BodyTrack& operator=(const BodyTrack&) = delete;

    bool asleep() const { return segment.kind == SegmentKind::asleep; }
    bool in_pile() const { return pile != k_no_pile; }
    // Takes the steps of an island or follows a plane in closed form.
    bool in_contact() const { return is_lasting(segment.kind); }
    // Whether its motions are as short as steps.
    bool takes_steps() const {
        return segment.kind == SegmentKind::held || segment.kind == SegmentKind::constrained ||
               in_pile();
    }
    // Whether it stays where it is until something happens to it.
    bool at_rest() const { return body->still || asleep(); }
    void go(const Segment& next, const Vec3& gravity);
    double travelled(double t) const {
        const double d = t - segment.t0;
        return travel_before + (speed_at_start + half_acceleration * d) * d;
    }
    double speed_bound(double t) const {
        return speed_at_start + 2.0 * half_acceleration * (t - segment.t0);
    }
    // What a body does that nothing holds.
    SegmentKind free_kind() const {
        return body->forces.empty() ? SegmentKind::flight : SegmentKind::forced;
    }
    motion::State at(double t) const { return motion::at(motion, t); }
};

// An upper bound on the speed of any place of a body; a ball looks the same however it spins.
double speed_bound_of(const Body& body, const motion::State& state);

}  // namespace carom::world
