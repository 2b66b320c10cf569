// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/impact/compliant_state.h"

namespace carom::impact {
namespace {

constexpr double k_never = std::numeric_limits<double>::infinity();

// Free vibration of the sticking contact: y'' = -A y with y = D^(1/2) (d, delta), F = -k delta,
// D = diag(kt, kt, k) and A = D^(1/2) K D^(1/2), in the modes of A.
class StickVibration {
public:
    explicit StickVibration(const CompliantState& s)
        : root_(std::sqrt(s.kt), std::sqrt(s.kt), std::sqrt(s.k())) {
        decompose(s.K);
        const Vec3 y0(root_.x() * s.dx, root_.y() * s.dy, -s.F / root_.z());
        const Vec3 v0 = root_.cwiseProduct(Vec3(s.x, s.y, s.uz));
        a_ = V_.transpose() * y0;
        b_ = (V_.transpose() * v0).cwiseQuotient(omega_);
        bound();
    }

    struct At {
        Vec3 stretch;   // d and -F/k
        Vec3 velocity;  // u
        Vec3 force;     // p'
        Vec3 acceleration;
        Vec3 impulse;   // since the start
    };

    At at(double t) const {
        Vec3 q, v, w, sum;
        for (int i = 0; i < 3; ++i) {
            const double c = std::cos(omega_[i] * t);
            const double s = std::sin(omega_[i] * t);
            const double half = std::sin(0.5 * omega_[i] * t);
            q[i] = a_[i] * c + b_[i] * s;
            v[i] = omega_[i] * (b_[i] * c - a_[i] * s);
            w[i] = -omega_[i] * omega_[i] * q[i];
            sum[i] = (a_[i] * s + 2.0 * b_[i] * half * half) / omega_[i];
        }
        At r;
        const Vec3 y = V_ * q;
        r.stretch = y.cwiseQuotient(root_);
        r.force = -y.cwiseProduct(root_);
        r.velocity = (V_ * v).cwiseQuotient(root_);
        r.acceleration = (V_ * w).cwiseQuotient(root_);
        r.impulse = -(V_ * sum).cwiseProduct(root_);
        return r;
    }

    // Bounds on the n-th time derivative of the stretch of spring i, for all times.
    double bound_on(int spring, int derivative) const {
        return bound_[static_cast<std::size_t>(derivative)][spring];
    }

    double fastest() const { return omega_[2]; }

private:
    // A = G^T G with G from the triangular factors of K, so that rounding K's entries does not touch
    // its small eigenvalues.
    template <class Real>
    Eigen::Matrix<Real, 3, 3> stiffness(const Principal& K) const {
        Eigen::Matrix<Real, 3, 3> G = Eigen::Matrix<Real, 3, 3>::Zero();
        G(0, 0) = std::sqrt(static_cast<Real>(K.k1)) * static_cast<Real>(root_.x());
        G(1, 1) = std::sqrt(static_cast<Real>(K.k2)) * static_cast<Real>(root_.y());
        G(2, 2) = std::sqrt(static_cast<Real>(K.kappa)) * static_cast<Real>(root_.z());
        G(0, 2) = std::sqrt(static_cast<Real>(K.k1)) * static_cast<Real>(K.q1 * root_.z());
        G(1, 2) = std::sqrt(static_cast<Real>(K.k2)) * static_cast<Real>(K.q2 * root_.z());
        return G.transpose() * G;
    }

    void decompose(const Principal& K) {
        const Eigen::SelfAdjointEigenSolver<Mat3> fast(stiffness<double>(K));
        if (fast.eigenvalues()[0] > 1e-4 * fast.eigenvalues()[2]) {
            V_ = fast.eigenvectors();
            omega_ = fast.eigenvalues().cwiseSqrt();
            return;
        }
        // small eigenvalues need the longer mantissa
        using Wide = Eigen::Matrix<long double, 3, 3>;
        const Eigen::SelfAdjointEigenSolver<Wide> wide(stiffness<long double>(K));
        V_ = wide.eigenvectors().cast<double>();
        omega_ = wide.eigenvalues()
                     .cwiseMax(std::numeric_limits<double>::min())
                     .cwiseSqrt()
                     .cast<double>();
    }

