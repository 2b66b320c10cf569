// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <vector>

#include "carom/impact/multiple/coupled_system.h"

namespace carom::impact {

// What the normal spring of a contact does.
enum class CoupledPhase : std::uint8_t {
    open,      // no force; -x is the gap
    touching,  // x = 0 and no approach yet: which way it goes is seen after the next step
    loading,   // x' = -v
    unloading  // x' = -v/e^2
};

// What the tangential contact does.
enum class CoupledGrip : std::uint8_t {
    none,       // open, only touching, or no friction
    undecided,  // rigid, no slip and no force yet: seen after a very short step
    stick,
    slip
};

// The first step after an event starts at a zero of the function that made it. Its order there is
// divided out, so that the next zero is not confused with the last.
struct StartOrders {
    int v = 0;     // of the normal velocity
    int x = 0;     // of the compression
    int cone = 0;  // of the room in the friction cone
};

struct CoupledContactState {
    CoupledPhase phase = CoupledPhase::open;
    CoupledGrip grip = CoupledGrip::none;
    double x = 0.0;             // compression; the negative gap while open
    Vec2 ratio = Vec2::Zero();  // compliant, stick: force of the tangential springs over F
    double angle = 0.0;         // compliant, slip: direction of that force
    Vec2 along = Vec2::Zero();  // rigid, slip that has not moved yet: its direction
    StartOrders orders;

    bool closed() const { return phase != CoupledPhase::open; }
    // -x'/v
    double rate(const CoupledContact& c) const {
        return phase == CoupledPhase::unloading ? 1.0 / (c.e * c.e) : 1.0;
    }
};

struct CoupledState {
    double t = 0.0;
    Eigen::VectorXd U, P;
    std::vector<CoupledContactState> contacts;

    Vec2 slip(const CoupledContact& c) const { return U.segment<2>(c.t); }
};

// Slip (rigid contact) below which the direction is not read from the velocity but held, relative
// to the approach speed. Larger: friction that starts to slip keeps its first direction for longer.
inline constexpr double k_no_slip = 1e-13;

}  // namespace carom::impact
