// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/simulate/commit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/world/touch/contact_point.h"

namespace carom::world {

// Takes account of what a segment did until now. The force on a sphere in closed-form contact is
// that of its motion, and is reported before the motion is gone.
void Commit::end_segment(BodyId id, double t) {
    const BodyTrack& track = graph_.track(id);
    if (track.segment.kind == SegmentKind::on_plane) report_forces_of(id, t);
    sample_overlaps(id, t);
    ledger_.end_segment(track.segment, track.motion, t);
}

void Commit::begin_segment(const Segment& segment) {
    end_segment(segment.body, segment.t0);
    BodyTrack& track = graph_.track(segment.body);
    std::optional<motion::State> before;
    if (track.in_pile()) before = track.at(segment.t0);
    track.go(segment, graph_.settings().gravity);
    track.pending = false;
    if (track.in_pile()) track.motion_until = graph_.piles().at(track.pile).until;
    ledger_.begin_segment(segment, before ? &*before : nullptr);
}

void Commit::end_motion(BodyId id, double t, const motion::State& state) {
    end_segment(id, t);
    BodyTrack& track = graph_.track(id);
    track.go({t, id, SegmentKind::flight, state}, graph_.settings().gravity);
    track.pending = true;
    work_.step(id);
}

void Commit::emit_contact_change(const ContactPair& pair, EventKind kind, double t) {
    Event event;
    event.t = t;
    event.kind = kind;
    event.a = pair.a;
    event.b = pair.b;
    event.law = pair.law->law;
    event.point = pair.contact.point;
    event.normal = pair.contact.normal;
    // what was given at the very instant at which the contact ends
    if (kind == EventKind::lasting_end) {
        event.impulse = pair.contact.given;
        ledger_.add_force_work({.t0 = t,
                                .t1 = t,
                                .a = pair.a,
                                .b = pair.b,
                                .point = event.point,
                                .impulse = pair.contact.given,
                                .couple = pair.contact.given_couple,
                                .acts = ForceCourse::at_start});
    }
    ledger_.add(event);
}

void Commit::begin_contact(std::uint32_t i, const Vec3& point, double t) {
    const ContactPair& pair = graph_.pair(i);
    PersistentContact& contact = graph_.pair(i).contact;
    contact = PersistentContact{};
    contact.active = true;
    // it touches to rounding, unless its bodies are held by contacts that do not
    for (const BodyId id : {pair.a, pair.b}) {
        if (graph_.track(id).body->fixed) continue;
        for (const std::uint32_t k : graph_.track(id).pairs) {
            const PersistentContact& other = graph_.pair(k).contact;
            if (other.active && other.loose) contact.loose = true;
        }
    }
    contact.exact = !contact.loose;
    contact.t0 = t;
    contact.t1 = PersistentContact::k_long_ago;
    contact.point = contact.point_end = point;
    schedule_.cancel(i);
}

void Commit::end_contact(std::uint32_t i, double t) {
    ContactPair& pair = graph_.pair(i);
    pair.contact.active = false;
    pair.contact.ended = t;
    pair.contact.forget_points();
    pair.last_impact = t;
    emit_contact_change(pair, EventKind::lasting_end, t);
}

// That of a sphere on a plane follows from its motion, with what the closed form took from its
// velocity where it began.
ContactForce Commit::force_until(const ContactPair& pair, double t) const {
    const PersistentContact& contact = pair.contact;
    ContactForce out{.t0 = contact.t0, .t1 = t, .a = pair.a, .b = pair.b};
    out.normal = contact.normal;
    out.point = contact.point;
    // what has slept since stays where it was at the end of its last step
    const double part = t < contact.t1 ? (t - contact.t0) / (contact.t1 - contact.t0) : 1.0;
    out.point_end = contact.point + part * (contact.point_end - contact.point);
    out.impulse = contact.given;
    out.acts = contact.all_at_start ? ForceCourse::at_start : ForceCourse::evenly;
    out.couple = contact.given_couple;
    if (!contact.all_at_start) out.couple += (t - contact.t0) * contact.couple;
    if (contact.smooth) {
        out.impulse += contact.impulse_until(t) - contact.impulse_until(contact.t0);
        out.force_start = contact.force_at(contact.t0);
        out.force_end = contact.force_at(t);
        out.acts = ForceCourse::by_motion;
    } else if (!contact.all_at_start) {
        out.impulse += (t - contact.t0) * contact.force;
    }
    for (const BodyId id : {pair.a, pair.b}) {
        const BodyTrack& track = graph_.track(id);
        if (track.segment.kind != SegmentKind::on_plane) continue;
        const auto& course = std::get<motion::SphereOnPlane>(track.motion);
        const Vec3 before = contact.t0 > track.segment.t0 ? course.velocity_at(contact.t0)
                                                          : track.segment.state.velocity;
        const Vec3 gained = course.velocity_at(t) - before;
        const Vec3 on_it =
            track.body->mass * (gained - (t - contact.t0) * graph_.settings().gravity);
        out.impulse = contact.given + (id == pair.a ? on_it : Vec3(-on_it));
        out.couple.setZero();  // that of a sphere is in its motion
        out.point = course.contact_at(contact.t0).point;
        out.point_end = course.contact_at(t).point;
        out.follows = ForcePlace::centre_of_a;
        out.acts = ForceCourse::by_motion;
    }
    return graph_.track(pair.a).body->fixed ? seen_from_other(out) : out;
}

void Commit::report_force(std::uint32_t i, double t) {
    ContactPair& pair = graph_.pair(i);
    PersistentContact& contact = pair.contact;
    if (!(t > contact.t0)) return;
    const ContactForce force = force_until(pair, t);
    ledger_.add_force(force);
    contact.point = force.point_end;
    if (!(t < contact.t1)) contact.point_end = force.point_end;
    contact.t0 = t;
    contact.given.setZero();
    contact.given_couple.setZero();
    contact.all_at_start = false;
    // a force that went with a step stays as its mean
    if (!(t < contact.t1)) contact.smooth = false;
}

void Commit::report_forces_of(BodyId id, double t) {
    for (const std::uint32_t i : graph_.track(id).pairs)
        if (graph_.pair(i).contact.active) report_force(i, t);
}

void Commit::cluster(const ClusterOutcome& outcome, double t, EventKind kind,
                     std::span<const std::size_t> begins) {
    double lost = 0.0;
    for (const Event& event : events_of(outcome, graph_, t, kind)) {
        graph_.pair(graph_.broad_phase().find(event.a, event.b))
            .note_impact(-event.u.dot(event.normal), t);
        ledger_.add_impulse(event);
        lost += event.energy_lost;
    }
    for (const ClusterContact& contact : outcome.contacts) {
        const ContactPair& pair = graph_.pair(contact.pair);
        ledger_.add_push(pair.a, pair.b, contact.point, contact.impulse, graph_.track(pair.a).at(t),
                         graph_.track(pair.b).at(t));
    }
    ledger_.add_balance(lost);
    if (outcome.substituted) ledger_.count_substitute();
    for (const std::size_t k : begins) {
        const ClusterContact& contact = outcome.contacts[k];
        begin_contact(contact.pair, contact.point, t);
        ContactPair& pair = graph_.pair(contact.pair);
        pair.contact.normal = contact.normal;
        emit_contact_change(pair, EventKind::lasting_begin, t);
        for (const BodyId id : {pair.a, pair.b}) {
            BodyTrack& track = graph_.track(id);
            if (!track.in_contact()) track.last_step = 0.0;
        }
    }
    const auto begins_to_last = [&](BodyId id) {
        return std::any_of(begins.begin(), begins.end(), [&](std::size_t k) {
            const ContactPair& pair = graph_.pair(outcome.contacts[k].pair);
            return pair.a == id || pair.b == id;
        });
    };
    for (const ClusterBody& body : outcome.bodies) {
        const BodyTrack& track = graph_.track(body.id);
        const bool lasts = begins_to_last(body.id);
        if (track.body->fixed || (!body.changed() && !track.in_pile() && !lasts)) continue;
        motion::State state = body.before;
        state.velocity = body.v;
        state.angular_velocity = body.w;
        if ((track.in_contact() || track.pending || lasts) && !track.in_pile()) {
            end_motion(body.id, t, state);
        } else {
            begin_segment(body.id, track.free_kind(), t, state);
            work_.changed(body.id);
        }
    }
}

void Commit::micro(std::uint32_t i, const MicroOutcome& outcome, double t) {
    ContactPair& pair = graph_.pair(i);
    const Event& event = outcome.event;
    pair.energy_to_repay = std::max(0.0, pair.energy_to_repay - event.energy_lost);
    ledger_.add_impulse(event);
    ledger_.add_push(pair.a, pair.b, event.point, event.impulse, graph_.track(pair.a).at(t),
                     graph_.track(pair.b).at(t));
    ledger_.add_balance(event.energy_lost);
    const auto go_on = [&](BodyId id, const motion::State& state) {
        BodyTrack& track = graph_.track(id);
        if (track.body->fixed) return;
        begin_segment(id, track.free_kind(), t, state);
        track.quiet.note(t, state, track.body->radius, graph_.settings().gravity);
    };
    const BodyId a = pair.a, b = pair.b;
    go_on(a, outcome.a);
    go_on(b, outcome.b);
}

void Commit::island_forces(const IslandOutcome& outcome) {
    for (const IslandContactOutcome& seen : outcome.contacts) {
        PersistentContact& contact = graph_.pair(seen.pair).contact;
        if (!contact.active) continue;
        contact.t0 = outcome.t;
        contact.t1 = outcome.t + outcome.h;
        contact.force = seen.force;
        contact.couple = seen.couple;
        contact.exact = outcome.exact;
        contact.loose = seen.loose;
        contact.goes_on = outcome.goes_on;
        contact.all_at_start = false;
        contact.smooth = seen.smooth;
        contact.course_t0 = outcome.t;
        contact.course = seen.course;
        if (seen.has_points) contact.normal = seen.normal;
        contact.forget_points();
        const auto first = outcome.points.begin() + static_cast<std::ptrdiff_t>(seen.first_point);
        contact.forces.assign(first, first + static_cast<std::ptrdiff_t>(seen.point_count));
        contact.point = seen.point;
        contact.point_end = seen.point_end;
        schedule_.cancel(seen.pair);
    }
}

void Commit::island(const IslandOutcome& outcome) {
    ledger_.note_overlap(outcome.overlap);
    for (const IslandContactOutcome& seen : outcome.contacts)
        if (seen.open) end_contact(seen.pair, outcome.t);
    island_forces(outcome);
    correct(outcome);
    std::vector<BodyId> bodies;
    for (const IslandBodyOutcome& body : outcome.bodies) {
        begin_segment(body.segment);
        bodies.push_back(body.id);
    }
    for (const IslandContactOutcome& seen : outcome.contacts) {
        if (graph_.pair(seen.pair).contact.active && seen.landing < k_forever)
            schedule_.landing_at(seen.pair, outcome.t + seen.landing);
    }
    schedule_.bodies_changed(bodies, outcome.t);
}

void Commit::plane_contact(std::uint32_t i, const PlaneCourse& course) {
    PersistentContact& contact = graph_.pair(i).contact;
    contact.t0 = course.segment.t0;
    contact.normal = course.normal;
    contact.point = contact.point_end = course.point;
    contact.exact = true;
    contact.loose = false;
    contact.all_at_start = false;
    contact.smooth = false;
    contact.forget_points();
}

void Commit::plane_course(std::uint32_t i, const PlaneCourse& course, double until) {
    Segment segment = course.segment;
    segment.lasting.t1 = until;
    begin_segment(segment);
    BodyTrack& track = graph_.track(segment.body);
    track.last_step = 0.0;
    graph_.pair(i).contact.t1 = track.motion_until;
    schedule_.bodies_changed({segment.body}, segment.t0);
}

void Commit::fall_asleep(BodyId id, double t) {
    BodyTrack& track = graph_.track(id);
    begin_segment(id, SegmentKind::asleep, t, ledger_.add_sleep(id, track.at(t), t));
    track.quiet.end();
    track.fed = 0.0;
}

void Commit::wake(BodyId id, BodyId by, double t) {
    ledger_.add_wake(id, by, t);
    BodyTrack& track = graph_.track(id);
    track.slept_with.clear();
    track.slept_in_pile = false;
}

}  // namespace carom::world