    void bound() {
        for (int spring = 0; spring < 3; ++spring) {
            Vec3 size;
            for (int i = 0; i < 3; ++i) {
                size[i] = std::abs(V_(spring, i)) * std::sqrt(a_[i] * a_[i] + b_[i] * b_[i]) /
                          root_[spring];
            }
            for (std::size_t n = 0; n < bound_.size(); ++n) {
                bound_[n][spring] = size.sum();
                size = size.cwiseProduct(omega_);
            }
        }
    }

    Vec3 root_;
    Mat3 V_;
    Vec3 omega_;
    Vec3 a_, b_;
    std::array<Vec3, 5> bound_;
};

// The time in which a function of this value and slope, with |second derivative| <= bound, cannot
// reach zero; it tends to Newton's step as the value goes to zero.
double safe_time(double value, double slope, double bound) {
    const double size = std::abs(value);
    const double toward = value > 0.0 ? -slope : slope;
    const double root = std::sqrt(toward * toward + 2.0 * bound * size);
    if (toward >= 0.0) return toward + root > 0.0 ? 2.0 * size / (toward + root) : k_never;
    return bound > 0.0 ? (root - toward) / bound : k_never;
}

// The three functions whose zeros end the stretch: u_z, F and the excess over the friction cone.
class StickEvents {
public:
    StickEvents(const CompliantState& s, const StickVibration& vibration)
        : uz_sign_(s.compressing ? -1.0 : 1.0),
          kt_(s.kt),
          mu_k_(s.parameters.mu * s.k()),
          kt2_(s.kt * s.kt),
          short_time_(1e-2 / vibration.fastest()),
          mu2k2_(s.parameters.mu * s.parameters.mu * s.k() * s.k()) {
        const auto d = [&](int n) {
            return std::hypot(vibration.bound_on(0, n), vibration.bound_on(1, n));
        };
        const auto f = [&](int n) { return vibration.bound_on(2, n); };
        // friction and its limit cannot approach each other faster than this
        cone_speed_ = kt_ * d(1) + mu_k_ * f(1);
        uz_bound_ = f(3);
        delta_bound_ = f(2);
        excess_bound_ = 2.0 * kt2_ * (d(1) * d(1) + d(0) * d(2)) +
                        2.0 * mu2k2_ * (f(1) * f(1) + f(0) * f(2));
        excess_third_ = 2.0 * kt2_ * (3.0 * d(1) * d(2) + d(0) * d(3)) +
                        2.0 * mu2k2_ * (3.0 * f(1) * f(2) + f(0) * f(3));
    }

    double excess(const StickVibration::At& r) const {
        return kt2_ * r.stretch.head<2>().squaredNorm() - mu2k2_ * r.stretch.z() * r.stretch.z();
    }
    double excess_slope(const StickVibration::At& r) const {
        return 2.0 * kt2_ * r.stretch.head<2>().dot(r.velocity.head<2>()) -
               2.0 * mu2k2_ * r.stretch.z() * r.velocity.z();
    }
    double excess_curvature(const StickVibration::At& r) const {
        return 2.0 * kt2_ *
                   (r.velocity.head<2>().squaredNorm() +
                    r.stretch.head<2>().dot(r.acceleration.head<2>())) -
               2.0 * mu2k2_ * (r.velocity.z() * r.velocity.z() + r.stretch.z() * r.acceleration.z());
    }

    struct Times {
        double uz, delta, excess;
        double first() const { return std::min({uz, delta, excess}); }
    };
    // Zero where the function has reached or passed its zero.
    Times safe_times(const StickVibration::At& r) const {
        const double over = excess(r);
        return {r.velocity.z() * uz_sign_ > 0.0
                    ? safe_time(r.velocity.z(), r.acceleration.z(), uz_bound_)
                    : 0.0,
                r.stretch.z() < 0.0 ? safe_time(r.stretch.z(), r.velocity.z(), delta_bound_) : 0.0,
                over < 0.0 ? std::max(safe_time(over, excess_slope(r), excess_bound_),
                                      (mu_k_ * -r.stretch.z() - kt_ * r.stretch.head<2>().norm()) /
                                          cone_speed_)
                           : 0.0};
    }

