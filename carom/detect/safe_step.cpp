// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/detect/safe_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/detect/normal_rate.h"
#include "carom/motion/accelerated.h"
#include "carom/motion/bounds.h"

namespace carom::detect {
namespace {

// The first d > 0 with c + b d + a d^2 / 2 = 0, for c >= 0; infinity if none.
double first_root(double a, double b, double c) {
    if (c <= 0.0 && b <= 0.0) return c < 0.0 || b < 0.0 || a < 0.0 ? 0.0 : k_never;
    const double square = b * b - 2.0 * a * c;
    if (square < 0.0) return k_never;
    const double root = std::sqrt(square);
    if (b <= 0.0) return 2.0 * c / (-b + root);
    return a < 0.0 ? (b + root) / -a : k_never;
}

bool constant_across(const motion::FreeRotation& rotation, const Vec3& axis) {
    constexpr double k_same = 1e-12;
    switch (rotation.kind()) {
        case motion::FreeRotation::Kind::still:
        case motion::FreeRotation::Kind::steady:
            return true;
        case motion::FreeRotation::Kind::symmetric:
            return rotation.symmetry_axis().cross(axis).norm() <= k_same;
        case motion::FreeRotation::Kind::asymmetric:
            return false;
    }
    return false;
}

// With u = w less its part along the axis a: |u| is constant, |du/dt| <= |dw/dt| + |w.a| |u|.
motion::LocalBounds shape_bounds(const MovingPart& part, const motion::State& state, double t,
                                 double horizon) {
    motion::LocalBounds b = motion::bounds(part.motion(), t, horizon);
    const ShapeSpin spin = shape_spin(part, state);
    if (!spin.reduced) return b;
    const double across = spin.w.norm() * (1.0 + 1e-14);
    b.spin_rate_max += b.spin_max * across;
    b.spin_max = across;
    return b;
}

// One body in the turning frame.
struct Turning {
    const MovingPart& part;
    const motion::State& state;
    shape::Index vertex;  // to look for extremes from
    Vec3 rate;            // w - W
    double spin_max;      // of the body
    double spin_rate_max;

    double most_rate(double frame_rate, double horizon) const {
        return std::min(rate.norm() + change(frame_rate) * horizon, spin_max + frame_rate);
    }
    double change(double frame_rate) const { return spin_rate_max + frame_rate * spin_max; }
    double curvature(double frame_rate, double horizon) const {
        if (part.reach() == 0.0) return 0.0;
        const double most = most_rate(frame_rate, horizon);
        return part.reach() * (most * most + change(frame_rate));
    }

    // The part of it that changes of the turning make.
    double drift(double frame_rate) const {
        return part.reach() == 0.0 ? 0.0 : part.reach() * change(frame_rate);
    }

    // The smallest value of sign r.(n + d n x rate) over the core, r from the centre of mass.
    double extreme(const Vec3& n, double d, double sign) const {
        return along(sign * (n + d * n.cross(rate)));
    }
    // The same with n turned by -d rate: of the core when it has turned by d rate.
    double turned_extreme(const Vec3& n, double d, double sign) const {
        return along(sign * (motion::rotation_by(-d * rate) * n));
    }
    // The smallest value of m.r over it.
    double along(const Vec3& m) const {
        if (part.unbounded()) return 0.0;
        const shape::Pose pose = part.pose(state);
        shape::Index hint = vertex;
        const Vec3 r =
            pose.apply(core_support(part.convex(), pose.rotate_inverse(-m), hint)) - state.position;
        return m.dot(r);
    }
};

// The bound for one choice of W.
class Bound {
public:
    Bound(const PairState& now, double t, double horizon, const Vec3& frame_rate)
        : n_(now.apart.normal), gap_(std::max(0.0, now.apart.lower)), horizon_(horizon) {
        const motion::LocalBounds ma = shape_bounds(*now.a, now.state_a, t, horizon);
        const motion::LocalBounds mb = shape_bounds(*now.b, now.state_b, t, horizon);
        vertex_a_ = vertex_at(now.a->convex(), now.apart.a);
        vertex_b_ = vertex_at(now.b->convex(), now.apart.b);
        const Turning a{*now.a,      now.state_a,
                        vertex_a_,   now.state_a.angular_velocity - frame_rate,
                        ma.spin_max, ma.spin_rate_max};
        const Turning b{*now.b,      now.state_b,
                        vertex_b_,   now.state_b.angular_velocity - frame_rate,
                        mb.spin_max, mb.spin_rate_max};
        const double W = frame_rate.norm();
        const Vec3 C = now.state_a.position - now.state_b.position;
        const Vec3 V = now.state_a.velocity - now.state_b.velocity;
        const Vec3 acceleration = ma.a - mb.a;
        const double spread = ma.a_spread + mb.a_spread;
        linear_ = n_.dot(V) + frame_rate.cross(n_).dot(C);
        fall_ = n_.dot(acceleration) - spread;
        bend_ = a.curvature(W, horizon) + b.curvature(W, horizon);
        drift_ = a.drift(W) + b.drift(W);
        curvature_ = bend_ + spread;
        if (W == 0.0) {
            curvature_ -= n_.dot(acceleration);
        } else {
            const double most = acceleration.norm() + spread;
            const double V_most = V.norm() + most * horizon;
            const double C_most = C.norm() + V_most * horizon;
            curvature_ += acceleration.norm() + 2.0 * W * V_most + W * W * C_most;
        }
        a_ = extremes(a, 1.0);
        b_ = extremes(b, -1.0);
    }

