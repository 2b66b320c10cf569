// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include "carom/detect/core.h"
#include "carom/motion/bounds.h"
#include "carom/motion/motion.h"
#include "carom/shape/pose.h"
#include "carom/shape/shape.h"

namespace carom::detect {

// A convex part of a moving body. The motion is that of the body's centre of mass and axes; in_body
// places the part's frame relative to them. The shape and the motion must outlive it.
class MovingPart {
public:
    MovingPart(const shape::Convex& convex, const shape::Pose& in_body,
               const motion::Motion& motion)
        : convex_(&convex),
          motion_(&motion),
          in_body_(in_body),
          radius_(core_radius(convex)),
          unbounded_(std::holds_alternative<shape::HalfSpace>(convex)),
          reach_(unbounded_ ? 0.0 : core_radius_about(convex, in_body.apply_inverse(Vec3::Zero()))),
          axis_(round_axis(convex, in_body)) {}

    const shape::Convex& convex() const { return *convex_; }
    const motion::Motion& motion() const { return *motion_; }
    const shape::Pose& in_body() const { return in_body_; }
    // Of the sphere that the core is grown by.
    double radius() const { return radius_; }
    // The largest distance of a point of the core from the centre of mass; 0 for a half-space,
    // which must not turn.
    double reach() const { return reach_; }
    bool unbounded() const { return unbounded_; }
    // The axis, in body axes, of a part that is round about a line through the centre of mass; zero
    // for other parts. Turning about it changes nothing.
    const Vec3& axis() const { return axis_; }
    // Of a ball about the centre of mass that holds the part.
    double outer_radius() const { return reach_ + radius_; }

    shape::Pose pose(const motion::State& state) const {
        return {state.position + state.orientation * in_body_.position,
                state.orientation * in_body_.orientation};
    }

private:
    static Vec3 round_axis(const shape::Convex& convex, const shape::Pose& in_body);

    const shape::Convex* convex_;
    const motion::Motion* motion_;
    shape::Pose in_body_;
    double radius_;
    bool unbounded_;
    double reach_;
    Vec3 axis_;
};

inline Vec3 MovingPart::round_axis(const shape::Convex& convex, const shape::Pose& in_body) {
    const bool round = std::holds_alternative<shape::Cylinder>(convex) ||
                       std::holds_alternative<shape::Cone>(convex) ||
                       std::holds_alternative<shape::Capsule>(convex);
    if (!round) return Vec3::Zero();
    constexpr double k_through = 1e-15;
    const Vec3 axis = in_body.orientation * Vec3::UnitZ();
    const double off = axis.cross(in_body.position).norm();
    return off <= k_through * core_radius_about(convex, Vec3::Zero()) ? axis : Vec3::Zero();
}

}  // namespace carom::detect
