// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "carom/impact/law.h"
#include "carom/motion/sphere_contact.h"
#include "carom/motion/state.h"

namespace carom::world {

using BodyId = std::uint32_t;
inline constexpr BodyId k_no_body = std::numeric_limits<BodyId>::max();

enum class EventKind : std::uint8_t {
    impact,  // an impact resolved by the law of its pair
    micro,   // a micro-collision of a contact that lasts, or a corner of one that is set down
    lasting_begin,  // a contact that lasts begins; the impulse is what stopped the approach
    lasting_end,    // it ends: the bodies part, or one is free to fly
    sleep,          // body a fell asleep; energy_lost is what it still had
    wake            // body a woke up; b is what touched it, if anything
};
// "impact", "micro", "lasting-begin", "lasting-end", "sleep", "wake".
const char* name_of(EventKind kind);

// Something that happened, in the world frame. Of a free and a fixed body the free one is a; of two
// free ones a was added before b. The normal is from b to a, u is a's contact velocity
// minus b's, the impulse is on a (N s). sleep and wake leave the vectors zero, but for the impulse
// of sleep, which took the momentum that a still had; b is k_no_body where there is none.
struct Event {
    double t = 0.0;
    EventKind kind = EventKind::impact;
    impact::LawId law = impact::LawId::routh;  // that was used
    BodyId a = k_no_body, b = k_no_body;
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::Zero();
    Vec3 u = Vec3::Zero(), u_after = Vec3::Zero();
    Vec3 impulse = Vec3::Zero();
    double energy_lost = 0.0;  // J; negative when the law made some
    double restitution = 0.0;  // -u_after.n / u.n
};

enum class SegmentKind : std::uint8_t {
    given,       // the prescribed motion of a fixed body
    flight,      // Ballistic from state at t0
    asleep,      // still at state from t0 on
    forced,      // Integrated under the body's own forces and gravity, from state at t0
    held,        // Accelerated from state at t0: a step of lasting contact
    on_plane,    // a sphere on a plane, in closed form from state at t0
    constrained  // Integrated: a piece of the exact motion of bodies in lasting contact, from t0 to
                 // t1
};
const char* name_of(SegmentKind kind);
// Whether a segment is one of lasting contact, with a LastingForm.
inline bool is_lasting(SegmentKind kind) {
    return kind == SegmentKind::held || kind == SegmentKind::on_plane ||
           kind == SegmentKind::constrained;
}

// What else describes a segment of lasting contact. held: until t1, with constant accelerations;
// power (W) is what bodies that move as they are told do on this one. on_plane: at most until t1,
// where the face ends, on this plane with these frictions. constrained: the quintics from the state
// at t0 with the accelerations a and alpha to the state `end` at t1 with a_end and alpha_end
// (motion/dense_piece.h); power as of held.
struct LastingForm {
    double t1 = std::numeric_limits<double>::infinity();
    Vec3 a = Vec3::Zero(), alpha = Vec3::Zero();
    double power = 0.0;
    motion::SupportPlane plane{};
    double mu = 0.0, mu_roll = 0.0, mu_spin = 0.0;
    motion::State end{Vec3::Zero(), motion::Quat::Identity(), Vec3::Zero(), Vec3::Zero()};
    Vec3 a_end = Vec3::Zero(), alpha_end = Vec3::Zero();
};

// From t0 until its next segment a body moves so. state is the centre of mass's, at t0.
struct Segment {
    double t0 = 0.0;
    BodyId body = 0;
    SegmentKind kind = SegmentKind::flight;
    motion::State state;
    LastingForm lasting{};
};

// Where a force is between the two ends of its interval.
enum class ForcePlace : std::uint8_t {
    line,        // it goes straight from one point to the other
    centre_of_a  // it moves with the centre of mass of a: point(t) = point(t0) + c_a(t) - c_a(t0)
};
const char* name_of(ForcePlace place);  // "line", "centre-of-a"

// How an impulse is spread over its interval.
enum class ForceCourse : std::uint8_t {
    evenly,    // as a constant force
    at_start,  // all of it at t0: in a step of a pile, whose bodies fly
    by_motion  // as the exact motion of the bodies tells
};
const char* name_of(ForceCourse course);  // "evenly", "at-start", "by-motion"

// What a lasting contact did from t0 to t1, in the world frame: the impulse on a (N s), where the
// middle of its pressure is at t0 and at t1, and the normal from b to a. The mean force is
// impulse / (t1 - t0). What forces at several points do beyond their sum at that point is the
// couple on a about it (N m s), spread as the impulse is: friction against turning about the
// normal. Recordings do not hold it.
struct ContactForce {
    double t0 = 0.0, t1 = 0.0;
    BodyId a = k_no_body, b = k_no_body;
    Vec3 point = Vec3::Zero(), point_end = Vec3::Zero();
    Vec3 normal = Vec3::Zero();
    Vec3 impulse = Vec3::Zero();
    Vec3 couple = Vec3::Zero();
    // Of an exact motion: the force at t0 and at t1 (N); between them it is the quadratic with this
    // impulse. Not in recordings.
    Vec3 force_start = Vec3::Zero(), force_end = Vec3::Zero();
    ForcePlace follows = ForcePlace::line;
    ForceCourse acts = ForceCourse::evenly;
};

// The same with a and b exchanged. A force that moves with a body must be reported with that as a.
Event seen_from_other(Event event);
ContactForce seen_from_other(ContactForce force);

// Whoever wants to know what happens while a world runs. All is reported in the order of time; the
// segments that an event begins come right after it. At the start each body's first segment is
// reported.
class Listener {
public:
    virtual ~Listener() = default;
    virtual void on_event(const Event&) {}
    virtual void on_segment(const Segment&) {}
    // Reported at t1, in the order of t1; intervals of one contact follow each other without gaps.
    virtual void on_force(const ContactForce&) {}
    // World::run returns: all that happened until t has been reported, and no event is half
    // reported.
    virtual void on_whole(double /*t*/) {}
    // The whole state at a checkpoint, as World::restore takes it.
    virtual void on_checkpoint(double /*t*/, std::span<const std::uint8_t> /*bytes*/) {}
};

}  // namespace carom::world
