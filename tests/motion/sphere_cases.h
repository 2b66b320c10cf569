// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/motion/sphere_on_plane.h"
#include "tests/motion/rotation_cases.h"

namespace carom::tests {

// On the floor z = 0; share is the moment of inertia over m r^2.
inline motion::SphereContact level_contact(double radius, double share) {
    motion::SphereContact contact;
    contact.radius = radius;
    contact.mass = 0.7;
    contact.moment = share * contact.mass * radius * radius;
    contact.mu = 0.3;
    contact.gravity = Vec3(0.0, 0.0, -9.81);
    return contact;
}

// On the floor above the origin, without spin.
inline motion::State at_rest(const motion::SphereContact& contact, const Vec3& velocity) {
    return {Vec3(0.0, 0.0, contact.radius), motion::Quat::Identity(), velocity, Vec3::Zero()};
}

struct SphereCase {
    motion::SphereContact contact;
    motion::State state;
    double t0;
};

// Any sphere on any plane that presses it, turning or not, with rolling and spinning friction or
// not.
inline SphereCase random_case(Random& random, bool rolling_friction, bool turning) {
    SphereCase out;
    motion::SphereContact& c = out.contact;
    c.radius = random.log_uniform(0.02, 0.5);
    c.mass = random.log_uniform(0.1, 10.0);
    c.moment = random.uniform(0.2, 0.66) * c.mass * c.radius * c.radius;
    c.mu = random.log_uniform(0.03, 1.0);
    if (rolling_friction) {
        c.mu_roll = random.log_uniform(0.002, 0.2) * c.radius;
        c.mu_spin = random.log_uniform(0.002, 0.1) * c.radius;
    }
    const Vec3 n = random.direction();
    // a slope of up to a half
    const Vec3 across = n.unitOrthogonal();
    const double slope = random.uniform() < 0.3 ? 0.0 : random.uniform(0.0, 0.5);
    c.gravity = random.log_uniform(1.0, 10.0) * (slope * across - n);
    c.plane.normal = n;
    c.plane.point = random_vector(random, 1.0);
    if (turning) c.plane.turn_rate = random.uniform(-3.0, 3.0);
    const Vec3 x = random_vector(random, 1.0);
    const Vec3 v = random_vector(random, 2.0);
    out.state.position = c.plane.point + (x - n.dot(x) * n) + c.radius * n;
    out.state.velocity = v - n.dot(v) * n;
    out.state.angular_velocity = random_vector(random, 2.0 / c.radius);
    out.state.orientation = random_orientation(random);
    out.t0 = random.uniform(-1.0, 1.0);
    return out;
}

}  // namespace carom::tests
