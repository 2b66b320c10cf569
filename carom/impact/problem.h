// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <string>

#include "carom/math/types.h"

namespace carom::impact {

// One contact at one instant, in the contact frame.
//
// z is the unit normal, from body B to body A. u is the velocity of A's contact point minus that
// of B's (m/s); u.z < 0 is approach. An impulse p on A, -p on B (N s) changes u to u + K p. K, the
// collision matrix (1/kg), is symmetric positive definite; it is the inverse of the "local mass
// matrix" of Chatterjee and Ruina.
struct Contact {
    Mat3 K;
    Vec3 u;
};

// One body at the instant of the impact, in the world frame. The inertia is about the centre of
// mass; r points from there to the contact. A body that impulses cannot move (fixed, or driven
// along a prescribed motion) has zero inverse mass and inertia and keeps its v and w.
struct BodyState {
    double inverse_mass = 0.0;
    Mat3 inverse_inertia = Mat3::Zero();
    Vec3 r = Vec3::Zero();
    Vec3 v = Vec3::Zero();
    Vec3 w = Vec3::Zero();
};

// Two bodies and the world normal from B to A (unit length).
struct BodyPair {
    Vec3 normal;
    BodyState A;
    BodyState B;
};

// The contact and the rotation that took the world to the contact frame.
struct FramedContact {
    Contact contact;
    Mat3 R_CW;
};

// K = sum over both bodies of I/m - [r]x I^-1 [r]x, and u = v_A + w_A x r_A - v_B - w_B x r_B,
// turned to the contact frame.
FramedContact make_contact(const BodyPair& pair);

// The bodies after impulse p_W on A and -p_W on B, in the world frame.
BodyPair apply_impulse(const BodyPair& pair, const Vec3& p_W);

// Change of kinetic energy by impulse p: u.p + p.K p / 2. Needs no inverse of K.
double energy_change(const Contact& contact, const Vec3& p);

// Empty when the contact can be solved, else what is wrong with it and what would be right: K
// finite, symmetric and positive definite, u finite.
std::string check_contact(const Contact& contact);

// A plane problem: K = [[xx, xz], [xz, zz]], u = [x, z].
struct PlaneContact {
    double Kxx, Kxz, Kzz;
    double ux, uz;
};

// A 3D contact seen as a plane one: the plane spanned by the normal and the unit tangent.
struct PlaneView {
    bool is_plane = false;
    Vec2 tangent = Vec2::UnitX();
    PlaneContact contact{};
};

// Whether all of the impact happens in one plane: the slip (or, without slip, the coupling of
// normal and tangents) is an eigendirection of the tangential block and nothing couples out of it.
PlaneView view_as_plane(const Contact& contact);

// The plane problem as a 3D contact with the plane as x-z; nothing couples to y.
Contact embed_plane(const PlaneContact& plane);

}  // namespace carom::impact
