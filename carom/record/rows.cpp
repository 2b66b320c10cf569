// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// What a run tells as rows of a recording, and back.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "carom/record/layout.h"
#include "carom/record/row_vectors.h"

namespace carom::record {
namespace {

template <class Values>
bool all_finite(const Values& values) {
    return std::all_of(std::begin(values), std::end(values),
                       [](double x) { return std::isfinite(x); });
}

bool finite(const SegmentRow& row) {
    return std::isfinite(row.t0) && all_finite(row.position) && all_finite(row.orientation) &&
           all_finite(row.velocity) && all_finite(row.angular_velocity);
}

// All but t1.
bool finite(const LastingRow& row) {
    const double numbers[] = {row.power, row.plane_turn_rate, row.plane_time,
                              row.mu,    row.mu_roll,         row.mu_spin};
    return all_finite(numbers) && all_finite(row.a) && all_finite(row.alpha) &&
           all_finite(row.plane_point) && all_finite(row.plane_normal) &&
           all_finite(row.plane_velocity) && all_finite(row.end_position) &&
           all_finite(row.end_orientation) && all_finite(row.end_velocity) &&
           all_finite(row.end_angular_velocity) && all_finite(row.end_a) &&
           all_finite(row.end_alpha);
}

// Only what happens to one body may be without a second one (world/event.h).
bool may_be_alone(world::EventKind kind) {
    return kind == world::EventKind::sleep || kind == world::EventKind::wake;
}

// What is told, as "an event", must be of two of so many bodies.
void check_two(std::uint32_t a, std::uint32_t b, std::size_t bodies, const char* what) {
    const auto refuse = [&](const char* why) {
        throw Failure(what + std::string(why) + ": the file is damaged");
    };
    if (a >= bodies || (b >= bodies && b != world::k_no_body))
        refuse(" is of a body that is not there");
    if (b == world::k_no_body) refuse(" has no second body");
    if (a == b) refuse(" is of a body with itself");
}

constexpr std::size_t k_last_law = static_cast<std::size_t>(impact::LawId::micro);
constexpr std::size_t k_last_event = static_cast<std::size_t>(world::EventKind::wake);
constexpr std::size_t k_last_segment = static_cast<std::size_t>(world::SegmentKind::constrained);
constexpr std::size_t k_last_place = static_cast<std::size_t>(world::ForcePlace::centre_of_a);
constexpr std::size_t k_last_course = static_cast<std::size_t>(world::ForceCourse::by_motion);

}  // namespace

EventRow to_row(const world::Event& event) {
    EventRow row;
    row.t = event.t;
    row.a = event.a;
    row.b = event.b;
    row.kind = static_cast<std::uint32_t>(event.kind);
    row.law = static_cast<std::uint32_t>(event.law);
    put(row.point, event.point);
    put(row.normal, event.normal);
    put(row.u, event.u);
    put(row.u_after, event.u_after);
    put(row.impulse, event.impulse);
    row.energy_lost = event.energy_lost;
    row.restitution = event.restitution;
    return row;
}

SegmentRow to_row(const world::Segment& segment) {
    SegmentRow row;
    row.t0 = segment.t0;
    row.body = segment.body;
    row.kind = static_cast<std::uint32_t>(segment.kind);
    put(row.position, segment.state.position);
    put(row.orientation, segment.state.orientation);
    put(row.velocity, segment.state.velocity);
    put(row.angular_velocity, segment.state.angular_velocity);
    return row;
}

ForceRow to_row(const world::ContactForce& force) {
    ForceRow row;
    row.t0 = force.t0;
    row.t1 = force.t1;
    row.a = force.a;
    row.b = force.b;
    put(row.point, force.point);
    put(row.normal, force.normal);
    put(row.impulse, force.impulse);
    put(row.point_end, force.point_end);
    row.follows = static_cast<std::uint32_t>(force.follows);
    row.acts = static_cast<std::uint32_t>(force.acts);
    return row;
}

LastingRow lasting_row(const world::Segment& segment, std::uint64_t number) {
    const world::LastingForm& form = segment.lasting;
    LastingRow row;
    row.segment = number;
    row.t1 = form.t1;
    put(row.a, form.a);
    put(row.alpha, form.alpha);
    row.power = form.power;
    put(row.plane_point, form.plane.point);
    put(row.plane_normal, form.plane.normal);
    put(row.plane_velocity, form.plane.velocity);
    row.plane_turn_rate = form.plane.turn_rate;
    row.plane_time = form.plane.time;
    row.mu = form.mu;
    row.mu_roll = form.mu_roll;
    row.mu_spin = form.mu_spin;
    put(row.end_position, form.end.position);
    put(row.end_orientation, form.end.orientation);
    put(row.end_velocity, form.end.velocity);
    put(row.end_angular_velocity, form.end.angular_velocity);
    put(row.end_a, form.a_end);
    put(row.end_alpha, form.alpha_end);
    return row;
}

world::Event from_row(const EventRow& row, std::size_t bodies) {
    if (row.kind > k_last_event) throw Failure("an event is of no known kind: the file is damaged");
    if (row.law > k_last_law) throw Failure("an event has no known law: the file is damaged");
    const auto kind = static_cast<world::EventKind>(row.kind);
    const bool alone = may_be_alone(kind) && row.a < bodies && row.b == world::k_no_body;
    if (!alone) check_two(row.a, row.b, bodies, "an event");
    if (!std::isfinite(row.t)) throw Failure("an event has no time: the file is damaged");
    world::Event event;
    event.t = row.t;
    event.kind = kind;
    event.law = static_cast<impact::LawId>(row.law);
    event.a = row.a;
    event.b = row.b;
    event.point = vector(row.point);
    event.normal = vector(row.normal);
    event.u = vector(row.u);
    event.u_after = vector(row.u_after);
    event.impulse = vector(row.impulse);
    event.energy_lost = row.energy_lost;
    event.restitution = row.restitution;
    return event;
}

world::Segment from_row(const SegmentRow& row, std::size_t bodies) {
    if (row.kind > k_last_segment)
        throw Failure("a segment is of no known kind: the file is damaged");
    if (row.body >= bodies)
        throw Failure("a segment is of a body that is not there: the file is damaged");
    if (!finite(row)) throw Failure("a segment has no finite state: the file is damaged");
    world::Segment segment;
    segment.t0 = row.t0;
    segment.body = row.body;
    segment.kind = static_cast<world::SegmentKind>(row.kind);
    segment.state.position = vector(row.position);
    segment.state.orientation = orientation(row.orientation);
    segment.state.velocity = vector(row.velocity);
    segment.state.angular_velocity = vector(row.angular_velocity);
    return segment;
}

world::ContactForce from_row(const ForceRow& row, std::size_t bodies) {
    check_two(row.a, row.b, bodies, "a contact force");
    if (!(std::isfinite(row.t0) && std::isfinite(row.t1) && row.t0 <= row.t1))
        throw Failure("a contact force has no time: the file is damaged");
    if (!(all_finite(row.point) && all_finite(row.point_end) && all_finite(row.normal) &&
          all_finite(row.impulse)))
        throw Failure("a contact force is not finite: the file is damaged");
    if (row.follows > k_last_place || row.acts > k_last_course)
        throw Failure("a contact force is of no known kind: the file is damaged");
    world::ContactForce force;
    force.t0 = row.t0;
    force.t1 = row.t1;
    force.a = row.a;
    force.b = row.b;
    force.point = vector(row.point);
    force.normal = vector(row.normal);
    force.impulse = vector(row.impulse);
    force.point_end = vector(row.point_end);
    force.follows = static_cast<world::ForcePlace>(row.follows);
    force.acts = static_cast<world::ForceCourse>(row.acts);
    return force;
}

void add_lasting(world::Segment& segment, const LastingRow& row, std::uint64_t number) {
    if (row.segment != number)
        throw Failure("a row of " + std::string(k_lasting) +
                      " is of another segment: the file is damaged");
    // a step has a length; a sphere may stay on its plane for ever
    const bool timed = segment.kind != world::SegmentKind::on_plane
                           ? std::isfinite(row.t1) && row.t1 > segment.t0
                           : row.t1 >= segment.t0;
    if (!timed || !finite(row))
        throw Failure("a segment of lasting contact has no finite motion: the file is damaged");
    world::LastingForm& form = segment.lasting;
    form.t1 = row.t1;
    form.a = vector(row.a);
    form.alpha = vector(row.alpha);
    form.power = row.power;
    form.plane.point = vector(row.plane_point);
    form.plane.normal = vector(row.plane_normal);
    form.plane.velocity = vector(row.plane_velocity);
    form.plane.turn_rate = row.plane_turn_rate;
    form.plane.time = row.plane_time;
    form.mu = row.mu;
    form.mu_roll = row.mu_roll;
    form.mu_spin = row.mu_spin;
    form.end.position = vector(row.end_position);
    form.end.orientation = orientation(row.end_orientation);
    form.end.velocity = vector(row.end_velocity);
    form.end.angular_velocity = vector(row.end_angular_velocity);
    form.a_end = vector(row.end_a);
    form.alpha_end = vector(row.end_alpha);
}

}  // namespace carom::record
