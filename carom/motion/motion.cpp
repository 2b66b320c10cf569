// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/motion.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace carom::motion {
namespace {

void check_time(double t) {
    if (!std::isfinite(t)) throw std::invalid_argument("the time of a state is not finite");
}

}  // namespace

State at(const Motion& motion, double t) {
    check_time(t);
    return std::visit([t](const auto& m) { return m.at(t); }, motion);
}

Vec3 position_at(const Motion& motion, double t) {
    check_time(t);
    return std::visit([t](const auto& m) { return m.position_at(t); }, motion);
}

Attitude attitude_at(const Motion& motion, double t) {
    check_time(t);
    if (const auto* flight = std::get_if<Ballistic>(&motion)) return flight->attitude_at(t);
    if (const auto* given = std::get_if<Prescribed>(&motion)) return given->attitude_at(t);
    if (const auto* sphere = std::get_if<SphereOnPlane>(&motion)) return sphere->attitude_at(t);
    if (const auto* step = std::get_if<Accelerated>(&motion)) return step->attitude_at(t);
    const State state = std::get<Integrated>(motion).at(t);
    return {state.orientation, state.angular_velocity};
}

double valid_from(const Motion& motion) {
    if (const auto* way = std::get_if<Integrated>(&motion)) return way->start_time();
    if (const auto* sphere = std::get_if<SphereOnPlane>(&motion)) return sphere->start_time();
    if (const auto* step = std::get_if<Accelerated>(&motion)) return step->start_time();
    return -std::numeric_limits<double>::infinity();
}

double valid_until(const Motion& motion) {
    if (const auto* way = std::get_if<Integrated>(&motion)) return way->end_time();
    if (const auto* sphere = std::get_if<SphereOnPlane>(&motion)) return sphere->valid_until();
    if (const auto* step = std::get_if<Accelerated>(&motion)) return step->end_time();
    return std::numeric_limits<double>::infinity();
}

}  // namespace carom::motion
