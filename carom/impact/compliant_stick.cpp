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
        Vec3 jerk, snap;  // the next derivatives of the velocity
        Vec3 impulse;     // since the start
    };

    At at(double t) const {
        Vec3 q, v, w, j, k, sum;
        for (int i = 0; i < 3; ++i) {
            const double c = std::cos(omega_[i] * t);
            const double s = std::sin(omega_[i] * t);
            const double half = std::sin(0.5 * omega_[i] * t);
            q[i] = a_[i] * c + b_[i] * s;
            v[i] = omega_[i] * (b_[i] * c - a_[i] * s);
            w[i] = -omega_[i] * omega_[i] * q[i];
            j[i] = -omega_[i] * omega_[i] * v[i];
            k[i] = -omega_[i] * omega_[i] * w[i];
            sum[i] = (a_[i] * s + 2.0 * b_[i] * half * half) / omega_[i];
        }
        At r;
        const Vec3 y = V_ * q;
        r.stretch = y.cwiseQuotient(root_);
        r.force = -y.cwiseProduct(root_);
        r.velocity = (V_ * v).cwiseQuotient(root_);
        r.acceleration = (V_ * w).cwiseQuotient(root_);
        r.jerk = (V_ * j).cwiseQuotient(root_);
        r.snap = (V_ * k).cwiseQuotient(root_);
        r.impulse = -(V_ * sum).cwiseProduct(root_);
        return r;
    }

    // Bounds on the n-th time derivative of the stretch of spring i, for all times.
    double bound_on(int spring, int derivative) const {
        return bound_[static_cast<std::size_t>(derivative)][spring];
    }

    double fastest() const { return omega_[2]; }

private:
    // A = G^T G with G from the triangular factors of K, so that rounding K's entries does not
    // touch its small eigenvalues.
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
    std::array<Vec3, 6> bound_;
};

// A function of time where it is now: it must stay positive. d1 to d3 are its derivatives, bound
// that of the fourth for all times.
struct Watched {
    double value, d1, d2, d3, bound;

    // A lower bound of the function on [0, t] that falls with t: terms that help are left out.
    double at_least(double t) const {
        return value +
               t * (std::min(d1, 0.0) + t * (0.5 * std::min(d2, 0.0) +
                                             t * (std::min(d3, 0.0) / 6.0 - t * bound / 24.0)));
    }

    // A time in which the function surely stays positive; near a zero it comes within 1 % of it.
    double safe_time() const {
        if (!(value > 0.0)) return 0.0;
        // where each term alone would use up the value
        double high = k_never;
        if (d1 < 0.0) high = std::min(high, value / -d1);
        if (d2 < 0.0) high = std::min(high, std::sqrt(2.0 * value / -d2));
        if (d3 < 0.0) high = std::min(high, std::cbrt(6.0 * value / -d3));
        if (bound > 0.0) high = std::min(high, std::sqrt(std::sqrt(24.0 * value / bound)));
        if (high == k_never) return high;
        double low = 0.0;
        for (int i = 0; i < 9; ++i) {
            const double middle = 0.5 * (low + high);
            (at_least(middle) > 0.0 ? low : high) = middle;
        }
        return low;
    }
};

// The three functions whose zeros end the stretch: u_z, the normal force and the room left in the
// friction cone, (mu F)^2 - (kt |d|)^2.
class StickEvents {
public:
    StickEvents(const CompliantState& s, const StickVibration& vibration)
        : uz_sign_(s.compressing ? -1.0 : 1.0),
          kt2_(s.kt * s.kt),
          mu2k2_(s.parameters.mu * s.parameters.mu * s.k() * s.k()),
          short_time_(1e-2 / vibration.fastest()) {
        const auto d = [&](int n) {
            return std::hypot(vibration.bound_on(0, n), vibration.bound_on(1, n));
        };
        const auto f = [&](int n) { return vibration.bound_on(2, n); };
        const auto fourth = [](const auto& a) {
            return 2.0 * (a(0) * a(4) + 4.0 * a(1) * a(3) + 3.0 * a(2) * a(2));
        };
        const auto third = [](const auto& a) { return 2.0 * (3.0 * a(1) * a(2) + a(0) * a(3)); };
        uz_bound_ = f(5);
        uz_second_ = f(3);
        force_bound_ = f(4);
        room_bound_ = kt2_ * fourth(d) + mu2k2_ * fourth(f);
        room_third_ = kt2_ * third(d) + mu2k2_ * third(f);
    }

