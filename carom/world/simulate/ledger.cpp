// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/ledger.h"

#include <algorithm>

#include "carom/world/touch/contact_point.h"

namespace carom::world {

// Pairs have the body with the lower number as a, listeners the free one.
void Ledger::emit(const Event& event) const {
    if (listener_ == nullptr) return;
    const bool turned = event.b != k_no_body && in_.bodies[event.a].fixed;
    listener_->on_event(turned ? seen_from_other(event) : event);
}

void Ledger::add(const Event& event) {
    ++in_.tally.events;
    emit(event);
}

void Ledger::add_impulse(const Event& event) {
    Tally& tally = in_.tally;
    ++tally.events;
    if (event.kind == EventKind::micro) ++tally.micro;
    if (event.kind == EventKind::impact) ++tally.impacts;
    tally.energy_lost.add(event.energy_lost);
    tally.pushed.add(event.impulse.norm());
    emit(event);
}

void Ledger::add_push(BodyId a, BodyId b, const Vec3& point, const Vec3& impulse,
                      const motion::State& state_a, const motion::State& state_b) {
    if (in_.bodies[b].fixed) add_driven(impulse, impulse.dot(velocity_at(state_b, point)));
    if (in_.bodies[a].fixed) add_driven(-impulse, -impulse.dot(velocity_at(state_a, point)));
}

void Ledger::add_balance(double lost) {
    if (lost < 0.0) in_.tally.energy_gained.add(-lost);
}

motion::State Ledger::add_sleep(BodyId id, const motion::State& state, double t) {
    const Body& body = in_.bodies[id];
    const Vec3& g = in_.settings.gravity;
    Event event;
    event.t = t;
    event.kind = EventKind::sleep;
    event.a = id;
    event.impulse = -body.mass * state.velocity;
    for (int k = 0; k < 3; ++k)
        in_.tally.given[k].add(event.impulse[k]);
    motion::State rest = state;
    rest.velocity.setZero();
    rest.angular_velocity.setZero();
    event.energy_lost = energy(body, state, g) - energy(body, rest, g);
    in_.tally.energy_lost.add(event.energy_lost);
    add(event);
    return rest;
}

void Ledger::add_wake(BodyId id, BodyId by, double t) {
    Event event;
    event.t = t;
    event.kind = EventKind::wake;
    event.a = id;
    event.b = by;
    add(event);
}

void Ledger::begin_segment(const Segment& segment, const motion::State* before) {
    work_.begin(segment, before);
    if (listener_ != nullptr) listener_->on_segment(segment);
}

void Ledger::end_segment(const Segment& segment, const motion::Motion& motion, double t) {
    const Pushed pushed =
        pushed_by_forces(in_.bodies[segment.body], segment, motion, in_.settings.gravity, t);
    in_.tally.driven.add(pushed.energy);
    in_.tally.energy_lost.add(pushed.lost);
    lost_in_contact_ += pushed.lost;
    if (is_lasting(segment.kind)) add_contact_work(pushed.energy - pushed.lost);
    for (int k = 0; k < 3; ++k)
        in_.tally.weighed[k].add(pushed.momentum[k]);
}

void Ledger::end_instant() {
    add_balance(lost_in_contact_);
    lost_in_contact_ = 0.0;
}

void Ledger::add_force(const ContactForce& force) {
    in_.tally.pushed.add(force.impulse.norm());
    add_force_work(force);
    if (listener_ != nullptr) listener_->on_force(force);
}

void Ledger::add_force_work(const ContactForce& force) {
    if (force.impulse.isZero(0.0) && force.couple.isZero(0.0)) return;
    const ForceWork::Work work = work_.of(force);
    in_.tally.force_work.add(work.on_free);
    in_.tally.force_work_size.add(work.size);
}

void Ledger::add_rounding(double energy) {
    in_.tally.energy_lost.add(energy);
}

void Ledger::add_driven(const Vec3& momentum, double work) {
    for (int k = 0; k < 3; ++k)
        in_.tally.given[k].add(momentum[k]);
    in_.tally.driven.add(work);
}

}  // namespace carom::world
