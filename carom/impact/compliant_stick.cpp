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

// A = G^T G of compliant_modes.h in the precision of Real.
template <class Real>
Eigen::Matrix<Real, 3, 3> stiffness(const Principal& K, const Vec3& root) {
    Eigen::Matrix<Real, 3, 3> G = Eigen::Matrix<Real, 3, 3>::Zero();
    G(0, 0) = std::sqrt(static_cast<Real>(K.k1)) * static_cast<Real>(root.x());
    G(1, 1) = std::sqrt(static_cast<Real>(K.k2)) * static_cast<Real>(root.y());
    G(2, 2) = std::sqrt(static_cast<Real>(K.kappa)) * static_cast<Real>(root.z());
    G(0, 2) = std::sqrt(static_cast<Real>(K.k1)) * static_cast<Real>(K.q1 * root.z());
    G(1, 2) = std::sqrt(static_cast<Real>(K.k2)) * static_cast<Real>(K.q2 * root.z());
    return G.transpose() * G;
}

// The motion of the sticking contact from a state on: a cos + b sin in each mode.
class StickVibration {
public:
    StickVibration(const CompliantState& s, const StickModes& modes) : m_(modes) {
        const Vec3 y0(m_.root.x() * s.dx, m_.root.y() * s.dy, -s.F / m_.root.z());
        const Vec3 v0 = m_.root.cwiseProduct(Vec3(s.x, s.y, s.uz));
        a_ = m_.V.transpose() * y0;
        b_ = (m_.V.transpose() * v0).cwiseQuotient(m_.omega);
        bound();
    }

    struct At {
        Vec3 stretch;   // d and -F/k
        Vec3 velocity;  // u
        Vec3 acceleration;
        Vec3 jerk, snap;  // the next derivatives of the velocity
    };

    At at(double t) const {
        Eigen::Matrix<double, 3, 5> q;
        for (int i = 0; i < 3; ++i) {
            const double c = std::cos(m_.omega[i] * t);
            const double s = std::sin(m_.omega[i] * t);
            const double minus_square = -m_.omega[i] * m_.omega[i];
            q(i, 0) = a_[i] * c + b_[i] * s;
            q(i, 1) = m_.omega[i] * (b_[i] * c - a_[i] * s);
            for (int n = 2; n < 5; ++n)
                q(i, n) = minus_square * q(i, n - 2);
        }
        const Vec3 inverse = m_.root.cwiseInverse();
        const auto derivative = [&](int n) -> Vec3 {
            return m_.V.lazyProduct(q.col(n)).cwiseProduct(inverse);
        };
        return {derivative(0), derivative(1), derivative(2), derivative(3), derivative(4)};
    }

    // Since the start.
    Vec3 impulse(double t) const {
        Vec3 sum;
        for (int i = 0; i < 3; ++i) {
            const double half = std::sin(0.5 * m_.omega[i] * t);
            sum[i] = (a_[i] * std::sin(m_.omega[i] * t) + 2.0 * b_[i] * half * half) / m_.omega[i];
        }
        return -(m_.V * sum).cwiseProduct(m_.root);
    }

    // Bounds on the n-th time derivative of the stretch of spring i, for all times.
    double bound_on(int spring, int derivative) const {
        return bound_[static_cast<std::size_t>(derivative)][spring];
    }

    double fastest() const { return m_.omega[2]; }

private:
    void bound() {
        for (int spring = 0; spring < 3; ++spring) {
            Vec3 size;
            for (int i = 0; i < 3; ++i) {
                size[i] = std::abs(m_.V(spring, i)) * std::sqrt(a_[i] * a_[i] + b_[i] * b_[i]) /
                          m_.root[spring];
            }
            for (std::size_t n = 0; n < bound_.size(); ++n) {
                bound_[n][spring] = size.sum();
                size = size.cwiseProduct(m_.omega);
            }
        }
    }

    const StickModes& m_;
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

