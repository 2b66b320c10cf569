// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <memory>

#include "carom/detect/moving_part.h"
#include "carom/motion/motion.h"
#include "carom/shape/mass_properties.h"
#include "carom/shape/shape.h"
#include "tests/touch_oracle/touch_oracle.h"

namespace carom::tests {

// The oracle's problems in the library's types.

inline Vec3 vec(const touch_oracle::Vec3& v) {
    return {v.x, v.y, v.z};
}
template <class Quaternion>
Eigen::Quaterniond quat(const Quaternion& q) {
    return Eigen::Quaterniond(static_cast<double>(q.w), static_cast<double>(q.x),
                              static_cast<double>(q.y), static_cast<double>(q.z))
        .normalized();
}

inline shape::Shape shape_of(const touch_oracle::Shape& s) {
    using touch_oracle::Kind;
    switch (s.kind) {
        case Kind::sphere:
            return shape::make_sphere(s.radius);
        case Kind::plane:
            return shape::make_half_space(vec(s.normal));
        case Kind::box:
            return shape::make_box(vec(s.size));
        case Kind::capsule:
            return shape::make_capsule(s.radius, s.height);
        case Kind::cylinder:
            return shape::make_cylinder(s.radius, s.height);
        case Kind::cone:
            return shape::make_cone(s.radius, s.height);
        case Kind::hull:
            break;
    }
    std::vector<Vec3> points;
    for (const auto& p : s.points)
        points.push_back(vec(p));
    return shape::make_hull(points);
}

inline shape::Pose pose_of(const touch_oracle::Pose& p) {
    return {vec(p.position), quat(p.orientation)};
}

// A body of one part with its motion.
struct MovingBody {
    shape::Shape shape;
    motion::Motion motion;
    std::unique_ptr<detect::MovingPart> part;

    explicit MovingBody(const touch_oracle::Body& body) : shape(shape_of(body.shape)) {
        const touch_oracle::Motion& m = body.motion;
        const Eigen::Quaterniond q = quat(m.orientation);
        Vec3 center = Vec3::Zero();
        if (m.fixed) {
            motion = motion::Prescribed::turning(vec(m.position), q, vec(m.position),
                                                 vec(m.velocity), vec(m.angular_velocity), 0.0);
        } else {
            const shape::MassProperties mass =
                shape::mass_properties(shape, shape::Mass{body.mass});
            center = mass.center;
            const motion::State state{vec(m.position) + q * center, q, vec(m.velocity),
                                      vec(m.angular_velocity)};
            motion = motion::Ballistic(state, motion::PrincipalInertia(mass.inertia),
                                       vec(m.gravity), 0.0);
        }
        part = std::make_unique<detect::MovingPart>(
            shape.parts[0].convex, shape::Pose{-center, Eigen::Quaterniond::Identity()}, motion);
    }
};

}  // namespace carom::tests
