// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "carom/world/body.h"
#include "carom/world/byte_stream.h"
#include "carom/world/event.h"

namespace carom::world {

// The work that reported contact forces do on the bodies as they were reported to move.
//
// A force F on a at the point p(t), with a couple C about it, does the work
//     integral of F . (v_a + w_a x (p - c_a)) + C . w_a
// on a, and the opposite force the same with the minus sign on b. What is known of them is what a
// listener gets: ContactForce and Segment. No stepper takes part, so that it judges them:
//     evenly     F and C constant, p on its line, v and w linear in time (SegmentKind::held), so
//                that three Gauss points between two changes of a motion are exact; beside a fixed
//                body that turns their error is below (w h)^6 / 2000 of the work;
//     at_start   F. (u before + u after) / 2, u being the velocity of the body at p: exact for an
//                impulse;
//     by_motion  of an exact motion the quadratic of ContactForce; of a sphere on a plane the
//     forces and the torque of motion::SphereOnPlane, by Gauss' rule on pieces; what
//                the reported impulse has beyond them acts at t0, as in at_start.
// Work on fixed bodies is not of interest, and not counted.
class ForceWork {
public:
    ForceWork(std::span<const Body> bodies, const Vec3& gravity);

    // A body begins a motion. before: its state right before, where an impulse at this instant is
    // reported as a force that acts at_start; null where none is.
    void begin(const Segment& segment, const motion::State* before);
    // All forces on a body are reported until t: motions before one that begins then are done with.
    void reported(BodyId body, double t) { reported_[body] = t; }

    struct Work {
        double on_free = 0.0;  // bodies, J
        double size = 0.0;     // the sizes of the work on each of them, J
    };
    // Of a force that is reported no later than the motions after it.
    Work of(const ContactForce& force) const;

    // now: the motion of each body where it is loaded.
    void save(ByteWriter& out) const;
    void load(ByteReader& in, std::span<const Segment> now);

private:
    struct Course {
        Segment segment;
        Vec3 v_before, w_before;
    };
    // Where a body is and how it moves.
    struct Place {
        Vec3 c, v, w;
    };
    // The last motion that was asked for: it is made once for all times of a force.
    struct Made {
        const Course* course = nullptr;
        std::optional<motion::Motion> motion;
    };
    const Course& course_at(BodyId body, double t) const;
    Place place_at(BodyId body, double t, Made& made) const;
    Place place_in_jump(BodyId body, double t) const;
    double of_jump(const ContactForce& force, BodyId body) const;
    double of_even(const ContactForce& force, BodyId body) const;
    double of_motion(const ContactForce& force) const;

    std::span<const Body> bodies_;
    Vec3 gravity_;
    std::vector<std::vector<Course>> courses_;  // by body, since forces were last reported
    std::vector<double> reported_;              // by body
};

}  // namespace carom::world
