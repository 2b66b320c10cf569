// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "carom/motion/state.h"

namespace carom::motion {

// Slip, or rolling, of a sphere on a turning plane against dry friction:
//     d' = v,   y' = -alpha h - L y/|y|,   h = W J v - g,
//     v  = v0 + v1 tau + m y + n J d,
// with J a quarter turn. y is the slip (alpha = 1, m = 1/(1+k), n = W/(1+k)) or the velocity of
// rolling relative to the plane (alpha = k/(1+k), m = 1, n = W); see sphere_contact.h. L is
// constant, or with `capped` (slip_limit - |h|) / (1 + k).
struct SlipProblem {
    Vec2 y = Vec2::Zero();  // at tau = 0; zero starts along -h
    Vec2 g = Vec2::Zero();
    double turn_rate = 0.0;
    double alpha = 1.0;
    Vec2 v0 = Vec2::Zero(), v1 = Vec2::Zero();
    double m = 1.0, n = 0.0;
    double friction = 0.0;
    bool capped = false;
    double slip_limit = 0.0;
    double kappa = 0.0;
    // the motion ends when |h| comes up to `above` or down to `below`
    std::optional<double> above{}, below{};
    double longest = 0.0;  // may be infinite

    Vec2 velocity(double tau, const Vec2& d, const Vec2& y_now) const;
    Vec2 needed(const Vec2& v) const;  // h
    double friction_at(const Vec2& h) const;
};

struct SlipPieces;

// The solution in pieces. In the variable s with dt = |y| ds it is analytic, also where y vanishes
// (s goes to infinity there): each piece is a Taylor series of order 20 in s, as long as its last
// terms allow. The last stretch, in which h changes by 1e-5 at most, is the closed hodograph with h
// of its middle: exact to rounding, and so is the time when y vanishes.
//
// A start with y = 0 is where -alpha h just outgrows L. The direction of y is then slaved to h,
// with the lag |y| w / |h| (w the rate at which h turns); that is used until the lag is 1e-5, by
// which time errors of the direction are forgotten. This first piece is in s = tau.
// Ends after k_most_pieces at the latest. *Derived.*
class SlipSeries {
public:
    static constexpr std::size_t k_order = 20;
    static constexpr std::size_t k_most_pieces = 1000;
    enum class End { stopped, limit, length };

    explicit SlipSeries(const SlipProblem& problem);

    struct Point {
        Vec2 d, v, y;
    };
    // 0 <= tau <= length()
    Point at(double tau) const;
    // the direction of y, its limit where y vanishes
    Vec2 direction_at(double tau) const;
    double length() const;
    End end() const;
    // bounds of |v| and |y| over the whole
    double speed_max() const;
    double y_max() const;
    const SlipProblem& problem() const { return problem_; }

    // The variable s at a time; bounded at the end of a motion that stops, where nothing moves.
    double variable_at(double tau) const;
    // The motion about a point: coefficients in the distance from s, good up to reach.
    struct Local {
        std::array<double, k_order + 1> t;
        std::array<Vec2, k_order + 1> d, y;
        double reach;
    };
    Local local(double s) const;

private:
    bool is_slaved(double tau) const;

    SlipProblem problem_;
    std::shared_ptr<const SlipPieces> pieces_;
};

}  // namespace carom::motion
