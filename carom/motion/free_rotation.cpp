// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/free_rotation.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace carom::motion {
namespace {

constexpr double k_round_up = 1.0 + 8.0 * std::numeric_limits<double>::epsilon();

void check(const Quat& orientation, const Vec3& angular_velocity, double t0) {
    const double size = orientation.coeffs().cwiseAbs().maxCoeff();
    if (!orientation.coeffs().allFinite() || !(size > 0.0)) {
        throw std::invalid_argument(
            "the orientation is no quaternion of finite, nonzero length: give [w, x, y, z] with "
            "w^2 + x^2 + y^2 + z^2 = 1");
    }
    if (!angular_velocity.allFinite()) {
        throw std::invalid_argument("the angular velocity has a component that is not finite");
    }
    if (!std::isfinite(t0)) throw std::invalid_argument("the start time is not a finite number");
}

// Unit, also for lengths whose square over- or underflows.
Quat unit(const Quat& q) {
    Quat out(q.coeffs() / q.coeffs().cwiseAbs().maxCoeff());
    out.normalize();
    return out;
}

using Triple = std::array<DoubleDouble, 3>;

// R(q)^T w for q of any length.
Triple to_body(const Quat& q, const Vec3& w) {
    // a power of two out of the length: no rounding
    int exponent = 0;
    std::frexp(q.coeffs().cwiseAbs().maxCoeff(), &exponent);
    const auto scaled = [=](double c) { return DoubleDouble(std::ldexp(c, -exponent)); };
    const DoubleDouble s = scaled(q.w()), x = scaled(q.x()), y = scaled(q.y()), z = scaled(q.z());
    const DoubleDouble two(2.0);
    const DoubleDouble ww = s * s, xx = x * x, yy = y * y, zz = z * z;
    const DoubleDouble norm = ww + xx + yy + zz;
    const Triple v{DoubleDouble(w.x()), DoubleDouble(w.y()), DoubleDouble(w.z())};
    const auto row = [&](const DoubleDouble& a, const DoubleDouble& b, const DoubleDouble& c) {
        return (a * v[0] + b * v[1] + c * v[2]) / norm;
    };
    return {row(ww + xx - yy - zz, two * (x * y + s * z), two * (x * z - s * y)),
            row(two * (x * y - s * z), ww - xx + yy - zz, two * (y * z + s * x)),
            row(two * (x * z + s * y), two * (y * z - s * x), ww - xx - yy + zz)};
}

Triple to_principal(const PrincipalInertia& inertia, const Triple& v) {
    const auto& a = inertia.axis_entries();
    Triple out;
    for (std::size_t j = 0; j < 3; ++j)
        out[j] = a[j] * v[0] + a[3 + j] * v[1] + a[6 + j] * v[2];
    return out;
}

// The body seen from the frame with its third axis along L, turned by zeta from a fixed one.
Quat from_ordered_axes(const Polhode::Point& m) {
    const double up = 1.0 + m.z;
    const double scale = 1.0 / std::sqrt(2.0 * up);
    return {m.c * up * scale, (m.c * m.y + m.s * m.x) * scale, (m.s * m.y - m.c * m.x) * scale,
            m.s * up * scale};
}

// The rotation about a unit axis by twice as many turns.
Quat turned(const Vec3& axis, long double half_turns) {
    const double half =
        2.0 * std::numbers::pi * static_cast<double>(half_turns - std::rint(half_turns));
    const Vec3 v = std::sin(half) * axis;
    return {std::cos(half), v.x(), v.y(), v.z()};
}

}  // namespace

struct FreeRotation::Tumble {
    Polhode polhode;
    Quat frame;         // from the frame along L to the world
    Mat3 frame_matrix;  // the same
    Quat axes;          // from body axes to the polhode's
};

FreeRotation::FreeRotation(const Mat3& inertia, const Quat& orientation,
                           const Vec3& angular_velocity, double t0)
    : FreeRotation(PrincipalInertia(inertia), orientation, angular_velocity, t0) {}

FreeRotation::FreeRotation(const PrincipalInertia& inertia, const Quat& orientation,
                           const Vec3& angular_velocity, double t0) {
    check(orientation, angular_velocity, t0);
    t0_ = t0;
    const Quat first = unit(orientation);
    // slower than this turns by nothing in any time, and its square leaves the range
    constexpr double k_slowest = 1e-120;
    const double fastest = angular_velocity.cwiseAbs().maxCoeff();
    if (fastest < k_slowest) {
        set_steady(first, Vec3::Zero());
        return;
    }
    set_steady(first, angular_velocity);
    const Triple& moments = inertia.scaled_moments();
    const bool low_twins = is_zero(moments[1] - moments[0]);
    const bool high_twins = is_zero(moments[2] - moments[1]);
    if (low_twins || high_twins) {
        if (!low_twins || !high_twins)
            set_symmetric(inertia, low_twins ? 2 : 0, orientation, angular_velocity);
        return;
    }

    // a power of two out of the angular velocity, so that no square leaves the range
    int exponent = 0;
    std::frexp(fastest, &exponent);
    const Vec3 scaled =
        angular_velocity.unaryExpr([=](double w) { return std::ldexp(w, -exponent); });
    Triple momentum = to_principal(inertia, to_body(orientation, scaled));
    for (std::size_t i = 0; i < 3; ++i)
        momentum[i] = moments[i] * momentum[i];
    if (!Polhode::moves(moments, momentum)) return;

    const Polhode polhode(moments, momentum, std::ldexp(1.0, exponent));
    const Quat axes(Mat3((inertia.axes() * polhode.order()).transpose()));
    const Quat start = (from_ordered_axes(polhode.at(0.0L)) * axes).normalized();
    const Quat frame = (first * start.conjugate()).normalized();
    spin_max_ = polhode.spin_max();
    spin_rate_max_ = polhode.spin_rate_max();
    kind_ = Kind::asymmetric;
    tumble_ = std::make_shared<const Tumble>(
        Tumble{polhode, frame, frame.toRotationMatrix(), axes.normalized()});
}

