// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One step along the equations of motion.

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_step.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {

namespace {

motion::Knot knot_of(const MovingState& body) {
    return motion::knot_of(body.state, body.a, body.alpha);
}

}  // namespace

bool ConstrainedStepper::evaluate(double t) {
    place_kinematic(t);
    system_.look();
    return system_.solve();
}

// Puts the bodies back onto their conditions at the end of the step and makes the pieces. False
// where there are none: a rim that is level at just that time has no lowest point.
bool ConstrainedStepper::finish_step(double t, double h) {
    for (std::size_t i = 0; i < free_count_; ++i)
        system_.bodies[i].state = stages_.at(i, k_stages - 1, h).state;
    place_kinematic(t + h);
    system_.look();
    system_.project_positions();
    system_.look();
    system_.project_velocities(false, false);
    system_.look();
    if (!system_.solve()) return false;
    pieces_.clear();
    middle_.clear();
    end_.clear();
    for (std::size_t i = 0; i < free_count_; ++i) {
        const ConstrainedBody& body = system_.bodies[i];
        end_.push_back({body.state, body.a, body.alpha});
        middle_.push_back(stages_.at(i, motion::lobatto::k_middle, h));
        pieces_.emplace_back(t, (t + h) - t, knot_of(start_[i]), knot_of(middle_.back()),
                             knot_of(end_.back()));
    }
    note_stage(k_stages - 1);
    return std::all_of(system_.bodies.begin(), system_.bodies.end(), [](const auto& body) {
        return body.state.position.allFinite() && body.state.velocity.allFinite() &&
               body.state.orientation.coeffs().allFinite() &&
               body.state.angular_velocity.allFinite() && body.a.allFinite() &&
               body.alpha.allFinite();
    });
}

void ConstrainedStepper::set_states(double t) {
    for (std::size_t i = 0; i < free_count_; ++i)
        system_.bodies[i].state = pieces_[i].at(t);
}

// The largest defect of the pieces, over what is allowed.
double ConstrainedStepper::defect(double t, double h) {
    constexpr double k_allowed = 30.0;
    // where polynomials that vanish at the stages are largest: next to the middle and to the end
    constexpr double k_inner = 0.3807, k_outer = 0.9662;
    double worst = 0.0;
    for (const double s : {k_inner, k_outer}) {
        const double time = t + s * h;
        set_states(time);
        if (!evaluate(time)) return k_forever;
        worst = std::max(worst, stages_.defect(pieces_, time, h));
    }
    return worst / std::max(k_allowed * k_constrained_tolerances.relative, allowed_);
}

// Where the search for the stages begins: where the step before goes on, with its polynomials.
void ConstrainedStepper::predict(double t, double h, bool goes_on) {
    stages_.predict();
    for (std::size_t i = 0; goes_on && i < free_count_; ++i) {
        const BodyTrack& track = graph_.track(ids_[i]);
        if (track.segment.kind != SegmentKind::constrained) continue;
        const auto& pieces = std::get<motion::Integrated>(track.motion).pieces();
        stages_.predict(i, pieces.back(), t, h);
    }
}

// Where a slip ends its direction may turn ever faster, and a step that reaches beyond it has no
// stages: part of the time until then, as the slip slows down now. A slip that ends along its own
// direction goes on beyond its end.
double ConstrainedStepper::until_slips_end() const {
    constexpr double k_part = 0.7;
    // of the acceleration along the slip, across it
    constexpr double k_straight = 1e-4;
    double least = k_forever;
    for (const ConstrainedPoint& p : system_.points) {
        if (p.mode != PointMode::slides || !(p.mu > 0.0) || p.small || p.begins) continue;
        const Vec3 change = tangential(system_.relative_acceleration(p), p.at.n);
        const double speed = p.u.dot(p.along), slows = -change.dot(p.along);
        if (!(speed > system_.small_slip) || !(slows > 0.0)) continue;
        if ((change + slows * p.along).norm() < k_straight * slows) continue;
        least = std::min(least, k_part * speed / slows);
    }
    return least;
}

// Solves a step of the length h or, where that is too long, a shorter one; its length, 0 where none
// is to be had. The pieces are then made.
double ConstrainedStepper::integrate(double t, double h, bool goes_on) {
    constexpr int k_most = 60;
    // the direction of a slip that ends turns ever faster
    const bool slips =
        std::any_of(system_.points.begin(), system_.points.end(), [&](const ConstrainedPoint& p) {
            return p.mode == PointMode::slides && p.mu > 0.0 &&
                   tangential(p.u, p.at.n).norm() < system_.small_slip;
        });
    allowed_ =
        slips ? k_constrained_tolerances.while_slip_is_small : k_constrained_tolerances.relative;
    // a slip that begins has a direction of its own from then on
    for (ConstrainedPoint& p : system_.points)
        if (p.begins) p.small = false;
    stages_.begin(start_);
    predict(t, h, goes_on);
    for (int i = 0; i < k_most; ++i) {
        check_stop(stop_);
        const double least = std::max(
            k_constrained_tolerances.shortest_step * std::sqrt(system_.length / system_.scale),
            16.0 * k_ulp * t);
        if (!(h > least)) return 0.0;
        const bool solved = stages_.solve(t, h);
        const double error = solved && finish_step(t, h) ? defect(t, h) : k_forever;
        // the defect is of order 7, and lasts for the step
        const double factor = error > 0.0 ? 0.9 * std::pow(error, -1.0 / 8.0) : 5.0;
        const double next = h * (error < k_forever ? std::clamp(factor, 0.2, 5.0) : 0.3);
        if (error <= 1.0) {
            next_length_ = next;
            return h;
        }
        const double last = h;
        h = std::min(next, 0.9 * h);
        if (solved) {
            stages_.predict_from_last(last, h);
        } else {
            predict(t, h, goes_on);
        }
    }
    return 0.0;
}

}  // namespace carom::world
