// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace carom::motion {
namespace {

constexpr double k_slack = 8.0 * k_ulp;
// rounding of an orientation as evaluated, in radians
constexpr double k_turn_slack = 32.0 * k_ulp;
constexpr double k_pi = std::numbers::pi;

void check(double t, double d, double radius = 0.0) {
    if (!std::isfinite(t) || !std::isfinite(d) || d < 0.0) {
        throw std::invalid_argument("a bound needs a finite time and a finite horizon >= 0");
    }
    if (!std::isfinite(radius) || radius < 0.0) {
        throw std::invalid_argument("a bound needs a finite radius >= 0");
    }
}

double chord(double angle) {
    return angle >= k_pi ? 2.0 : 2.0 * std::sin(0.5 * angle);
}

Interval widened(Interval r, double slack) {
    return {r.low - slack, r.high + slack};
}

Interval hull(Interval a, Interval b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// Range of v s + g s^2 / 2 over [0, d].
Interval parabola_range(double v, double g, double d) {
    const double end = d * (v + 0.5 * g * d);
    Interval r{std::min(0.0, end), std::max(0.0, end)};
    // apex inside
    if (v * g < 0.0 && std::abs(v) < std::abs(g) * d) {
        const double apex = -0.5 * v * (v / g);
        r = {std::min(r.low, apex), std::max(r.high, apex)};
    }
    return r;
}

// Range of v s + A cos(w s + phase) + B sin(w s + phase) over [0, d], minus its value at s = 0.
Interval wave_range(double v, double A, double B, double w, double phase, double d) {
    const auto f = [&](double s) {
        const double angle = w * s;
        // differences of cos and sin without cancellation
        const double half = 0.5 * angle;
        const double k = 2.0 * std::sin(half);
        return v * s + k * (B * std::cos(phase + half) - A * std::sin(phase + half));
    };
    Interval r{std::min(0.0, f(d)), std::max(0.0, f(d))};
    const double size = std::hypot(A, B);
    const double steep = w * size;
    if (!(steep > std::abs(v))) return r;
    // slope zero: cos(angle + phase + lead) = -v / steep with (B, A) = size (cos, sin) of lead
    const double lead = std::atan2(A, B);
    const double turn = std::acos(std::clamp(-v / steep, -1.0, 1.0));
    for (const double root : {turn, -turn}) {
        const double first = root - lead - phase;
        const double period = 2.0 * k_pi;
        double angle = first - period * std::floor(first / period);
        for (const double a : {angle, angle + period * std::floor((w * d - angle) / period)}) {
            if (a < 0.0 || a > w * d) continue;
            const double value = f(a / w);
            r = {std::min(r.low, value), std::max(r.high, value)};
        }
    }
    return r;
}

// The centre of a prescribed motion along a direction, from t on.
Interval centre_range(const Prescribed& m, double t, double d, const Vec3& n) {
    const double v = n.dot(m.axis_velocity());
    if (m.spin() == 0.0) return parabola_range(v, 0.0, d);
    return wave_range(v, n.dot(m.cosine()), n.dot(m.sine()), m.spin(), m.angle_at(t), d);
}

Interval centre_range(const Ballistic& m, double t, double d, const Vec3& n) {
    return parabola_range(n.dot(m.velocity_at(t)), n.dot(m.gravity()), d);
}

Interval centre_range(const Integrated& m, double t, double d, const Vec3& n) {
    const double end = t + d;
    const std::size_t last = m.index_at(end);
    Interval r{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t i = m.index_at(t); i <= last; ++i) {
        const DensePiece& p = m.pieces()[i];
        const Range one = p.position_along(std::max(t, p.start()), std::min(end, m.end_of(i)), n);
        r = hull(r, {one.low, one.high});
    }
    const double here = n.dot(m.position_at(t));
    return {r.low - here, r.high - here};
}

// Within the parabolas that the largest and the least acceleration along n give.
Interval centre_range(const SphereOnPlane& m, double t, double d, const Vec3& n) {
    const Vec3 v = m.velocity_at(t);
    const SphereOnPlane::Rates rates = m.rates(t, d);
    const double spread = rates.a_spread * n.norm();
    const double a = n.dot(rates.a);
    const Interval low = parabola_range(n.dot(v), a - spread, d);
    if (spread == 0.0) return low;
    const Interval parabolas{low.low, parabola_range(n.dot(v), a + spread, d).high};
    // over more than part of a turn the circle itself is tighter
    constexpr double k_part = 0.5;
    const auto rate = m.turning_rate();
    if (!rate || std::abs(*rate) * d < k_part) return parabolas;
    const Vec3 axis = m.contact().plane.normal.normalized();
    const Vec3 around = rates.a / (*rate * *rate);
    const Vec3 drift = v + *rate * axis.cross(around);
    const double sense = *rate > 0.0 ? 1.0 : -1.0;
    return wave_range(n.dot(drift), -n.dot(around), -sense * n.dot(axis.cross(around)),
                      std::abs(*rate), 0.0, d);
}

Interval centre_range(const Accelerated& m, double t, double d, const Vec3& n) {
    return parabola_range(n.dot(m.velocity_at(t)), n.dot(m.acceleration()), d);
}

// Rounding of the centre's coordinates as evaluated at t and t + d.
double position_rounding(const Motion& motion, double t, double d) {
    const auto size = [](const Vec3& v) { return v.cwiseAbs().maxCoeff(); };
    double reach = size(position_at(motion, t)) + size(position_at(motion, t + d));
    if (const auto* m = std::get_if<Ballistic>(&motion)) {
        const double tau =
            std::max(std::abs(t - m->start_time()), std::abs(t + d - m->start_time()));
        reach += size(m->velocity_at(t)) * tau + size(m->gravity()) * tau * tau;
        reach += size(m->velocity_at(t)) * (std::abs(t) + d);
    } else if (const auto* p = std::get_if<Prescribed>(&motion)) {
        const double tau =
            std::max(std::abs(t - p->start_time()), std::abs(t + d - p->start_time()));
        reach += size(p->base()) + size(p->axis_velocity()) * (tau + std::abs(t) + d);
        reach += size(p->cosine()) * (1.0 + p->spin() * (std::abs(t) + d));
    } else if (const auto* sphere = std::get_if<SphereOnPlane>(&motion)) {
        // on a circle with drift, more than the way itself
        const double speed = size(sphere->velocity_at(t)) + size(sphere->velocity_at(t + d)) +
                             size(sphere->contact().plane.velocity);
        const double tau = t + d - sphere->start_time();
        reach += speed * (std::abs(t) + d + tau) + size(sphere->contact().gravity) * tau * tau;
    } else {
        reach += size(at(motion, t).velocity) * (std::abs(t) + d);
    }
    return k_slack * reach;
}

struct Spin {
    double most, rate;
};

Spin spin_of(const Prescribed& m, double /*t*/, double /*d*/) {
    return {m.spin() * (1.0 + k_slack), 0.0};
}
Spin spin_of(const Ballistic& m, double /*t*/, double /*d*/) {
    return {m.rotation().spin_max(), m.rotation().spin_rate_max()};
}
Spin spin_of(const Integrated& m, double t, double d) {
    Spin spin{0.0, 0.0};
    const std::size_t last = m.index_at(t + d);
    for (std::size_t i = m.index_at(t); i <= last; ++i) {
        spin.most = std::max(spin.most, m.pieces()[i].spin_max());
        spin.rate = std::max(spin.rate, m.pieces()[i].spin_rate_max());
    }
    return spin;
}

Spin spin_of(const SphereOnPlane& m, double t, double d) {
    const SphereOnPlane::Rates rates = m.rates(t, d);
    return {rates.spin_max, rates.spin_rate_max};
}

Spin spin_of(const Accelerated& m, double /*t*/, double /*d*/) {
    return {m.spin_max() * (1.0 + k_slack), m.spin_rate_max() * (1.0 + k_slack)};
}

// Rounding of the orientation at two times, in radians, that of the times included.
double turn_rounding(const Spin& spin, double t, double d) {
    return k_turn_slack + k_slack * spin.most * (std::abs(t) + d);
}

LocalBounds bounds_of(const Prescribed& m, double t, double horizon) {
    const Spin spin = spin_of(m, t, horizon);
    const double angle = m.angle_at(t);
    const Vec3 arm = std::cos(angle) * m.cosine() + std::sin(angle) * m.sine();
    const double square = m.spin() * m.spin();
    const double size = square * m.cosine().norm();
    const double spread = size * (std::min(2.0, m.spin() * horizon / 3.0) + k_slack);
    return {-square * arm, spread, spin.most, 0.0};
}

LocalBounds bounds_of(const Ballistic& m, double t, double horizon) {
    const Spin spin = spin_of(m, t, horizon);
    return {m.gravity(), 0.0, spin.most, spin.rate};
}

LocalBounds bounds_of(const Integrated& m, double t, double horizon) {
    const double end = t + horizon;
    const std::size_t first = m.index_at(t);
    const std::size_t last = m.index_at(end);
    VecBox box = m.pieces()[first].acceleration_box(t, std::min(end, m.end_of(first)));
    for (std::size_t i = first + 1; i <= last; ++i) {
        const DensePiece& p = m.pieces()[i];
        const VecBox one =
            i < last ? p.whole_acceleration_box() : p.acceleration_box(p.start(), end);
        box.low = box.low.cwiseMin(one.low);
        box.high = box.high.cwiseMax(one.high);
    }
    const Vec3 middle = 0.5 * (box.low + box.high);
    const Spin spin = spin_of(m, t, horizon);
    return {middle, (0.5 * (box.high - box.low)).norm() + k_slack * middle.norm(), spin.most,
            spin.rate};
}

LocalBounds bounds_of(const SphereOnPlane& m, double t, double horizon) {
    const SphereOnPlane::Rates rates = m.rates(t, horizon);
    return {rates.a, rates.a_spread, rates.spin_max, rates.spin_rate_max};
}

LocalBounds bounds_of(const Accelerated& m, double /*t*/, double /*horizon*/) {
    return {m.acceleration(), 0.0, m.spin_max() * (1.0 + k_slack),
            m.spin_rate_max() * (1.0 + k_slack)};
}

// The largest way on a parabola.
double parabola_way(const Vec3& v, const Vec3& g, double d) {
    const auto way = [&](double s) { return (s * (v + 0.5 * s * g)).norm(); };
    double most = way(d);
    // d/ds of its square over s: 2 v.v + 3 v.g s + g.g s^2
    const double vv = v.squaredNorm(), vg = v.dot(g), gg = g.squaredNorm();
    const double root = 9.0 * vg * vg - 8.0 * vv * gg;
    if (vg < 0.0 && root > 0.0) {
        // the smaller root is the maximum
        const double s = 4.0 * vv / (-3.0 * vg + std::sqrt(root));
        if (s < d) most = std::max(most, way(s));
    }
    return most;
}

// Largest |c(s) - c(t)|.
double centre_way(const Prescribed& m, double /*t*/, double d) {
    return m.axis_velocity().norm() * d + m.cosine().norm() * chord(m.spin() * d);
}

double centre_way(const Ballistic& m, double t, double d) {
    return parabola_way(m.velocity_at(t), m.gravity(), d);
}

double centre_way(const Accelerated& m, double t, double d) {
    return parabola_way(m.velocity_at(t), m.acceleration(), d);
}

double centre_way(const SphereOnPlane& m, double t, double d) {
    const SphereOnPlane::Rates rates = m.rates(t, d);
    return parabola_way(m.velocity_at(t), rates.a, d) + 0.5 * rates.a_spread * d * d;
}

double centre_way(const Integrated& m, double t, double d) {
    const double end = t + d;
    const Vec3 here = m.position_at(t);
    const std::size_t last = m.index_at(end);
    double most = 0.0;
    for (std::size_t i = m.index_at(t); i <= last; ++i) {
        const DensePiece& p = m.pieces()[i];
        const VecBox box = p.position_box(std::max(t, p.start()), std::min(end, m.end_of(i)));
        const Vec3 far = (here - box.low).cwiseAbs().cwiseMax((box.high - here).cwiseAbs());
        most = std::max(most, far.norm());
    }
    return most;
}

}  // namespace

LocalBounds bounds(const Motion& motion, double t, double horizon) {
    check(t, horizon);
    return std::visit([&](const auto& m) { return bounds_of(m, t, horizon); }, motion);
}

double displacement_bound(const Motion& motion, double t, double d, double radius) {
    check(t, d, radius);
    const double way = std::visit([&](const auto& m) { return centre_way(m, t, d); }, motion);
    const Spin spin = std::visit([&](const auto& m) { return spin_of(m, t, d); }, motion);
    const double turn = radius * chord(spin.most * d);
    return (way + turn) * (1.0 + k_slack) + radius * turn_rounding(spin, t, d) +
           position_rounding(motion, t, d);
}

Interval displacement_along(const Motion& motion, double t, double d, const Vec3& direction,
                            double radius) {
    check(t, d, radius);
    const double size = direction.norm();
    const Interval centre =
        std::visit([&](const auto& m) { return centre_range(m, t, d, direction); }, motion);
    const Spin spin = std::visit([&](const auto& m) { return spin_of(m, t, d); }, motion);
    double turn = 0.0;
    if (radius > 0.0 && spin.most > 0.0) {
        // n . (A - 1) r, with A the rotation since t, grows no faster than |w x n| radius
        const Vec3 w = attitude_at(motion, t).angular_velocity;
        const double across = w.cross(direction).norm();
        turn = std::min(size * chord(spin.most * d), d * (across + 0.5 * spin.rate * size * d));
        if (spin.rate == 0.0) turn = std::min(turn, across / w.norm() * chord(spin.most * d));
        turn *= radius;
    }
    const double reach = std::max(std::abs(centre.low), std::abs(centre.high)) + turn;
    const double slack = k_slack * reach + size * radius * turn_rounding(spin, t, d) +
                         size * std::sqrt(3.0) * position_rounding(motion, t, d);
    return widened({centre.low - turn, centre.high + turn}, slack);
}

Aabb swept_centre_box(const Motion& motion, double t0, double t1) {
    check(t0, t1 - t0);
    Aabb box;
    if (const auto* m = std::get_if<Integrated>(&motion)) {
        const std::size_t first = m->index_at(t0);
        const std::size_t last = m->index_at(t1);
        for (std::size_t i = first; i <= last; ++i) {
            const DensePiece& p = m->pieces()[i];
            const VecBox one = i > first && i < last ? p.whole_position_box()
                                                     : p.position_box(std::max(t0, p.start()),
                                                                      std::min(t1, m->end_of(i)));
            box.low = i == first ? one.low : Vec3(box.low.cwiseMin(one.low));
            box.high = i == first ? one.high : Vec3(box.high.cwiseMax(one.high));
        }
        return box;
    }
    const Vec3 here = position_at(motion, t0);
    const double rounding = position_rounding(motion, t0, t1 - t0);
    for (int i = 0; i < 3; ++i) {
        const Vec3 axis = Vec3::Unit(i);
        const Interval r =
            std::visit([&](const auto& m) { return centre_range(m, t0, t1 - t0, axis); }, motion);
        box.low[i] = here[i] + r.low - rounding;
        box.high[i] = here[i] + r.high + rounding;
    }
    return box;
}

}  // namespace carom::motion
