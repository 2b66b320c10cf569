// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "carom/motion/state.h"

namespace carom::motion {

// The orientation of a body whose angular velocity is known as a function of a variable s,
//     dq/ds = w(s) q / 2,   q(0) given,   w in the axes that q leads to,
// where no closed form exists. s is the time, or a variable in which w (then times dt/ds) is
// smooth.
//
// The quaternion is a Taylor series of order 20 about points that lie as far apart as its terms
// allow (2.3 rad for a steady spin): good to rounding, about an ulp per point. The points are found
// when an orientation is first asked for, in order from s = 0, and kept: the answer does not depend
// on what was asked before, and a motion whose orientation nobody asks for pays nothing. Safe to
// ask from several threads; copies share the points.
class AttitudeTrack {
public:
    static constexpr std::size_t k_order = 20;
    // a rotation by more than some million radians is refused
    static constexpr std::size_t k_most_points = 1'000'000;

    // Coefficients of w about a point, good up to `reach` from it; those above degree are zero.
    struct Series {
        std::array<Vec3, k_order> w;
        std::size_t degree = 0;
        double reach = 0.0;
    };
    using Source = std::function<void(double s, Series& out)>;

    explicit AttitudeTrack(const Quat& first);

    // s >= 0, finite. The source must be the same at every call.
    Quat at(double s, const Source& source) const;

private:
    struct Table;
    std::shared_ptr<Table> table_;
};

}  // namespace carom::motion
