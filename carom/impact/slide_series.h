// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/impact/principal.h"

namespace carom::impact {

// The sliding motion inside an impact as a Taylor series.
//
// In principal axes, with slip (x, y), r = |(x, y)| and the variable d tau = rate dp_z / r, Coulomb
// friction reads
//     x' = (b1 r - mu k1 x)/rate,  y' = (b2 r - mu k2 y)/rate,  r = sqrt(x^2 + y^2),
//     p_z' = r/rate,  p_x' = -mu x/rate,  p_y' = -mu y/rate,  u_z = const + kappa p_z + q1 x + q2
//     y,
// linear but for one square root, and regular up to r = 0, which lies at tau = infinity. rate is
// (mu max(k1, k2) + |b|), so that tau is a pure number and no coefficient overflows. All
// coefficients follow from half a Cauchy product per order for r and one for the work.
//
// The slip in the series is relative to the slip speed r0 at its start; impulse and u_z are not.
class SlideSeries {
public:
    static constexpr int k_order = 20;
    using Coefficients = std::array<double, k_order + 1>;

    // uz0 is the normal velocity at the start; tolerance is relative to the slip speed there.
    SlideSeries(const Principal& K, double mu, double x, double y, double uz0, double tolerance);

    // The step for which the last coefficients stay below the tolerance.
    double step() const { return step_; }

    struct Slip {
        double x, y;
    };
    Slip slip(double tau) const;              // slip velocity
    double normal_impulse(double tau) const;  // increment since the start
    Slip friction_impulse(double tau) const;  // increment since the start
    double uz(double tau) const;              // normal velocity
    double speed(double tau) const;           // d p_z / d tau
    double uz_slope(double tau) const;        // d u_z / d tau
    double work(double tau) const;            // increment since the start

private:
    struct Rates;
    template <std::size_t i>
    void expand_order(Rates& k);
    void expand(const Principal& K, double mu, double rate);
    void choose_step(double tolerance);

    // x, y, r relative to r0_; X, Y, Z their integrals; uz_ the change of u_z / scale_
    Coefficients x_, y_, r_, X_, Y_, Z_, uz_, work_;
    double r0_;
    double uz0_;
    double mu_;
    double k33_, mu_b1_, mu_b2_;
    double scale_;  // r0 / rate: impulse per unit of Z
    double step_ = 0.0;
};

}  // namespace carom::impact
