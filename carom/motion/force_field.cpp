// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/force_field.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace carom::motion {
namespace {

struct Evaluate {
    double mass;
    const State& state;

    Wrench operator()(const Gravity& f) const { return {mass * f.g, Vec3::Zero()}; }

    Wrench operator()(const Drag& f) const {
        const double speed = state.velocity.norm();
        return {-(f.linear + f.quadratic * speed) * state.velocity,
                -f.rotational * state.angular_velocity};
    }

    Wrench operator()(const Spring& f) const {
        const Vec3 arm = state.orientation * f.body_point;
        const Vec3 r = state.position + arm - f.anchor;
        const Vec3 rate = state.velocity + state.angular_velocity.cross(arm);
        Vec3 force = Vec3::Zero();
        if (f.rest_length == 0.0) {
            force = -f.stiffness * r - f.damping * rate;
        } else {
            const double length = r.norm();
            if (length > 0.0) {
                const Vec3 along = r / length;
                const double pull =
                    f.stiffness * (length - f.rest_length) + f.damping * along.dot(rate);
                force = -pull * along;
            }
        }
        return {force, arm.cross(force)};
    }

    Wrench operator()(const CentralField& f) const {
        const Vec3 r = state.position - f.centre;
        const double square = r.squaredNorm();
        if (square == 0.0) return {Vec3::Zero(), Vec3::Zero()};
        return {-mass * f.strength * std::pow(square, 0.5 * (f.power - 1.0)) * r, Vec3::Zero()};
    }

    Wrench operator()(const Cushion& f) const {
        const Vec3 n = f.normal.normalized();
        const double x = n.dot(state.position) - f.offset;
        const double rate = n.dot(state.velocity);
        return {-(f.stiffness * x + f.damping * rate) * n, Vec3::Zero()};
    }
};

void need_finite(const Vec3& v, const std::string& name) {
    if (!v.allFinite()) {
        throw std::invalid_argument(name + " has a component that is not finite");
    }
}

void need_nonnegative(double value, const std::string& name) {
    if (!std::isfinite(value) || value < 0.0) {
        throw std::invalid_argument(name + " must be a finite number, zero or above; it is " +
                                    std::to_string(value));
    }
}

struct Check {
    void operator()(const Gravity& f) const { need_finite(f.g, "the gravity"); }
    void operator()(const Drag& f) const {
        need_nonnegative(f.linear, "the linear drag");
        need_nonnegative(f.quadratic, "the quadratic drag");
        need_nonnegative(f.rotational, "the rotational drag");
    }
    void operator()(const Spring& f) const {
        need_finite(f.body_point, "the spring's point on the body");
        need_finite(f.anchor, "the spring's anchor");
        need_nonnegative(f.stiffness, "the spring's stiffness");
        need_nonnegative(f.damping, "the spring's damping");
        need_nonnegative(f.rest_length, "the spring's rest length");
    }
    void operator()(const CentralField& f) const {
        need_finite(f.centre, "the centre of the field");
        if (!std::isfinite(f.strength) || !std::isfinite(f.power)) {
            throw std::invalid_argument("the central field's strength and power must be finite");
        }
    }
    void operator()(const Cushion& f) const {
        need_finite(f.normal, "the cushion's normal");
        if (!(f.normal.norm() > 0.0)) {
            throw std::invalid_argument("the cushion's normal must not be zero");
        }
        if (!std::isfinite(f.offset)) {
            throw std::invalid_argument("the cushion's offset must be finite");
        }
        need_nonnegative(f.stiffness, "the cushion's stiffness");
        if (f.stiffness == 0.0) {
            throw std::invalid_argument("the cushion's stiffness must be more than 0");
        }
        need_nonnegative(f.damping, "the cushion's damping");
    }
};

}  // namespace

const char* name_of(const ForceField& field) {
    constexpr const char* k_names[] = {"gravity", "drag", "spring", "central", "cushion"};
    return k_names[field.index()];
}

Wrench total_wrench(const std::vector<ForceField>& fields, double mass, const State& state) {
    Wrench sum{Vec3::Zero(), Vec3::Zero()};
    for (const ForceField& field : fields) {
        const Wrench one = std::visit(Evaluate{mass, state}, field);
        sum.force += one.force;
        sum.torque += one.torque;
    }
    return sum;
}

void check_fields(const std::vector<ForceField>& fields) {
    for (const ForceField& field : fields)
        std::visit(Check{}, field);
}

}  // namespace carom::motion
