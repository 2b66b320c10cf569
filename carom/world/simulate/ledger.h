// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/world/body.h"
#include "carom/world/engine.h"
#include "carom/world/force_work.h"

namespace carom::world {

// What a run adds up, and whom it reports to. Everything that happens passes through here once.
class Ledger {
public:
    explicit Ledger(const EngineInput& input)
        : in_(input), work_(input.bodies, input.settings.gravity) {}
    // Null for nobody.
    void report_to(Listener* listener) { listener_ = listener; }

    // An event that changes no velocity.
    void add(const Event& event);
    // An impulse at one instant. What bodies that move as they are told did in it is added point by
    // point, with add_push: an event of several points has only their middle.
    void add_impulse(const Event& event);
    // The impulse on a at a point of the two, whose states are given; counts where one of them
    // moves as it is told.
    void add_push(BodyId a, BodyId b, const Vec3& point, const Vec3& impulse,
                  const motion::State& state_a, const motion::State& state_b);
    // What was lost at one instant, all together: of impacts that feel each other one can gain what
    // another has lost. Less than nothing counts as gained.
    void add_balance(double lost);
    // A body falls asleep; returns its state at rest.
    motion::State add_sleep(BodyId body, const motion::State& state, double t);
    void add_wake(BodyId body, BodyId by, double t);

    // before: force_work.h.
    void begin_segment(const Segment& segment, const motion::State* before = nullptr);
    // What gravity and forces did to a body in its segment, until t. Bodies in lasting contact do
    // work on each other: what all that end a segment at one instant have lost together counts as
    // gained when it is less than nothing, with end_instant().
    void end_segment(const Segment& segment, const motion::Motion& motion, double t);
    void end_instant();
    void add_force(const ContactForce& force);
    // The energy of lasting contact as forces tell it, besides those reported, and as motions do.
    void add_force_work(const ContactForce& force);
    void add_contact_work(double gained) { in_.tally.contact_work.add(gained); }
    ForceWork& work() { return work_; }
    const ForceWork& work() const { return work_; }
    // Momentum and work of impulses that a body which moves as it is told gave, N s and J.
    // Energy (J) that a correction of velocities below rounding took.
    void add_rounding(double energy);
    void add_driven(const Vec3& momentum, double work);
    void add_lost(double energy) { in_.tally.energy_lost.add(energy); }
    void note_overlap(double depth, double size) { in_.tally.overlap.note(depth, size); }
    void note_overlap(const DeepestOverlap& overlap) { in_.tally.overlap.note(overlap); }
    void count_pile_restitutions(std::uint64_t count) { in_.tally.pile_restitutions += count; }
    void count_substitute() { ++in_.tally.substituted; }
    void count_query() { ++in_.tally.checks; }
    void count_queries(std::uint64_t count) { in_.tally.checks += count; }

private:
    void emit(const Event& event) const;

    EngineInput in_;
    ForceWork work_;
    Listener* listener_ = nullptr;
    double lost_in_contact_ = 0.0;  // by what has ended at this instant, J
};

}  // namespace carom::world
