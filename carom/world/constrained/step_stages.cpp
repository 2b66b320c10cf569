// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors

#include "carom/world/constrained/step_stages.h"

#include <algorithm>
#include <cmath>

#include "carom/world/constrained/constrained_tolerances.h"
#include "carom/world/touch/contact_point.h"

namespace carom::world {

namespace lobatto = motion::lobatto;

namespace {

Eigen::Vector4d coefficients(const Vec3& v) {
    return motion::Quat(0.0, v.x(), v.y(), v.z()).coeffs();
}

// w' of a body with this q''.
Vec3 spin_rate(const Eigen::Vector4d& q_rate2, const motion::State& state) {
    return 2.0 * (motion::Quat(q_rate2) * state.orientation.conjugate()).vec();
}

}  // namespace

void StepStages::begin(std::span<const MovingState> start) {
    start_ = start;
    second_.resize(start.size());
    slip_start_.clear();
    for (const ConstrainedPoint& p : system_.points)
        slip_start_.push_back(tangential(p.u, p.at.n).norm());
}

StepStages::Seven StepStages::second_of(const motion::State& state, const Vec3& a,
                                        const Vec3& alpha) {
    Seven out;
    const motion::Quat& q = state.orientation;
    out << a, 0.5 * (motion::Quat(coefficients(alpha)) * q).coeffs() -
                  0.25 * state.angular_velocity.squaredNorm() * q.coeffs();
    return out;
}

// With the accelerations of all stages.
motion::State StepStages::state_at(std::size_t i, std::size_t j, double h) const {
    Seven rate = Seven::Zero(), way = Seven::Zero();
    for (std::size_t l = 0; l < k_count; ++l) {
        rate += lobatto::k_integral[j][l] * second_[i][l];
        way += lobatto::k_double_integral[j][l] * second_[i][l];
    }
    const double d = lobatto::k_place[j] * h;
    const motion::State& from = start_[i].state;
    const Eigen::Vector4d q_rate =
        0.5 * (motion::Quat(coefficients(from.angular_velocity)) * from.orientation).coeffs();
    const Eigen::Vector4d q = from.orientation.coeffs() + d * q_rate + (h * h) * way.tail<4>();
    const Eigen::Vector4d r = q_rate + h * rate.tail<4>();
    motion::State state;
    state.position = from.position + (d * from.velocity + (h * h) * way.head<3>());
    state.velocity = from.velocity + h * rate.head<3>();
    state.angular_velocity =
        (2.0 / q.squaredNorm()) * (motion::Quat(r) * motion::Quat(q).conjugate()).vec();
    state.orientation = motion::Quat(q).normalized();
    return state;
}

MovingState StepStages::at(std::size_t i, std::size_t j, double h) const {
    const motion::State state = state_at(i, j, h);
    return {state, second_[i][j].head<3>(), spin_rate(second_[i][j].tail<4>(), state)};
}

void StepStages::predict() {
    for (std::size_t i = 0; i < start_.size(); ++i)
        second_[i].fill(second_of(start_[i].state, start_[i].a, start_[i].alpha));
}

void StepStages::predict(std::size_t i, const motion::DensePiece& before, double t, double h) {
    // beyond that a polynomial of degree six says nothing
    constexpr double k_far = 1.5;
    if (h > k_far * before.length()) return;
    for (std::size_t j = 1; j < k_count; ++j) {
        const double at = t + lobatto::k_place[j] * h;
        second_[i][j] << before.acceleration_at(at), before.quaternion_rate2_at(at);
    }
}

void StepStages::predict_from_last(double last, double h) {
    const auto old = second_;
    for (std::size_t j = 1; j < k_count; ++j) {
        const lobatto::Numbers weights = lobatto::value_at(lobatto::k_place[j] * h / last);
        for (std::size_t i = 0; i < start_.size(); ++i) {
            second_[i][j].setZero();
            for (std::size_t l = 0; l < k_count; ++l)
                second_[i][j] += weights[l] * old[i][l];
        }
    }
}

// One evaluation of all stages, and what it changes of them; as changes of velocity over the step,
// of the body's. gains: those of stiff slips are found anew. Infinite where a stage has no answer.
double StepStages::sweep(double t, double h, bool gains) {
    constexpr double k_none = std::numeric_limits<double>::infinity();
    const std::size_t count = start_.size();
    for (std::size_t j = 1; j < k_count; ++j) {
        left_[j].resize(count);
        states_[j].resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            states_[j][i] = system_.bodies[i].state = state_at(i, j, h);
            if (!states_[j][i].position.allFinite()) return k_none;
        }
        if (!evaluate_(t + lobatto::k_place[j] * h)) return k_none;
        note_(j);
        for (std::size_t i = 0; i < count; ++i) {
            const ConstrainedBody& body = system_.bodies[i];
            const Seven& now = second_[i][j];
            left_[j][i] << body.a - now.head<3>(),
                body.alpha - spin_rate(now.tail<4>(), body.state);
        }
        if (!stiff_.empty() && !note_answers(answers_[j], gains)) return k_none;
    }
    if (!stiff_.empty()) relax_slips(h);
    double change = 0.0;
    for (std::size_t j = 1; j < k_count; ++j)
        for (std::size_t i = 0; i < count; ++i) {
            const Six& more = left_[j][i];
            const motion::State& state = states_[j][i];
            Seven& now = second_[i][j];
            now = second_of(state, now.head<3>() + more.head<3>(),
                            spin_rate(now.tail<4>(), state) + more.tail<3>());
            change = std::max({change, h * more.head<3>().norm() / speed_unit(i),
                               h * more.tail<3>().norm() / spin_unit(i)});
        }
    return std::isfinite(change) ? change : k_none;
}

