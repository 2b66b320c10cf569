// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "carom/impact/compliant.h"

// The compliant law by brute force in the time domain (the library uses the normal impulse and
// closed forms): Runge-Kutta-Fehlberg 7(8) in extended precision, events by sampling every step and
// bisection, k0 = 1.
namespace carom::tests {

class CompliantOracle {
public:
    using Real = long double;
    using Vec2l = Eigen::Matrix<Real, 2, 1>;
    using Vec3l = Eigen::Matrix<Real, 3, 1>;
    using Mat3l = Eigen::Matrix<Real, 3, 3>;
    // p_x, p_y, p_z, F, then in stick the stretch d_x, d_y, in slip its angle
    using State = std::array<Real, 6>;

    CompliantOracle(const impact::Contact& contact, const impact::CompliantParameters& law)
        : K_(contact.K.cast<Real>()),
          u0_(contact.u.cast<Real>()),
          e_(law.e),
          mu_(law.mu),
          kt_(1 / Real(law.eta2)) {
        period_ = 1 / std::sqrt(K_.norm() * std::max<Real>(kt_, 1));
        force_ = std::abs(u0_.z()) / std::sqrt(K_(2, 2));
    }

    Vec3 impulse() {
        slip_ = u0_.head<2>().norm() >= mu_ / kt_ * std::abs(u0_.z()) && mu_ > 0;
        if (slip_) start_in_slip();
        modes_.push_back(slip_ ? impact::Mode::slide : impact::Mode::stick);
        Real dt = period_ * Real(1e-4);
        for (int n = 0; !done_; ++n) {
            if (n > 200000) throw std::runtime_error("the oracle does not end");
            dt = advance(dt);
        }
        return Vec3l(s_[0], s_[1], s_[2]).cast<double>();
    }
    const std::vector<impact::Mode>& modes() const { return modes_; }

private:
    Vec3l velocity(const State& s) const { return u0_ + K_ * Vec3l(s[0], s[1], s[2]); }
    Real k() const { return compressing_ ? Real(1) : 1 / (e_ * e_); }

    void rates(const State& s, State& ds) const {
        const Vec3l u = velocity(s);
        if (slip_) {
            const Real c = std::cos(s[4]), si = std::sin(s[4]);
            const Real turn = (c * u.y() - si * u.x()) * kt_ / (mu_ * s[3]);
            ds = {-mu_ * s[3] * c, -mu_ * s[3] * si, s[3], -k() * u.z(), turn, 0};
        } else {
            ds = {-kt_ * s[4], -kt_ * s[5], s[3], -k() * u.z(), u.x(), u.y()};
        }
    }
    State step(Real dt) const {
        State out{}, error{};
        fehlberg_.do_step([this](const State& s, State& ds, Real) { rates(s, ds); }, s_, Real(0),
                          out, dt, error);
        error_ = 0;
        for (int i = 0; i < 3; ++i)
            error_ = std::max(error_, std::abs(error[std::size_t(i)]));
        error_ = std::max({error_ / (force_ * period_), std::abs(error[3]) / force_,
                           slip_ ? std::abs(error[4]) * std::min<Real>(1, s_[3] / force_)
                                 : std::abs(error[4]) / (force_ / kt_)});
        return out;
    }
    Real uz(const State& s) const { return velocity(s).z(); }
    // Velocity of the particle in slip; room left in the cone in stick. An event where it goes to
    // zero from above.
    Real room(const State& s) const {
        if (!slip_) {
            return mu_ * s[3] - kt_ * std::hypot(s[4], s[5]);
        }
        const Vec3l u = velocity(s);
        return u.x() * std::cos(s[4]) + u.y() * std::sin(s[4]) + mu_ * k() / kt_ * u.z();
    }
    template <class F>
    Real bisect(F&& positive, Real low, Real high) const {
        for (int i = 0; i < 80; ++i) {
            const Real middle = (low + high) / 2;
            (positive(step(middle)) ? low : high) = middle;
        }
        return high;
    }

