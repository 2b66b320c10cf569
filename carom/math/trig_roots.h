// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/math/types.h"

namespace carom::math {

// F(th) = a0 + a1 cos th + b1 sin th + a2 cos 2th + b2 sin 2th.
struct Trig2 {
    double a0, a1, b1, a2, b2;

    double value(double c, double s) const {
        return a0 + a1 * c + b1 * s + a2 * (c - s) * (c + s) + 2.0 * b2 * s * c;
    }
    double slope(double c, double s) const {
        return b1 * c - a1 * s - 4.0 * a2 * s * c + 2.0 * b2 * (c - s) * (c + s);
    }

    // The value with both derivatives.
    struct Bent {
        double value, slope, curvature;
    };
    Bent bent(double c, double s) const {
        const double c2 = (c - s) * (c + s);
        const double s2 = 2.0 * s * c;
        const double once = a1 * c + b1 * s;
        const double twice = a2 * c2 + b2 * s2;
        return {a0 + once + twice, b1 * c - a1 * s + 2.0 * (b2 * c2 - a2 * s2),
                -once - 4.0 * twice};
    }
};

// A root as a point of the unit circle.
struct TrigRoots {
    std::array<Vec2, 4> direction;
    int count = 0;
};

// All roots of F in [0, 2 pi): at most four.
//
// The circle is cut where |F| is largest of eight directions, so that the quartic in
// t = tan(phi/2) has a leading coefficient of full size and no root is near t = infinity. The
// quartic is factored into two quadratics over a root of its resolvent cubic, and every root is
// polished by Newton on F itself. Two roots closer than about 1e-7 may be returned as one or as
// none, which is the conditioning of the problem. An identically vanishing F has no roots here.
TrigRoots trig_roots(const Trig2& F);

// The same roots as the closed form gives them, good to about 1e-8: for callers that discard most
// of them and polish the rest.
TrigRoots rough_trig_roots(const Trig2& F);

// Newton on F, with the curvature taken in, along the circle from a point near a root; false when
// it does not settle on one.
bool polish_trig_root(const Trig2& F, Vec2& point);

}  // namespace carom::math
