// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/impact/law.h"
#include "carom/impact/problem.h"

namespace carom::impact {

// Many contacts at one instant, in the world frame.
//
// Body i has velocity v, angular velocity w and its centre of mass at position; the inertia is
// about that point. A body that impulses cannot move has zero inverse mass and inertia.
struct MultiContactBody {
    double inverse_mass = 0.0;
    Mat3 inverse_inertia = Mat3::Zero();
    Vec3 position = Vec3::Zero();
    Vec3 v = Vec3::Zero();
    Vec3 w = Vec3::Zero();

    bool fixed() const { return inverse_mass == 0.0 && inverse_inertia.isZero(0.0); }
};

// What holds at a contact. A hinge is a frictionless joint seen as a plastic contact that sticks
// and may pull: its impulse makes the relative velocity at its point zero, whatever its sign.
enum class ContactKind : std::uint8_t { contact, ball_joint };

// A contact of bodies a and b at a point; the unit normal is from b to a, the impulse is that on a.
// The law's parameters are as it takes them: the wished impulse P in the contact's own frame.
// stiffness (of any unit, only ratios matter) and power are those of the normal spring
// F = stiffness * compression^power of the coupled resolution; others have no use for them.
struct MultiContactPoint {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::UnitZ();
    ContactKind kind = ContactKind::contact;
    const LawInfo* law = nullptr;  // of a contact; a hinge has none
    LawParameters parameters;
    double stiffness = 1.0;
    double power = 1.5;

    // As in set_law(law::compliant({.e = 0.5, .mu = 0.2, .nu = 0.3})), see law_choice.h.
    void set_law(const LawChoice& choice) {
        law = &law_info(choice.law);
        parameters = choice.parameters;
    }
};

struct MultiContactProblem {
    std::vector<MultiContactBody> bodies;
    std::vector<MultiContactPoint> contacts;
};

// The same as equations: after impulses p the contacts' velocities are U + W p, with three numbers
// for each contact in its own frame C (z its normal, as in problem.h). W, the Delassus matrix, is
// symmetric and positive semidefinite: singular as soon as contacts hold each other's balance.
struct MultiContactSystem {
    Eigen::MatrixXd W;
    Eigen::VectorXd U;
    std::vector<Mat3> R_CW;

    Vec3 u(std::size_t i) const { return U.segment<3>(3 * static_cast<Eigen::Index>(i)); }
    Mat3 block(std::size_t i, std::size_t j) const {
        return W.block<3, 3>(3 * static_cast<Eigen::Index>(i), 3 * static_cast<Eigen::Index>(j));
    }
};
MultiContactSystem make_multi_contact_system(const MultiContactProblem& problem);

// The body as make_contact of problem.h takes it.
BodyState at_contact(const MultiContactBody& body, const Vec3& point);

// The answer: impulses on a in the world frame, contact by contact, and how it was found. rounds
// counts what the resolution repeats (impacts in sequence, sweeps, pieces of a path); approach_left
// bounds the normal approach velocity (m/s, >= 0) that is left at any contact, and the relative
// speed left at any hinge. ended is false where a bound of the work cut the resolution off before
// it came to its own end: the impulses are then what it had until there.
struct MultiContactSolution {
    std::vector<Vec3> impulses_W;
    long rounds = 0;
    double approach_left = 0.0;
    bool ended = true;
};

// The bodies after the impulses, with the same positions and inertias.
std::vector<MultiContactBody> apply_impulses(const MultiContactProblem& problem,
                                             const std::vector<Vec3>& impulses_W);

// Kinetic energy of all bodies lost by the impulses: -(U.p + p.W p / 2), without forming W.
double energy_lost(const MultiContactProblem& problem, const std::vector<Vec3>& impulses_W);

// Velocity of a's point of the contact minus that of b's, in the world frame.
Vec3 contact_velocity(const std::vector<MultiContactBody>& bodies,
                      const MultiContactPoint& contact);

// The approach that the impulses leave: the largest normal approach velocity at a contact, or
// relative speed at a hinge (m/s, >= 0).
double approach_left(const MultiContactProblem& problem, const std::vector<Vec3>& impulses_W);

// Empty when the problem can be solved, else what is wrong with it and what would be right: finite
// numbers, unit normals, known bodies, two different bodies of which one can move, a positive
// definite collision matrix at every contact (a body may have no way to turn), positive stiffness,
// power of at least 1, and each law's own parameters.
std::string check_multi_contact_problem(const MultiContactProblem& problem);

}  // namespace carom::impact