double StepStages::speed_unit(std::size_t i) const {
    return start_[i].state.velocity.norm() +
           std::sqrt(system_.scale * system_.bodies[i].body->radius);
}

double StepStages::spin_unit(std::size_t i) const {
    return start_[i].state.angular_velocity.norm() +
           std::sqrt(system_.scale / system_.bodies[i].body->radius);
}

bool StepStages::solve(double t, double h) {
    constexpr int k_sweeps = 30;
    // Of the error of a step. Larger: what the sweeps leave is part of it.
    constexpr double k_part = 0.1;
    // What a sweep leaves of the changes of the one before. Larger: gains of slips are found anew
    // less often; a search that goes nowhere is given up later.
    constexpr double k_slow = 0.1, k_hopeless = 0.7;
    constexpr int k_first = 3;  // sweeps that need not get closer
    find_stiff_slips(h);
    double before = std::numeric_limits<double>::infinity();
    bool gains = true;
    for (int i = 0; i < k_sweeps; ++i) {
        const double change = sweep(t, h, gains);
        if (!std::isfinite(change)) return false;
        // what is left falls by the same part each time
        const double part = std::isfinite(before) ? change / before : 1.0;
        const double rest = part < 1.0 ? change * part / (1.0 - part) : change;
        if (std::min(change, rest) <= k_part * k_constrained_tolerances.relative) return true;
        if (i > k_first && part > k_hopeless) return false;
        gains = i == 0 || part > k_slow;
        before = change;
    }
    return false;
}

// Defects last for the part of the step between two stages; slips whose direction settles in less
// change their velocity by less.
double StepStages::defect(std::span<const motion::DensePiece> pieces, double time, double h) {
    constexpr double k_lasts = 1.0 / 7.0;
    std::vector<Six>& left = left_[0];
    left.resize(start_.size());
    for (std::size_t i = 0; i < start_.size(); ++i) {
        const ConstrainedBody& body = system_.bodies[i];
        left[i] << body.a - pieces[i].acceleration_at(time),
            body.alpha - spin_rate(pieces[i].quaternion_rate2_at(time), body.state);
    }
    if (!relax_slips(left, k_lasts * h)) return std::numeric_limits<double>::infinity();
    double worst = 0.0;
    for (std::size_t i = 0; i < start_.size(); ++i) {
        left[i] *= k_lasts * h;
        const double linear = left[i].head<3>().norm(), angular = left[i].tail<3>().norm();
        if (!std::isfinite(linear + angular)) return std::numeric_limits<double>::infinity();
        // of second derivatives of the pieces
        const double rounding = 64.0 * k_ulp / h;
        if (linear > rounding * start_[i].state.position.norm())
            worst = std::max(worst, linear / speed_unit(i));
        if (angular > rounding) worst = std::max(worst, angular / spin_unit(i));
    }
    return worst;
}

}  // namespace carom::world
