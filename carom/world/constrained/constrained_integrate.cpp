// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

// One step along the equations of motion.

#include <algorithm>
#include <cmath>

#include "carom/motion/dormand_prince_8.h"
#include "carom/world/constrained/constrained_step.h"
#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {
namespace {

using motion::dormand_prince_8::k_error_3;
using motion::dormand_prince_8::k_error_5;
using motion::dormand_prince_8::k_stage;
using motion::dormand_prince_8::k_time;
using motion::dormand_prince_8::k_weight;

Eigen::Vector4d turned(const Vec3& w, const Eigen::Vector4d& q) {
    return 0.5 * (motion::Quat(0.0, w.x(), w.y(), w.z()) * motion::Quat(q)).coeffs();
}

// How far a body is moved, of its size and way, beyond rounding.
double displacement_by(const Body& body, const motion::State& from, const motion::State& to,
                       double way) {
    const double turn = 2.0 * (from.orientation.conjugate() * to.orientation).vec().norm();
    const double rounding = 64.0 * k_ulp * (to.position.norm() + body.radius);
    const double moved = (to.position - from.position).norm() + body.radius * turn;
    return std::max(0.0, moved - rounding) / (body.radius + way);
}

}  // namespace

bool ConstrainedStepper::evaluate(double t) {
    place_kinematic(t);
    system_.look();
    return system_.solve();
}

ConstrainedStepper::Rates ConstrainedStepper::rates_of(std::size_t i) const {
    const ConstrainedBody& body = system_.bodies[i];
    return {body.state.velocity, body.a, body.alpha,
            turned(body.state.angular_velocity, body.state.orientation.coeffs())};
}

// A sum of the stages' rates with the given weights.
template <std::size_t n>
ConstrainedStepper::Rates ConstrainedStepper::sum_of(const std::array<Rates, k_stages>& k,
                                                     const std::array<double, n>& weights,
                                                     std::size_t count) {
    Rates sum{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Eigen::Vector4d::Zero()};
    for (std::size_t s = 0; s < count; ++s) {
        if (weights[s] == 0.0) continue;
        sum.v += weights[s] * k[s].v;
        sum.a += weights[s] * k[s].a;
        sum.alpha += weights[s] * k[s].alpha;
        sum.q += weights[s] * k[s].q;
    }
    return sum;
}

// How far the step's error is above what is allowed.
double ConstrainedStepper::error_of(std::size_t i, const std::array<Rates, k_stages>& k,
                                    double h) const {
    const Rates five = sum_of(k, k_error_5, k_stages), three = sum_of(k, k_error_3, k_stages);
    const auto error = [&](const auto& e5, const auto& e3) {
        const double x = e5.squaredNorm(), y = e3.squaredNorm();
        return x > 0.0 ? h * x / std::sqrt(x + 0.01 * y) : 0.0;
    };
    const motion::State& s = start_[i];
    const double r = system_.bodies[i].body->radius;
    const double g = system_.scale;
    const double speed = s.velocity.norm() + std::sqrt(g * r);
    const double spin = s.angular_velocity.norm() + std::sqrt(g / r);
    const double floor = 8.0 * k_ulp;
    const double relative = allowed_;
    return std::max(
        {error(five.v, three.v) / (relative * (r + h * speed) + floor * s.position.norm()),
         error(five.a, three.a) / (relative * speed),
         error(five.alpha, three.alpha) / (relative * spin), error(five.q, three.q) / relative});
}

// The state of a body after a part h of the step with these rates.
motion::State ConstrainedStepper::moved(std::size_t i, const Rates& rate, double h) const {
    motion::State state = start_[i];
    state.position += h * rate.v;
    state.velocity += h * rate.a;
    state.angular_velocity += h * rate.alpha;
    state.orientation =
        motion::Quat(Eigen::Vector4d(start_[i].orientation.coeffs() + h * rate.q)).normalized();
    return state;
}

// Leaves the bodies at the end of the step; its error over the tolerance, infinite where a stage
// has no answer.
double ConstrainedStepper::try_step(double t, double h) {
    k_.resize(free_count_);
    for (std::size_t i = 0; i < free_count_; ++i)
        k_[i][0] = {start_[i].velocity, a_start_[i], alpha_start_[i],
                    turned(start_[i].angular_velocity, start_[i].orientation.coeffs())};
    stage_force_[0] = start_force_;
    for (std::size_t s = 0; s < k_stage.size(); ++s) {
        for (std::size_t i = 0; i < free_count_; ++i)
            system_.bodies[i].state = moved(i, sum_of(k_[i], k_stage[s], s + 1), h);
        if (!evaluate(t + k_time[s] * h)) return k_forever;
        for (std::size_t i = 0; i < free_count_; ++i)
            k_[i][s + 1] = rates_of(i);
        stage_force_[s + 1].clear();
        for (const ConstrainedPoint& p : system_.points)
            stage_force_[s + 1].push_back(p.force);
        note_power(stage_power_[s + 1]);
    }
    double error = 0.0;
    for (std::size_t i = 0; i < free_count_; ++i) {
        system_.bodies[i].state = moved(i, sum_of(k_[i], k_weight, k_stages), h);
        error = std::max(error, error_of(i, k_[i], h));
        if (!system_.bodies[i].state.position.allFinite()) return k_forever;
    }
    place_kinematic(t + h);
    system_.look();
    return error;
}