    // A safe first step when some of the functions start at zero.
    double first_step(const CompliantState& s, const StickVibration::At& r, bool on_cone) const {
        double step = k_never;
        const auto leave = [](double slope, double bound) {
            return bound > 0.0 ? std::abs(slope) / bound : k_never;
        };
        step = std::min(step, s.uz == 0.0
                                  ? leave(r.acceleration.z(), uz_bound_)
                                  : safe_time(r.velocity.z(), r.acceleration.z(), uz_bound_));
        step = std::min(step, s.F == 0.0
                                  ? leave(r.velocity.z(), delta_bound_)
                                  : safe_time(r.stretch.z(), r.velocity.z(), delta_bound_));
        if (s.F == 0.0) {
            // the tip of the cone: inside it at first, or the impact would start in slip
            return std::min(step, std::max(leave(excess_curvature(r), excess_third_), short_time_));
        }
        step = std::min(step, on_cone
                                  ? leave(excess_curvature(r), excess_third_)
                                  : safe_time(excess(r), excess_slope(r), excess_bound_));
        return step;
    }

private:
    double uz_sign_;
    double kt_, mu_k_;
    double cone_speed_;
    double kt2_;
    double short_time_;
    double mu2k2_;
    double uz_bound_, delta_bound_, excess_bound_, excess_third_;
};

void trace_stick(const CompliantState& s, const StickVibration& vibration, double end) {
    CompliantState now = s;
    const double energy = s.normal_energy();
    for (int i = 1; i < k_trace_samples; ++i) {
        const StickVibration::At r = vibration.at(end * i / k_trace_samples);
        now.x = r.velocity.x();
        now.y = r.velocity.y();
        now.uz = r.velocity.z();
        now.px = s.px + r.impulse.x();
        now.py = s.py + r.impulse.y();
        now.pz = s.pz + r.impulse.z();
        now.dx = r.stretch.x();
        now.dy = r.stretch.y();
        now.F = r.force.z();
        now.sample(Mode::stick, energy - now.normal_energy());
    }
}

}  // namespace

CompliantEvent compliant_stick(CompliantState& s, bool on_cone) {
    const StickVibration vibration(s);
    const StickEvents events(s, vibration);
    constexpr double k_ulp = std::numeric_limits<double>::epsilon();
    constexpr int k_most = 1000000;

    double t = events.first_step(s, vibration.at(0.0), on_cone);
    StickVibration::At r = vibration.at(t);
    StickEvents::Times times = events.safe_times(r);
    for (int i = 0;; ++i) {
        const double step = times.first();
        if (!(step > 2.0 * k_ulp * t)) break;
        if (i == k_most) return CompliantEvent::lost;
        t += step;
        r = vibration.at(t);
        times = events.safe_times(r);
    }
    if (s.trace != nullptr) trace_stick(s, vibration, t);

    const double pz_before = s.pz;
    const double energy_before = s.normal_energy();
    s.x = r.velocity.x();
    s.y = r.velocity.y();
    s.uz = r.velocity.z();
    s.px += r.impulse.x();
    s.py += r.impulse.y();
    s.pz += r.impulse.z();
    s.dx = r.stretch.x();
    s.dy = r.stretch.y();
    s.F = std::max(0.0, r.force.z());
    s.account(pz_before, energy_before);

    const double first = times.first();
    if (times.uz == first) {
        s.uz = 0.0;
        return CompliantEvent::uz_zero;
    }
    if (times.delta == first) {
        s.F = 0.0;
        return CompliantEvent::end;
    }
    return CompliantEvent::mode_change;
}

}  // namespace carom::impact
