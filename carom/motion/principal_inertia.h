// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>

#include "carom/motion/double_double.h"
#include "carom/motion/state.h"

namespace carom::motion {

// The principal moments and axes of an inertia tensor about the centre of mass, kg m^2.
//
// I = A diag(moments) A^T with moments ascending and A a proper rotation from principal axes to
// body axes, by cyclic Jacobi rotations in double-double: differences of nearly equal moments keep
// their digits. Refused: entries that are not finite, a tensor that is not symmetric (relative
// 1e-9) or not positive definite, moments that no mass has (the largest above the sum of the others
// by more than 1e-9 of it). Computing it once for a body makes its later free rotations cheaper.
class PrincipalInertia {
public:
    explicit PrincipalInertia(const Mat3& inertia);

    Vec3 moments() const;
    // principal axes to body axes
    Mat3 axes() const;
    // body axes
    const Mat3& tensor() const { return tensor_; }

    // The same in full precision; moments divided by a power of two near the largest.
    const std::array<DoubleDouble, 3>& scaled_moments() const { return moments_; }
    // axis_entries()[3 i + j]: body component i of principal axis j
    const std::array<DoubleDouble, 9>& axis_entries() const { return axes_; }

private:
    Mat3 tensor_;
    double scale_ = 1.0;
    std::array<DoubleDouble, 3> moments_;
    std::array<DoubleDouble, 9> axes_;
};

}  // namespace carom::motion
