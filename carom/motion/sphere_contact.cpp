// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/sphere_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace carom::motion {
namespace {

// A slope, and a pull into a plane, that rounding of the normal can make, of |g|. Ten times larger
// would call a slope of 1e-14 level.
constexpr double k_level = 8.0 * k_ulp;

void check_number(double value, const char* what, bool may_be_zero) {
    if (std::isfinite(value) && (value > 0.0 || (may_be_zero && value == 0.0))) return;
    throw std::invalid_argument(std::string(what) + " must be a finite number " +
                                (may_be_zero ? ">= 0" : "above zero"));
}

void check_vector(const Vec3& value, const char* what) {
    if (!value.allFinite()) {
        throw std::invalid_argument(std::string(what) + " has a component that is not finite");
    }
}

double pull(const SphereContact& contact, const Vec3& n) {
    const double into = -n.dot(contact.gravity);
    return into > k_level * contact.gravity.norm() ? into : 0.0;
}

// e1 down the slope, or across the smallest component of n.
Mat3 make_axes(const Vec3& n, const Vec3& gravity) {
    Vec3 along = gravity - n.dot(gravity) * n;
    if (along.norm() <= k_level * gravity.norm()) {
        int least = 0;
        n.cwiseAbs().minCoeff(&least);
        along = Vec3::Unit(least);
    }
    // twice, so that a slight slope is across n too
    along.normalize();
    along = (along - n.dot(along) * n).normalized();
    Mat3 axes;
    axes << along, n.cross(along), n;
    return axes;
}

}  // namespace

bool is_pressed(const SphereContact& contact) {
    return pull(contact, contact.plane.normal.normalized()) > 0.0;
}

void check_contact(const SphereContact& contact) {
    check_number(contact.radius, "the radius of the sphere", false);
    check_number(contact.mass, "the mass of the sphere", false);
    check_number(contact.moment, "the moment of inertia of the sphere", false);
    check_number(contact.mu, "mu", true);
    check_number(contact.mu_roll, "mu_roll", true);
    check_number(contact.mu_spin, "mu_spin", true);
    check_vector(contact.gravity, "the gravity");
    check_vector(contact.plane.point, "the point of the plane");
    check_vector(contact.plane.normal, "the normal of the plane");
    check_vector(contact.plane.velocity, "the velocity of the plane");
    if (!std::isfinite(contact.plane.turn_rate) || !std::isfinite(contact.plane.time)) {
        throw std::invalid_argument("the turn rate and the time of the plane must be finite");
    }
    const double most = 2.0 / 3.0 * contact.mass * contact.radius * contact.radius;
    if (!(contact.moment <= most * (1.0 + 1e-9))) {
        throw std::invalid_argument(
            "the moment of inertia is above 2/3 m r^2, that of a shell: no sphere has it");
    }
    if (!(contact.plane.normal.norm() > 0.0)) {
        throw std::invalid_argument("the normal of the plane is zero: give a unit vector");
    }
    if (!is_pressed(contact)) {
        throw std::invalid_argument(
            "gravity does not press the sphere onto the plane: it does not stay there");
    }
}

ContactFrame::ContactFrame(const SphereContact& contact) {
    check_contact(contact);
    const Vec3 n = contact.plane.normal.normalized();
    axes = make_axes(n, contact.gravity);
    radius = contact.radius;
    kappa = contact.mass * radius * radius / contact.moment;
    g_n = pull(contact, n);
    slope = axes.col(0).dot(contact.gravity);
    if (!(slope > k_level * contact.gravity.norm())) slope = 0.0;
    mu_g = contact.mu * g_n;
    slip_limit = (1.0 + kappa) * mu_g;
    constexpr double k_largest_share = 0.75;
    roll_brake = std::min(kappa * (contact.mu_roll / radius) * g_n, k_largest_share * slip_limit);
    rest_limit = std::min(roll_brake / kappa, mu_g);
    spin_brake = kappa * contact.mu_spin * g_n / (radius * radius);
    turn_rate = contact.plane.turn_rate;
}

Vec2 ContactFrame::needed(const Vec2& v) const {
    return turn_rate * quarter_turn(v) - slope_vector();
}

double ContactFrame::brake_left(double h) const {
    return std::min(roll_brake, std::max(0.0, slip_limit - h));
}

Vec3 ContactFrame::angular_velocity(const Vec2& b, double spin) const {
    return {b.y() / radius, -b.x() / radius, spin};
}

}  // namespace carom::motion
