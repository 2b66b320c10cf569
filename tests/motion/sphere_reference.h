// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/motion/sphere_contact.h"

namespace carom::tests {

// A sphere that slides on a plane, by Newton's and Euler's equations in space, in extended
// precision with Runge and Kutta's fourth order. It knows nothing of the closed forms.
class SlidingReference {
public:
    using Real = long double;
    using Vector = Eigen::Matrix<Real, 3, 1>;
    using Quaternion = Eigen::Quaternion<Real>;

    SlidingReference(const motion::SphereContact& contact, const motion::State& state, double t0)
        : contact_(contact),
          n_(contact.plane.normal.cast<Real>().normalized()),
          gravity_(contact.gravity.cast<Real>()),
          now_{state.position.cast<Real>(), state.velocity.cast<Real>(),
               state.angular_velocity.cast<Real>(), state.orientation.cast<Real>().coeffs()},
          t_(t0) {}

    // Steps no longer than `step`, and no longer than a five-hundredth of the time in which
    // friction stops the slip.
    void run_to(double t, double step) {
        const Real end = static_cast<Real>(t);
        while (t_ < end) {
            const Real rate = pull() * (1.0L + stiffness()) * static_cast<Real>(contact_.mu);
            const Real fine = rate > 0 ? 2e-3L * slip(now_, t_).norm() / rate : end - t_;
            const Real h = std::min({static_cast<Real>(step), fine + 1e-9L * (end - t_), end - t_});
            now_ = one_step(h);
            t_ = h < end - t_ ? t_ + h : end;
        }
    }

    Vec3 position() const { return now_.c.cast<double>(); }
    Vec3 velocity() const { return now_.v.cast<double>(); }
    Vec3 angular_velocity() const { return now_.w.cast<double>(); }
    motion::Quat orientation() const {
        const Eigen::Matrix<Real, 4, 1> q = now_.q.normalized();
        return motion::Quat(Eigen::Vector4d(q.cast<double>()));
    }
    double slip_speed() const { return static_cast<double>(slip(now_, t_).norm()); }

private:
    struct Point {
        Vector c, v, w;
        Eigen::Matrix<Real, 4, 1> q;
    };

    Real pull() const { return -n_.dot(gravity_); }
    Real stiffness() const {
        const Real r = static_cast<Real>(contact_.radius);
        return static_cast<Real>(contact_.mass) * r * r / static_cast<Real>(contact_.moment);
    }
    Vector slip(const Point& p, Real t) const {
        const motion::SupportPlane& plane = contact_.plane;
        const Vector V = plane.velocity.cast<Real>();
        const Vector r = -static_cast<Real>(contact_.radius) * n_;
        const Vector from =
            p.c + r - plane.point.cast<Real>() - (t - static_cast<Real>(plane.time)) * V;
        const Vector surface = V + static_cast<Real>(plane.turn_rate) * n_.cross(from);
        const Vector u = p.v + p.w.cross(r) - surface;
        return u - n_.dot(u) * n_;
    }
    Point rate(const Point& p, Real t) const {
        const Real mass = static_cast<Real>(contact_.mass);
        const Real N = mass * pull();
        const Vector u = slip(p, t);
        const Real speed = u.norm();
        const Vector F =
            speed > 0 ? Vector(-static_cast<Real>(contact_.mu) * N / speed * u) : Vector::Zero();
        const Vector r = -static_cast<Real>(contact_.radius) * n_;
        Vector torque = r.cross(F);
        const Real spin = n_.dot(p.w) - static_cast<Real>(contact_.plane.turn_rate);
        if (spin != 0) {
            torque -= static_cast<Real>(contact_.mu_spin) * N * (spin > 0 ? 1.0L : -1.0L) * n_;
        }
        Point out;
        out.c = p.v;
        out.v = gravity_ + (N * n_ + F) / mass;
        out.w = torque / static_cast<Real>(contact_.moment);
        out.q = 0.5L * (Quaternion(0, p.w.x(), p.w.y(), p.w.z()) * Quaternion(p.q)).coeffs();
        return out;
    }
    static Point moved(const Point& a, const Point& b, Real h) {
        return {a.c + h * b.c, a.v + h * b.v, a.w + h * b.w, a.q + h * b.q};
    }
    Point one_step(Real h) const {
        const Point k1 = rate(now_, t_);
        const Point k2 = rate(moved(now_, k1, h / 2), t_ + h / 2);
        const Point k3 = rate(moved(now_, k2, h / 2), t_ + h / 2);
        const Point k4 = rate(moved(now_, k3, h), t_ + h);
        Point out = moved(now_, k1, h / 6);
        out = moved(out, k2, h / 3);
        out = moved(out, k3, h / 3);
        return moved(out, k4, h / 6);
    }

    motion::SphereContact contact_;
    Vector n_, gravity_;
    Point now_;
    Real t_;
};

}  // namespace carom::tests
