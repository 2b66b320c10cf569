// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/impact/problem.h"
#include "carom/impact/solution.h"
#include "carom/impact/trace.h"

namespace carom::impact {

// Brings a problem to size one and its answer back, by powers of two: the scaled problem is the
// same problem bit for bit, and every law with dimensionless parameters is of degree one in u and
// in 1/K.
class PowerScale {
public:
    explicit PowerScale(const Contact& contact);

    Contact scaled(const Contact& contact) const;
    double scaled_velocity(double v) const;
    Vec3 scaled_impulse(const Vec3& p) const;

    void bring_back(Solution& solution) const;
    void bring_back(Trace& trace) const;

private:
    int u_power_;
    int K_power_;
};

}  // namespace carom::impact