    // From the points that are extreme now: the true slope of the gap, never less than the bound's.
    double slope() const { return linear_ + a_.slope + b_.slope; }
    double curvature() const { return curvature_; }
    double gap_after(const PairState& now, const Vec3& frame_rate, double d) const {
        return gap_ + linear_ * d + extreme(now, frame_rate, d) - a_.value - b_.value;
    }

    // In a frame that does not turn: see the header.
    double step(const PairState& now) const {
        constexpr double k_guess = 0.999;  // so that rounding does not make it just too long
        const double upward = fall_ + bend_;
        const double swing = bend_ + drift_;
        double d = std::min(horizon_, k_guess * first_root(fall_ - drift_, slope(), gap_));
        // where the bound is smallest on the way, it has to be above zero there
        if (upward > 0.0 && 0.5 * swing * d - slope() < upward * d) {
            const double dip = (slope() + std::sqrt(2.0 * upward * gap_)) / (0.5 * swing);
            const double none = -slope() / (upward - 0.5 * swing);
            d = std::min(d, k_guess * std::max(dip, none));
        }
        return longest(d, [&](double way) {
            const double chord = (turned_extreme(now, way) - a_.value - b_.value) / way;
            return first_root(upward, linear_ + chord - 0.5 * way * swing, gap_);
        });
    }

    double step(const PairState& now, const Vec3& frame_rate) const {
        return longest(std::min(horizon_, first_root(-curvature_, slope(), gap_)), [&](double way) {
            const double chord = (extreme(now, frame_rate, way) - a_.value - b_.value) / way;
            return first_root(-curvature_, linear_ + chord, gap_);
        });
    }

private:
    // The chord over a step bounds the extremes, and `root` tells how far that holds; a shorter
    // chord is a better one. Bodies that part: over a long step other points may come down, so that
    // the chord says next to nothing; a short enough one sees only the points that part.
    template <typename Root>
    double longest(double d, const Root& root) const {
        constexpr int k_few = 3;
        constexpr int k_most = 24;
        constexpr double k_shorter = 0.3;
        const bool part = slope() > 0.0;
        double safe = 0.0;
        for (int i = 0; i < (part ? k_most : k_few) && d > safe; ++i) {
            const double sure = root(d);
            if (sure >= d) return d;
            safe = std::max(safe, sure);
            if (sure > 0.8 * d) break;
            const double next = std::min(1.5 * sure, 0.7 * d);
            d = part ? std::max(next, k_shorter * d) : next;
        }
        return safe;
    }

    struct Extreme {
        double value, slope;
    };
    Extreme extremes(const Turning& body, double sign) const {
        if (body.part.unbounded() || body.part.reach() == 0.0) return {0.0, 0.0};
        const shape::Pose pose = body.part.pose(body.state);
        shape::Index hint = body.vertex;
        const Vec3 towards = pose.rotate_inverse(Vec3(-sign * n_));
        const Vec3 r =
            pose.apply(core_support(body.part.convex(), towards, hint)) - body.state.position;
        return {sign * n_.dot(r), sign * n_.cross(body.rate).dot(r)};
    }
    double extreme(const PairState& now, const Vec3& frame_rate, double d) const {
        const Vec3 rate_a = now.state_a.angular_velocity - frame_rate;
        const Vec3 rate_b = now.state_b.angular_velocity - frame_rate;
        const Turning a{*now.a, now.state_a, vertex_a_, rate_a, 0.0, 0.0};
        const Turning b{*now.b, now.state_b, vertex_b_, rate_b, 0.0, 0.0};
        return (now.a->reach() == 0.0 ? 0.0 : a.extreme(n_, d, 1.0)) +
               (now.b->reach() == 0.0 ? 0.0 : b.extreme(n_, d, -1.0));
    }

