// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "carom/detect/body_contact.h"
#include "carom/world/contacts.h"
#include "carom/world/event.h"
#include "carom/world/micro/micro_rule.h"

namespace carom::world {

// A point of a persistent contact as its last step has left it.
struct PointForce {
    std::uint64_t id;
    Vec3 force;         // on a, N
    double gap;         // at the end of the step, m
    bool slips;         // friction was at its limit
    Vec3 arm_a, arm_b;  // to the point from the centres of mass, at the end of the step
};

// A contact that lasts: the step that goes on, its force, and the warm start of the next one.
struct PersistentContact {
    bool active = false;
    // Its last step was one of an exact motion.
    bool exact = false;
    bool goes_on = false;  // and its kinds of contact did not change at its end
    // Points that carry may be apart, or inside, by the gaps that steps of islands and piles leave;
    // else they touch to rounding.
    bool loose = false;
    double t0 = 0.0, t1 = 0.0;  // of the step; what came before t0 has been emitted
    Vec3 force = Vec3::Zero();  // on a, its mean in the step; of sleepers the last one, N
    // An impulse on a that acted at t0, N s. After it the force acts evenly, unless all_at_start:
    // the bodies have had all of it and fly, as in a step of a pile.
    Vec3 given = Vec3::Zero();
    // The couples of both about the centre of pressure, N m and N m s.
    Vec3 couple = Vec3::Zero(), given_couple = Vec3::Zero();
    bool all_at_start = false;
    // Of an exact step: the impulse on a is the quartic with these coefficients of s, ... s^4 in
    // s = (t - course_t0) / (t1 - course_t0), N s.
    bool smooth = false;
    double course_t0 = 0.0;
    std::array<Vec3, 4> course{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    Vec3 impulse_until(double t) const {
        const double s = t < t1 ? (t - course_t0) / (t1 - course_t0) : 1.0;
        return s * (course[0] + s * (course[1] + s * (course[2] + s * course[3])));
    }
    Vec3 force_at(double t) const {
        const double h = t1 - course_t0;
        const double s = t < t1 ? (t - course_t0) / h : 1.0;
        return (course[0] + s * (2.0 * course[1] + s * (3.0 * course[2] + s * 4.0 * course[3]))) /
               h;
    }
    // Of a sleeper of a pile: the force when it fell asleep, and since when it has been another.
    Vec3 at_rest = Vec3::Zero();
    double unlike_since = std::numeric_limits<double>::infinity();
    // the centre of pressure, at t0 and at t1
    Vec3 point = Vec3::Zero(), point_end = Vec3::Zero();
    Vec3 normal = Vec3::UnitZ();
    std::vector<PointForce> forces;
    double points_at = k_long_ago;  // forces are those of a step that begins then
    double ended = k_long_ago;      // when it last ended

    static constexpr double k_long_ago = -std::numeric_limits<double>::infinity();
    void forget_points() {
        forces.clear();
        points_at = k_long_ago;
    }
};

// Two bodies that are near each other, a before b. Ordered as BodyTrack is.
struct alignas(64) ContactPair {
    // query: a bound on the time to contact ends; landing: a point of an active contact comes down
    enum class Next : std::uint8_t { query, touch, landing };

    BodyId a = 0, b = 0;
    bool used = false;
    bool permanent = false;  // stays however far apart
    Next next = Next::query;
    double covered_until = k_long_ago;  // a step of a pile keeps the two apart until then
    double rebound = 0.0;  // pending restitution velocity: it parts so in the pile's next step, m/s
    PersistentContact contact;
    // Separation bound, a cache: they were so far apart at separation_time, when the bodies had
    // travelled so far; 0: not known.
    mutable double separation = 0.0;
    mutable double separation_time = 0.0;
    mutable double travelled_a = 0.0, travelled_b = 0.0;
    const ContactLaw* law = nullptr;
    MicroRule micro;
    double size = 0.0;  // the radius of the smaller free body, m
    double last_impact = k_long_ago;
    // Without gravity slow is what is slow beside the impacts before: of those that follow each
    // other ever faster, the fastest approach (m/s), the last interval (s), and the part of the
    // former that is slow (Settings::micro; 0: there is gravity).
    double reference_speed = 0.0;
    double last_interval = -1.0;
    double slow_part = 0.0;
    double energy_to_repay = 0.0;  // gained by micro-collisions and not lost since, J
    // Closest features of the last search: a cache, where a search begins.
    mutable detect::BodyMemory memory;
    // the coming touch
    std::size_t part_a = 0, part_b = 0;
    Vec3 normal = Vec3::UnitZ();

    static constexpr double k_long_ago = -std::numeric_limits<double>::infinity();
    BodyId other(BodyId id) const { return a == id ? b : a; }
    double mu() const { return law->parameters.mu.value_or(0.0); }
    // The speed of micro-bounces (m/s).
    double micro_bounce() const {
        return slow_part > 0.0 ? slow_part * reference_speed : micro.hop_speed();
    }
    // Restitution threshold (m/s): a faster approach is an impact by the law of the pair, a slower
    // one is taken up by the persistent contact.
    double restitution_threshold() const { return MicroRule::k_fastest * micro_bounce(); }
    // Whether a touch is slow: a micro-collision, or the beginning of a contact that lasts.
    bool is_slow_touch(double approach_speed, double t) const {
        if (slow_part > 0.0) return approach_speed <= restitution_threshold();
        return micro.is_micro(approach_speed, t - last_impact);
    }
    // A contact that begins while its bodies part has no speed to refer to.
    void note_impact(double approach_speed, double t) {
        const double interval = t - last_impact;
        const bool ever_sooner = interval < last_interval;
        const double speed = std::max(0.0, approach_speed);
        reference_speed = ever_sooner ? std::max(reference_speed, speed) : speed;
        last_interval = interval;
        last_impact = t;
    }
};

}  // namespace carom::world
