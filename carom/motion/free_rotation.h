// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cstddef>
#include <memory>

#include "carom/motion/polhode.h"
#include "carom/motion/principal_inertia.h"
#include "carom/motion/state.h"

namespace carom::motion {

// The rotation of a rigid body on which no torque acts, exactly, at any time before or after t0.
//
// still        no rotation
// steady       constant angular velocity: equal moments, or rotation about a principal axis
// symmetric    two equal moments I, the third I3 about the body's axis a: with rho = I3/I - 1 the
//              body turns about L at the steady rate L/I = w + rho (w.a) a, and within that about a
//              at -rho w.a
// asymmetric   Jacobi elliptic functions, see polhode.h
//
// The kinds are told apart exactly: a moment that differs from another in the last bit gives the
// asymmetric form, which is as accurate there. The angular momentum L is constant by construction,
// as is the component of the angular velocity along it, and so the energy.
// Range: any finite data with a valid inertia (see principal_inertia.h); below 1e-120 rad/s a spin
// counts as none. Orientations of any positive length are made unit.
class FreeRotation {
public:
    enum class Kind { still, steady, symmetric, asymmetric };

    // Still, body axes along world axes.
    FreeRotation() = default;
    // Inertia in body axes, orientation from body to world, angular velocity in world axes at t0.
    FreeRotation(const Mat3& inertia, const Quat& orientation, const Vec3& angular_velocity,
                 double t0);
    FreeRotation(const PrincipalInertia& inertia, const Quat& orientation,
                 const Vec3& angular_velocity, double t0);
    // A body whose moments are all equal.
    static FreeRotation steady(const Quat& orientation, const Vec3& angular_velocity, double t0);

    Attitude at(double t) const;
    Quat orientation_at(double t) const { return at(t).orientation; }

    Kind kind() const { return kind_; }
    // Of a symmetric one: the axis of the third moment, in body axes.
    Vec3 symmetry_axis() const;
    double start_time() const { return t0_; }
    // Bounds over all time, tight: |w| and |dw/dt|.
    double spin_max() const { return spin_max_; }
    double spin_rate_max() const { return spin_rate_max_; }

private:
    void set_steady(const Quat& orientation, const Vec3& angular_velocity);
    void set_symmetric(const PrincipalInertia& inertia, std::size_t odd, const Quat& orientation,
                       const Vec3& angular_velocity);
    Attitude steady_at(long double tau) const;
    Attitude symmetric_at(long double tau) const;
    Attitude tumble_at(long double tau) const;

    Kind kind_ = Kind::still;
    double t0_ = 0.0;
    double spin_max_ = 0.0;
    double spin_rate_max_ = 0.0;
    // steady: orientation at t0, angular velocity, half its size in turns per second
    Quat first_ = Quat::Identity();
    Vec3 spin_ = Vec3::Zero();
    long double half_rate_ = 0.0L;
    // symmetric: the same of the turning about L, and of that about the axis, in body axes
    Vec3 axis_ = Vec3::Zero();
    double own_spin_ = 0.0;
    long double own_half_rate_ = 0.0L;
    // asymmetric
    struct Tumble;
    std::shared_ptr<const Tumble> tumble_;
};

}  // namespace carom::motion
