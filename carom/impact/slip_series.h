// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/impact/compliant_state.h"
#include "carom/math/cauchy.h"

namespace carom::impact {

// Compliant slip as a Taylor series, for contacts where the springs are not much faster than the
// slip turns.
//
// With the friction direction (c, s) on the springs and the variable d sigma = dp_z / E, everything
// is polynomial:
//     c' = -s w,  s' = c w,  w = kt/(2 k mu) (y c - x s),  E' = -u_z E,
//     p_z' = E,  p_x' = -mu E c,  p_y' = -mu E s,
// and the end, E = 0, is at sigma = infinity. At the very start of an impact F = 0; there the
// variable is time, with F in the place of E:
//     F' = -k u_z,  p_z' = F,  F phi' = (kt/mu) (y c - x s),
// whose singular point has one analytic solution: coefficient n of phi is multiplied by
// n F_1 + (kt/mu) |u_t| > 0.
class SlipSeries {
public:
    static constexpr std::size_t k_order = 20;

    // From the state, with the springs along (c, s); tolerance is relative.
    SlipSeries(const CompliantState& state, double c, double s, double tolerance);

    // How far the series may be used.
    double step() const { return step_; }

    // The motion at t in [0, step()].
    struct At {
        double dpx, dpy, dpz;  // impulse since the start
        double x, y, uz;
        double c, s;
        double E;         // normal energy
        double vs;        // velocity of the particle
        double uz_slope;  // d/dt
        double vs_slope;
    };
    At at(double t) const;

private:
    // Two series side by side: most come in pairs.
    using Pairs = std::array<math::Lanes, k_order + 1>;
    struct Work;
    template <std::size_t k>
    void regular_order(Work& w);
    template <std::size_t n>
    void singular_order(Work& w);
    void expand_regular();
    void expand_singular();
    void choose_step(double tolerance);

    const CompliantState& start_;
    bool singular_;
    double E0_;
    Pairs direction_;  // c, s
    Pairs friction_;   // p_x, p_y
    Pairs normal_;     // E (F for the singular start), p_z
    double step_ = 0.0;
};

}  // namespace carom::impact
