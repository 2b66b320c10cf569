// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Where the kinds of contact change within a step.

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_step.h"
#include "carom/world/constrained/constrained_tolerances.h"

namespace carom::world {
namespace {

constexpr int k_halvings = 60;

}  // namespace

// Whether the kinds of contact are still those of the step.
bool ConstrainedStepper::holds_at(double t) {
    set_states(t);
    if (!evaluate(t)) return false;
    for (const ConstrainedPoint& p : system_.points)
        if (p.mode != PointMode::open && p.at.inside < -k_constrained_tolerances.beyond * p.size)
            return false;
    return system_.is_valid(stop_);
}

// The time after the start at which a kind changes, infinity for none.
double ConstrainedStepper::first_change(double t, double h) {
    if (holds_at(t + h)) return k_forever;
    double low = 0.0, high = h;
    for (int i = 0; i < k_halvings; ++i) {
        check_stop(stop_);
        const double middle = 0.5 * (low + high);
        if (!(t + middle > t + low) || !(t + middle < t + high)) break;
        (holds_at(t + middle) ? low : high) = middle;
    }
    return high;
}

}  // namespace carom::world