// Puts the bodies back onto their conditions at the end of the step and makes the pieces: notes how
// far that moves them, since conditions that all but depend on each other can move them by far more
// than the error of the step, and the quintics would go there and back again. False
// where there are none: a rim that is level at just that time has no lowest point.
bool ConstrainedStepper::finish_step(double t, double h) {
    end_.clear();
    for (std::size_t i = 0; i < free_count_; ++i)
        end_.push_back(system_.bodies[i].state);
    system_.project_positions();
    displacement_ = 0.0;
    for (std::size_t i = 0; i < free_count_; ++i)
        displacement_ = std::max(
            displacement_, displacement_by(*system_.bodies[i].body, end_[i],
                                           system_.bodies[i].state, h * start_[i].velocity.norm()));
    // Larger: wilder quintics.
    constexpr double k_displaced = 100.0;
    displacement_ /= k_displaced * std::max(k_constrained_tolerances.relative, allowed_);
    system_.look();
    system_.project_velocities(false, false);
    system_.look();
    if (!system_.solve()) return false;
    pieces_.clear();
    end_.clear();
    a_end_.clear();
    alpha_end_.clear();
    for (std::size_t i = 0; i < free_count_; ++i) {
        const ConstrainedBody& body = system_.bodies[i];
        end_.push_back(body.state);
        a_end_.push_back(body.a);
        alpha_end_.push_back(body.alpha);
        pieces_.emplace_back(t, (t + h) - t,
                             motion::knot_of(start_[i], a_start_[i], alpha_start_[i]),
                             motion::knot_of(body.state, body.a, body.alpha),
                             body.state.position - start_[i].position);
    }
    for (Contact& contact : contacts_)
        note_place(contact, contact.point_end, contact.force_end, contact.couple_end);
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

// How far the quintics are from the equations of motion in the middle of the step, as errors of
// position and velocity, over the tolerance: theirs is K s^3 (1 - s)^3.
double ConstrainedStepper::defect(double t, double h) {
    constexpr double k_allowed = 30.0;
    const double middle = t + 0.5 * h;
    set_states(middle);
    if (!evaluate(middle)) return k_forever;
    double worst = 0.0;
    for (std::size_t i = 0; i < free_count_; ++i) {
        const ConstrainedBody& body = system_.bodies[i];
        const motion::Knot truth = motion::knot_of(body.state, body.a, body.alpha);
        const double r = body.body->radius;
        const double speed = body.state.velocity.norm() + std::sqrt(system_.scale * r);
        const double linear = (pieces_[i].acceleration_at(middle) - truth.a).norm();
        const double angular = (pieces_[i].quaternion_rate2_at(middle) - truth.q_rate2).norm();
        const double rounding = 64.0 * k_ulp / (h * h);
        const double moved = 64.0 * k_ulp * body.state.position.norm() / (h * h);
        if (!std::isfinite(linear + angular)) return k_forever;
        if (linear > moved) worst = std::max(worst, linear * h / 7.0 / speed);
        if (angular > rounding) worst = std::max(worst, angular * h * h / 24.0);
    }
    return worst / std::max(k_allowed * k_constrained_tolerances.relative, allowed_);
}

// As the last step suggests where no contact changed at its end, and no longer than what turns
// allows.
double ConstrainedStepper::first_length(double t) const {
    double h = k_forever;
    const bool goes_on = std::all_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) {
        const PersistentContact& last = graph_.pair(c.pair).contact;
        return last.exact && last.goes_on && last.t1 == t;
    });
    for (std::size_t i = 0; i < free_count_; ++i) {
        const BodyTrack& track = graph_.track(ids_[i]);
        const double unit = std::sqrt(track.body->radius / system_.scale);
        h = std::min(h, goes_on && track.last_step > 0.0
                            ? track.last_step
                            : k_constrained_tolerances.first_step * unit);
        h = std::min(h, k_constrained_tolerances.longest_step * unit);
        const double spin = system_.bodies[i].state.angular_velocity.norm();
        if (!is_ball(*track.body) && spin * h > k_constrained_tolerances.longest_turn)
            h = k_constrained_tolerances.longest_turn / spin;
    }
    return h;
}

// Solves a step of the length h or, where that is too long, a shorter one; its length, 0 where none
// is to be had. The pieces are then made.
double ConstrainedStepper::integrate(double t, double h) {
    // the direction of a slip that ends turns ever faster
    const bool slips =
        std::any_of(system_.points.begin(), system_.points.end(), [&](const ConstrainedPoint& p) {
            return p.mode == PointMode::slides && p.mu > 0.0 &&
                   tangential(p.u, p.at.n).norm() < system_.small_slip;
        });
    allowed_ =
        slips ? k_constrained_tolerances.while_slip_is_small : k_constrained_tolerances.relative;
    constexpr int k_most = 60;
    for (int i = 0; i < k_most; ++i) {
        check_stop(stop_);
        const double least = std::max(
            k_constrained_tolerances.shortest_step * std::sqrt(system_.length / system_.scale),
            16.0 * k_ulp * t);
        if (!(h > least)) return 0.0;
        double error = try_step(t, h);
        if (error <= 1.0) {
            error = finish_step(t, h) ? std::max({error, defect(t, h), displacement_}) : k_forever;
        }
        // the error of the step is of order 7, that of its quintics of order 6
        const double factor = error > 0.0 ? 0.9 * std::pow(error, -1.0 / 6.0) : 5.0;
        const double next = h * (std::isfinite(factor) ? std::clamp(factor, 0.2, 5.0) : 0.2);
        if (error <= 1.0) {
            next_length_ = next;
            return h;
        }
        h = std::min(next, 0.9 * h);
    }
    return 0.0;
}

}  // namespace carom::world
