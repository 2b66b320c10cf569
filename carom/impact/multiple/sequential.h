// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <vector>

#include "carom/impact/multiple/multi_contact_problem.h"
#include "carom/math/stop.h"

namespace carom::impact {

// Many contacts at one instant, as impacts of one contact after another.
//
// Again and again the contact with the greatest normal approach velocity is hit, by its own law on
// its own block of the Delassus matrix, and the velocities of both its bodies change; the others
// feel it through them. A hinge counts by its whole relative speed |u| and takes p = -K^-1 u. The
// end is reached when no contact approaches and no hinge moves.
//
// Energy: what a single impact does to the kinetic energy of its two bodies is what it does to that
// of all, so that the sequence loses energy if its laws do.
//
// Ends: without friction an impact is v' = v + (1 + e) a n in the metric of kinetic energy, with n
// the contact's unit normal there and a > 0 the approach speed: the relaxation of Agmon, Motzkin
// and Schoenberg (1954) for the inequalities n.v >= 0. For e = 1 it ends after finitely many
// impacts, in any order, wherever some motion of the bodies opens all contacts at once; where none
// does (a ball between two walls) it may go on for ever. For e < 1 and for hinges it converges
// geometrically, after finitely many impacts or never. A sequence that does not end is cut off at
// the tolerance or at most_rounds, and MultiContactSolution::approach_left says what is left.
//
// Source: Chatterjee and Ruina 1998, 6.4; the order by approach velocity is theirs.
struct SequentialSettings {
    // Approach left at the end, relative to the largest initial one. Larger: approach_left up to
    // ten times larger, sequences that converge shorter by a tenth.
    double tolerance = 1e-10;
    // Impacts at most; more than that and the sequence is cut off.
    long most_rounds = 100'000;
    // Contacts whose approach velocities are equal within rounding: the lowest index first, or one
    // of them at random from the seed.
    bool random_ties = false;
    std::uint64_t seed = 0;
    const StopCheck* stop = nullptr;  // asked before each impact; Stopped is thrown
};

// A body's velocities.
struct Twist {
    Vec3 v = Vec3::Zero();
    Vec3 w = Vec3::Zero();
};

// Keeps its memory: no allocation once it has seen a problem of the same size.
class SequentialSolver {
public:
    // Pre: check_multi_contact_problem found nothing wrong. Throws std::invalid_argument when the
    // settings have no meaning, when a law does not apply to its contact, or when velocities
    // overflow. What is returned holds until the next call.
    const MultiContactSolution& solve(const MultiContactProblem& problem,
                                      const SequentialSettings& settings = {});

    // The bodies' velocities after it.
    const std::vector<Twist>& twists() const { return twists_; }

private:
    // A contact as the sequence needs it.
    struct Link {
        Vec3 arm_a, arm_b;      // r x normal: u_n = n.(v_a - v_b) + arm_a.w_a - arm_b.w_b
        double residual = 0.0;  // approach speed, or a hinge's speed
        bool ready = false;     // K and R_CW are made at the first impact
        Mat3 K;                 // a hinge: its inverse
        Mat3 R_CW;
    };

    // The contact to be hit and the greatest residual there is.
    struct Choice {
        std::size_t contact = 0;
        double most = 0.0;
    };

    void start(const MultiContactProblem& problem);
    void list_links(const MultiContactProblem& problem);
    double residual(const MultiContactProblem& problem, std::size_t i) const;
    double speed_scale(const MultiContactProblem& problem) const;
    Choice choose(double rounding, bool random_ties);
    void make_ready(const MultiContactProblem& problem, std::size_t i);
    Vec3 impulse_W(const MultiContactProblem& problem, std::size_t i);
    void push(const MultiContactProblem& problem, std::size_t i, const Vec3& p_W);
    void check_finite() const;

    std::vector<Twist> twists_;
    std::vector<Link> links_;
    std::vector<std::uint32_t> first_;   // the contacts of a body b that can move are
    std::vector<std::uint32_t> linked_;  // linked_[first_[b]] to linked_[first_[b + 1] - 1]
    std::vector<std::uint32_t> tied_;
    std::uint64_t random_ = 0;
    MultiContactSolution solution_;
};

// The same once, with memory of its own.
MultiContactSolution resolve_sequential(const MultiContactProblem& problem,
                                        const SequentialSettings& settings = {});

}  // namespace carom::impact
