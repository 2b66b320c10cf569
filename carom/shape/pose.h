// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/math/types.h"

namespace carom::shape {

using Quat = Eigen::Quaterniond;

// Where a frame B stands in a frame A: x_A = orientation * x_B + position. The orientation is a
// unit quaternion.
struct Pose {
    Vec3 position = Vec3::Zero();
    Quat orientation = Quat::Identity();

    Vec3 apply(const Vec3& point) const { return orientation * point + position; }
    Vec3 apply_inverse(const Vec3& point) const {
        return orientation.conjugate() * Vec3(point - position);
    }
    // directions turn and do not shift
    Vec3 rotate(const Vec3& direction) const { return orientation * direction; }
    Vec3 rotate_inverse(const Vec3& direction) const { return orientation.conjugate() * direction; }

    Pose inverse() const {
        const Quat back = orientation.conjugate();
        return {-(back * position), back};
    }
};

// x_A = outer(inner(x)): inner is a pose in the frame that outer places. Normalised, so that a
// chain of poses stays a rotation.
inline Pose compose(const Pose& outer, const Pose& inner) {
    return {outer.apply(inner.position), (outer.orientation * inner.orientation).normalized()};
}

}  // namespace carom::shape
