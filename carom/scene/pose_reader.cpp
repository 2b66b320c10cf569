// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/scene/pose_reader.h"

#include <cmath>
#include <numbers>

#include "carom/shape/describe.h"

namespace carom::scene {
namespace {

using shape::Quat;

Quat read_quaternion(Fields& fields) {
    const auto list =
        fields.numbers("orientation", 4, k_any, "a quaternion, a list of 4 numbers [w, x, y, z]");
    if (!list) return Quat::Identity();
    const Quat q((*list)[0], (*list)[1], (*list)[2], (*list)[3]);
    constexpr double k_close = 1e-3;
    const double length = q.norm();
    if (!(std::abs(length - 1.0) <= k_close)) {
        fields.wrong("orientation", "must be a unit quaternion [w, x, y, z]; its length is " +
                                        shape::describe(length));
        return Quat::Identity();
    }
    return q.normalized();
}

Quat read_axis_and_angle(Fields& fields) {
    const auto axis = fields.vector("axis", k_any, Need::must);
    const auto degrees = fields.number("angle", k_any, Need::must);
    if (axis && axis->isZero(0.0)) fields.wrong("axis", "must not be zero");
    if (!axis || !degrees || axis->isZero(0.0)) return Quat::Identity();
    // brought to a moderate size first, so that its square neither over- nor underflows
    const Vec3 direction = Vec3(*axis / axis->cwiseAbs().maxCoeff()).normalized();
    const double turn = std::remainder(*degrees, 720.0);
    return Quat(Eigen::AngleAxisd(turn * std::numbers::pi / 180.0, direction));
}

Quat read_orientation(Fields& fields) {
    const bool quaternion = fields.has("orientation");
    const bool axis = fields.has("axis");
    const bool angle = fields.has("angle");
    if (quaternion && (axis || angle)) {
        fields.report().add(
            fields.place_of_value(axis ? "axis" : "angle"),
            fields.what() + ": give either orientation or axis with angle, not both");
    }
    if (quaternion) return read_quaternion(fields);
    return axis || angle ? read_axis_and_angle(fields) : Quat::Identity();
}

}  // namespace

shape::Pose read_pose(Fields& fields) {
    shape::Pose pose;
    pose.position = fields.vector("position", k_any).value_or(Vec3::Zero());
    pose.orientation = read_orientation(fields);
    return pose;
}

}  // namespace carom::scene
