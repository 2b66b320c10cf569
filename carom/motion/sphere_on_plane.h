// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>
#include <optional>

#include "carom/motion/sphere_contact.h"
#include "carom/motion/state.h"

namespace carom::motion {

struct SphereCourse;

// A sphere in lasting contact with a plane, from one change-over to the next.
//
// The equations are in sphere_contact.h. Which form a segment has follows from its start alone:
//
// sliding    the contact slips. Constant acceleration on a level plane, along the slope, or without
//            friction; else the hodograph's closed form on a slope (hodograph.h); on a turning
//            plane a series (slip_series.h).
// rolling    no slip, the sphere turns across the normal. Constant acceleration k g_t / (1 + k) on
//            a still plane; on a turning one a circle at W / (1 + k) (2/7 W for a ball), with a
//            drift if it is tilted: v' = W/(1+k) n x v + k/(1+k) g_t. With rolling friction: a
//            decelerated line on a level plane, the hodograph on a slope, a series on a turning
//            plane.
// spinning   the centre rests on the plane (and goes round with it), the sphere turns about the
//            normal relative to the plane.
// resting    the sphere is at rest on the plane.
//
// In every phase the spin about the normal, relative to the plane, decays linearly by spinning
// friction; where it stops is a change-over of its own.
//
// Change-overs. A slide ends when the slip is zero; a roll when it stops by rolling friction, or
// when sticking would need more than mu N; rest when the frictions no longer hold it. The state at
// the end is exact in what has vanished: without slip, spin or rolling to rounding of the state's
// numbers. Slip, spin and rolling below that (k_nothing, 32 ulp of the numbers they are differences
// of) count as none and are removed. A friction that needs just its limit sticks, unless the need
// grows. So a segment depends on contact, state and time only, and no phase is entered twice at one
// time. Series end after a bounded number of pieces at the latest, in the same phase.
//
// The centre stays at one radius from the plane: it moves by vectors along the plane, from a start
// that is put there.
class SphereOnPlane {
public:
    enum class Phase { sliding, rolling, spinning, resting };

    // The centre must be at the radius from the plane within k_near of it, and the velocity along
    // the normal be the plane's: what differs is removed, see removed(). Throws
    // std::invalid_argument for bad data and for a sphere that gravity does not press on the plane.
    SphereOnPlane(const SphereContact& contact, const State& state, double t0);

    Phase phase() const;
    double start_time() const;
    // Infinity when nothing ends it.
    double valid_until() const;

    // For t in [start_time(), valid_until()], or outside by a few ulp; otherwise
    // std::invalid_argument.
    State at(double t) const;
    Vec3 position_at(double t) const;
    Vec3 velocity_at(double t) const;
    Vec3 angular_velocity_at(double t) const;
    Attitude attitude_at(double t) const;
    // Position and velocity in one go; no orientation.
    struct Centre {
        Vec3 position, velocity;
    };
    Centre centre_at(double t) const;

    // What the plane does to the sphere at t, world frame. The forces act at the contact point;
    // torque is that of rolling and spinning friction about the centre.
    struct Contact {
        Vec3 point;
        Vec3 normal_force;
        Vec3 friction;
        Vec3 torque;
    };
    Contact contact_at(double t) const;
    // The same with the velocities of the sphere then, in one go: what its work takes.
    struct Working {
        Contact contact;
        Vec3 velocity, angular_velocity;
    };
    Working working_at(double t) const;

    // State at valid_until, and the segment from there on. std::invalid_argument if there is none.
    State end_state() const;
    SphereOnPlane next() const;

    // What the constructor took away: the distance of the centre along the normal from where it
    // was put, and the velocity along the normal relative to the plane.
    struct Removed {
        double height, speed;
    };
    const Removed& removed() const;
    const SphereContact& contact() const;

    // Set when the centre is on a parabola (or a line) over the whole segment: its acceleration.
    std::optional<Vec3> constant_acceleration() const;
    // Set when the acceleration turns steadily about the normal: the centre is on a circle, with
    // or without drift. The rate is in rad/s.
    std::optional<double> turning_rate() const;

    // For bounds.h, over [t, t + horizon]; see LocalBounds there.
    struct Rates {
        Vec3 a;
        double a_spread;
        double spin_max;
        double spin_rate_max;
    };
    Rates rates(double t, double horizon) const;

private:
    std::shared_ptr<const SphereCourse> course_;
};

const char* name_of(SphereOnPlane::Phase phase);

}  // namespace carom::motion
