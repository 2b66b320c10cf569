// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/compliant.h"
#include "carom/impact/compliant_modes.h"
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
    PhaseModes& modes;
    Trace* trace = nullptr;

    // What steps cost, one being a quarter of a microsecond or so, and what one impact may cost.
    // Ten times larger: an input that has no end in sight takes 20 ms instead of 2 to be refused.
    // The dearest of the oracle's problems costs half of it.
    static constexpr int k_stick_step = 1;
    static constexpr int k_stretch = 4;
    static constexpr int k_series_step = 12;
    static constexpr int k_collocation = 60;
    static constexpr int k_most_effort = 6000;
    int effort = 0;

    CompliantState(const Principal& principal, const CompliantParameters& law, const Vec2& slip,
                   double normal_velocity, PhaseModes& phase_modes)
        : K(principal),
          parameters(law),
          kt(1.0 / law.eta2),
          x(slip.x()),
          y(slip.y()),
          uz(normal_velocity),
          scale_pz(-(1.0 + law.e) * normal_velocity / principal.k33),
          modes(phase_modes) {}

    // Adds to the effort; false when that is more than one impact may cost.
    bool spend(int cost) {
        effort += cost;
        return effort <= k_most_effort;
    }

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
