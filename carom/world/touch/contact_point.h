// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/body_contact.h"
#include "carom/impact/problem.h"
#include "carom/motion/state.h"
#include "carom/world/body.h"

namespace carom::world {

// One side of a contact.
struct Side {
    const Body* body;
    const detect::MovingPart* part;  // the one that touches
    motion::State state;             // at the time of the contact
};

// Two bodies that touch.
struct Touch {
    Side a, b;
    Vec3 normal;  // from b to a
};

// Where two touching bodies hit each other: of the points in which they touch, those that approach
// fastest, and of several equal ones the middle. So a box that falls flat is hit in the middle of
// its face, and one that rocks at the edge that comes down.
struct ContactPoint {
    Vec3 point;
    double approach_speed;  // negative when even the fastest parts
};
ContactPoint find_contact_point(const Touch& touch);

// A touch as an impact problem.
impact::BodyPair make_pair(const Touch& touch, const Vec3& point);

// The part of a velocity across the normal.
inline Vec3 tangential(const Vec3& u, const Vec3& normal) {
    return u - u.dot(normal) * normal;
}

// Velocity of the point of a body that is at `point`.
Vec3 velocity_at(const motion::State& state, const Vec3& point);

}  // namespace carom::world
