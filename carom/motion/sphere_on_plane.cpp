// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/sphere_on_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "carom/motion/sphere_course.h"

namespace carom::motion {
namespace {

using Phase = SphereOnPlane::Phase;

// Slip, rolling and spin below this of the numbers they are differences of are none. Ten times
// larger would stop motions that are ten times faster than rounding.
constexpr double k_nothing = 32.0 * k_ulp;
// How far from the plane the sphere may be, over the radius, to be put onto it. Ten times larger
// would move spheres that are visibly off.
constexpr double k_near = 1e-6;

void check_state(const State& state, double t0) {
    if (!state.position.allFinite() || !state.velocity.allFinite() ||
        !state.orientation.coeffs().allFinite() || !state.angular_velocity.allFinite()) {
        throw std::invalid_argument("the state at the start has a component that is not finite");
    }
    if (!(state.orientation.coeffs().norm() > 0.0)) {
        throw std::invalid_argument("the orientation is zero: give a unit quaternion");
    }
    if (!std::isfinite(t0)) throw std::invalid_argument("the start time is not finite");
}

// Slip and rolling that rounding alone can make are taken away.
PlaneStart make_start(const ContactFrame& f, const SphereContact& contact, const State& state,
                      const Vec3& arm, double t0) {
    const SupportPlane& plane = contact.plane;
    PlaneStart start;
    start.x = f.in_plane(arm);
    start.v = f.in_plane(state.velocity - plane.velocity);
    const Vec2 w = f.in_plane(state.angular_velocity);
    start.b = f.radius * quarter_turn(w);
    start.spin = f.normal().dot(state.angular_velocity);
    const double spin = state.angular_velocity.norm();
    if (std::abs(start.spin - f.turn_rate) <= k_nothing * (spin + std::abs(f.turn_rate))) {
        start.spin = f.turn_rate;
    }
    const double reach = state.position.norm() + plane.point.norm() +
                         plane.velocity.norm() * (std::abs(t0) + std::abs(plane.time));
    const double nothing = k_nothing * (state.velocity.norm() + plane.velocity.norm() +
                                        f.radius * spin + std::abs(f.turn_rate) * reach);
    const Vec2 carried = f.turn_rate * quarter_turn(start.x);
    start.slips = (start.v + start.b - carried).norm() > nothing;
    start.rolls = start.slips || start.b.norm() > nothing;
    if (!start.slips) {
        if (!start.rolls) start.v = carried;
        start.b = start.rolls ? Vec2(carried - start.v) : Vec2::Zero();
    }
    return start;
}

SphereCourse make_course(const SphereContact& contact, const State& state, double t0) {
    const ContactFrame frame(contact);
    check_state(state, t0);
    const SupportPlane& plane = contact.plane;
    const Vec3 arm = state.position - (plane.point + (t0 - plane.time) * plane.velocity);
    const double height = frame.normal().dot(arm) - frame.radius;
    const double rounding = k_nothing * (state.position.norm() + arm.norm());
    if (!(std::abs(height) <= k_near * frame.radius + rounding)) {
        throw std::invalid_argument("the sphere does not touch the plane: its gap is " +
                                    std::to_string(height / frame.radius) +
                                    " radii, 0 would be right");
    }
    const double speed = frame.normal().dot(state.velocity - plane.velocity);
    const PlaneStart start = make_start(frame, contact, state, arm, t0);

    const double excess = start.spin - frame.turn_rate;
    NormalSpin spin{start.spin, 0.0};
    double spin_end = k_never;
    if (excess != 0.0 && frame.spin_brake > 0.0) {
        spin.rate = excess > 0.0 ? -frame.spin_brake : frame.spin_brake;
        spin_end = std::abs(excess) / frame.spin_brake;
    }
    PlaneCourse course = plane_course(frame, start, spin_end);
    if (course.phase == Phase::resting && excess != 0.0) course.phase = Phase::spinning;
    const double length = std::min(course.length, spin_end);
    SphereAttitude attitude(course.way, frame, spin, state.orientation);
    return {contact,
            frame,
            t0,
            t0 + length,
            state.position - height * frame.normal(),
            start.x,
            spin,
            spin_end,
            std::move(course),
            std::move(attitude),
            {height, speed}};
}

// Time since the start, within the segment.
double elapsed(const SphereCourse& c, double t) {
    const double slack = 4.0 * k_ulp * std::max(std::abs(c.t0), std::abs(t));
    if (!(t >= c.t0 - slack) || !(t <= c.until + slack)) {
        throw std::invalid_argument("time " + std::to_string(t) +
                                    " is outside the segment of a sphere on a plane, from " +
                                    std::to_string(c.t0) + " to " + std::to_string(c.until));
    }
    return std::clamp(t - c.t0, 0.0, std::min(c.plane.length, c.spin_end));
}

Planar planar_at(const SphereCourse& c, double tau) {
    return std::visit([tau](const auto& way) { return way.at(tau); }, c.plane.way);
}

PlanarRates planar_rates(const SphereCourse& c, double tau) {
    return std::visit([tau](const auto& way) { return way.rates(tau); }, c.plane.way);
}

Vec3 position(const SphereCourse& c, double tau, const Vec2& d) {
    return c.base + (tau * c.contact.plane.velocity + c.frame.to_world(d));
}

Vec3 velocity(const SphereCourse& c, const Vec2& v) {
    return c.contact.plane.velocity + c.frame.to_world(v);
}

Vec3 angular_velocity(const SphereCourse& c, const Vec2& b, double spin) {
    return c.frame.axes * c.frame.angular_velocity(b, spin);
}

double spin_at(const SphereCourse& c, double tau) {
    return c.spin.first + tau * c.spin.rate;
}

}  // namespace

SphereOnPlane::SphereOnPlane(const SphereContact& contact, const State& state, double t0)
    : course_(std::make_shared<const SphereCourse>(make_course(contact, state, t0))) {}

Phase SphereOnPlane::phase() const {
    return course_->plane.phase;
}
double SphereOnPlane::start_time() const {
    return course_->t0;
}
double SphereOnPlane::valid_until() const {
    return course_->until;
}
const SphereOnPlane::Removed& SphereOnPlane::removed() const {
    return course_->removed;
}
const SphereContact& SphereOnPlane::contact() const {
    return course_->contact;
}

SphereOnPlane::Centre SphereOnPlane::centre_at(double t) const {
    const double tau = elapsed(*course_, t);
    const Planar now = planar_at(*course_, tau);
    return {position(*course_, tau, now.d), velocity(*course_, now.v)};
}

Vec3 SphereOnPlane::position_at(double t) const {
    return centre_at(t).position;
}
Vec3 SphereOnPlane::velocity_at(double t) const {
    return centre_at(t).velocity;
}

Vec3 SphereOnPlane::angular_velocity_at(double t) const {
    const double tau = elapsed(*course_, t);
    return angular_velocity(*course_, planar_at(*course_, tau).b, spin_at(*course_, tau));
}

Attitude SphereOnPlane::attitude_at(double t) const {
    const SphereCourse& c = *course_;
    return {c.attitude.at(elapsed(c, t), c.plane.way, c.frame, c.spin), angular_velocity_at(t)};
}

State SphereOnPlane::at(double t) const {
    const SphereCourse& c = *course_;
    const double tau = elapsed(c, t);
    const Planar now = planar_at(c, tau);
    return {position(c, tau, now.d), c.attitude.at(tau, c.plane.way, c.frame, c.spin),
            velocity(c, now.v), angular_velocity(c, now.b, spin_at(c, tau))};
}

SphereOnPlane::Contact SphereOnPlane::contact_at(double t) const {
    return working_at(t).contact;
}

SphereOnPlane::Working SphereOnPlane::working_at(double t) const {
    const SphereCourse& c = *course_;
    const double tau = elapsed(c, t);
    const Planar now = planar_at(c, tau);
    const PlanarRates rates = planar_rates(c, tau);
    const double mass = c.contact.mass;
    const Vec2 f = rates.a - c.frame.slope_vector();
    // b' = k f + (r / moment) J torque
    Vec2 brake = rates.b_rate - c.frame.kappa * f;
    if (c.plane.phase == Phase::sliding || c.frame.roll_brake == 0.0) brake.setZero();
    const Vec2 roll = -(c.contact.moment / c.frame.radius) * quarter_turn(brake);
    Contact out;
    out.point = position(c, tau, now.d) - c.frame.radius * c.frame.normal();
    out.normal_force = mass * c.frame.g_n * c.frame.normal();
    out.friction = mass * c.frame.to_world(f);
    out.torque = c.frame.to_world(roll) + c.contact.moment * c.spin.rate * c.frame.normal();
    return {out, velocity(c, now.v), angular_velocity(c, now.b, spin_at(c, tau))};
}

// What has vanished by then does so exactly.
State SphereOnPlane::end_state() const {
    const SphereCourse& c = *course_;
    const double tau = std::min(c.plane.length, c.spin_end);
    if (!std::isfinite(c.until)) {
        throw std::invalid_argument("the segment of a sphere on a plane has no end: stop it first");
    }
    Planar now = planar_at(c, tau);
    const Vec2 carried = c.frame.turn_rate * quarter_turn(c.x + now.d);
    const bool by_plane = c.plane.length <= c.spin_end;
    const bool stops = by_plane && c.plane.end == PlaneCourse::End::roll_stops;
    const bool slips = c.plane.phase == Phase::sliding &&
                       !(by_plane && c.plane.end == PlaneCourse::End::slip_stops);
    const bool rests = c.plane.phase == Phase::spinning || c.plane.phase == Phase::resting;
    if (stops || rests) now.v = carried;
    if (!slips) now.b = carried - now.v;
    // the plane's end may come with the spin's
    const bool still = c.spin_end <= tau * (1.0 + 4.0 * k_ulp);
    const double spin = still ? c.frame.turn_rate : spin_at(c, tau);
    return {position(c, tau, now.d), c.attitude.at(tau, c.plane.way, c.frame, c.spin),
            velocity(c, now.v), angular_velocity(c, now.b, spin)};
}

SphereOnPlane SphereOnPlane::next() const {
    return {course_->contact, end_state(), course_->until};
}

std::optional<Vec3> SphereOnPlane::constant_acceleration() const {
    const auto* line = std::get_if<LineWay>(&course_->plane.way);
    if (line == nullptr) return std::nullopt;
    return course_->frame.to_world(line->a);
}

std::optional<double> SphereOnPlane::turning_rate() const {
    const auto* circle = std::get_if<CircleWay>(&course_->plane.way);
    if (circle == nullptr) return std::nullopt;
    return circle->rate;
}

const char* name_of(SphereOnPlane::Phase phase) {
    switch (phase) {
        case Phase::sliding:
            return "sliding";
        case Phase::rolling:
            return "rolling";
        case Phase::spinning:
            return "spinning";
        case Phase::resting:
            return "resting";
    }
    return "";
}

}  // namespace carom::motion