    double turned_extreme(const PairState& now, double d) const {
        const Turning a{*now.a, now.state_a, vertex_a_, now.state_a.angular_velocity, 0.0, 0.0};
        const Turning b{*now.b, now.state_b, vertex_b_, now.state_b.angular_velocity, 0.0, 0.0};
        return (now.a->reach() == 0.0 ? 0.0 : a.turned_extreme(n_, d, 1.0)) +
               (now.b->reach() == 0.0 ? 0.0 : b.turned_extreme(n_, d, -1.0));
    }

    Vec3 n_;
    double gap_;
    double horizon_;
    double linear_ = 0.0;
    double curvature_ = 0.0;
    double fall_ = 0.0, bend_ = 0.0, drift_ = 0.0;
    Extreme a_{}, b_{};
    shape::Index vertex_a_ = 0, vertex_b_ = 0;
};

// The time for which the balls about the centres of mass stay apart, or 0.
double balls_apart(const PairState& now, double t, double horizon) {
    if (now.a->unbounded() || now.b->unbounded()) return 0.0;
    const Vec3 C = now.state_a.position - now.state_b.position;
    const double distance = C.norm();
    const double gap = distance - now.a->outer_radius() - now.b->outer_radius();
    if (!(gap > 0.0)) return 0.0;
    const Vec3 n = C / distance;
    const motion::LocalBounds ma = motion::bounds(now.a->motion(), t, horizon);
    const motion::LocalBounds mb = motion::bounds(now.b->motion(), t, horizon);
    const double acceleration = n.dot(ma.a - mb.a) - ma.a_spread - mb.a_spread;
    return std::min(
        horizon, first_root(acceleration, n.dot(now.state_a.velocity - now.state_b.velocity), gap));
}

// A horizon over which the quadratic terms of the rotation are of use.
double useful_horizon(const PairState& now, double horizon) {
    constexpr double k_angle = 0.7;
    const double spin_a = now.a->reach() > 0.0 ? now.state_a.angular_velocity.norm() : 0.0;
    const double spin_b = now.b->reach() > 0.0 ? now.state_b.angular_velocity.norm() : 0.0;
    const double spin = spin_a + spin_b;
    return spin * horizon > k_angle ? k_angle / spin : horizon;
}

}  // namespace

ShapeSpin shape_spin(const MovingPart& part, const motion::State& state) {
    const Vec3& w = state.angular_velocity;
    const Vec3& axis = part.axis();
    if (axis.isZero(0.0)) return {w, false};
    if (const auto* flight = std::get_if<motion::Ballistic>(&part.motion())) {
        if (!constant_across(flight->rotation(), axis)) return {w, false};
    } else if (!std::holds_alternative<motion::Prescribed>(part.motion())) {
        return {w, false};
    }
    const Vec3 a = state.orientation * axis;
    return {w - w.dot(a) * a, true};
}

double safe_step(const PairState& now, double t, double horizon) {
    const double balls = balls_apart(now, t, horizon);
    if (balls >= horizon) return horizon;
    const double near = useful_horizon(now, horizon);
    const Vec3 still = Vec3::Zero();
    double best = std::max(balls, Bound(now, t, near, still).step(now));
    if (best >= near) return best;
    const Vec3 rate = normal_rate(now);
    if (rate.isZero(0.0)) return best;
    // the first step tells over which time the second has to be good
    const double shorter = std::min(near, std::max(16.0 * best, 1e-3 * near));
    const double tracked = Bound(now, t, shorter, rate).step(now, rate);
    return std::max(best, tracked);
}

Approach approach(const PairState& now, double t, double horizon) {
    const Vec3 rate = normal_rate(now);
    const Bound bound(now, t, std::min(horizon, useful_horizon(now, horizon)), rate);
    return {-bound.slope(), bound.curvature()};
}

double gap_after(const PairState& now, double t, double d) {
    const Vec3 rate = normal_rate(now);
    return Bound(now, t, d, rate).gap_after(now, rate, d);
}

}  // namespace carom::detect
