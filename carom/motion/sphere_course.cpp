// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/motion/sphere_course.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::motion {
namespace {

using Phase = SphereOnPlane::Phase;
using End = PlaneCourse::End;

// A need for friction within this of its limit is at the limit: it sticks unless the need grows.
// Covers the rounding of a change-over that was located on the motion before. Ten times larger
// would leave rolling earlier by as much of a turn.
constexpr double k_at_limit = 1e-12;
// A velocity this near to the line of the slope is on it. Ten times larger would let a path be off
// by ten ulp of its length.
constexpr double k_straight = 4.0 * std::numeric_limits<double>::epsilon();

// A series is made for this angle of the plane at most (rad), and made anew after that: a matter of
// memory only.
constexpr double k_longest_series = 40.0;

// Whether friction that must be h, changing at h_rate, is more than the limit holds.
bool too_much(const Vec2& h, const Vec2& h_rate, double limit) {
    const double size = h.norm();
    if (std::abs(size - limit) > k_at_limit * limit) return size > limit;
    return limit > 0.0 && h.dot(h_rate) > k_at_limit * limit * h_rate.norm();
}

// Constant deceleration along a line: u' = rate along u's direction.
double stop_time(double speed, double rate) {
    return rate < 0.0 ? speed / -rate : k_never;
}

SlipProblem turning_problem(const ContactFrame& f, double longest) {
    SlipProblem p;
    p.g = f.slope_vector();
    p.turn_rate = f.turn_rate;
    p.slip_limit = f.slip_limit;
    p.kappa = f.kappa;
    p.longest = std::min(longest, k_longest_series / std::abs(f.turn_rate));
    return p;
}

End end_of(const SlipSeries& series, End stopped) {
    return series.end() == SlipSeries::End::stopped ? stopped : End::goes_on;
}

PlaneCourse sliding(const ContactFrame& f, const PlaneStart& start, double longest) {
    const Vec2 g = f.slope_vector();
    const Vec2 u =
        start.slips ? Vec2(start.v + start.b - f.turn_rate * quarter_turn(start.x)) : Vec2::Zero();
    if (f.mu_g == 0.0) {
        return {Phase::sliding, LineWay{start.v, g, start.b, Vec2::Zero()}, k_never, End::none};
    }
    if (f.turn_rate != 0.0) {
        SlipProblem p = turning_problem(f, longest);
        const double share = 1.0 / (1.0 + f.kappa);
        p.y = u;
        p.alpha = 1.0;
        p.v0 = start.v - share * u;
        p.v1 = f.kappa * share * g;
        p.m = share;
        p.n = f.turn_rate * share;
        p.friction = f.slip_limit;
        const SlipSeries series(p);
        return {Phase::sliding, SeriesWay{series, true, start.x, f.kappa, f.turn_rate},
                series.length(), end_of(series, End::slip_stops)};
    }
    const double size = u.norm();
    const bool straight = f.slope == 0.0 || std::abs(u.y()) <= k_straight * size;
    if (!straight) {
        const Hodograph hodograph(u, f.slope, f.slip_limit);
        return {Phase::sliding, SlopeWay{hodograph, true, u, start.v, start.b, g, f.kappa},
                hodograph.end(), End::slip_stops};
    }
    const Vec2 along = size > 0.0 ? Vec2(u / size) : Vec2::UnitX();
    const Vec2 friction = -f.mu_g * along;
    const double rate = g.dot(along) - f.slip_limit;
    return {Phase::sliding, LineWay{start.v, g + friction, start.b, f.kappa * friction},
            size > 0.0 ? stop_time(size, rate) : k_never, End::slip_stops};
}

// Rolling friction on a turning plane: full, or what is left over near the limit of slip.
PlaneCourse braked_on_turning(const ContactFrame& f, const PlaneStart& start, double longest) {
    SlipProblem p = turning_problem(f, longest);
    p.y = -start.b;
    p.alpha = f.kappa / (1.0 + f.kappa);
    p.v0 = f.turn_rate * quarter_turn(start.x);
    p.n = f.turn_rate;
    p.friction = f.roll_brake / (1.0 + f.kappa);
    const double full = f.slip_limit - f.roll_brake;
    const Vec2 h = f.needed(start.v);
    const double brake = f.brake_left(h.norm());
    const Vec2 direction = p.y.isZero(0.0) ? Vec2(-h.normalized()) : Vec2(p.y.normalized());
    const Vec2 y_rate = -p.alpha * h - brake / (1.0 + f.kappa) * direction;
    const Vec2 h_rate = f.turn_rate * quarter_turn(y_rate + f.turn_rate * quarter_turn(start.v));
    p.capped = too_much(h, h_rate, full);
    p.above = p.capped ? f.slip_limit : full;
    if (p.capped) p.below = full;
    const SlipSeries series(p);
    return {Phase::rolling, SeriesWay{series, false, start.x, f.kappa, f.turn_rate},
            series.length(), end_of(series, End::roll_stops)};
}

PlaneCourse rolling(const ContactFrame& f, const PlaneStart& start, double longest) {
    const double share = f.kappa / (1.0 + f.kappa);
    const Vec2 pull = share * f.slope_vector();
    if (f.turn_rate != 0.0) {
        if (f.roll_brake > 0.0) return braked_on_turning(f, start, longest);
        const CircleWay way{f.turn_rate / (1.0 + f.kappa), start.v, pull, start.b, f.turn_rate};
        return {Phase::rolling, way, way.exceeds(f.slope_vector(), f.mu_g), End::goes_on};
    }
    const double brake = f.brake_left(f.slope) / (1.0 + f.kappa);
    const double speed = start.v.norm();
    if (brake == 0.0) {
        return {Phase::rolling, LineWay{start.v, pull, start.b, -pull}, k_never, End::none};
    }
    const bool straight = f.slope == 0.0 || std::abs(start.v.y()) <= k_straight * speed;
    if (!straight) {
        const Hodograph hodograph(start.v, pull.x(), brake);
        return {Phase::rolling,
                SlopeWay{hodograph, false, start.v, start.v, start.b, f.slope_vector(), f.kappa},
                hodograph.end(), End::roll_stops};
    }
    const Vec2 along = speed > 0.0 ? Vec2(start.v / speed) : Vec2::UnitX();
    const Vec2 a = pull - brake * along;
    return {Phase::rolling, LineWay{start.v, a, start.b, -a},
            speed > 0.0 ? stop_time(speed, a.dot(along)) : k_never, End::roll_stops};
}

PlaneCourse resting(const ContactFrame& f, const PlaneStart& start) {
    const Vec2 still = Vec2::Zero();
    // the caller tells spinning from resting
    if (f.turn_rate == 0.0) {
        return {Phase::resting, LineWay{still, still, still, still}, k_never, End::none};
    }
    const CircleWay way{f.turn_rate, start.v, still, still, f.turn_rate};
    return {Phase::resting, way, way.exceeds(f.slope_vector(), f.rest_limit), End::goes_on};
}

}  // namespace

PlaneCourse plane_course(const ContactFrame& f, const PlaneStart& start, double longest) {
    if (start.slips) return sliding(f, start, longest);
    const Vec2 h = f.needed(start.v);
    if (!start.rolls) {
        // h = -W^2 x - g turns with the plane
        const Vec2 h_rate = -f.turn_rate * f.turn_rate * start.v;
        if (!too_much(h, h_rate, f.rest_limit)) return resting(f, start);
    }
    // near the limit of slip there is no rolling friction: v' = g + h / (1 + k)
    const Vec2 v_rate = f.slope_vector() + h / (1.0 + f.kappa);
    const Vec2 h_rate = f.turn_rate * quarter_turn(v_rate);
    return too_much(h, h_rate, f.slip_limit) ? sliding(f, start, longest)
                                             : rolling(f, start, longest);
}

}  // namespace carom::motion
