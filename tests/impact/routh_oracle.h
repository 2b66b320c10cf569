// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <Eigen/LU>
#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>

#include "carom/impact/routh.h"

// Routh's law by brute force: Runge-Kutta-Fehlberg 7(8) in extended precision with the normal
// impulse itself as the variable (the library never uses that form), events by bisection.
namespace carom::tests {

class RouthOracle {
public:
    using Real = long double;
    using State = std::array<Real, 3>;  // p_x, p_y, normal work
    using Vec2l = Eigen::Matrix<Real, 2, 1>;
    using Vec3l = Eigen::Matrix<Real, 3, 1>;
    using Mat3l = Eigen::Matrix<Real, 3, 3>;

    RouthOracle(const impact::Contact& contact, const impact::RouthParameters& law)
        : K_(contact.K.cast<Real>()), u0_(contact.u.cast<Real>()), law_(law), mu_(law.mu) {}

    Vec3 impulse() {
        const Real r0 = u0_.head<2>().norm();
        if (r0 > 0 && mu_ > 0) slide(r0);
        if (!done_) straight();
        return Vec3l(state_[0], state_[1], pz_).cast<double>();
    }
    int compressions() const { return compressions_; }
    bool left_on_ray() const { return ray_; }

private:
    Vec3l velocity(const State& s, Real pz) const { return u0_ + K_ * Vec3l(s[0], s[1], pz); }

    void rates(const State& s, State& ds, Real pz) const {
        const Vec3l u = velocity(s, pz);
        const Vec2l c = u.head<2>().normalized();
        ds = {-mu_ * c.x(), -mu_ * c.y(), u.z()};
    }
    State step(Real dp) const {
        State out = state_, error{};
        fehlberg_.do_step([this](const State& s, State& ds, Real t) { rates(s, ds, t); }, state_,
                          pz_, out, dp, error);
        step_error_ = std::max(std::abs(error[0]), std::abs(error[1]));
        return out;
    }
    Real uz_at(Real dp) const { return velocity(step(dp), pz_ + dp).z(); }
    // d u_z / d p_z at the end of a step
    Real uz_rate(Real dp) const {
        const Vec2l c = velocity(step(dp), pz_ + dp).head<2>().normalized();
        return K_(2, 2) - mu_ * K_.block<1, 2>(2, 0).dot(c.transpose());
    }
    template <class F>
    static Real bisect(F&& f, Real low, Real high) {
        const bool rising = f(low) < 0;
        for (int i = 0; i < 80; ++i) {
            const Real middle = (low + high) / 2;
            ((f(middle) < 0) == rising ? low : high) = middle;
        }
        return (low + high) / 2;
    }

    // Takes a step on which u_z is monotone and keeps the books.
    void advance(Real dp) {
        const Real uz = velocity(state_, pz_).z();
        const Real uz_next = uz_at(dp);
        if (uz < 0 && uz_next >= 0) {
            const Real t = bisect([this](Real x) { return uz_at(x); }, 0, dp);
            commit(t, true);
            if (reach_top()) return;
            advance_restitution(dp - t);
            return;
        }
        if (uz > 0 && uz_next < 0) {
            const Real t = bisect([this](Real x) { return uz_at(x); }, 0, dp);
            if (advance_restitution(t)) return;
            ++compressions_;
            commit_any(dp - t, true);
            return;
        }
        if (uz < 0 || (uz == 0 && uz_next < 0)) {
            commit_any(dp, true);
        } else {
            advance_restitution(dp);
        }
    }
    bool reach_top() {
        if (first_ < 0) first_ = pz_;
        return done_ = law_.e == 0.0;
    }
    // Compression too can end the impact under poisson_first.
    void commit_any(Real dp, bool compression) {
        if (law_.termination == impact::Termination::poisson_first && first_ >= 0) {
            const Real left = (1 + Real(law_.e)) * first_ - pz_;
            if (left <= dp) {
                done_ = true;
                dp = left;
            }
        }
        commit(dp, compression);
    }
    bool advance_restitution(Real dp) {
        const Real t = end_in(
            dp, [this](Real x) { return step(x)[2] - state_[2]; },
            [this](Real x) { return uz_at(x); });
        done_ = t <= dp;
        commit(done_ ? t : dp, false);
        return done_;
    }
    // Where in the next dp of restitution the impact ends; beyond dp when it does not.
    template <class Work, class Velocity>
    Real end_in(Real dp, Work&& work, Velocity&& uz) const {
        const Real e = law_.e;
        switch (law_.termination) {
            case impact::Termination::poisson:
                return e * pc_ - pd_;
            case impact::Termination::poisson_first:
                return (1 + e) * first_ - pz_;
            case impact::Termination::newton:
                if (uz(dp) < -e * u0_.z()) return 2 * dp + 1;
                return bisect([&](Real x) { return uz(x) + e * u0_.z(); }, 0, dp);
            case impact::Termination::stronge:
                break;
        }
        const Real left = -e * e * Wc_ - Wd_;
        if (work(dp) < left) return 2 * dp + 1;
        return bisect([&](Real x) { return work(x) - left; }, 0, dp);
    }
    void commit(Real dp, bool compression) {
        const State next = step(dp);
        (compression ? Wc_ : Wd_) += next[2] - state_[2];
        (compression ? pc_ : pd_) += dp;
        state_ = next;
        pz_ += dp;
    }

