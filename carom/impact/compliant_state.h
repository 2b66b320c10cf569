// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/compliant.h"
#include "carom/impact/principal.h"

namespace carom::impact {

// The compliant impact in the middle: principal axes, k0 = 1.
struct CompliantState {
    const Principal& K;
    const CompliantParameters& parameters;
    double kt;        // stiffness of the tangential springs
    double x, y, uz;  // contact velocity
    double px = 0.0, py = 0.0, pz = 0.0;
    double dx = 0.0, dy = 0.0;  // stretch of the tangential springs
    double F = 0.0;             // normal force
    double scale_pz;            // a normal impulse of the size of the whole one
    bool compressing = true;
    NormalHistory history;
    Trace* trace = nullptr;

    CompliantState(const Principal& principal, const CompliantParameters& law, const Vec2& slip,
                   double normal_velocity)
        : K(principal),
          parameters(law),
          kt(1.0 / law.eta2),
          x(slip.x()),
          y(slip.y()),
          uz(normal_velocity),
          scale_pz(-(1.0 + law.e) * normal_velocity / principal.k33) {}

    // Stiffness of the normal spring in this phase.
    double k() const { return compressing ? 1.0 : 1.0 / (parameters.e * parameters.e); }
    double normal_energy() const { return 0.5 * F * F / k(); }

    // Adds a stretch of this phase to the books: the normal work is what the spring lost.
    void account(double pz_before, double energy_before) {
        const double work = energy_before - normal_energy();
        if (compressing) {
            history.compression_impulse += pz - pz_before;
            history.compression_work += work;
        } else {
            history.restitution_impulse += pz - pz_before;
            history.restitution_work += work;
        }
    }
    void sample(Mode mode, double work) const;
};

// How a stretch of stick or slip ended.
enum class CompliantEvent {
    uz_zero,      // compression turns to restitution or back
    mode_change,  // stick to slip or slip to stick
    end,          // the normal force is gone
    lost          // no end in sight: numbers too far apart in size
};

// Sticks until something happens. on_cone: friction is at its limit at the start, falling.
CompliantEvent compliant_stick(CompliantState& state, bool on_cone);

// Slips until something happens.
CompliantEvent compliant_slip(CompliantState& state);

}  // namespace carom::impact
