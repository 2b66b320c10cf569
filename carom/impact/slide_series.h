// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/impact/principal.h"
#include "carom/math/bracket.h"
#include "carom/math/cauchy.h"

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
    static constexpr std::size_t k_order = 20;

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
    double work(double tau) const;            // increment since the start
    // the same with their derivatives by tau
    math::ValueSlope uz_slope(double tau) const;
    math::ValueSlope normal_impulse_slope(double tau) const;
    math::ValueSlope work_slope(double tau) const;

private:
    // Two series side by side: everything comes in pairs.
    using Pairs = std::array<math::Lanes, k_order + 1>;
    struct Rates;
    template <std::size_t i>
    void expand_order(const Rates& k);
    void expand(const Principal& K, double mu, double rate);
    void choose_step(double tolerance);

    Pairs slip_;      // x, y relative to r0_
    Pairs friction_;  // their integrals
    Pairs normal_;    // the integral Z of the speed r/r0_; the change of u_z / scale_
    Pairs speed_;     // r/r0_ twice
    Pairs shifted_;   // r/r0_, and the change of u_z one order late
    std::array<double, k_order + 1> work_;
    // u_z and p_z are often asked for at the same tau
    math::Lanes normal_at(double tau) const;
    mutable double last_tau_ = 0.0;
    mutable math::Lanes last_normal_{0.0, 0.0};
    double r0_;
    double uz0_;
    double mu_;
    double scale_;  // r0 / rate: impulse per unit of Z
    double step_ = 0.0;
};

}  // namespace carom::impact
