// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/sphere_ways.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom::motion {
namespace {

constexpr std::size_t k_terms = AttitudeTrack::k_order;
// Where the variable of a slope that ends stops: the velocity left there turns nothing.
constexpr double k_variable_reach = 45.0;

using Scalars = std::array<double, k_terms>;
using Vectors = std::array<Vec2, k_terms>;

double sinc(double x) {
    return x == 0.0 ? 1.0 : std::sin(x) / x;
}

// (x - sin x) / x^3
double cubic_part(double x) {
    if (std::abs(x) > 1.0) return (x - std::sin(x)) / (x * x * x);
    double term = 1.0 / 6.0;
    double sum = term;
    for (int k = 1; k <= 8; ++k) {
        term *= -x * x / ((2 * k + 2) * (2 * k + 3));
        sum += term;
    }
    return sum;
}

double factorial_step(std::size_t k) {
    return 1.0 / static_cast<double>(k + 1);
}

// rate[k] = sum of q[j] w[k-j] in place of w: the angular velocity per unit of a variable with
// dt = q ds.
void scale_by(const Scalars& q, AttitudeTrack::Series& out) {
    for (std::size_t k = k_terms; k-- > 0;) {
        Vec3 sum = Vec3::Zero();
        for (std::size_t j = 0; j <= k; ++j)
            sum += q[j] * out.w[k - j];
        out.w[k] = sum;
    }
}

}  // namespace

Planar LineWay::at(double tau) const {
    return {tau * (v + (0.5 * tau) * a), v + tau * a, b + tau * b_rate};
}

void LineWay::series(double s, const ContactFrame& frame, const NormalSpin& spin,
                     AttitudeTrack::Series& out) const {
    out.w[0] = frame.angular_velocity(b + s * b_rate, spin.first + s * spin.rate);
    out.w[1] = frame.angular_velocity(b_rate, spin.rate);
    out.degree = 1;
    out.reach = k_never;
}

// With th = rate tau:
//     v = Rot(th) v0 + sin(th)/rate pull + (1 - cos th)/rate J pull,
//     d = sin(th)/rate v0 + (1 - cos th)/rate J v0 + (1 - cos th)/rate^2 pull
//         + (th - sin th)/rate^2 J pull:
// no small rate makes a large number here.
Planar CircleWay::at(double tau) const {
    using Real = long double;
    const double angle = rate * tau;
    const Real turns =
        static_cast<Real>(rate) * static_cast<Real>(tau) / (2 * std::numbers::pi_v<Real>);
    const double reduced = 2.0 * std::numbers::pi * static_cast<double>(turns - std::rint(turns));
    const double c = std::cos(reduced);
    const double s = std::sin(reduced);
    const double half = std::sin(0.5 * reduced);
    const bool small = std::abs(angle) < 1.0;
    const double sine = small ? tau * sinc(angle) : s / rate;
    const double root = sinc(0.5 * angle);
    const double versine = small ? 0.5 * angle * tau * root * root : 2.0 * half * half / rate;
    Planar out;
    out.d = sine * v + versine * quarter_turn(v);
    out.v = c * v + s * quarter_turn(v);
    if (!pull.isZero(0.0)) {
        const double square = small ? 0.5 * tau * tau * root * root : versine / rate;
        const double rest = small ? tau * tau * angle * cubic_part(angle) : (tau - sine) / rate;
        const Vec2 across = quarter_turn(pull);
        out.d += square * pull + rest * across;
        out.v += sine * pull + versine * across;
    }
    out.b = b + turn_rate * quarter_turn(out.d) - (out.v - v);
    return out;
}

PlanarRates CircleWay::rates(double tau) const {
    const Vec2 now = at(tau).v;
    const Vec2 a = rate * quarter_turn(now) + pull;
    return {a, turn_rate * quarter_turn(now) - a};
}

void CircleWay::series(double s, const ContactFrame& frame, const NormalSpin& spin,
                       AttitudeTrack::Series& out) const {
    const Planar now = at(s);
    Vec2 v_k = now.v;
    out.w[0] = frame.angular_velocity(now.b, spin.first + s * spin.rate);
    for (std::size_t k = 0; k + 1 < k_terms; ++k) {
        const Vec2 d_next = v_k * factorial_step(k);
        Vec2 v_next = rate * quarter_turn(v_k);
        if (k == 0) v_next += pull;
        v_next *= factorial_step(k);
        out.w[k + 1] = frame.angular_velocity(turn_rate * quarter_turn(d_next) - v_next,
                                              k == 0 ? spin.rate : 0.0);
        v_k = v_next;
    }
    out.degree = k_terms - 1;
    out.reach = k_never;
}

