// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

namespace carom::motion {

// The elliptic integrals a free rotation needs, in extended precision: used when a motion is set
// up, never when it is evaluated.

// pi / 2 over the arithmetic-geometric mean of 1 and c: the complete integral K of the modulus
// whose complement is c. Range: 0 < c <= 1, down to the smallest number.
long double complete_elliptic(long double c);

// Carlson's R_F(x, y, z), symmetric, homogeneous of degree -1/2: the integral from 0 to infinity of
// dt / (2 sqrt((t + x)(t + y)(t + z))). Range: x, y, z >= 0, at most one of them zero.
// F(phi, k) = sin(phi) R_F(cos^2 phi, 1 - k^2 sin^2 phi, 1).
// Source: Carlson, Numerical Algorithms 10 (1995) 13.
long double carlson_rf(long double x, long double y, long double z);

}  // namespace carom::motion
