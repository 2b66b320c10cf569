// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
#pragma once

#include <cmath>
#include <limits>

#include "carom/impact/routh_progress.h"
#include "carom/math/bracket.h"

namespace carom::impact {

// Walks an impact along one piece of its sliding motion, given as functions of a variable t (a
// SlideSeries or a RaySeries), from one zero of u_z to the next until the piece or the impact ends.
// Pre for each walk_to: u_z is monotone on the way.
template <class Curve>
class RouthWalk {
public:
    RouthWalk(RouthProgress& progress, const Curve& curve)
        : progress_(progress), curve_(curve), uz_(progress.uz) {}

    // True when the impact ended on the way. After stopped() the rest is better expanded afresh.
    bool walk_to(double to) {
        while (at_ < to && !stopped_) {
            const double uz_to = curve_.uz(to);
            const bool compression = uz_ < 0.0 || (uz_ == 0.0 && uz_to < 0.0);
            const bool crosses = compression ? uz_to > 0.0 : uz_to < 0.0;
            const double limit = crosses ? zero_of_uz(to, uz_to) : to;
            if (!compression || progress_.ends_in_any_phase()) {
                const double end = end_before(limit);
                if (end <= limit) {
                    move(end, curve_.uz(end), compression);
                    return true;
                }
            }
            move(limit, crosses ? 0.0 : uz_to, compression);
            if (!crosses) continue;
            progress_.mark(compression ? TransitionKind::maximum_compression
                                       : TransitionKind::recompression);
            if (compression && progress_.reach_maximum_compression()) return true;
            // start afresh where a small work would be the difference of large ones
            stopped_ = progress_.ends_by_work() && progress_.parameters.e < k_small_e;
        }
        return false;
    }

    bool stopped() const { return stopped_; }

    // Brings the velocities and the friction impulse up to where the walk ended.
    void settle() {
        const auto slip = curve_.slip(at_);
        const auto p = curve_.friction_impulse(at_);
        progress_.x = slip.x;
        progress_.y = slip.y;
        progress_.uz = uz_;
        progress_.px += p.x;
        progress_.py += p.y;
    }

private:
    static constexpr double k_small_e = 0.03;
    static constexpr int k_samples = 8;
    static constexpr double k_never = std::numeric_limits<double>::infinity();

    static math::ValueSlope less(const math::ValueSlope& v, double goal) {
        return {v.value - goal, v.slope};
    }

    double zero_of_uz(double to, double uz_to) const {
        const auto f = [&](double t) { return curve_.uz_slope(t); };
        return math::bracketed_newton(f, at_, to, uz_, straight_guess(to, uz_, uz_to)).x;
    }

    // Where the termination is met in [at_, limit], else infinity.
    double end_before(double limit) const {
        if (progress_.ends_by_velocity()) {
            const double goal = progress_.uz_goal();
            const double at_limit = curve_.uz(limit) - goal;
            return root(limit, uz_ - goal, at_limit, straight_guess(limit, uz_ - goal, at_limit),
                        [&](double t) { return less(curve_.uz_slope(t), goal); });
        }
        if (progress_.ends_by_work()) {
            const double left = progress_.work_left();
            const double goal = work_ + left;
            const double at_limit = curve_.work(limit) - goal;
            // from u_z = 0 the work grows like a square
            const double part = left / (left + at_limit);
            const double guess =
                at_ + (limit - at_) * (uz_ == 0.0 && part > 0.0 ? std::sqrt(part) : part);
            return root(limit, -left, at_limit, guess,
                        [&](double t) { return less(curve_.work_slope(t), goal); });
        }
        const double left = progress_.impulse_left();
        const double goal = z_ + left;
        const double at_limit = curve_.normal_impulse(limit) - goal;
        return root(limit, -left, at_limit, straight_guess(limit, -left, at_limit),
                    [&](double t) { return less(curve_.normal_impulse_slope(t), goal); });
    }

    // Where a straight line comes to zero.
    double straight_guess(double limit, double value_at, double value_limit) const {
        return at_ + (limit - at_) * value_at / (value_at - value_limit);
    }

    // Where a rising function comes to zero, given its values at both ends; infinity if later.
    template <class Function>
    double root(double limit, double value_at, double value_limit, double guess,
                Function&& f) const {
        if (value_at >= 0.0) return at_;
        if (value_limit < 0.0) return k_never;
        return math::bracketed_newton(f, at_, limit, value_at, guess).x;
    }

    // Goes on to t within one phase, u_z there being uz.
    void move(double t, double uz, bool compression) {
        if (progress_.trace != nullptr) trace(t);
        const double z = curve_.normal_impulse(t);
        const double work = curve_.work(t);
        progress_.account(z - z_, work - work_, compression);
        at_ = t;
        uz_ = uz;
        z_ = z;
        work_ = work;
    }

    void trace(double to) const {
        RouthProgress now = progress_;
        for (int i = 1; i <= k_samples; ++i) {
            const double t = at_ + (to - at_) * i / k_samples;
            const auto slip = curve_.slip(t);
            const auto p = curve_.friction_impulse(t);
            now.x = slip.x;
            now.y = slip.y;
            now.uz = curve_.uz(t);
            now.sample(Mode::slide, p.x, p.y, curve_.normal_impulse(t) - z_,
                       curve_.work(t) - work_);
        }
    }

    RouthProgress& progress_;
    const Curve& curve_;
    double at_ = 0.0;    // t reached
    double z_ = 0.0;     // normal impulse there
    double work_ = 0.0;  // normal work there
    double uz_;          // normal velocity there, exactly zero at its zeros
    bool stopped_ = false;
};

}  // namespace carom::impact
