// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstdint>
#include <string>

#include "carom/impact/multiple/multi_contact_problem.h"
#include "carom/math/stop.h"

namespace carom::impact {

// Many contacts at one instant as one problem of complementarity with exact friction cones: what
// time-stepping engines do, for comparison.
//
// Plastic problem: at every contact 0 <= p_z, u_z >= 0 after, one of them zero, and Coulomb's law
// between the whole impulse and the final slip: |p_t| <= mu p_z, p_t = -mu p_z u_t / |u_t| where
// u_t is not zero (cone_solver.h). Hinges hold u = 0 throughout.
//     newton   the same with u_z >= -e u_z(before) at contacts that approach;
//     poisson  first the plastic problem (compression, p_C), then from its velocities the same once
//              more with p_z >= e p_Cz (expansion); p is the sum of both.
// Each contact's e and mu are those of its law's parameters, whatever the law; mu is 0 for laws
// without it. A law without e has no meaning here and is refused, as is one with friction by other
// parameters than mu.
//
// One contact: newton is law whittaker, poisson is anitescu-potra and, in the plane without
// tangential restitution, pfeiffer-glocker; but see energy.
//
// Energy. The plastic answer never gains any: with p.u <= 0 after, the change p.u - p.W p / 2 is
// negative. With restitution it can rise (Kane's paradox: newton with friction; both with different
// e at contacts that push against each other). Engines let it, or have no restitution below some
// speed. Here the answer is then drawn back along the segment to the plastic one, to the point
// where no energy is gained: it stays in all cones, opens all contacts, and its normal restitution
// is lower by the factor SimultaneousReport::restitution; its friction is a mean of the two and no
// longer exactly Coulomb's. Newton's conditions can also contradict each other (a ball squeezed
// between two walls): all e are then halved until they do not, three times at most, then plastic.
//
// The answer need not be unique. Sources: Moreau 1988; Glocker and Pfeiffer 1995; Anitescu and
// Potra 1997, there with polyhedral cones.
enum class SimultaneousRestitution : std::uint8_t { newton, poisson };

struct SimultaneousSettings {
    SimultaneousRestitution restitution = SimultaneousRestitution::newton;
    // Residual of the conditions, relative to the speeds of the bodies at their contacts. Larger:
    // impulses ten times less exact.
    double tolerance = 1e-12;
    // Bound on the work for each problem of complementarity; beyond it the best answer is given,
    // drawn back to where no energy is gained, and MultiContactSolution::approach_left says what is
    // left.
    int most_sweeps = 3000;
    const StopCheck* stop = nullptr;  // as in ConeSettings
};

// restitution: what is left of the restitution asked for, 1 unless energy or contradictions forbid
// it. residual (m/s): of the last problem solved, as in ConeReport.
struct SimultaneousReport {
    double restitution = 1.0;
    double residual = 0.0;
    bool converged = true;
};

// Empty when a contact with this law can be resolved simultaneously, else what is wrong.
std::string check_simultaneous_law(const LawInfo& law, const LawParameters& parameters);

// Pre: check_multi_contact_problem found nothing wrong. rounds counts sweeps and Newton steps.
// Throws std::invalid_argument for laws it has no use for.
MultiContactSolution resolve_simultaneous(const MultiContactProblem& problem,
                                          const SimultaneousSettings& settings = {},
                                          SimultaneousReport* report = nullptr);

}  // namespace carom::impact
