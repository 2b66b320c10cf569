// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/state.h"

namespace carom::motion {

// The plane a sphere stays on: through `point` at `time`, moving with a constant velocity and
// turning at a constant rate (rad/s, right-handed) about the normal through that point. The normal
// points to the sphere; any positive length is made unit. The velocity may have a part along it.
struct SupportPlane {
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::UnitZ();
    Vec3 velocity = Vec3::Zero();
    double turn_rate = 0.0;
    double time = 0.0;
};

// A sphere, its plane and what acts between them. SI units, world frame.
//
// The moment of inertia is the same about every axis through the centre: 2/5 m r^2 for a ball,
// 2/3 m r^2 for a shell. mu is Coulomb's coefficient, the same for sticking. mu_roll and mu_spin
// are lever arms (m): with N the normal force,
//     torque <= mu_roll N   against the angular velocity across the normal, when rolling or at
//                           rest,
//     torque  = mu_spin N   against the angular velocity about the normal relative to the plane.
// While the contact slips there is no rolling friction: Coulomb's stands for all of it.
struct SphereContact {
    double radius = 0.0;
    double mass = 0.0;
    double moment = 0.0;
    double mu = 0.0;
    double mu_roll = 0.0;
    double mu_spin = 0.0;
    Vec3 gravity = Vec3::Zero();
    SupportPlane plane{};
};

// Whether gravity presses the sphere onto its plane; SphereOnPlane refuses one that it does not.
bool is_pressed(const SphereContact& contact);

// Throws std::invalid_argument for data that are not finite or out of range.
void check_contact(const SphereContact& contact);

// The same in the frame that moves with the plane's point, with axes e1, e2, n: e1 points down the
// slope. Vectors in the plane have two components.
//
// With J a = n x a, x the contact point from the plane's point, v the velocity of the centre and
// b = r n x w (both in this frame), W the plane's rate, F = m f the friction on the sphere,
// k = m r^2 / moment:
//     slip      u  = v + b - W J x
//     v' = g_t + f,   b' = k f + (rolling friction).
// Slipping: f = -mu g_n u/|u|. Sticking (u = 0): f = (h - brake) / (1 + k), where
//     h = W J v - g_t,   |h| <= slip_limit = (1 + k) mu g_n,
// and brake = -B b/|b| is the rolling friction, with B = k delta g_n, delta = mu_roll / r, as far
// as the friction F can hold it: B is at most 3/4 slip_limit (which matters above delta = mu or so
// only) and at most slip_limit - |h|, what is left over. So |f| never exceeds mu g_n, and rolling
// friction vanishes where slip begins.
// At rest on the plane (u = b = 0) f = h = -W^2 x - g_t, and both frictions hold while
//     |h| <= rest_limit = min(B / k, mu g_n).
struct ContactFrame {
    explicit ContactFrame(const SphereContact& contact);

    Mat3 axes;  // columns e1, e2, n
    double radius;
    double kappa;       // m r^2 / moment
    double g_n;         // gravity into the plane, > 0
    double slope;       // gravity along e1, >= 0; rounding of a level plane counts as zero
    double mu_g;        // mu g_n
    double slip_limit;  // (1 + kappa) mu g_n
    double roll_brake;  // B away from the limit of slip
    double rest_limit;
    double spin_brake;  // how fast the spin about the normal decays (rad/s^2)
    double turn_rate;

    Vec2 in_plane(const Vec3& a) const { return axes.leftCols<2>().transpose() * a; }
    Vec3 to_world(const Vec2& a) const { return a.x() * axes.col(0) + a.y() * axes.col(1); }
    Vec3 normal() const { return axes.col(2); }
    Vec2 slope_vector() const { return {slope, 0.0}; }
    // friction needed to roll without rolling friction, times (1 + kappa) / m
    Vec2 needed(const Vec2& v) const;
    double brake_left(double h) const;
    // in the frame's axes: of b across, of the spin about the normal
    Vec3 angular_velocity(const Vec2& b, double spin) const;
};

// n x a
inline Vec2 quarter_turn(const Vec2& a) {
    return {-a.y(), a.x()};
}

}  // namespace carom::motion