    Watched uz(const StickVibration::At& r) const {
        return {uz_sign_ * r.velocity.z(), uz_sign_ * r.acceleration.z(), uz_sign_ * r.jerk.z(),
                uz_sign_ * r.snap.z(), uz_bound_};
    }
    // The normal spring is pressed while its stretch is negative.
    Watched force(const StickVibration::At& r) const {
        return {-r.stretch.z(), -r.velocity.z(), -r.acceleration.z(), -r.jerk.z(), force_bound_};
    }
    Watched room(const StickVibration::At& r) const {
        const auto square = [](const auto& x, const auto& v, const auto& a, const auto& j) {
            return std::array<double, 4>{x.dot(x), 2.0 * x.dot(v), 2.0 * (v.dot(v) + x.dot(a)),
                                         2.0 * (3.0 * v.dot(a) + x.dot(j))};
        };
        const auto d = square(r.stretch.head<2>(), r.velocity.head<2>(), r.acceleration.head<2>(),
                              r.jerk.head<2>());
        const auto f = square(r.stretch.tail<1>(), r.velocity.tail<1>(), r.acceleration.tail<1>(),
                              r.jerk.tail<1>());
        const auto difference = [&](std::size_t n) { return mu2k2_ * f[n] - kt2_ * d[n]; };
        return {difference(0), difference(1), difference(2), difference(3), room_bound_};
    }

    struct Times {
        double uz, force, room;
        double first() const { return std::min({uz, force, room}); }
    };
    Times safe_times(const StickVibration::At& r) const {
        return {uz(r).safe_time(), force(r).safe_time(), room(r).safe_time()};
    }

    // A safe first step when some of the functions start at zero and rise.
    double first_step(const CompliantState& s, const StickVibration::At& r, bool on_cone) const {
        const auto leave = [](double slope, double bound) {
            return bound > 0.0 ? std::abs(slope) / bound : k_never;
        };
        const double for_uz =
            s.uz == 0.0 ? leave(r.acceleration.z(), uz_second_) : uz(r).safe_time();
        const Watched cone = room(r);
        if (s.F == 0.0) {
            // the tip of the cone; where its room grows slower than t^2, only the next order tells,
            // and it is positive, or the impact would have started in slip
            const double full = 2.0 * mu2k2_ * r.velocity.z() * r.velocity.z();
            return std::min(for_uz,
                            cone.d2 > 1e-7 * full ? leave(cone.d2, room_third_) : short_time_);
        }
        double for_room = cone.safe_time();
        if (on_cone) {
            // far enough that the room, which starts from zero, stands out of its own rounding
            constexpr double k_rounding = 1e-12;
            const double full = mu2k2_ * r.stretch.z() * r.stretch.z();
            for_room = leave(cone.d2, room_third_);
            if (cone.d2 > 0.0) {
                for_room = std::max(for_room, std::sqrt(2.0 * k_rounding * full / cone.d2));
            }
        }
        return std::min({for_uz, force(r).safe_time(), for_room});
    }

private:
    double uz_sign_;
    double kt2_, mu2k2_;
    double short_time_;
    double uz_bound_, uz_second_, force_bound_, room_bound_, room_third_;
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
    if (times.force == first) {
        s.F = 0.0;
        return CompliantEvent::end;
    }
    return CompliantEvent::mode_change;
}

}  // namespace carom::impact
