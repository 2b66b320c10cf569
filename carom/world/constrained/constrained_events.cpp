// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// Where the kinds of contact change within a step.

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_step.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {
namespace {

constexpr int k_halvings = 60;

// Whether a margin that is positive at the stages on both sides is not at this part of the step, by
// the polynomials through the stages.
template <std::size_t N>
bool dips(const std::array<std::vector<double>, N>& stages, double s) {
    const motion::lobatto::Numbers weights = motion::lobatto::value_at(s);
    const std::size_t count = stages[0].size();
    for (const std::vector<double>& margins : stages)
        if (margins.size() != count) return true;
    for (std::size_t k = 0; k < count; ++k) {
        double margin = 0.0;
        for (std::size_t j = 0; j < N; ++j)
            margin += weights[j] * stages[j][k];
        if (margin < 0.0) return true;
    }
    return false;
}

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

// What is left, as the system stands, until each point may change its kind: of its force within the
// cone, of its slip, of its way to the end of a face. Negative: it may have changed.
void ConstrainedStepper::note_margins(std::vector<double>& margins) const {
    margins.clear();
    double largest = 0.0;
    for (const ConstrainedPoint& p : system_.points)
        largest = std::max(largest, p.force.norm());
    const double outside = k_constrained_tolerances.outside;
    for (const ConstrainedPoint& p : system_.points) {
        if (p.mode == PointMode::open) continue;
        const double normal = p.force.dot(p.at.n);
        margins.push_back(normal / largest + outside);
        if (p.mode == PointMode::sticks) {
            const double friction = tangential(p.force, p.at.n).norm();
            margins.push_back((p.mu * normal - friction) / largest + outside);
        } else if (p.mu > 0.0) {
            margins.push_back(p.u.dot(p.slip));
        }
        if (p.at.inside < k_forever)
            margins.push_back(p.at.inside / p.size + k_constrained_tolerances.beyond);
    }
}

// The time at which a kind changes, between one at which none has and one at which one has.
double ConstrainedStepper::change_between(double t, double low, double high) {
    for (int i = 0; i < k_halvings; ++i) {
        check_stop(stop_);
        const double middle = 0.5 * (low + high);
        if (!(t + middle > t + low) || !(t + middle < t + high)) break;
        (holds_at(t + middle) ? low : high) = middle;
    }
    return high;
}

// The time after the start at which a kind changes, infinity for none. Looked for where the stages
// or the polynomials through them tell of one, and at the end.
double ConstrainedStepper::first_change(double t, double h) {
    namespace lobatto = motion::lobatto;
    const auto lost = [&](std::size_t j) {
        return std::any_of(margins_[j].begin(), margins_[j].end(),
                           [](double margin) { return !(margin >= 0.0); });
    };
    double low = 0.0;
    for (std::size_t j = 1; j < k_stages; ++j) {
        const double from = lobatto::k_place[j - 1], to = lobatto::k_place[j];
        const bool last = j + 1 == k_stages;
        if (!lost(j - 1) && !lost(j)) {
            for (const double part : {0.25, 0.5, 0.75}) {
                const double s = from + part * (to - from);
                if (!dips(margins_, s)) continue;
                if (!holds_at(t + s * h)) return change_between(t, low, s * h);
                low = s * h;
            }
            if (!last) continue;
        }
        if (!holds_at(t + to * h)) return change_between(t, low, to * h);
        low = to * h;
    }
    return k_forever;
}

}  // namespace carom::world