    void slide(Real r0) {
        Real dp = Real(1e-3) * std::abs(u0_.z()) / K_(2, 2) + Real(1e-6) * r0 / K_.norm();
        const Real size = (std::abs(u0_.z()) + r0) / K_.norm();
        while (!done_) {
            const Vec2l v = velocity(state_, pz_).head<2>();
            if (v.norm() < Real(1e-13) * r0) {
                // the rest to zero slip at a fixed direction
                const Vec2l c = v.normalized();
                const Vec2l rate = K_.block<2, 1>(0, 2) - mu_ * K_.block<2, 2>(0, 0) * c;
                if (rate.dot(c) < 0) break;
            }
            const State next = step(dp);
            const Real error = step_error_;
            const Vec2l w = velocity(next, pz_ + dp).head<2>();
            const bool turned = v.dot(w) < Real(0.995) * v.norm() * w.norm();
            const Real allowed = Real(1e-16) * size;
            if (turned || error > allowed || w.norm() > 4 * v.norm() + r0 ||
                w.norm() < v.norm() / 3) {
                dp *= Real(0.5);
                continue;
            }
            // split where u_z has an extremum
            if ((uz_rate(0) < 0) != (uz_rate(dp) < 0)) {
                const Real t = bisect([this](Real x) { return uz_rate(x); }, 0, dp);
                const Real rest = dp - t;
                advance(t);
                if (!done_) advance(rest);
            } else {
                advance(dp);
            }
            dp *= error < allowed / 300 ? Real(1.7) : Real(1);
        }
    }

    // Stick, or slip out along the diverging ray, or no friction at all: everything is linear.
    void straight() {
        const Eigen::Matrix<Real, 2, 2> M = K_.block<2, 2>(0, 0);
        const Vec2l b = K_.block<2, 1>(0, 2);
        Vec2l q = mu_ > 0 ? Vec2l(-M.inverse() * b) : Vec2l(0, 0);
        if (q.norm() > mu_) {
            ray_ = true;
            const Vec2l c = diverging(M, b);
            q = -mu_ * c;
        }
        const Real k = K_(2, 2) + b.dot(q);
        Real uz = velocity(state_, pz_).z();
        if (uz < 0) {
            const Real t = -uz / k;
            Wc_ += uz * t / 2;
            pc_ += t;
            straight_step(q, t);
            uz = 0;
            if (reach_top()) return;
        }
        const Real far = 4 * (std::abs(u0_.z()) / k + pz_ + std::sqrt(-Wc_ / k));
        straight_step(q, end_in(
                             far, [&](Real x) { return (uz + k * x / 2) * x; },
                             [&](Real x) { return uz + k * x; }));
        done_ = true;
    }
    void straight_step(const Vec2l& q, Real t) {
        state_[0] += q.x() * t;
        state_[1] += q.y() * t;
        pz_ += t;
    }
    // The direction c with (lambda + mu M) c = b, |c| = 1, lambda > 0, by bisection on lambda.
    Vec2l diverging(const Eigen::Matrix<Real, 2, 2>& M, const Vec2l& b) const {
        const auto c = [&](Real lambda) {
            Eigen::Matrix<Real, 2, 2> A = mu_ * M;
            A(0, 0) += lambda;
            A(1, 1) += lambda;
            return Vec2l(A.inverse() * b);
        };
        return c(bisect([&](Real x) { return 1 - c(x).norm(); }, 0, b.norm()));
    }

    Mat3l K_;
    Vec3l u0_;
    impact::RouthParameters law_;
    Real mu_;
    State state_{0, 0, 0};
    Real pz_ = 0, first_ = -1, Wc_ = 0, Wd_ = 0, pc_ = 0, pd_ = 0;
    bool done_ = false, ray_ = false;
    int compressions_ = 1;
    mutable Real step_error_ = 0;
    mutable boost::numeric::odeint::runge_kutta_fehlberg78<State, Real> fehlberg_;
};

}  // namespace carom::tests