FreeRotation FreeRotation::steady(const Quat& orientation, const Vec3& angular_velocity,
                                  double t0) {
    check(orientation, angular_velocity, t0);
    FreeRotation out;
    out.t0_ = t0;
    out.set_steady(unit(orientation), angular_velocity);
    return out;
}

void FreeRotation::set_steady(const Quat& orientation, const Vec3& angular_velocity) {
    using Real = long double;
    const Real x = static_cast<Real>(angular_velocity.x());
    const Real y = static_cast<Real>(angular_velocity.y());
    const Real z = static_cast<Real>(angular_velocity.z());
    const Real size = std::sqrt(x * x + y * y + z * z);
    kind_ = size > 0 ? Kind::steady : Kind::still;
    first_ = orientation;
    spin_ = angular_velocity;
    half_rate_ = size / (4 * std::numbers::pi_v<Real>);
    spin_max_ = static_cast<double>(size) * k_round_up;
}

void FreeRotation::set_symmetric(const PrincipalInertia& inertia, std::size_t odd,
                                 const Quat& orientation, const Vec3& angular_velocity) {
    using Real = long double;
    using Real3 = Eigen::Matrix<Real, 3, 1>;
    const auto real = [](const DoubleDouble& v) { return static_cast<Real>(v); };
    const auto& entries = inertia.axis_entries();
    const Real3 axis(real(entries[odd]), real(entries[3 + odd]), real(entries[6 + odd]));
    const Real twin = real(inertia.scaled_moments()[1]);
    const Real rho = real(inertia.scaled_moments()[odd] - inertia.scaled_moments()[1]) / twin;
    const Real3 a = Eigen::Quaternion<Real>(orientation.cast<Real>()).normalized() * axis;
    const Real3 w = angular_velocity.cast<Real>();
    // along the axis or across it the rotation is steady
    constexpr Real k_no_part = 1e-18L;
    const Real along = w.dot(a);
    const Real least = k_no_part * w.norm();
    if (std::abs(along) <= least || w.cross(a).norm() <= least) return;
    const Real own = -rho * along;
    const Real3 about_L = w - own * a;
    const Real rate = about_L.norm();
    constexpr Real k_half_turn = 4 * std::numbers::pi_v<Real>;
    kind_ = Kind::symmetric;
    spin_ = about_L.cast<double>();
    half_rate_ = rate / k_half_turn;
    axis_ = axis.cast<double>();
    own_spin_ = static_cast<double>(own);
    own_half_rate_ = own / k_half_turn;
    spin_rate_max_ = static_cast<double>(std::abs(own) * about_L.cross(a).norm()) * k_round_up;
}

Vec3 FreeRotation::symmetry_axis() const {
    return kind_ == Kind::symmetric ? axis_ : Vec3(Vec3::Zero());
}

Attitude FreeRotation::at(double t) const {
    if (kind_ == Kind::still) return {first_, Vec3::Zero()};
    const long double tau = static_cast<long double>(t) - static_cast<long double>(t0_);
    if (kind_ == Kind::asymmetric) return tumble_at(tau);
    return kind_ == Kind::symmetric ? symmetric_at(tau) : steady_at(tau);
}

Attitude FreeRotation::steady_at(long double tau) const {
    return {turned(spin_ / spin_.stableNorm(), half_rate_ * tau) * first_, spin_};
}

Attitude FreeRotation::symmetric_at(long double tau) const {
    const Quat about_L = turned(spin_ / spin_.stableNorm(), half_rate_ * tau);
    const Quat orientation = about_L * first_ * turned(axis_, own_half_rate_ * tau);
    return {orientation, spin_ + own_spin_ * (orientation * axis_)};
}

Attitude FreeRotation::tumble_at(long double tau) const {
    const Tumble& tumble = *tumble_;
    const Polhode::Point m = tumble.polhode.at(tau);
    const Vec3& a = tumble.polhode.rates();
    const double e = tumble.polhode.energy_rate();

    // angular velocity in the frame along L: its third component is constant
    const double zeta_rate = (e + a.z() * m.z) / (1.0 + m.z);
    const double x = (a.x() - zeta_rate) * m.x;
    const double y = (a.y() - zeta_rate) * m.y;
    const double c = (m.c - m.s) * (m.c + m.s);
    const double s = 2.0 * m.s * m.c;
    const Vec3 along(c * x - s * y, s * x + c * y, e);
    return {tumble.frame * from_ordered_axes(m) * tumble.axes, tumble.frame_matrix * along};
}

}  // namespace carom::motion