// a turns with a constant size: |a - g|^2 = |a|^2 + |g|^2 - 2 |a||g| cos(angle between).
double CircleWay::exceeds(const Vec2& g, double limit) const {
    const Vec2 a = rate * quarter_turn(v) + pull;
    const double size = a.norm() * g.norm();
    if (!(size > 0.0)) return k_never;
    const double cosine = (a.squaredNorm() + g.squaredNorm() - limit * limit) / (2.0 * size);
    if (!(cosine > -1.0)) return k_never;
    const double widest = std::acos(std::min(1.0, cosine));
    // angle from g, in the sense of the turning
    const double sense = rate > 0.0 ? 1.0 : -1.0;
    const double angle = sense * std::atan2(quarter_turn(g).dot(a), g.dot(a));
    return std::max(0.0, widest - angle) / std::abs(rate);
}

Planar SlopeWay::at_parameter(double tau, double p) const {
    const Hodograph::Point now = u.at_parameter(p);
    if (!slides) return {now.y, now.u, -now.u};
    const double share = 1.0 / (1.0 + kappa);
    const Vec2 v_now = v + share * ((kappa * tau) * g + (now.u - u0));
    const Vec2 d = tau * v + share * ((0.5 * kappa * tau * tau) * g + (now.y - tau * u0));
    return {d, v_now, now.u - v_now};
}

Vec2 SlopeWay::direction(double tau) const {
    const Vec2 now = u.velocity_at_parameter(u.parameter_at(tau));
    const double size = now.norm();
    return size > 0.0 ? Vec2(now / size) : Vec2::UnitX();
}

PlanarRates SlopeWay::rates(double tau) const {
    const Vec2 along = direction(tau);
    if (slides) {
        const Vec2 f = -u.friction() / (1.0 + kappa) * along;
        return {g + f, kappa * f};
    }
    const Vec2 a = Vec2(u.pull(), 0.0) - u.friction() * along;
    return {a, -a};
}

double SlopeWay::variable_at(double tau) const {
    const double p = u.parameter_at(tau);
    const double slow = u.friction() - u.pull();
    return slow > 0.0 ? std::min(p, k_variable_reach / slow) : p;
}

void SlopeWay::series(double s, const ContactFrame& frame, const NormalSpin& spin,
                      AttitudeTrack::Series& out) const {
    const Hodograph::Parts parts = u.parts_at_parameter(s);
    const double across = u.velocity_at_parameter(s).y();
    double a_k = parts.a;
    double b_k = parts.b;
    double c_k = across;
    double t_k = u.time_at_parameter(s);
    const double share = 1.0 / (1.0 + kappa);
    Scalars q;
    for (std::size_t k = 0; k < k_terms; ++k) {
        q[k] = a_k + b_k;
        const Vec2 u_k(a_k - b_k, c_k);
        Vec2 b_now = -u_k;
        if (slides) {
            Vec2 v_k = share * (kappa * t_k * g + u_k);
            if (k == 0) v_k += v - share * u0;
            b_now = u_k - v_k;
        }
        out.w[k] = frame.angular_velocity(b_now, (k == 0 ? spin.first : 0.0) + spin.rate * t_k);
        t_k = q[k] * factorial_step(k);
        a_k *= -(u.friction() - u.pull()) * factorial_step(k);
        b_k *= -(u.friction() + u.pull()) * factorial_step(k);
        c_k *= -u.friction() * factorial_step(k);
    }
    scale_by(q, out);
    out.degree = k_terms - 1;
    out.reach = k_never;
}

Planar SeriesWay::at(double tau) const {
    const SlipSeries::Point now = u.at(tau);
    if (!slides) return {now.d, now.v, -now.y};
    return {now.d, now.v, now.y - now.v + turn_rate * quarter_turn(x + now.d)};
}

PlanarRates SeriesWay::rates(double tau) const {
    const SlipProblem& p = u.problem();
    const SlipSeries::Point now = u.at(tau);
    const Vec2 h = p.needed(now.v);
    const Vec2 y_rate = -p.alpha * h - p.friction_at(h) * u.direction_at(tau);
    const Vec2 a = p.v1 + p.m * y_rate + p.n * quarter_turn(now.v);
    if (!slides) return {a, -y_rate};
    return {a, y_rate - a + turn_rate * quarter_turn(now.v)};
}

void SeriesWay::series(double s, const ContactFrame& frame, const NormalSpin& spin,
                       AttitudeTrack::Series& out) const {
    const SlipSeries::Local local = u.local(s);
    const SlipProblem& p = u.problem();
    Scalars q;
    for (std::size_t k = 0; k < k_terms; ++k) {
        q[k] = static_cast<double>(k + 1) * local.t[k + 1];
        Vec2 b_k = -local.y[k];
        if (slides) {
            Vec2 v_k = local.t[k] * p.v1 + p.m * local.y[k] + p.n * quarter_turn(local.d[k]);
            if (k == 0) v_k += p.v0;
            b_k = local.y[k] - v_k + turn_rate * quarter_turn(local.d[k]);
            if (k == 0) b_k += turn_rate * quarter_turn(x);
        }
        out.w[k] =
            frame.angular_velocity(b_k, (k == 0 ? spin.first : 0.0) + spin.rate * local.t[k]);
    }
    scale_by(q, out);
    out.degree = k_terms - 1;
    out.reach = local.reach;
}

}  // namespace carom::motion