    // A time in which the function surely stays positive, near a zero it comes within 1 % of it;
    // infinity if that is longer than the time asked for.
    double safe_time(double asked = k_never) const {
        if (!(value > 0.0)) return 0.0;
        if (asked < k_never && at_least(asked) > 0.0) return k_never;
        // where each term alone would use up the value
        double high = asked;
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
        enough_pressure_ = s.kt * d(0) / (s.parameters.mu * s.k());
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
    // The first of the times, and infinity for later ones where that is clear at a glance.
    Times safe_times(const StickVibration::At& r) const {
        Times times;
        times.uz = uz(r).safe_time();
        times.force = force(r).safe_time(times.uz);
        const double first = std::min(times.uz, times.force);
        times.room = room(r).safe_time(first);
        // inside the cone at least as long as the force alone outweighs any stretch there can be
        if (times.room > 0.0 && times.room < first) {
            Watched above = force(r);
            above.value -= enough_pressure_;
            times.room = std::max(times.room, above.safe_time(first));
        }
        return times;
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
    double enough_pressure_;
    double uz_bound_, uz_second_, force_bound_, room_bound_, room_third_;
};

void trace_stick(const CompliantState& s, const StickVibration& vibration, double end) {
    CompliantState now = s;
    const double energy = s.normal_energy();
    for (int i = 1; i < k_trace_samples; ++i) {
        const double t = end * i / k_trace_samples;
        const StickVibration::At r = vibration.at(t);
        const Vec3 impulse = vibration.impulse(t);
        now.x = r.velocity.x();
        now.y = r.velocity.y();
        now.uz = r.velocity.z();
        now.px = s.px + impulse.x();
        now.py = s.py + impulse.y();
        now.pz = s.pz + impulse.z();
        now.dx = r.stretch.x();
        now.dy = r.stretch.y();
        now.F = -s.k() * r.stretch.z();
        now.sample(Mode::stick, energy - now.normal_energy());
    }
}

}  // namespace

StickModes::StickModes(const Principal& K, double kt, double k)
    : root(std::sqrt(kt), std::sqrt(kt), std::sqrt(k)) {
    const Eigen::SelfAdjointEigenSolver<Mat3> fast(stiffness<double>(K, root));
    if (fast.eigenvalues()[0] > 1e-4 * fast.eigenvalues()[2]) {
        V = fast.eigenvectors();
        omega = fast.eigenvalues().cwiseSqrt();
        return;
    }
    // small eigenvalues need the longer mantissa
    using Wide = Eigen::Matrix<long double, 3, 3>;
    const Eigen::SelfAdjointEigenSolver<Wide> wide(stiffness<long double>(K, root));
    V = wide.eigenvectors().cast<double>();
    omega = wide.eigenvalues()
                .cwiseMax(static_cast<long double>(std::numeric_limits<double>::min()))
                .cwiseSqrt()
                .cast<double>();
}

CompliantEvent compliant_stick(CompliantState& s, bool on_cone) {
    const StickVibration vibration(s, s.modes.of(s.compressing, s.K, s.kt, s.k()));
    const StickEvents events(s, vibration);

    double t = events.first_step(s, vibration.at(0.0), on_cone);
    StickVibration::At r = vibration.at(t);
    StickEvents::Times times = events.safe_times(r);
    for (;;) {
        const double step = times.first();
        if (!(step > 2.0 * k_ulp * t)) break;
        if (!s.spend(CompliantState::k_stick_step)) return CompliantEvent::lost;
        t += step;
        r = vibration.at(t);
        times = events.safe_times(r);
    }
    if (s.trace != nullptr) trace_stick(s, vibration, t);

    const double pz_before = s.pz;
    const double energy_before = s.normal_energy();
    const Vec3 impulse = vibration.impulse(t);
    s.x = r.velocity.x();
    s.y = r.velocity.y();
    s.uz = r.velocity.z();
    s.px += impulse.x();
    s.py += impulse.y();
    s.pz += impulse.z();
    s.dx = r.stretch.x();
    s.dy = r.stretch.y();
    s.F = std::max(0.0, -s.k() * r.stretch.z());
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