    void start_in_slip() {
        // p_z = |u_z| t^2/2, and the angle starts as A t^2 with 2 A = kappa (a - r A)
        const Real t = Real(2e-5) * period_;
        const Real r = u0_.head<2>().norm(), fall = -u0_.z();
        const Vec2l c = u0_.head<2>() / r, across(-c.y(), c.x());
        const Vec3l push(-mu_ * c.x(), -mu_ * c.y(), 1);
        const Real a = across.dot((K_ * push).head<2>()) * fall / 2;
        const Real kappa = kt_ / (mu_ * fall);
        const Real pz = fall * t * t / 2;
        s_ = {push.x() * pz,
              push.y() * pz,
              pz,
              fall * t,
              std::atan2(c.y(), c.x()) + kappa * a / (2 + kappa * r) * t * t,
              0};
    }

    // One step and the first event on it; returns the size of the next.
    Real advance(Real dt) {
        State next = step(dt);
        const Real allowed = Real(1e-15);
        const bool wild = slip_ && std::abs(next[4] - s_[4]) > Real(0.2);
        const bool faded = slip_ && next[3] < s_[3] / 4 && s_[3] > Real(1e-9) * force_;
        if (!(error_ < allowed) || wild || faded) return dt / 2;
        const Real larger = error_ < allowed / 600 ? dt * Real(1.8) : dt;
        // the end of the force first, then everything else before it
        Real end = dt;
        bool fades = false;
        if (next[3] <= 0) {
            fades = true;
            end = bisect([](const State& s) { return s[3] > 0; }, 0, dt);
        }
        const Real sign = compressing_ ? -1 : 1;
        Real last = 0;
        for (int j = 1; j <= 12; ++j) {
            const Real t = end * j / 12;
            const State at = step(t);
            Real turn = 2 * end, change = 2 * end;
            if (sign * uz(at) < 0) {
                turn = bisect([&](const State& s) { return sign * uz(s) >= 0; }, last, t);
            }
            const bool early = j == 1 && fresh_;
            if (room(at) < 0 && !(early && room(at) > -Real(1e-16) * force_)) {
                change = bisect([&](const State& s) { return room(s) >= 0; }, last, t);
            }
            if (turn < 2 * end && turn <= change) {
                commit(turn);
                reach_turn();
                return std::min(dt, period_ * Real(1e-2));
            }
            if (change < 2 * end) {
                commit(change);
                switch_mode();
                return period_ * Real(1e-4);
            }
            last = t;
        }
        commit(end);
        fresh_ = false;
        if (fades) done_ = true;
        if (slip_ && !compressing_ && s_[3] < Real(1e-7) * force_) tail();
        return larger;
    }
    void commit(Real dt) { s_ = step(dt); }
    void reach_turn() {
        if (compressing_ && e_ == 0) done_ = true;
        compressing_ = !compressing_;
    }
    void switch_mode() {
        if (slip_) {
            const Real d = mu_ * s_[3] / kt_;
            const Real angle = s_[4];
            s_[4] = d * std::cos(angle);
            s_[5] = d * std::sin(angle);
        } else {
            s_[4] = std::atan2(s_[5], s_[4]);
        }
        slip_ = !slip_;
        fresh_ = true;
        modes_.push_back(slip_ ? impact::Mode::slide : impact::Mode::stick);
    }
    // What is left of the force at a fixed direction.
    void tail() {
        const Vec3l push(-mu_ * std::cos(s_[4]), -mu_ * std::sin(s_[4]), 1);
        const Real h = (K_ * push).z(), E = s_[3] * s_[3] / k(), v = uz(s_);
        const Real dpz = E / (v + std::sqrt(v * v + h * E));
        for (int i = 0; i < 3; ++i)
            s_[std::size_t(i)] += push[i] * dpz;
        done_ = true;
    }

    Mat3l K_;
    Vec3l u0_;
    Real e_, mu_, kt_, period_, force_;
    State s_{};
    bool slip_ = false, compressing_ = true, done_ = false, fresh_ = true;
    std::vector<impact::Mode> modes_;
    mutable Real error_ = 0;
    mutable boost::numeric::odeint::runge_kutta_fehlberg78<State, Real> fehlberg_;
};

}  // namespace carom::tests
