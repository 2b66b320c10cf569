// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carom/detect/body_contact.h"
#include "carom/detect/swept_hash.h"
#include "carom/world/body.h"
#include "carom/world/event_queue.h"
#include "carom/world/island.h"
#include "carom/world/lasting.h"
#include "carom/world/rest.h"

namespace carom::world {

// A body on its way. What searches over all pairs ask for comes first, on one line of the cache.
struct alignas(64) Mover {
    const Body* body = nullptr;
    std::uint64_t mark = 0;   // of the last search that came by
    std::uint32_t index = 0;  // its place in what is at hand: a group, an island, the crowd
    bool crowd = false;       // takes the steps of the crowd, see pair_crowd.cpp
    bool slept_in_crowd = false;
    bool paused = false;  // between two segments: its island is about to take a step
    Segment segment;
    motion::Motion motion{};
    double motion_until = 0.0;  // from then on it needs another one
    detect::MovingBody moving;  // points to the body's shape and to motion
    double box_until = 0.0;     // the box in the broad phase holds the body until then
    Aabb box;
    double box_stretch = 1.0;  // how much longer than usual its box lasts
    bool boxed = false;        // has a box; half-spaces do not
    // any point may go so far, and stay in the box, from where it was when the odometer read so
    double box_read = 0.0;
    double box_margin = 0.0;
    bool universal = false;  // near everything: an unbounded body that is no still half-space
    // No point of the body has gone farther than odometer until the segment began, and goes farther
    // than pace d + gain d^2 in the time d after that; unless paced is false.
    double odometer = 0.0;
    double pace = 0.0, gain = 0.0;
    bool paced = false;
    QuietSince quiet;
    std::vector<BodyId> slept_with;    // sleepers in touch when it fell asleep
    std::vector<std::uint32_t> pairs;  // that it takes part in
    double burst_t = -1.0;             // impacts at one instant
    std::uint64_t burst = 0;
    double step = 0.0;  // length of its last step in an island, s

    Mover(const Body& of, const Segment& first, const Vec3& gravity);
    Mover(const Mover&) = delete;
    Mover& operator=(const Mover&) = delete;

    bool asleep() const { return segment.kind == SegmentKind::asleep; }
    bool lasting() const {
        return segment.kind == SegmentKind::held || segment.kind == SegmentKind::on_plane;
    }
    // Whether it stays where it is until something happens to it.
    bool still() const { return body->still || asleep(); }
    void go(const Segment& next, const Vec3& gravity);
    double travelled(double t) const {
        const double d = t - segment.t0;
        return odometer + (pace + gain * d) * d;
    }
    double speed_bound(double t) const { return pace + 2.0 * gain * (t - segment.t0); }
    // What a body does that nothing holds.
    SegmentKind free_kind() const {
        return body->forces.empty() ? SegmentKind::flight : SegmentKind::forced;
    }
    motion::State at(double t) const { return motion::at(motion, t); }
};

// What two bodies in lasting contact remember: the step that goes on, and its forces.
struct Closed {
    bool on = false;
    double t0 = 0.0, t1 = 0.0;  // of the step; what came before t0 has been told
    Vec3 force = Vec3::Zero();  // on a, its mean in the step; of sleepers the last one, N
    // An impulse on a that was given at t0, N s. After it the force acts evenly, unless `flies`:
    // the bodies have had all of it and fly, as in a step of a crowd.
    Vec3 given = Vec3::Zero();
    bool flies = false;
    Vec3 at_rest = Vec3::Zero();  // the same when one of them fell asleep in a crowd
    // since when the force has been otherwise than at rest
    double unlike = std::numeric_limits<double>::infinity();
    // the middle of its pressure, at t0 and at t1
    Vec3 point = Vec3::Zero(), point_end = Vec3::Zero();
    Vec3 normal = Vec3::UnitZ();
    std::vector<PointForce> forces;
    double seen = k_never;   // forces are those of a step that begins then
    double ended = k_never;  // when it was last open

    static constexpr double k_never = -std::numeric_limits<double>::infinity();
    void forget_points() {
        forces.clear();
        seen = k_never;
    }
};

// Two bodies that are near each other; ordered as Mover is.
struct alignas(64) Pair {
    // slap: a corner of a lasting contact comes down
    enum class Next : std::uint8_t { look, touch, slap };

    BodyId a = 0, b = 0;
    bool used = false;
    bool permanent = false;  // stays however far apart
    Next next = Next::look;
    std::uint64_t crowd_stamp = 0;  // the last step of the crowd that sees to it
    double bounce = 0.0;            // speed with which it has yet to part in a crowd, m/s
    Closed closed;
    // they were so far apart at clear_time, when the bodies' odometers read so; 0: not known
    double clear = 0.0;
    double clear_time = 0.0;
    double read_a = 0.0, read_b = 0.0;
    const ContactLaw* law = nullptr;
    LastingRule lasting;
    double last_impact = -std::numeric_limits<double>::infinity();
    double debt = 0.0;  // energy gained by micro-collisions and not lost since, J
    detect::BodyMemory memory;
    // the coming touch
    std::size_t part_a = 0, part_b = 0;
    Vec3 normal = Vec3::UnitZ();
};

// The pairs of bodies that could touch soon, and the swept boxes by which they are found.
//
// Each body has a box that holds it for a time in which it goes about as far as its radius, a
// little larger than needed so that small impacts need no new one. Pairs are the bodies whose boxes
// overlap, and every body with an unbounded one. Fixed bodies do not pair with each other.
class NearPairs {
public:
    NearPairs(std::span<Mover* const> movers, const Contacts& contacts, double micro,
              const Vec3& gravity);

    // All boxes and pairs anew.
    void rebuild(double t);
    // A new box for a body. The pairs that came are appended to `fresh`; those that went are gone,
    // and told to `queue`.
    void renew(BodyId body, double t, EventQueue& queue, std::vector<std::uint32_t>& fresh);
    // Whether the body's box still holds it, now that its motion has changed; to the end of its
    // step if it is held, for which the box is then good.
    bool still_boxed(BodyId body, double t);

    Pair& operator[](std::uint32_t i) { return pairs_[i]; }
    const Pair& operator[](std::uint32_t i) const { return pairs_[i]; }
    std::size_t size() const { return pairs_.size(); }
    // The pair of two bodies; size() when they are not near.
    std::uint32_t find(BodyId a, BodyId b) const;

private:
    void set_box(BodyId body, double t);
    bool may_meet(BodyId a, BodyId b) const;
    std::uint32_t add(BodyId a, BodyId b, bool permanent);
    void drop(std::uint32_t pair, EventQueue& queue);

    std::span<Mover* const> movers_;
    const Contacts& contacts_;
    double micro_;
    double gravity_;
    detect::SweptHash hash_;
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> free_;
    std::vector<detect::SweptHash::Id> others_;
};

}  // namespace carom::world
